/* make_float4 and the like, for host and device. */
#ifndef UNRULY_VECTOR_FUNCTIONS_H
#define UNRULY_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__
#include "unruly/aside.h"

#include "vector_types.h"

#pragma push_macro("UNRULY_MAKE")
#if defined(__clang__)
#define UNRULY_MAKE static __inline__ __host__ __device__ __attribute__((nodebug, unused))
#else
#define UNRULY_MAKE static __inline__ __attribute__((unused))
#endif

UNRULY_MAKE char1 make_char1(signed char x) {
  char1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE char2 make_char2(signed char x, signed char y) {
  char2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE char3 make_char3(signed char x, signed char y, signed char z) {
  char3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE char4 make_char4(signed char x, signed char y, signed char z, signed char w) {
  char4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE uchar1 make_uchar1(unsigned char x) {
  uchar1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE uchar2 make_uchar2(unsigned char x, unsigned char y) {
  uchar2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) {
  uchar3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
  uchar4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE short1 make_short1(short x) {
  short1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE short2 make_short2(short x, short y) {
  short2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE short3 make_short3(short x, short y, short z) {
  short3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE short4 make_short4(short x, short y, short z, short w) {
  short4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE ushort1 make_ushort1(unsigned short x) {
  ushort1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE ushort2 make_ushort2(unsigned short x, unsigned short y) {
  ushort2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) {
  ushort3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) {
  ushort4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE int1 make_int1(int x) {
  int1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE int2 make_int2(int x, int y) {
  int2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE int3 make_int3(int x, int y, int z) {
  int3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE int4 make_int4(int x, int y, int z, int w) {
  int4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE uint1 make_uint1(unsigned int x) {
  uint1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE uint2 make_uint2(unsigned int x, unsigned int y) {
  uint2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) {
  uint3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) {
  uint4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE long1 make_long1(long x) {
  long1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE long2 make_long2(long x, long y) {
  long2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE long3 make_long3(long x, long y, long z) {
  long3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE long4 make_long4(long x, long y, long z, long w) {
  long4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE ulong1 make_ulong1(unsigned long x) {
  ulong1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE ulong2 make_ulong2(unsigned long x, unsigned long y) {
  ulong2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z) {
  ulong3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z, unsigned long w) {
  ulong4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE longlong1 make_longlong1(long long x) {
  longlong1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE longlong2 make_longlong2(long long x, long long y) {
  longlong2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE longlong3 make_longlong3(long long x, long long y, long long z) {
  longlong3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE longlong4 make_longlong4(long long x, long long y, long long z, long long w) {
  longlong4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE ulonglong1 make_ulonglong1(unsigned long long x) {
  ulonglong1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) {
  ulonglong2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y, unsigned long long z) {
  ulonglong3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y, unsigned long long z, unsigned long long w) {
  ulonglong4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE float1 make_float1(float x) {
  float1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE float2 make_float2(float x, float y) {
  float2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE float3 make_float3(float x, float y, float z) {
  float3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE float4 make_float4(float x, float y, float z, float w) {
  float4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
UNRULY_MAKE double1 make_double1(double x) {
  double1 v;
  v.x = x;
  return v;
}
UNRULY_MAKE double2 make_double2(double x, double y) {
  double2 v;
  v.x = x;
  v.y = y;
  return v;
}
UNRULY_MAKE double3 make_double3(double x, double y, double z) {
  double3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
UNRULY_MAKE double4 make_double4(double x, double y, double z, double w) {
  double4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

#pragma pop_macro("UNRULY_MAKE")

#include "unruly/back.h"

#endif
