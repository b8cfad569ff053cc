// What the kernels need of CUDA, so that stock clang compiles them and no CUDA toolkit is needed:
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib -O2 -S kernel.cu
// threadIdx and the other built-in variables come from a header of clang's own; __syncthreads is a builtin of clang.
// The last section has the worklist instructions of HWWL (paper: Table III).
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))

#include <__clang_cuda_builtin_vars.h>

#define DEVICE static __device__ __forceinline__

// ---- Arithmetic

DEVICE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
DEVICE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
DEVICE int min(int a, int b) { return a < b ? a : b; }
DEVICE int max(int a, int b) { return a > b ? a : b; }

// ---- Atomics: all return the old value

DEVICE unsigned atomicAdd(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v); }
DEVICE int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
DEVICE unsigned atomicMin(unsigned *p, unsigned v) { return __nvvm_atom_min_gen_ui(p, v); }
DEVICE int atomicMin(int *p, int v) { return __nvvm_atom_min_gen_i(p, v); }
DEVICE unsigned atomicMax(unsigned *p, unsigned v) { return __nvvm_atom_max_gen_ui(p, v); }
DEVICE int atomicMax(int *p, int v) { return __nvvm_atom_max_gen_i(p, v); }
DEVICE unsigned atomicExch(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_xchg_gen_i((int *)p, (int)v); }
DEVICE int atomicExch(int *p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
DEVICE unsigned atomicCAS(unsigned *p, unsigned old, unsigned v) {
  return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)old, (int)v);
}
DEVICE int atomicCAS(int *p, int old, int v) { return __nvvm_atom_cas_gen_i(p, old, v); }

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
