/* 16-bit floating point: storage, conversions, arithmetic. A sum, product or quotient that is computed in single precision and
 * rounded is the correctly rounded one: 24 bits are more than twice 11. */
#ifndef UNRULY_CUDA_FP16_H
#define UNRULY_CUDA_FP16_H
#define __CUDA_FP16_H__
#include "unruly/aside.h"

#include "cuda_runtime.h"

#if defined(__cplusplus)
#pragma push_macro("UNRULY_BOTH")
#if defined(__CUDA__)
#define UNRULY_BOTH static __inline__ __host__ __device__ __attribute__((unused))
#else
#define UNRULY_BOTH static inline
#endif

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

namespace unruly_half {
UNRULY_BOTH unsigned int bits(float f) {
  unsigned int b;
  __builtin_memcpy(&b, &f, sizeof b);
  return b;
}
UNRULY_BOTH float number(unsigned int b) {
  float f;
  __builtin_memcpy(&f, &b, sizeof f);
  return f;
}
/* To the nearest, to the even one between two. */
UNRULY_BOTH unsigned short narrow(float f) {
#if defined(__CUDA_ARCH__)
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
#else
  unsigned int b = bits(f), sign = b >> 16 & 0x8000, size = b & 0x7fffffff;
  if (size > 0x7f800000)
    return 0x7fff;
  if (size >= 0x477ff000)
    return (unsigned short)(sign | 0x7c00);
  /* The addition rounds: its last place is that of a half. */
  if (size < 0x38800000)
    return (unsigned short)(sign | (bits(number(size) + 0.5f) - 0x3f000000));
  unsigned int even = size >> 13 & 1;
  return (unsigned short)(sign | (size - 0x38000000 + 0xfff + even) >> 13);
#endif
}
UNRULY_BOTH float widen(unsigned short h) {
#if defined(__CUDA_ARCH__)
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
#else
  unsigned int sign = (unsigned int)(h & 0x8000) << 16, size = h & 0x7fff;
  if (size >= 0x7c00)
    return number(sign | 0x7f800000 | (size & 0x3ff) << 13);
  if (size < 0x400)
    return number(sign | bits((float)size * 0x1p-24f));
  return number(sign | ((size << 13) + 0x38000000));
#endif
}
} // namespace unruly_half

struct __half {
  unsigned short __x;
  __half() = default;
  __host__ __device__ __half(__half_raw raw) : __x(raw.x) {}
  __host__ __device__ __half(float f) : __x(unruly_half::narrow(f)) {}
  __host__ __device__ __half(double f) : __x(unruly_half::narrow((float)f)) {}
  __host__ __device__ __half(int i) : __x(unruly_half::narrow((float)i)) {}
  __host__ __device__ __half(unsigned int i) : __x(unruly_half::narrow((float)i)) {}
  __host__ __device__ operator float() const { return unruly_half::widen(__x); }
  __host__ __device__ operator __half_raw() const {
    __half_raw raw = {__x};
    return raw;
  }
};
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
#endif

UNRULY_BOTH __half __float2half(float f) { return __half(f); }
UNRULY_BOTH __half __float2half_rn(float f) { return __half(f); }
UNRULY_BOTH __half __double2half(double f) { return __half(f); }
UNRULY_BOTH float __half2float(__half h) { return (float)h; }
UNRULY_BOTH __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
UNRULY_BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
UNRULY_BOTH __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
UNRULY_BOTH float2 __half22float2(__half2 h) { return make_float2((float)h.x, (float)h.y); }
UNRULY_BOTH float __low2float(__half2 h) { return (float)h.x; }
UNRULY_BOTH float __high2float(__half2 h) { return (float)h.y; }
UNRULY_BOTH __half __low2half(__half2 h) { return h.x; }
UNRULY_BOTH __half __high2half(__half2 h) { return h.y; }
UNRULY_BOTH __half2 __half2half2(__half h) { return __half2(h, h); }
UNRULY_BOTH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
UNRULY_BOTH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
UNRULY_BOTH __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }
UNRULY_BOTH int __half2int_rn(__half h) { return (int)__builtin_rintf((float)h); }
UNRULY_BOTH int __half2int_rz(__half h) { return (int)(float)h; }
UNRULY_BOTH __half __int2half_rn(int i) { return __half(i); }
UNRULY_BOTH unsigned short __half_as_ushort(__half h) { return h.__x; }
UNRULY_BOTH short __half_as_short(__half h) { return (short)h.__x; }
UNRULY_BOTH __half __ushort_as_half(unsigned short x) {
  __half_raw raw = {x};
  return __half(raw);
}

UNRULY_BOTH __half __hadd(__half a, __half b) { return __half((float)a + (float)b); }
UNRULY_BOTH __half2 __hadd2(__half2 a, __half2 b) { return __half2(__hadd(a.x, b.x), __hadd(a.y, b.y)); }
UNRULY_BOTH __half __hsub(__half a, __half b) { return __half((float)a - (float)b); }
UNRULY_BOTH __half2 __hsub2(__half2 a, __half2 b) { return __half2(__hsub(a.x, b.x), __hsub(a.y, b.y)); }
UNRULY_BOTH __half __hmul(__half a, __half b) { return __half((float)a * (float)b); }
UNRULY_BOTH __half2 __hmul2(__half2 a, __half2 b) { return __half2(__hmul(a.x, b.x), __hmul(a.y, b.y)); }
UNRULY_BOTH __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
UNRULY_BOTH __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
/* The product and the sum are exact in double precision. */
UNRULY_BOTH __half __hfma(__half a, __half b, __half c) {
  double exact = (double)(float)a * (double)(float)b + (double)(float)c;
  float f = (float)exact;
  /* A float that was rounded to the middle of two halves leans to the exact value. */
  if ((double)f != exact && (unruly_half::bits(f) & 0x1fff) == 0x1000)
    f = unruly_half::number(unruly_half::bits(f) + (((double)f < exact) == (f > 0) ? 1 : -1));
  return __half(f);
}
UNRULY_BOTH __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
UNRULY_BOTH __half __hneg(__half a) { return __ushort_as_half(a.__x ^ 0x8000); }
UNRULY_BOTH __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
UNRULY_BOTH __half __habs(__half a) { return __ushort_as_half(a.__x & 0x7fff); }
UNRULY_BOTH bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
UNRULY_BOTH int __hisinf(__half a) { return (a.__x & 0x7fff) == 0x7c00 ? (a.__x & 0x8000 ? -1 : 1) : 0; }
UNRULY_BOTH __half __hmin(__half a, __half b) { return __half(__builtin_fminf((float)a, (float)b)); }
UNRULY_BOTH __half __hmax(__half a, __half b) { return __half(__builtin_fmaxf((float)a, (float)b)); }
UNRULY_BOTH bool __heq(__half a, __half b) { return (float)a == (float)b; }
UNRULY_BOTH bool operator==(__half a, __half b) { return (float)a == (float)b; }
UNRULY_BOTH bool __hne(__half a, __half b) { return (float)a != (float)b; }
UNRULY_BOTH bool operator!=(__half a, __half b) { return (float)a != (float)b; }
UNRULY_BOTH bool __hlt(__half a, __half b) { return (float)a < (float)b; }
UNRULY_BOTH bool operator<(__half a, __half b) { return (float)a < (float)b; }
UNRULY_BOTH bool __hle(__half a, __half b) { return (float)a <= (float)b; }
UNRULY_BOTH bool operator<=(__half a, __half b) { return (float)a <= (float)b; }
UNRULY_BOTH bool __hgt(__half a, __half b) { return (float)a > (float)b; }
UNRULY_BOTH bool operator>(__half a, __half b) { return (float)a > (float)b; }
UNRULY_BOTH bool __hge(__half a, __half b) { return (float)a >= (float)b; }
UNRULY_BOTH bool operator>=(__half a, __half b) { return (float)a >= (float)b; }
UNRULY_BOTH __half operator+(__half a, __half b) { return __hadd(a, b); }
UNRULY_BOTH __half &operator+=(__half &a, __half b) { return a = __hadd(a, b); }
UNRULY_BOTH __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
UNRULY_BOTH __half2 &operator+=(__half2 &a, __half2 b) { return a = __hadd2(a, b); }
UNRULY_BOTH __half operator-(__half a, __half b) { return __hsub(a, b); }
UNRULY_BOTH __half &operator-=(__half &a, __half b) { return a = __hsub(a, b); }
UNRULY_BOTH __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
UNRULY_BOTH __half2 &operator-=(__half2 &a, __half2 b) { return a = __hsub2(a, b); }
UNRULY_BOTH __half operator*(__half a, __half b) { return __hmul(a, b); }
UNRULY_BOTH __half &operator*=(__half &a, __half b) { return a = __hmul(a, b); }
UNRULY_BOTH __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }
UNRULY_BOTH __half2 &operator*=(__half2 &a, __half2 b) { return a = __hmul2(a, b); }
UNRULY_BOTH __half operator/(__half a, __half b) { return __hdiv(a, b); }
UNRULY_BOTH __half &operator/=(__half &a, __half b) { return a = __hdiv(a, b); }
UNRULY_BOTH __half2 operator/(__half2 a, __half2 b) { return __h2div(a, b); }
UNRULY_BOTH __half2 &operator/=(__half2 &a, __half2 b) { return a = __h2div(a, b); }
UNRULY_BOTH __half operator-(__half a) { return __hneg(a); }
UNRULY_BOTH __half2 operator-(__half2 a) { return __hneg2(a); }

#if defined(__CUDA__)
static __device__ __forceinline__ __half hsqrt(__half a) { return __half(sqrtf((float)a)); }
static __device__ __forceinline__ __half hexp(__half a) { return __half(expf((float)a)); }
static __device__ __forceinline__ __half hlog(__half a) { return __half(logf((float)a)); }
static __device__ __forceinline__ __half hsin(__half a) { return __half(sinf((float)a)); }
static __device__ __forceinline__ __half hcos(__half a) { return __half(cosf((float)a)); }
static __device__ __forceinline__ __half hfloor(__half a) { return __half(floorf((float)a)); }
static __device__ __forceinline__ __half hceil(__half a) { return __half(ceilf((float)a)); }
static __device__ __forceinline__ __half htrunc(__half a) { return __half(truncf((float)a)); }
static __device__ __forceinline__ __half hrint(__half a) { return __half(rintf((float)a)); }
static __device__ __forceinline__ __half hexp2(__half a) { return __half(exp2f((float)a)); }
static __device__ __forceinline__ __half hlog2(__half a) { return __half(log2f((float)a)); }
static __device__ __forceinline__ __half hlog10(__half a) { return __half(log10f((float)a)); }
static __device__ __forceinline__ __half hrsqrt(__half a) { return __half(rsqrtf((float)a)); }
static __device__ __forceinline__ __half hrcp(__half a) { return __half(1.0f / (float)a); }
#endif

#pragma pop_macro("UNRULY_BOTH")
#endif

#include "unruly/back.h"

#endif
