/* __match_any_sync and __match_all_sync for all types, from the functions for 32 and 64 bits that clang has. */
#ifndef UNRULY_MATCH_H
#define UNRULY_MATCH_H
#include "../unruly/aside.h"

static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, int v) {
  return (unsigned int)__match32_any_sync(mask, (unsigned int)v);
}
static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, int v, int *all) {
  return (unsigned int)__match32_all_sync(mask, (unsigned int)v, all);
}
static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, unsigned int v) {
  return (unsigned int)__match32_any_sync(mask, v);
}
static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, unsigned int v, int *all) {
  return (unsigned int)__match32_all_sync(mask, v, all);
}
static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, long v) {
  return (unsigned int)__match64_any_sync(mask, (unsigned long long)v);
}
static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, long v, int *all) {
  return (unsigned int)__match64_all_sync(mask, (unsigned long long)v, all);
}
static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, unsigned long v) {
  return (unsigned int)__match64_any_sync(mask, v);
}
static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, unsigned long v, int *all) {
  return (unsigned int)__match64_all_sync(mask, v, all);
}
static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, long long v) {
  return (unsigned int)__match64_any_sync(mask, (unsigned long long)v);
}
static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, long long v, int *all) {
  return (unsigned int)__match64_all_sync(mask, (unsigned long long)v, all);
}
static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, unsigned long long v) {
  return (unsigned int)__match64_any_sync(mask, v);
}
static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, unsigned long long v, int *all) {
  return (unsigned int)__match64_all_sync(mask, v, all);
}
static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, float v) {
  return (unsigned int)__match32_any_sync(mask, __float_as_uint(v));
}
static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, float v, int *all) {
  return (unsigned int)__match32_all_sync(mask, __float_as_uint(v), all);
}
static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, double v) {
  return (unsigned int)__match64_any_sync(mask, (unsigned long long)__double_as_longlong(v));
}
static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, double v, int *all) {
  return (unsigned int)__match64_all_sync(mask, (unsigned long long)__double_as_longlong(v), all);
}

#include "../unruly/back.h"

#endif
