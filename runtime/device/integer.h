/* Integers, and the bits of numbers. */
#ifndef UNRULY_DEVICE_INTEGER_H
#define UNRULY_DEVICE_INTEGER_H

API int __nv_abs(int x) { return x < 0 ? (int)(0u - (u32)x) : x; }
API i64 __nv_llabs(i64 x) { return x < 0 ? (i64)(0ull - (u64)x) : x; }
API int __nv_max(int a, int b) { return a > b ? a : b; }
API int __nv_min(int a, int b) { return a < b ? a : b; }
API u32 __nv_umax(u32 a, u32 b) { return a > b ? a : b; }
API u32 __nv_umin(u32 a, u32 b) { return a < b ? a : b; }
API i64 __nv_llmax(i64 a, i64 b) { return a > b ? a : b; }
API i64 __nv_llmin(i64 a, i64 b) { return a < b ? a : b; }
API u64 __nv_ullmax(u64 a, u64 b) { return a > b ? a : b; }
API u64 __nv_ullmin(u64 a, u64 b) { return a < b ? a : b; }

API int __nv_brev(int x) { return (int)__builtin_bitreverse32((u32)x); }
API i64 __nv_brevll(i64 x) { return (i64)__builtin_bitreverse64((u64)x); }
API int __nv_clz(int x) { return x == 0 ? 32 : __builtin_clz((u32)x); }
API int __nv_clzll(i64 x) { return x == 0 ? 64 : __builtin_clzll((u64)x); }
API int __nv_popc(int x) { return __builtin_popcount((u32)x); }
API int __nv_popcll(i64 x) { return __builtin_popcountll((u64)x); }
API int __nv_ffs(int x) { return x == 0 ? 0 : 32 - __builtin_clz((u32)x & (0u - (u32)x)); }
API int __nv_ffsll(i64 x) { return x == 0 ? 0 : 64 - __builtin_clzll((u64)x & (0ull - (u64)x)); }

/* Each nibble of the selector names one of eight bytes; its top bit asks for the byte's sign in all places. */
API int __nv_byte_perm(int a, int b, int selector) {
  u64 bytes = (u64)(u32)b << 32 | (u32)a;
  u32 y = 0;
#pragma unroll
  for (int i = 0; i < 4; i++)
    y |= (u32)(bytes >> (((u32)selector >> 4 * i & 7) * 8) & 0xff) << 8 * i;
  return (int)y;
}

INLINE int low_24(int x) { return (int)((u32)x << 8) >> 8; }
API int __nv_mul24(int a, int b) { return (int)((u32)low_24(a) * (u32)low_24(b)); }
API u32 __nv_umul24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
API int __nv_mulhi(int a, int b) { return (int)((i64)a * b >> 32); }
API u32 __nv_umulhi(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
API i64 __nv_mul64hi(i64 a, i64 b) { return (i64)((__int128)a * b >> 64); }
API u64 __nv_umul64hi(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
API int __nv_hadd(int a, int b) { return (int)(((i64)a + b) >> 1); }
API int __nv_rhadd(int a, int b) { return (int)(((i64)a + b + 1) >> 1); }
API u32 __nv_uhadd(u32 a, u32 b) { return (u32)(((u64)a + b) >> 1); }
API u32 __nv_urhadd(u32 a, u32 b) { return (u32)(((u64)a + b + 1) >> 1); }
API int __nv_sad(int a, int b, int c) { return (int)((a > b ? (u32)a - (u32)b : (u32)b - (u32)a) + (u32)c); }
API u32 __nv_usad(u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; }

API int __nv_float_as_int(float x) { return (int)bits(x); }
API u32 __nv_float_as_uint(float x) { return bits(x); }
API float __nv_int_as_float(int x) { return number((u32)x); }
API float __nv_uint_as_float(u32 x) { return number(x); }
API i64 __nv_double_as_longlong(double x) { return (i64)bits(x); }
API double __nv_longlong_as_double(i64 x) { return number((u64)x); }
API int __nv_double2hiint(double x) { return (int)(bits(x) >> 32); }
API int __nv_double2loint(double x) { return (int)bits(x); }
API double __nv_hiloint2double(int hi, int lo) { return number((u64)(u32)hi << 32 | (u32)lo); }

#endif
