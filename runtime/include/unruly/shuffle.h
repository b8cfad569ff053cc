/* Shuffles of unsigned 64-bit words. Those of clang 14 call themselves without end, so that what stands behind them is not compiled.
 * An enable_if attribute makes the functions here the better ones for the same types. */
#ifndef UNRULY_SHUFFLE_H
#define UNRULY_SHUFFLE_H

#pragma push_macro("UNRULY_SHUFFLE")
#define UNRULY_SHUFFLE(name, place)                                                                                              \
  static __device__ __forceinline__ unsigned long long name(unsigned long long v, place p, int width = warpSize)                 \
      __attribute__((enable_if(true, ""))) {                                                                                     \
    return (unsigned long long)name((long long)v, p, width);                                                                     \
  }                                                                                                                              \
  static __device__ __forceinline__ unsigned long long name##_sync(unsigned int mask, unsigned long long v, place p,             \
                                                                   int width = warpSize) __attribute__((enable_if(true, ""))) {  \
    return (unsigned long long)name##_sync(mask, (long long)v, p, width);                                                        \
  }
UNRULY_SHUFFLE(__shfl, int)
UNRULY_SHUFFLE(__shfl_up, unsigned int)
UNRULY_SHUFFLE(__shfl_down, unsigned int)
UNRULY_SHUFFLE(__shfl_xor, int)
#pragma pop_macro("UNRULY_SHUFFLE")

#endif
