// CUDA as far as the committed kernels use it, so that stock clang compiles them and no CUDA toolkit is needed:
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

struct uint3 { unsigned x, y, z; };
struct __align__(8) float2 { float x, y; };
struct __align__(16) float4 { float x, y, z, w; };

struct dim3 {
  unsigned x, y, z;
  __device__ __host__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __device__ __host__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __device__ __host__ constexpr operator uint3() const { return {x, y, z}; }
};

// ---- Minimum, maximum, absolute value

DEVICE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
DEVICE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
DEVICE int min(int a, int b) { return a < b ? a : b; }
DEVICE int max(int a, int b) { return a > b ? a : b; }
DEVICE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
DEVICE unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }

// ---- Mathematics: exact unless it says otherwise

DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
DEVICE double fabs(double x) { return __builtin_fabs(x); }
DEVICE float truncf(float x) { return __builtin_truncf(x); }
DEVICE double trunc(double x) { return __builtin_trunc(x); }
DEVICE float rintf(float x) { return __builtin_rintf(x); }
DEVICE double rint(double x) { return __builtin_rint(x); }
DEVICE float sqrtf(float x) { return __builtin_sqrtf(x); }
DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DEVICE float copysignf(float a, float b) { return __builtin_copysignf(a, b); }

// One instruction of the special function unit each, and what follows from it: a few units in the last place.
DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
DEVICE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
DEVICE float log2f(float x) { return __nvvm_lg2_approx_f(x); }
DEVICE float sinf(float x) { return __nvvm_sin_approx_f(x); }
DEVICE float cosf(float x) { return __nvvm_cos_approx_f(x); }
DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
DEVICE float __log2f(float x) { return log2f(x); }
DEVICE float __expf(float x) { return exp2f(x * 1.44269504f); }
DEVICE float __powf(float x, float y) { return exp2f(y * log2f(x)); }

// exp(x) = 2^whole * e^rest; the power of two in two halves, for results that are subnormal or almost infinite.
DEVICE float expf(float x) {
  x = x < -105.0f ? -105.0f : x > 89.0f ? 89.0f : x;
  float whole = rintf(x * 1.44269504f), half = truncf(0.5f * whole);
  float rest = fmaf(whole, -1.90465421e-9f, fmaf(whole, -0.693147182f, x));
  return exp2f(rest * 1.44269504f) * exp2f(half) * exp2f(whole - half);
}
DEVICE float tanhf(float x) {
  float square = x * x;
  if (square < 0.01f)
    return x * fmaf(square, fmaf(square, 0.133333333f, -0.333333333f), 1.0f);
  return copysignf(1.0f - 2.0f / (expf(2.0f * fabsf(x)) + 1.0f), x);
}

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
DEVICE double __dmul_rn(double a, double b) {
  double product;
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(product) : "d"(a), "d"(b));
  return product;
}
DEVICE double __dsub_rn(double a, double b) { return __nvvm_add_rn_d(a, -b); }

// ---- Conversions, and bits as they are

DEVICE float __int_as_float(int x) { return __nvvm_bitcast_i2f(x); }
DEVICE float __uint_as_float(unsigned x) { return __nvvm_bitcast_i2f((int)x); }
DEVICE int __float_as_int(float x) { return __nvvm_bitcast_f2i(x); }
DEVICE unsigned __float_as_uint(float x) { return (unsigned)__nvvm_bitcast_f2i(x); }
DEVICE double __longlong_as_double(long long x) { return __nvvm_bitcast_ll2d(x); }
DEVICE long long __double_as_longlong(double x) { return __nvvm_bitcast_d2ll(x); }

// ---- Integers and their bits

DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
DEVICE int __ffs(int x) { return __builtin_ffs(x); }

// ---- Synchronisation

DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }

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
DEVICE int __all(int predicate) { return __ballot(!predicate) == 0; }
DEVICE unsigned __activemask() { return __ballot(1); }
DEVICE unsigned __lane_id() { return (unsigned)__nvvm_read_ptx_sreg_laneid(); }

DEVICE int __shfl(int x, int lane, int width = 32) { return __nvvm_shfl_idx_i32(x, lane, (32 - width) << 8 | 0x1f); }
DEVICE unsigned __shfl(unsigned x, int lane, int width = 32) { return (unsigned)__shfl((int)x, lane, width); }
DEVICE long long __shfl(long long x, int lane, int width = 32) {
  unsigned lo = __shfl((unsigned)x, lane, width), hi = __shfl((unsigned)(x >> 32), lane, width);
  return (long long)((unsigned long long)hi << 32 | lo);
}
template <typename T> DEVICE T __shfl_sync(unsigned, T x, int lane, int width = 32) { return __shfl(x, lane, width); }
DEVICE int __shfl_up(int x, unsigned by, int width = 32) { return __nvvm_shfl_up_i32(x, (int)by, (32 - width) << 8); }
template <typename T> DEVICE T __shfl_up_sync(unsigned, T x, unsigned by, int width = 32) { return __shfl_up(x, by, width); }
DEVICE int __shfl_xor(int x, int mask, int width = 32) { return __nvvm_shfl_bfly_i32(x, mask, (32 - width) << 8 | 0x1f); }
DEVICE unsigned __shfl_xor(unsigned x, int mask, int width = 32) { return (unsigned)__shfl_xor((int)x, mask, width); }
DEVICE float __shfl_xor(float x, int mask, int width = 32) {
  return __int_as_float(__shfl_xor(__float_as_int(x), mask, width));
}

// ---- Atomics: all return the old value

DEVICE unsigned atomicAdd(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v); }
DEVICE float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }

DEVICE unsigned atomicMin(unsigned *p, unsigned v) { return __nvvm_atom_min_gen_ui(p, v); }
DEVICE unsigned long long atomicMin(unsigned long long *p, unsigned long long v) {
  return __nvvm_atom_min_gen_ull(p, v);
}
DEVICE unsigned atomicMax(unsigned *p, unsigned v) { return __nvvm_atom_max_gen_ui(p, v); }
DEVICE unsigned atomicExch(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_xchg_gen_i((int *)p, (int)v); }
// This architecture has no instruction for it.

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

// Where the edges of each node begin, one word more than nodes: its address is a multiple of 128.
DEVICE void __wlrows(const unsigned *row) { asm volatile("wlrows.u64 %0;" : : "l"(row) : "memory"); }

// The place of an edge of a node in the worklist, and the node, or one of the two tokens. The lanes of a warp get edges that lie side by
// side. A node is out of the worklist when its first edge is handed out.
DEVICE unsigned __wledge(unsigned &node) {
  unsigned edge;
  asm volatile("wledge.u32 %0, %1;" : "=r"(edge), "=r"(node) : : "memory");
  return edge;
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

// What stands between these two is the same for all threads of a warp: the programmer's word for it.
#define SCALAR asm volatile(".pragma \"scalar\";" : : : "memory")
#define SCALAR_END asm volatile(".pragma \"scalar end\";" : : : "memory")

#endif
