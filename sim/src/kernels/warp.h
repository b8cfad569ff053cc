// A warp as wide as the GPU's, whatever that is: the width is a constant of the machine, which the PTX leaves open.
#pragma once
#include "unruly_cuda.h"

DEVICE unsigned warp_width() {
  unsigned width;
  asm("mov.u32 %0, WARP_SZ;" : "=r"(width));
  return width;
}

DEVICE unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// The value of the lane whose number differs in the bits of `mask`; both must be here.
DEVICE unsigned shuffle_xor(unsigned value, unsigned mask) {
  unsigned other;
  asm volatile("shfl.bfly.b32 %0, %1, %2, 0x1f;" : "=r"(other) : "r"(value), "r"(mask));
  return other;
}
DEVICE float shuffle_xor(float value, unsigned mask) {
  float other;
  asm volatile("shfl.bfly.b32 %0, %1, %2, 0x1f;" : "=f"(other) : "f"(value), "r"(mask));
  return other;
}

// The sum over a warp, in all its lanes; all must be here.
template <typename T> DEVICE T warp_sum(T value) {
#pragma unroll 1
  for (unsigned mask = warp_width() / 2; mask > 0; mask /= 2)
    value += shuffle_xor(value, mask);
  return value;
}
