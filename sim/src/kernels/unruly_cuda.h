// What kernels need of CUDA, so that stock clang compiles ordinary .cu files and no CUDA toolkit is needed:
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib -O2 -S kernel.cu
// threadIdx and the other built-in variables come from a header of clang's own; __syncthreads is a builtin of clang.
// The last section has the worklist instructions of HWWL (paper: Table III).
#ifndef UNRULY_CUDA_H
#define UNRULY_CUDA_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#ifndef __align__
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif

#include <__clang_cuda_builtin_vars.h>

// Without debug information, so that messages name the line of the kernel that uses a function from here.
#define DEVICE static __device__ __forceinline__ __attribute__((nodebug))

typedef __SIZE_TYPE__ size_t;

// ---- Vector types

struct char1 { signed char x; };
struct __align__(2) char2 { signed char x, y; };
struct char3 { signed char x, y, z; };
struct __align__(4) char4 { signed char x, y, z, w; };
struct uchar1 { unsigned char x; };
struct __align__(2) uchar2 { unsigned char x, y; };
struct uchar3 { unsigned char x, y, z; };
struct __align__(4) uchar4 { unsigned char x, y, z, w; };
struct short1 { short x; };
struct __align__(4) short2 { short x, y; };
struct short3 { short x, y, z; };
struct __align__(8) short4 { short x, y, z, w; };
struct ushort1 { unsigned short x; };
struct __align__(4) ushort2 { unsigned short x, y; };
struct ushort3 { unsigned short x, y, z; };
struct __align__(8) ushort4 { unsigned short x, y, z, w; };
struct int1 { int x; };
struct __align__(8) int2 { int x, y; };
struct int3 { int x, y, z; };
struct __align__(16) int4 { int x, y, z, w; };
struct uint1 { unsigned x; };
struct __align__(8) uint2 { unsigned x, y; };
struct uint3 { unsigned x, y, z; };
struct __align__(16) uint4 { unsigned x, y, z, w; };
struct long1 { long x; };
struct __align__(16) long2 { long x, y; };
struct long3 { long x, y, z; };
struct __align__(16) long4 { long x, y, z, w; };
struct ulong1 { unsigned long x; };
struct __align__(16) ulong2 { unsigned long x, y; };
struct ulong3 { unsigned long x, y, z; };
struct __align__(16) ulong4 { unsigned long x, y, z, w; };
struct longlong1 { long long x; };
struct __align__(16) longlong2 { long long x, y; };
struct longlong3 { long long x, y, z; };
struct __align__(16) longlong4 { long long x, y, z, w; };
struct ulonglong1 { unsigned long long x; };
struct __align__(16) ulonglong2 { unsigned long long x, y; };
struct ulonglong3 { unsigned long long x, y, z; };
struct __align__(16) ulonglong4 { unsigned long long x, y, z, w; };
struct float1 { float x; };
struct __align__(8) float2 { float x, y; };
struct float3 { float x, y, z; };
struct __align__(16) float4 { float x, y, z, w; };
struct double1 { double x; };
struct __align__(16) double2 { double x, y; };
struct double3 { double x, y, z; };
struct __align__(16) double4 { double x, y, z, w; };

DEVICE char1 make_char1(signed char x) { return {x}; }
DEVICE char2 make_char2(signed char x, signed char y) { return {x, y}; }
DEVICE char3 make_char3(signed char x, signed char y, signed char z) { return {x, y, z}; }
DEVICE char4 make_char4(signed char x, signed char y, signed char z, signed char w) { return {x, y, z, w}; }
DEVICE uchar1 make_uchar1(unsigned char x) { return {x}; }
DEVICE uchar2 make_uchar2(unsigned char x, unsigned char y) { return {x, y}; }
DEVICE uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) { return {x, y, z}; }
DEVICE uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) { return {x, y, z, w}; }
DEVICE short1 make_short1(short x) { return {x}; }
DEVICE short2 make_short2(short x, short y) { return {x, y}; }
DEVICE short3 make_short3(short x, short y, short z) { return {x, y, z}; }
DEVICE short4 make_short4(short x, short y, short z, short w) { return {x, y, z, w}; }
DEVICE ushort1 make_ushort1(unsigned short x) { return {x}; }
DEVICE ushort2 make_ushort2(unsigned short x, unsigned short y) { return {x, y}; }
DEVICE ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) { return {x, y, z}; }
DEVICE ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) {
  return {x, y, z, w};
}
DEVICE int1 make_int1(int x) { return {x}; }
DEVICE int2 make_int2(int x, int y) { return {x, y}; }
DEVICE int3 make_int3(int x, int y, int z) { return {x, y, z}; }
DEVICE int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
DEVICE uint1 make_uint1(unsigned x) { return {x}; }
DEVICE uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
DEVICE uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
DEVICE uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
DEVICE long1 make_long1(long x) { return {x}; }
DEVICE long2 make_long2(long x, long y) { return {x, y}; }
DEVICE long3 make_long3(long x, long y, long z) { return {x, y, z}; }
DEVICE long4 make_long4(long x, long y, long z, long w) { return {x, y, z, w}; }
DEVICE ulong1 make_ulong1(unsigned long x) { return {x}; }
DEVICE ulong2 make_ulong2(unsigned long x, unsigned long y) { return {x, y}; }
DEVICE ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z) { return {x, y, z}; }
DEVICE ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z, unsigned long w) { return {x, y, z, w}; }
DEVICE longlong1 make_longlong1(long long x) { return {x}; }
DEVICE longlong2 make_longlong2(long long x, long long y) { return {x, y}; }
DEVICE longlong3 make_longlong3(long long x, long long y, long long z) { return {x, y, z}; }
DEVICE longlong4 make_longlong4(long long x, long long y, long long z, long long w) { return {x, y, z, w}; }
DEVICE ulonglong1 make_ulonglong1(unsigned long long x) { return {x}; }
DEVICE ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }
DEVICE ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y, unsigned long long z) {
  return {x, y, z};
}
DEVICE ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y, unsigned long long z, unsigned long long w) {
  return {x, y, z, w};
}
DEVICE float1 make_float1(float x) { return {x}; }
DEVICE float2 make_float2(float x, float y) { return {x, y}; }
DEVICE float3 make_float3(float x, float y, float z) { return {x, y, z}; }
DEVICE float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
DEVICE double1 make_double1(double x) { return {x}; }
DEVICE double2 make_double2(double x, double y) { return {x, y}; }
DEVICE double3 make_double3(double x, double y, double z) { return {x, y, z}; }
DEVICE double4 make_double4(double x, double y, double z, double w) { return {x, y, z, w}; }

struct dim3 {
  unsigned x, y, z;
  __device__ __host__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __device__ __host__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __device__ __host__ constexpr operator uint3() const { return {x, y, z}; }
};

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

// ---- Minimum, maximum, absolute value

DEVICE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
DEVICE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
DEVICE int min(int a, int b) { return a < b ? a : b; }
DEVICE int max(int a, int b) { return a > b ? a : b; }
DEVICE long min(long a, long b) { return a < b ? a : b; }
DEVICE long max(long a, long b) { return a > b ? a : b; }
DEVICE unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
DEVICE unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
DEVICE long long min(long long a, long long b) { return a < b ? a : b; }
DEVICE long long max(long long a, long long b) { return a > b ? a : b; }
DEVICE unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
DEVICE unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
DEVICE float fminf(float a, float b) { return __builtin_fminf(a, b); }
DEVICE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
DEVICE float min(float a, float b) { return fminf(a, b); }
DEVICE float max(float a, float b) { return fmaxf(a, b); }
DEVICE double fmin(double a, double b) { return __builtin_fmin(a, b); }
DEVICE double fmax(double a, double b) { return __builtin_fmax(a, b); }
DEVICE double min(double a, double b) { return fmin(a, b); }
DEVICE double max(double a, double b) { return fmax(a, b); }
DEVICE unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
DEVICE unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
DEVICE unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
DEVICE unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
DEVICE int abs(int a) { return a < 0 ? -a : a; }
DEVICE long labs(long a) { return a < 0 ? -a : a; }
DEVICE long abs(long a) { return labs(a); }
DEVICE long long llabs(long long a) { return a < 0 ? -a : a; }
DEVICE long long abs(long long a) { return llabs(a); }
DEVICE float abs(float a) { return __builtin_fabsf(a); }
DEVICE double abs(double a) { return __builtin_fabs(a); }

// ---- Mathematics: exact unless it says otherwise

DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
DEVICE double fabs(double x) { return __builtin_fabs(x); }
DEVICE float fabs(float x) { return __builtin_fabsf(x); }
DEVICE float floorf(float x) { return __builtin_floorf(x); }
DEVICE double floor(double x) { return __builtin_floor(x); }
DEVICE float floor(float x) { return __builtin_floorf(x); }
DEVICE float ceilf(float x) { return __builtin_ceilf(x); }
DEVICE double ceil(double x) { return __builtin_ceil(x); }
DEVICE float ceil(float x) { return __builtin_ceilf(x); }
DEVICE float truncf(float x) { return __builtin_truncf(x); }
DEVICE double trunc(double x) { return __builtin_trunc(x); }
DEVICE float trunc(float x) { return __builtin_truncf(x); }
DEVICE float rintf(float x) { return __builtin_rintf(x); }
DEVICE double rint(double x) { return __builtin_rint(x); }
DEVICE float rint(float x) { return __builtin_rintf(x); }
DEVICE float nearbyintf(float x) { return __builtin_nearbyintf(x); }
DEVICE double nearbyint(double x) { return __builtin_nearbyint(x); }
DEVICE float nearbyint(float x) { return __builtin_nearbyintf(x); }
DEVICE float sqrtf(float x) { return __builtin_sqrtf(x); }
DEVICE double sqrt(double x) { return __builtin_sqrt(x); }
DEVICE float sqrt(float x) { return __builtin_sqrtf(x); }
DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
DEVICE float copysignf(float a, float b) { return __builtin_copysignf(a, b); }
DEVICE double copysign(double a, double b) { return __builtin_copysign(a, b); }
DEVICE float roundf(float x) {
  float whole = truncf(x);
  return copysignf(fabsf(x - whole) >= 0.5f ? whole + copysignf(1.0f, x) : whole, x);
}
DEVICE double round(double x) {
  double whole = trunc(x);
  return copysign(fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : whole, x);
}
DEVICE bool isnan(float x) { return x != x; }
DEVICE bool isnan(double x) { return x != x; }
DEVICE bool isinf(float x) { return fabsf(x) == __builtin_inff(); }
DEVICE bool isinf(double x) { return fabs(x) == __builtin_inf(); }
DEVICE bool isfinite(float x) { return fabsf(x) < __builtin_inff(); }
DEVICE bool isfinite(double x) { return fabs(x) < __builtin_inf(); }
DEVICE bool signbit(float x) { return __builtin_signbitf(x); }
DEVICE bool signbit(double x) { return __builtin_signbit(x); }
DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }

// One instruction of the special function unit each, and what follows from it: a few units in the last place.
DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
DEVICE double rsqrt(double x) { return 1.0 / sqrt(x); }
DEVICE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
DEVICE float log2f(float x) { return __nvvm_lg2_approx_f(x); }
DEVICE float sinf(float x) { return __nvvm_sin_approx_f(x); }
DEVICE float cosf(float x) { return __nvvm_cos_approx_f(x); }
DEVICE float tanf(float x) { return sinf(x) / cosf(x); }
DEVICE void sincosf(float x, float *s, float *c) {
  *s = sinf(x);
  *c = cosf(x);
}
DEVICE float logf(float x) { return log2f(x) * 0.693147181f; }
DEVICE float log10f(float x) { return log2f(x) * 0.301029996f; }
DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
DEVICE float __sinf(float x) { return sinf(x); }
DEVICE float __cosf(float x) { return cosf(x); }
DEVICE float __tanf(float x) { return __fdividef(sinf(x), cosf(x)); }
DEVICE float __log2f(float x) { return log2f(x); }
DEVICE float __logf(float x) { return logf(x); }
DEVICE float __log10f(float x) { return log10f(x); }
DEVICE float __expf(float x) { return exp2f(x * 1.44269504f); }
DEVICE float __exp10f(float x) { return exp2f(x * 3.32192809f); }
DEVICE float __powf(float x, float y) { return exp2f(y * log2f(x)); }

// exp(x) = 2^whole * e^rest; the power of two in two halves, for results that are subnormal or almost infinite.
DEVICE float expf(float x) {
  x = x < -105.0f ? -105.0f : x > 89.0f ? 89.0f : x;
  float whole = rintf(x * 1.44269504f), half = truncf(0.5f * whole);
  float rest = fmaf(whole, -1.90465421e-9f, fmaf(whole, -0.693147182f, x));
  return exp2f(rest * 1.44269504f) * exp2f(half) * exp2f(whole - half);
}
DEVICE float exp10f(float x) { return expf(x * 2.30258509f); }
DEVICE float sinhf(float x) {
  float square = x * x;
  if (square < 0.01f)
    return x * fmaf(square, fmaf(square, 0.00833333333f, 0.166666667f), 1.0f);
  return 0.5f * (expf(x) - expf(-x));
}
DEVICE float coshf(float x) { return 0.5f * (expf(x) + expf(-x)); }
DEVICE float tanhf(float x) {
  float square = x * x;
  if (square < 0.01f)
    return x * fmaf(square, fmaf(square, 0.133333333f, -0.333333333f), 1.0f);
  return copysignf(1.0f - 2.0f / (expf(2.0f * fabsf(x)) + 1.0f), x);
}

// The double-precision functions are computed with additions, products and divisions.
DEVICE double __unruly_power_of_two(int exponent) { return __nvvm_bitcast_ll2d((long long)(exponent + 1023) << 52); }
DEVICE double exp(double x) {
  x = x < -760.0 ? -760.0 : x > 710.0 ? 710.0 : x;
  double whole = rint(x * 1.4426950408889634);
  double rest = fma(whole, -1.9082149292705877e-10, fma(whole, -0.693147180369123816490, x));
  double sum = 1.0;
#pragma unroll
  for (int n = 13; n > 0; n--)
    sum = fma(sum, rest * (1.0 / n), 1.0);
  int exponent = x == x ? (int)whole : 0, half = exponent / 2;
  return sum * __unruly_power_of_two(half) * __unruly_power_of_two(exponent - half);
}
// log(x) = exponent * log(2) + 2 * atanh(s), where s = (m - 1) / (m + 1) and m is between sqrt(1/2) and sqrt(2).
DEVICE double log(double x) {
  if (!(x > 0.0))
    return x == 0.0 ? -__builtin_inf() : __builtin_nan("");
  if (isinf(x))
    return x;
  double scaled = x < 2.2250738585072014e-308 ? x * 18014398509481984.0 : x;
  long long bits = __nvvm_bitcast_d2ll(scaled);
  int exponent = (int)(bits >> 52) - 1023 - (scaled != x ? 54 : 0);
  double m = __nvvm_bitcast_ll2d((bits & 0xfffffffffffffll) | 0x3ff0000000000000ll);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    exponent++;
  }
  double s = (m - 1.0) / (m + 1.0), square = s * s, sum = 0.0;
#pragma unroll
  for (int n = 21; n > 1; n -= 2)
    sum = fma(sum, square, 1.0 / n);
  sum = 2.0 * fma(s * square, sum, s);
  return fma((double)exponent, 0.693147180369123816490, fma((double)exponent, 1.9082149292705877e-10, sum));
}
DEVICE double exp2(double x) { return exp(x * 0.693147180559945309); }
DEVICE double log2(double x) { return log(x) * 1.4426950408889634; }
DEVICE double log10(double x) { return log(x) * 0.43429448190325182; }
DEVICE double pow(double x, double y) {
  if (y == 0.0 || x == 1.0)
    return 1.0;
  bool odd = trunc(y) == y && trunc(0.5 * y) != 0.5 * y;
  if (x < 0.0 && trunc(y) != y && isfinite(x))
    return __builtin_nan("");
  if (fabs(x) == 1.0 && !isnan(y))
    return odd ? x : 1.0;
  double size = exp(y * log(fabs(x)));
  return odd && signbit(x) ? -size : size;
}
DEVICE float powf(float x, float y) { return (float)pow((double)x, (double)y); }
DEVICE float hypotf(float x, float y) { return (float)sqrt((double)x * x + (double)y * y); }
DEVICE float cbrtf(float x) {
  return x == 0.0f || !isfinite(x) ? x : copysignf((float)exp(log(fabs((double)x)) * (1.0 / 3.0)), x);
}
DEVICE float fmodf(float x, float y) {
  if (isinf(x) || y == 0.0f || isnan(y))
    return __builtin_nanf("");
  float rest = fabsf(x), by = fabsf(y);
  while (rest >= by) {
    float part = by;
    while (rest - part >= part)
      part += part;
    rest -= part;
  }
  return copysignf(rest, x);
}
DEVICE float sin(float x) { return sinf(x); }
DEVICE float cos(float x) { return cosf(x); }
DEVICE float exp(float x) { return expf(x); }
DEVICE float log(float x) { return logf(x); }
DEVICE float pow(float x, float y) { return powf(x, y); }

// ---- Arithmetic with a rounding: _rn to nearest even, _rz towards zero, _rd down, _ru up

DEVICE float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
// A product by this name is never part of a fused operation, as CUDA has it: clang would fuse its own built-in.
DEVICE float __fmul_rn(float a, float b) {
  float product;
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(b));
  return product;
}
DEVICE float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
DEVICE float __fsub_rn(float a, float b) { return __nvvm_add_rn_f(a, -b); }
DEVICE float __frcp_rn(float a) { return __nvvm_rcp_rn_f(a); }
DEVICE float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
DEVICE double __dadd_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
DEVICE double __dmul_rn(double a, double b) {
  double product;
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(product) : "d"(a), "d"(b));
  return product;
}
DEVICE double __ddiv_rn(double a, double b) { return __nvvm_div_rn_d(a, b); }
DEVICE double __dsub_rn(double a, double b) { return __nvvm_add_rn_d(a, -b); }
DEVICE double __drcp_rn(double a) { return __nvvm_rcp_rn_d(a); }
DEVICE double __dsqrt_rn(double a) { return __nvvm_sqrt_rn_d(a); }
DEVICE float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
DEVICE double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
DEVICE float __fadd_rz(float a, float b) { return __nvvm_add_rz_f(a, b); }
DEVICE float __fmul_rz(float a, float b) { return __nvvm_mul_rz_f(a, b); }
DEVICE float __fdiv_rz(float a, float b) { return __nvvm_div_rz_f(a, b); }
DEVICE float __fsub_rz(float a, float b) { return __nvvm_add_rz_f(a, -b); }
DEVICE float __frcp_rz(float a) { return __nvvm_rcp_rz_f(a); }
DEVICE float __fsqrt_rz(float a) { return __nvvm_sqrt_rz_f(a); }
DEVICE double __dadd_rz(double a, double b) { return __nvvm_add_rz_d(a, b); }
DEVICE double __dmul_rz(double a, double b) { return __nvvm_mul_rz_d(a, b); }
DEVICE double __ddiv_rz(double a, double b) { return __nvvm_div_rz_d(a, b); }
DEVICE double __dsub_rz(double a, double b) { return __nvvm_add_rz_d(a, -b); }
DEVICE double __drcp_rz(double a) { return __nvvm_rcp_rz_d(a); }
DEVICE double __dsqrt_rz(double a) { return __nvvm_sqrt_rz_d(a); }
DEVICE float __fmaf_rz(float a, float b, float c) { return __nvvm_fma_rz_f(a, b, c); }
DEVICE double __fma_rz(double a, double b, double c) { return __nvvm_fma_rz_d(a, b, c); }
DEVICE float __fadd_rd(float a, float b) { return __nvvm_add_rm_f(a, b); }
DEVICE float __fmul_rd(float a, float b) { return __nvvm_mul_rm_f(a, b); }
DEVICE float __fdiv_rd(float a, float b) { return __nvvm_div_rm_f(a, b); }
DEVICE float __fsub_rd(float a, float b) { return __nvvm_add_rm_f(a, -b); }
DEVICE float __frcp_rd(float a) { return __nvvm_rcp_rm_f(a); }
DEVICE float __fsqrt_rd(float a) { return __nvvm_sqrt_rm_f(a); }
DEVICE double __dadd_rd(double a, double b) { return __nvvm_add_rm_d(a, b); }
DEVICE double __dmul_rd(double a, double b) { return __nvvm_mul_rm_d(a, b); }
DEVICE double __ddiv_rd(double a, double b) { return __nvvm_div_rm_d(a, b); }
DEVICE double __dsub_rd(double a, double b) { return __nvvm_add_rm_d(a, -b); }
DEVICE double __drcp_rd(double a) { return __nvvm_rcp_rm_d(a); }
DEVICE double __dsqrt_rd(double a) { return __nvvm_sqrt_rm_d(a); }
DEVICE float __fmaf_rd(float a, float b, float c) { return __nvvm_fma_rm_f(a, b, c); }
DEVICE double __fma_rd(double a, double b, double c) { return __nvvm_fma_rm_d(a, b, c); }
DEVICE float __fadd_ru(float a, float b) { return __nvvm_add_rp_f(a, b); }
DEVICE float __fmul_ru(float a, float b) { return __nvvm_mul_rp_f(a, b); }
DEVICE float __fdiv_ru(float a, float b) { return __nvvm_div_rp_f(a, b); }
DEVICE float __fsub_ru(float a, float b) { return __nvvm_add_rp_f(a, -b); }
DEVICE float __frcp_ru(float a) { return __nvvm_rcp_rp_f(a); }
DEVICE float __fsqrt_ru(float a) { return __nvvm_sqrt_rp_f(a); }
DEVICE double __dadd_ru(double a, double b) { return __nvvm_add_rp_d(a, b); }
DEVICE double __dmul_ru(double a, double b) { return __nvvm_mul_rp_d(a, b); }
DEVICE double __ddiv_ru(double a, double b) { return __nvvm_div_rp_d(a, b); }
DEVICE double __dsub_ru(double a, double b) { return __nvvm_add_rp_d(a, -b); }
DEVICE double __drcp_ru(double a) { return __nvvm_rcp_rp_d(a); }
DEVICE double __dsqrt_ru(double a) { return __nvvm_sqrt_rp_d(a); }
DEVICE float __fmaf_ru(float a, float b, float c) { return __nvvm_fma_rp_f(a, b, c); }
DEVICE double __fma_ru(double a, double b, double c) { return __nvvm_fma_rp_d(a, b, c); }

// ---- Conversions, and bits as they are

DEVICE int __float2int_rn(float x) { return __nvvm_f2i_rn(x); }
DEVICE unsigned __float2uint_rn(float x) { return __nvvm_f2ui_rn(x); }
DEVICE long long __float2ll_rn(float x) { return __nvvm_f2ll_rn(x); }
DEVICE unsigned long long __float2ull_rn(float x) { return __nvvm_f2ull_rn(x); }
DEVICE int __double2int_rn(double x) { return __nvvm_d2i_rn(x); }
DEVICE unsigned __double2uint_rn(double x) { return __nvvm_d2ui_rn(x); }
DEVICE long long __double2ll_rn(double x) { return __nvvm_d2ll_rn(x); }
DEVICE float __double2float_rn(double x) { return __nvvm_d2f_rn(x); }
DEVICE float __int2float_rn(int x) { return __nvvm_i2f_rn(x); }
DEVICE float __uint2float_rn(unsigned x) { return __nvvm_ui2f_rn(x); }
DEVICE float __ll2float_rn(long long x) { return __nvvm_ll2f_rn(x); }
DEVICE double __ll2double_rn(long long x) { return __nvvm_ll2d_rn(x); }
DEVICE int __float2int_rz(float x) { return __nvvm_f2i_rz(x); }
DEVICE unsigned __float2uint_rz(float x) { return __nvvm_f2ui_rz(x); }
DEVICE long long __float2ll_rz(float x) { return __nvvm_f2ll_rz(x); }
DEVICE unsigned long long __float2ull_rz(float x) { return __nvvm_f2ull_rz(x); }
DEVICE int __double2int_rz(double x) { return __nvvm_d2i_rz(x); }
DEVICE unsigned __double2uint_rz(double x) { return __nvvm_d2ui_rz(x); }
DEVICE long long __double2ll_rz(double x) { return __nvvm_d2ll_rz(x); }
DEVICE float __double2float_rz(double x) { return __nvvm_d2f_rz(x); }
DEVICE float __int2float_rz(int x) { return __nvvm_i2f_rz(x); }
DEVICE float __uint2float_rz(unsigned x) { return __nvvm_ui2f_rz(x); }
DEVICE float __ll2float_rz(long long x) { return __nvvm_ll2f_rz(x); }
DEVICE double __ll2double_rz(long long x) { return __nvvm_ll2d_rz(x); }
DEVICE int __float2int_rd(float x) { return __nvvm_f2i_rm(x); }
DEVICE unsigned __float2uint_rd(float x) { return __nvvm_f2ui_rm(x); }
DEVICE long long __float2ll_rd(float x) { return __nvvm_f2ll_rm(x); }
DEVICE unsigned long long __float2ull_rd(float x) { return __nvvm_f2ull_rm(x); }
DEVICE int __double2int_rd(double x) { return __nvvm_d2i_rm(x); }
DEVICE unsigned __double2uint_rd(double x) { return __nvvm_d2ui_rm(x); }
DEVICE long long __double2ll_rd(double x) { return __nvvm_d2ll_rm(x); }
DEVICE float __double2float_rd(double x) { return __nvvm_d2f_rm(x); }
DEVICE float __int2float_rd(int x) { return __nvvm_i2f_rm(x); }
DEVICE float __uint2float_rd(unsigned x) { return __nvvm_ui2f_rm(x); }
DEVICE float __ll2float_rd(long long x) { return __nvvm_ll2f_rm(x); }
DEVICE double __ll2double_rd(long long x) { return __nvvm_ll2d_rm(x); }
DEVICE int __float2int_ru(float x) { return __nvvm_f2i_rp(x); }
DEVICE unsigned __float2uint_ru(float x) { return __nvvm_f2ui_rp(x); }
DEVICE long long __float2ll_ru(float x) { return __nvvm_f2ll_rp(x); }
DEVICE unsigned long long __float2ull_ru(float x) { return __nvvm_f2ull_rp(x); }
DEVICE int __double2int_ru(double x) { return __nvvm_d2i_rp(x); }
DEVICE unsigned __double2uint_ru(double x) { return __nvvm_d2ui_rp(x); }
DEVICE long long __double2ll_ru(double x) { return __nvvm_d2ll_rp(x); }
DEVICE float __double2float_ru(double x) { return __nvvm_d2f_rp(x); }
DEVICE float __int2float_ru(int x) { return __nvvm_i2f_rp(x); }
DEVICE float __uint2float_ru(unsigned x) { return __nvvm_ui2f_rp(x); }
DEVICE float __ll2float_ru(long long x) { return __nvvm_ll2f_rp(x); }
DEVICE double __ll2double_ru(long long x) { return __nvvm_ll2d_rp(x); }
DEVICE double __int2double_rn(int x) { return x; }
DEVICE float __int_as_float(int x) { return __nvvm_bitcast_i2f(x); }
DEVICE float __uint_as_float(unsigned x) { return __nvvm_bitcast_i2f((int)x); }
DEVICE int __float_as_int(float x) { return __nvvm_bitcast_f2i(x); }
DEVICE unsigned __float_as_uint(float x) { return (unsigned)__nvvm_bitcast_f2i(x); }
DEVICE double __longlong_as_double(long long x) { return __nvvm_bitcast_ll2d(x); }
DEVICE long long __double_as_longlong(double x) { return __nvvm_bitcast_d2ll(x); }
DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
DEVICE double __hiloint2double(int hi, int lo) {
  return __longlong_as_double((long long)hi << 32 | (unsigned)lo);
}

// ---- Integers and their bits

DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
DEVICE int __ffs(int x) { return __builtin_ffs(x); }
DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
DEVICE int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
DEVICE unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
DEVICE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
DEVICE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
DEVICE unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
DEVICE unsigned __sad(int a, int b, unsigned c) { return (unsigned)__nvvm_sad_i(a, b, (int)c); }
DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return __nvvm_sad_ui(a, b, c); }
DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selectors) { return __nvvm_prmt(a, b, selectors); }
DEVICE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  unsigned out;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(lo), "r"(hi), "r"(shift));
  return out;
}
DEVICE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  unsigned out;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(lo), "r"(hi), "r"(shift));
  return out;
}

// ---- Synchronisation

DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
DEVICE void __threadfence() { __nvvm_membar_gl(); }
DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
DEVICE void __syncwarp(unsigned = 0xffffffff) { __nvvm_membar_cta(); }
DEVICE void __trap() { asm volatile("trap;"); }
DEVICE unsigned clock() { return (unsigned)__nvvm_read_ptx_sreg_clock(); }
DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __trap())
#endif

// ---- The lanes of a warp: they run in lock-step, so that the masks of the newer forms say nothing new

DEVICE unsigned __ballot(int predicate) {
  unsigned lanes;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.b32 %0, p; }" : "=r"(lanes) : "r"(predicate));
  return lanes;
}
DEVICE int __any(int predicate) { return __ballot(predicate) != 0; }
DEVICE int __all(int predicate) { return __ballot(!predicate) == 0; }
DEVICE unsigned __activemask() { return __ballot(1); }
DEVICE unsigned __ballot_sync(unsigned, int predicate) { return __ballot(predicate); }
DEVICE int __any_sync(unsigned, int predicate) { return __any(predicate); }
DEVICE int __all_sync(unsigned, int predicate) { return __all(predicate); }
DEVICE unsigned __lane_id() { return (unsigned)__nvvm_read_ptx_sreg_laneid(); }

DEVICE int __shfl(int x, int lane, int width = 32) { return __nvvm_shfl_idx_i32(x, lane, (32 - width) << 8 | 0x1f); }
DEVICE unsigned __shfl(unsigned x, int lane, int width = 32) { return (unsigned)__shfl((int)x, lane, width); }
DEVICE float __shfl(float x, int lane, int width = 32) {
  return __int_as_float(__shfl(__float_as_int(x), lane, width));
}
DEVICE long long __shfl(long long x, int lane, int width = 32) {
  unsigned lo = __shfl((unsigned)x, lane, width), hi = __shfl((unsigned)(x >> 32), lane, width);
  return (long long)((unsigned long long)hi << 32 | lo);
}
DEVICE unsigned long long __shfl(unsigned long long x, int lane, int width = 32) {
  return (unsigned long long)__shfl((long long)x, lane, width);
}
DEVICE double __shfl(double x, int lane, int width = 32) {
  return __longlong_as_double(__shfl(__double_as_longlong(x), lane, width));
}
template <typename T> DEVICE T __shfl_sync(unsigned, T x, int lane, int width = 32) { return __shfl(x, lane, width); }
DEVICE int __shfl_up(int x, unsigned by, int width = 32) { return __nvvm_shfl_up_i32(x, (int)by, (32 - width) << 8); }
DEVICE unsigned __shfl_up(unsigned x, unsigned by, int width = 32) { return (unsigned)__shfl_up((int)x, by, width); }
DEVICE float __shfl_up(float x, unsigned by, int width = 32) {
  return __int_as_float(__shfl_up(__float_as_int(x), by, width));
}
DEVICE long long __shfl_up(long long x, unsigned by, int width = 32) {
  unsigned lo = __shfl_up((unsigned)x, by, width), hi = __shfl_up((unsigned)(x >> 32), by, width);
  return (long long)((unsigned long long)hi << 32 | lo);
}
DEVICE unsigned long long __shfl_up(unsigned long long x, unsigned by, int width = 32) {
  return (unsigned long long)__shfl_up((long long)x, by, width);
}
DEVICE double __shfl_up(double x, unsigned by, int width = 32) {
  return __longlong_as_double(__shfl_up(__double_as_longlong(x), by, width));
}
template <typename T> DEVICE T __shfl_up_sync(unsigned, T x, unsigned by, int width = 32) { return __shfl_up(x, by, width); }
DEVICE int __shfl_down(int x, unsigned by, int width = 32) { return __nvvm_shfl_down_i32(x, (int)by, (32 - width) << 8 | 0x1f); }
DEVICE unsigned __shfl_down(unsigned x, unsigned by, int width = 32) { return (unsigned)__shfl_down((int)x, by, width); }
DEVICE float __shfl_down(float x, unsigned by, int width = 32) {
  return __int_as_float(__shfl_down(__float_as_int(x), by, width));
}
DEVICE long long __shfl_down(long long x, unsigned by, int width = 32) {
  unsigned lo = __shfl_down((unsigned)x, by, width), hi = __shfl_down((unsigned)(x >> 32), by, width);
  return (long long)((unsigned long long)hi << 32 | lo);
}
DEVICE unsigned long long __shfl_down(unsigned long long x, unsigned by, int width = 32) {
  return (unsigned long long)__shfl_down((long long)x, by, width);
}
DEVICE double __shfl_down(double x, unsigned by, int width = 32) {
  return __longlong_as_double(__shfl_down(__double_as_longlong(x), by, width));
}
template <typename T> DEVICE T __shfl_down_sync(unsigned, T x, unsigned by, int width = 32) { return __shfl_down(x, by, width); }
DEVICE int __shfl_xor(int x, int mask, int width = 32) { return __nvvm_shfl_bfly_i32(x, mask, (32 - width) << 8 | 0x1f); }
DEVICE unsigned __shfl_xor(unsigned x, int mask, int width = 32) { return (unsigned)__shfl_xor((int)x, mask, width); }
DEVICE float __shfl_xor(float x, int mask, int width = 32) {
  return __int_as_float(__shfl_xor(__float_as_int(x), mask, width));
}
DEVICE long long __shfl_xor(long long x, int mask, int width = 32) {
  unsigned lo = __shfl_xor((unsigned)x, mask, width), hi = __shfl_xor((unsigned)(x >> 32), mask, width);
  return (long long)((unsigned long long)hi << 32 | lo);
}
DEVICE unsigned long long __shfl_xor(unsigned long long x, int mask, int width = 32) {
  return (unsigned long long)__shfl_xor((long long)x, mask, width);
}
DEVICE double __shfl_xor(double x, int mask, int width = 32) {
  return __longlong_as_double(__shfl_xor(__double_as_longlong(x), mask, width));
}
template <typename T> DEVICE T __shfl_xor_sync(unsigned, T x, int mask, int width = 32) { return __shfl_xor(x, mask, width); }

// ---- Loads through the read-only cache

DEVICE int __ldg(const int *p) { return __nvvm_ldg_i(p); }
DEVICE unsigned __ldg(const unsigned *p) { return __nvvm_ldg_ui(p); }
DEVICE long __ldg(const long *p) { return __nvvm_ldg_l(p); }
DEVICE unsigned long __ldg(const unsigned long *p) { return __nvvm_ldg_ul(p); }
DEVICE long long __ldg(const long long *p) { return __nvvm_ldg_ll(p); }
DEVICE unsigned long long __ldg(const unsigned long long *p) { return __nvvm_ldg_ull(p); }
DEVICE float __ldg(const float *p) { return __nvvm_ldg_f(p); }
DEVICE double __ldg(const double *p) { return __nvvm_ldg_d(p); }
DEVICE signed char __ldg(const signed char *p) { return (signed char)__nvvm_ldg_c((const char *)p); }
DEVICE char __ldg(const char *p) { return __nvvm_ldg_c(p); }
DEVICE unsigned char __ldg(const unsigned char *p) { return __nvvm_ldg_uc(p); }
DEVICE short __ldg(const short *p) { return __nvvm_ldg_s(p); }
DEVICE unsigned short __ldg(const unsigned short *p) { return __nvvm_ldg_us(p); }
DEVICE int2 __ldg(const int2 *p) {
  typedef int vector __attribute__((ext_vector_type(2)));
  vector v = __nvvm_ldg_i2((const vector *)p);
  return {v[0], v[1]};
}
DEVICE int4 __ldg(const int4 *p) {
  typedef int vector __attribute__((ext_vector_type(4)));
  vector v = __nvvm_ldg_i4((const vector *)p);
  return {v[0], v[1], v[2], v[3]};
}
DEVICE uint2 __ldg(const uint2 *p) {
  typedef unsigned vector __attribute__((ext_vector_type(2)));
  vector v = __nvvm_ldg_ui2((const vector *)p);
  return {v[0], v[1]};
}
DEVICE uint4 __ldg(const uint4 *p) {
  typedef unsigned vector __attribute__((ext_vector_type(4)));
  vector v = __nvvm_ldg_ui4((const vector *)p);
  return {v[0], v[1], v[2], v[3]};
}
DEVICE float2 __ldg(const float2 *p) {
  typedef float vector __attribute__((ext_vector_type(2)));
  vector v = __nvvm_ldg_f2((const vector *)p);
  return {v[0], v[1]};
}
DEVICE float4 __ldg(const float4 *p) {
  typedef float vector __attribute__((ext_vector_type(4)));
  vector v = __nvvm_ldg_f4((const vector *)p);
  return {v[0], v[1], v[2], v[3]};
}
DEVICE double2 __ldg(const double2 *p) {
  typedef double vector __attribute__((ext_vector_type(2)));
  vector v = __nvvm_ldg_d2((const vector *)p);
  return {v[0], v[1]};
}

// ---- Atomics: all return the old value

DEVICE unsigned atomicAdd(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v); }
DEVICE int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
DEVICE unsigned long long atomicAdd(unsigned long long *p, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)p, (long long)v);
}
DEVICE float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
DEVICE unsigned atomicSub(unsigned *p, unsigned v) { return atomicAdd(p, 0u - v); }
DEVICE int atomicSub(int *p, int v) { return (int)atomicSub((unsigned *)p, (unsigned)v); }

DEVICE unsigned atomicMin(unsigned *p, unsigned v) { return __nvvm_atom_min_gen_ui(p, v); }
DEVICE int atomicMin(int *p, int v) { return __nvvm_atom_min_gen_i(p, v); }
DEVICE unsigned long long atomicMin(unsigned long long *p, unsigned long long v) {
  return __nvvm_atom_min_gen_ull(p, v);
}
DEVICE long long atomicMin(long long *p, long long v) { return __nvvm_atom_min_gen_ll(p, v); }
DEVICE unsigned atomicMax(unsigned *p, unsigned v) { return __nvvm_atom_max_gen_ui(p, v); }
DEVICE int atomicMax(int *p, int v) { return __nvvm_atom_max_gen_i(p, v); }
DEVICE unsigned long long atomicMax(unsigned long long *p, unsigned long long v) {
  return __nvvm_atom_max_gen_ull(p, v);
}
DEVICE long long atomicMax(long long *p, long long v) { return __nvvm_atom_max_gen_ll(p, v); }
DEVICE unsigned atomicExch(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_xchg_gen_i((int *)p, (int)v); }
DEVICE int atomicExch(int *p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
DEVICE unsigned long long atomicExch(unsigned long long *p, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_xchg_gen_ll((long long *)p, (long long)v);
}
DEVICE unsigned atomicAnd(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_and_gen_i((int *)p, (int)v); }
DEVICE int atomicAnd(int *p, int v) { return __nvvm_atom_and_gen_i(p, v); }
DEVICE unsigned long long atomicAnd(unsigned long long *p, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_and_gen_ll((long long *)p, (long long)v);
}
DEVICE unsigned atomicOr(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_or_gen_i((int *)p, (int)v); }
DEVICE int atomicOr(int *p, int v) { return __nvvm_atom_or_gen_i(p, v); }
DEVICE unsigned long long atomicOr(unsigned long long *p, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_or_gen_ll((long long *)p, (long long)v);
}
DEVICE unsigned atomicXor(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_xor_gen_i((int *)p, (int)v); }
DEVICE int atomicXor(int *p, int v) { return __nvvm_atom_xor_gen_i(p, v); }
DEVICE unsigned long long atomicXor(unsigned long long *p, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_xor_gen_ll((long long *)p, (long long)v);
}
DEVICE float atomicExch(float *p, float v) { return __int_as_float(atomicExch((int *)p, __float_as_int(v))); }
DEVICE unsigned atomicInc(unsigned *p, unsigned last) { return __nvvm_atom_inc_gen_ui(p, last); }
DEVICE unsigned atomicDec(unsigned *p, unsigned last) { return __nvvm_atom_dec_gen_ui(p, last); }
DEVICE unsigned atomicCAS(unsigned *p, unsigned old, unsigned v) {
  return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)old, (int)v);
}
DEVICE int atomicCAS(int *p, int old, int v) { return __nvvm_atom_cas_gen_i(p, old, v); }
DEVICE unsigned long long atomicCAS(unsigned long long *p, unsigned long long old, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)p, (long long)old, (long long)v);
}
// This architecture has no instruction for it.
DEVICE double atomicAdd(double *p, double v) {
  unsigned long long *word = (unsigned long long *)p, found = *word, old;
  do {
    old = found;
    found = atomicCAS(word, old, (unsigned long long)__double_as_longlong(v + __longlong_as_double((long long)old)));
  } while (found != old);
  return __longlong_as_double((long long)old);
}

// ---- Worklist instructions: new mnemonics, which clang passes through to the PTX

// Overflow buffer of this core's worklist: its address and size in bytes.
DEVICE void __wlinit(void *base, unsigned long long bytes) {
  asm volatile("wlinit.u64 %0, %1;" : : "l"(base), "l"(bytes) : "memory");
}

// Partition mode of this core's worklist: 0 = single buffer, 1 = double buffer. Ignored while the worklist holds work.
DEVICE void __wlcfg(unsigned mode) { asm volatile("wlcfg.u32 %0;" : : "r"(mode) : "memory"); }

// A work ID from this lane's bank, or one of the two tokens.
DEVICE unsigned __wlpull() {
  unsigned id;
  asm volatile("wlpull.u32 %0;" : "=r"(id) : : "memory");
  return id;
}

#define WL_WAIT 0xfffffffeu // this bank is empty, but others are not: pull again
#define WL_DONE 0xffffffffu // no work is left

// Gives a work ID (24 bits) to this lane's bank.
DEVICE void __wlpush(unsigned id) { asm volatile("wlpush.u32 %0;" : : "r"(id) : "memory"); }

// ---- A unit of your own, in Verilog, at each core (docs/own-unit.md): operation OP, 0 to 255, on two words of each thread. unit_call gives
// the unit's answer, unit_do waits for none. The compiler does not make one call of two in different branches: the unit sees which lanes call.

template <unsigned __op> DEVICE unsigned unit_call(unsigned a, unsigned b) {
  unsigned answer;
  [[clang::nomerge]] { asm volatile("unit.call.u32 %0, %1, %2, %3;" : "=r"(answer) : "n"(__op), "r"(a), "r"(b) : "memory"); }
  return answer;
}
template <unsigned __op> DEVICE void unit_do(unsigned a, unsigned b) {
  [[clang::nomerge]] { asm volatile("unit.do.u32 %0, %1, %2;" : : "n"(__op), "r"(a), "r"(b) : "memory"); }
}

// ---- Reorder unit (IRU, section 4): the host says what is reordered, each thread takes an element. False: the thread's
// element was merged into another one, and there is nothing to do.

DEVICE bool load_iru(unsigned &index) {
  unsigned served;
  asm volatile("load_iru.u32 %0, %1;" : "=r"(served), "=r"(index) : : "memory");
  return served != 0;
}

DEVICE bool load_iru(unsigned &index, unsigned &secondary) {
  unsigned served;
  asm volatile("load_iru.u32 %0, %1, %2;" : "=r"(served), "=r"(index), "=r"(secondary) : : "memory");
  return served != 0;
}

DEVICE bool load_iru(unsigned &index, float &secondary) {
  unsigned bits;
  bool served = load_iru(index, bits);
  secondary = __uint_as_float(bits);
  return served;
}

DEVICE bool load_iru(unsigned &index, unsigned &secondary, unsigned &position) {
  unsigned served;
  asm volatile("load_iru.u32 %0, %1, %2, %3;"
               : "=r"(served), "=r"(index), "=r"(secondary), "=r"(position)
               :
               : "memory");
  return served != 0;
}

// ---- Graph-Waving (5.2): warps as part of the programming model

// Number of this thread's warp in the grid.
DEVICE unsigned get_warp_id() {
  unsigned number;
  asm("mov.u32 %0, %%gridwarpid;" : "=r"(number));
  return number;
}

// Threads of a warp on the GPU that runs this (clang takes warpSize for 32), and the number of this one in its warp.
DEVICE unsigned get_simd_width() {
  unsigned width;
  asm("mov.u32 %0, WARP_SZ;" : "=r"(width));
  return width;
}

DEVICE unsigned get_warp_local_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// What stands between these two is the same for all threads of a warp: the programmer's word for it.
#define SCALAR asm volatile(".pragma \"scalar\";" : : : "memory")
#define SCALAR_END asm volatile(".pragma \"scalar end\";" : : : "memory")

#endif
