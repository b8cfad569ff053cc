// A warp as wide as the GPU's, whatever that is: the width is a constant of the machine, which the PTX leaves open.
#pragma once
#include "unruly_cuda.h"

DEVICE unsigned warp_width() {
  unsigned width;
  asm("mov.u32 %0, WARP_SZ;" : "=r"(width));
  return width;
}

// The sum over so many neighbouring lanes, a power of two, in all of them; all must be here.
template <typename T> DEVICE T lanes_sum(T value, unsigned lanes) {
#pragma unroll 1
  for (unsigned mask = lanes / 2; mask > 0; mask /= 2)
    value += __shfl_xor(value, mask);
  return value;
}

// The largest over them.
template <typename T> DEVICE T lanes_largest(T value, unsigned lanes) {
#pragma unroll 1
  for (unsigned mask = lanes / 2; mask > 0; mask /= 2)
    value = max(value, __shfl_xor(value, mask));
  return value;
}

// The sum over a warp.
template <typename T> DEVICE T warp_sum(T value) { return lanes_sum(value, warp_width()); }
