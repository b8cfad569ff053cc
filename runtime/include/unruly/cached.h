/* Loads and stores that say how they are cached. */
#ifndef UNRULY_CACHED_H
#define UNRULY_CACHED_H

#pragma push_macro("UNRULY_CACHED")
#define UNRULY_CACHED(type, word, letter)                                                                                        \
  UNRULY_LOAD(type, word, letter, __ldcg, "cg")                                                                                  \
  UNRULY_LOAD(type, word, letter, __ldca, "ca")                                                                                  \
  UNRULY_LOAD(type, word, letter, __ldcs, "cs")                                                                                  \
  UNRULY_LOAD(type, word, letter, __ldcv, "cv")                                                                                  \
  UNRULY_STORE(type, word, letter, __stwb, "wb")                                                                                 \
  UNRULY_STORE(type, word, letter, __stcg, "cg")                                                                                 \
  UNRULY_STORE(type, word, letter, __stcs, "cs")                                                                                 \
  UNRULY_STORE(type, word, letter, __stwt, "wt")
#define UNRULY_LOAD(type, word, letter, name, how)                                                                               \
  static __device__ __forceinline__ type name(const type *p) {                                                                   \
    type v;                                                                                                                      \
    asm volatile("ld." how "." word " %0, [%1];" : "=" letter(v) : "l"(p) : "memory");                                           \
    return v;                                                                                                                    \
  }
#define UNRULY_STORE(type, word, letter, name, how)                                                                              \
  static __device__ __forceinline__ void name(type *p, type v) {                                                                 \
    asm volatile("st." how "." word " [%0], %1;" : : "l"(p), letter(v) : "memory");                                              \
  }

UNRULY_CACHED(int, "b32", "r")
UNRULY_CACHED(unsigned int, "b32", "r")
UNRULY_CACHED(long, "b64", "l")
UNRULY_CACHED(unsigned long, "b64", "l")
UNRULY_CACHED(long long, "b64", "l")
UNRULY_CACHED(unsigned long long, "b64", "l")
UNRULY_CACHED(float, "f32", "f")
UNRULY_CACHED(double, "f64", "d")

#undef UNRULY_LOAD
#undef UNRULY_STORE
#pragma pop_macro("UNRULY_CACHED")

#endif
