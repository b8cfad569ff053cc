/* Atomic functions: all return the old value. One GPU is there, so that the _system forms say nothing new, and the _block forms
 * promise less than is done. */
#ifndef UNRULY_ATOMIC_H
#define UNRULY_ATOMIC_H

#pragma push_macro("UNRULY_ATOMIC")
/* A function and its forms with a scope. */
#define UNRULY_ATOMIC(type, name, value)                                                                                         \
  static __device__ __forceinline__ type name(type *p, type v) { return value; }                                                 \
  static __device__ __forceinline__ type name##_block(type *p, type v) { return name(p, v); }                                    \
  static __device__ __forceinline__ type name##_system(type *p, type v) { return name(p, v); }

UNRULY_ATOMIC(int, atomicAdd, __nvvm_atom_add_gen_i(p, v))
UNRULY_ATOMIC(unsigned int, atomicAdd, (unsigned int)__nvvm_atom_add_gen_i((int *)p, (int)v))
UNRULY_ATOMIC(unsigned long long, atomicAdd, (unsigned long long)__nvvm_atom_add_gen_ll((long long *)p, (long long)v))
UNRULY_ATOMIC(float, atomicAdd, __nvvm_atom_add_gen_f(p, v))
UNRULY_ATOMIC(int, atomicSub, __nvvm_atom_add_gen_i(p, (int)(0u - (unsigned int)v)))
UNRULY_ATOMIC(unsigned int, atomicSub, (unsigned int)__nvvm_atom_add_gen_i((int *)p, (int)(0u - v)))
UNRULY_ATOMIC(int, atomicMin, __nvvm_atom_min_gen_i(p, v))
UNRULY_ATOMIC(unsigned int, atomicMin, __nvvm_atom_min_gen_ui(p, v))
UNRULY_ATOMIC(long long, atomicMin, __nvvm_atom_min_gen_ll(p, v))
UNRULY_ATOMIC(unsigned long long, atomicMin, __nvvm_atom_min_gen_ull(p, v))
UNRULY_ATOMIC(int, atomicMax, __nvvm_atom_max_gen_i(p, v))
UNRULY_ATOMIC(unsigned int, atomicMax, __nvvm_atom_max_gen_ui(p, v))
UNRULY_ATOMIC(long long, atomicMax, __nvvm_atom_max_gen_ll(p, v))
UNRULY_ATOMIC(unsigned long long, atomicMax, __nvvm_atom_max_gen_ull(p, v))
UNRULY_ATOMIC(int, atomicExch, __nvvm_atom_xchg_gen_i(p, v))
UNRULY_ATOMIC(unsigned int, atomicExch, (unsigned int)__nvvm_atom_xchg_gen_i((int *)p, (int)v))
UNRULY_ATOMIC(unsigned long long, atomicExch, (unsigned long long)__nvvm_atom_xchg_gen_ll((long long *)p, (long long)v))
UNRULY_ATOMIC(int, atomicAnd, __nvvm_atom_and_gen_i(p, v))
UNRULY_ATOMIC(unsigned int, atomicAnd, (unsigned int)__nvvm_atom_and_gen_i((int *)p, (int)v))
UNRULY_ATOMIC(unsigned long long, atomicAnd, (unsigned long long)__nvvm_atom_and_gen_ll((long long *)p, (long long)v))
UNRULY_ATOMIC(int, atomicOr, __nvvm_atom_or_gen_i(p, v))
UNRULY_ATOMIC(unsigned int, atomicOr, (unsigned int)__nvvm_atom_or_gen_i((int *)p, (int)v))
UNRULY_ATOMIC(unsigned long long, atomicOr, (unsigned long long)__nvvm_atom_or_gen_ll((long long *)p, (long long)v))
UNRULY_ATOMIC(int, atomicXor, __nvvm_atom_xor_gen_i(p, v))
UNRULY_ATOMIC(unsigned int, atomicXor, (unsigned int)__nvvm_atom_xor_gen_i((int *)p, (int)v))
UNRULY_ATOMIC(unsigned long long, atomicXor, (unsigned long long)__nvvm_atom_xor_gen_ll((long long *)p, (long long)v))
UNRULY_ATOMIC(float, atomicExch, __int_as_float(__nvvm_atom_xchg_gen_i((int *)p, __float_as_int(v))))
UNRULY_ATOMIC(unsigned int, atomicInc, __nvvm_atom_inc_gen_ui(p, v))
UNRULY_ATOMIC(unsigned int, atomicDec, __nvvm_atom_dec_gen_ui(p, v))

#define UNRULY_CAS(type, value)                                                                                                  \
  static __device__ __forceinline__ type atomicCAS(type *p, type old, type v) { return value; }                                  \
  static __device__ __forceinline__ type atomicCAS_block(type *p, type old, type v) { return atomicCAS(p, old, v); }             \
  static __device__ __forceinline__ type atomicCAS_system(type *p, type old, type v) { return atomicCAS(p, old, v); }
UNRULY_CAS(int, __nvvm_atom_cas_gen_i(p, old, v))
UNRULY_CAS(unsigned int, (unsigned int)__nvvm_atom_cas_gen_i((int *)p, (int)old, (int)v))
UNRULY_CAS(unsigned long long,
           (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)p, (long long)old, (long long)v))
#undef UNRULY_CAS

/* A program of before compute capability 6.0 has its own function of this name and these parameters. It goes before a template. */
template <int unruly = 0> static __device__ __forceinline__ double atomicAdd(double *p, double v) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
  double old;
  asm volatile("atom.add.f64 %0, [%1], %2;" : "=d"(old) : "l"(p), "d"(v) : "memory");
  return old;
#else
  unsigned long long *word = (unsigned long long *)p, found = *word, old;
  do {
    old = found;
    found = atomicCAS(word, old, (unsigned long long)__double_as_longlong(v + __longlong_as_double((long long)old)));
  } while (found != old);
  return __longlong_as_double((long long)old);
#endif
}
template <int unruly = 0> static __device__ __forceinline__ double atomicAdd_block(double *p, double v) { return atomicAdd(p, v); }
template <int unruly = 0> static __device__ __forceinline__ double atomicAdd_system(double *p, double v) { return atomicAdd(p, v); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
static __device__ __forceinline__ unsigned short atomicCAS(unsigned short *p, unsigned short old, unsigned short v) {
  unsigned short found;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(found) : "l"(p), "h"(old), "h"(v) : "memory");
  return found;
}
#endif

#pragma pop_macro("UNRULY_ATOMIC")

#endif
