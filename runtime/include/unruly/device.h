/* The device's built-in variables and functions. They come from clang's own headers; the __nv_ functions below them are in
 * libdevice.10.bc. */
#ifndef UNRULY_DEVICE_H
#define UNRULY_DEVICE_H

/* Everything is visible in the host's pass, too, where kernels are read but not compiled. */
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif

#include <__clang_cuda_builtin_vars.h>
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include <__clang_cuda_libdevice_declares.h>

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

/* Clang's <cmath> declares these for float and leaves them to NVIDIA's headers. */
#pragma push_macro("UNRULY_ONE")
#pragma push_macro("UNRULY_TWO")
#define UNRULY_ONE(type, name) static __device__ __forceinline__ type name(float x) { return name##f(x); }
#define UNRULY_TWO(name) static __device__ __forceinline__ float name(float x, float y) { return name##f(x, y); }
UNRULY_ONE(float, acosh)
UNRULY_ONE(float, asinh)
UNRULY_ONE(float, atanh)
UNRULY_ONE(float, cbrt)
UNRULY_ONE(float, erf)
UNRULY_ONE(float, erfc)
UNRULY_ONE(float, exp2)
UNRULY_ONE(float, expm1)
UNRULY_ONE(float, lgamma)
UNRULY_ONE(float, log1p)
UNRULY_ONE(float, log2)
UNRULY_ONE(float, logb)
UNRULY_ONE(float, nearbyint)
UNRULY_ONE(float, rint)
UNRULY_ONE(float, round)
UNRULY_ONE(float, tgamma)
UNRULY_ONE(float, trunc)
UNRULY_ONE(int, ilogb)
UNRULY_ONE(long, lrint)
UNRULY_ONE(long, lround)
UNRULY_ONE(long long, llrint)
UNRULY_ONE(long long, llround)
UNRULY_TWO(copysign)
UNRULY_TWO(fdim)
UNRULY_TWO(fmax)
UNRULY_TWO(fmin)
UNRULY_TWO(hypot)
UNRULY_TWO(nextafter)
UNRULY_TWO(remainder)
#pragma pop_macro("UNRULY_ONE")
#pragma pop_macro("UNRULY_TWO")
static __device__ __forceinline__ float fma(float x, float y, float z) { return fmaf(x, y, z); }
static __device__ __forceinline__ float remquo(float x, float y, int *q) { return remquof(x, y, q); }
static __device__ __forceinline__ float scalbn(float x, int n) { return scalbnf(x, n); }
static __device__ __forceinline__ float scalbln(float x, long n) { return scalblnf(x, n); }
static __device__ __forceinline__ double nan(const char *) { return __builtin_nan(""); }
static __device__ __forceinline__ float nanf(const char *) { return __builtin_nanf(""); }

static __device__ __forceinline__ float rsqrt(float x) { return rsqrtf(x); }
static __device__ __forceinline__ float rcbrt(float x) { return rcbrtf(x); }
static __device__ __forceinline__ float sinpi(float x) { return sinpif(x); }
static __device__ __forceinline__ float cospi(float x) { return cospif(x); }
static __device__ __forceinline__ void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
static __device__ __forceinline__ void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
static __device__ __forceinline__ float exp10(float x) { return exp10f(x); }
static __device__ __forceinline__ float erfinv(float x) { return erfinvf(x); }
static __device__ __forceinline__ float erfcinv(float x) { return erfcinvf(x); }
static __device__ __forceinline__ float erfcx(float x) { return erfcxf(x); }
static __device__ __forceinline__ float normcdf(float x) { return normcdff(x); }
static __device__ __forceinline__ float normcdfinv(float x) { return normcdfinvf(x); }
static __device__ __forceinline__ float fdivide(float x, float y) { return fdividef(x, y); }
static __device__ __forceinline__ float j0(float x) { return j0f(x); }
static __device__ __forceinline__ float j1(float x) { return j1f(x); }
static __device__ __forceinline__ float y0(float x) { return y0f(x); }
static __device__ __forceinline__ float y1(float x) { return y1f(x); }
static __device__ __forceinline__ float hypot(float x, float y, float z) { return norm3df(x, y, z); }

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t charSize);
/* What assert() calls when the condition is false. */
static __device__ __forceinline__ void __assert_fail(const char *message, const char *file, unsigned line, const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}
namespace std {
__device__ static inline void free(void *p) { ::free(p); }
__device__ static inline void *malloc(size_t size) { return ::malloc(size); }
} // namespace std
#include "new.h"

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return make_uint3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return make_uint3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return make_uint3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return make_uint3(x, y, z); }

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>

/* In which space an address lies. */
static __device__ __forceinline__ unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
static __device__ __forceinline__ unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
static __device__ __forceinline__ unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
static __device__ __forceinline__ unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

/* Addresses of one space, and back. */
#pragma push_macro("UNRULY_SPACE")
#define UNRULY_SPACE(name, number)                                                                                               \
  static __device__ __forceinline__ size_t __cvta_generic_to_##name(const void *p) {                                             \
    return (size_t)(void __attribute__((address_space(number))) *)p;                                                             \
  }                                                                                                                              \
  static __device__ __forceinline__ void *__cvta_##name##_to_generic(size_t p) {                                                 \
    return (void *)(void __attribute__((address_space(number))) *)p;                                                             \
  }
UNRULY_SPACE(global, 1)
UNRULY_SPACE(shared, 3)
UNRULY_SPACE(constant, 4)
UNRULY_SPACE(local, 5)
#pragma pop_macro("UNRULY_SPACE")

static __device__ __forceinline__ void __nanosleep(unsigned int ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }

#pragma pop_macro("__CUDA_ARCH__")

#endif
