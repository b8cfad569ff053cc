// Sums over the threads of a CTA: by shuffles within a warp, then over the warps' sums in shared memory. A CTA is
// one-dimensional and whole warps.
#pragma once
#include "warp.h"

// Warps that a CTA can have: 1,024 threads by eights.
#define MAX_WARPS 128

// The sum of the lanes up to this one; all must be here.
DEVICE unsigned warp_sum_up_to(unsigned value) {
  unsigned lane = __lane_id();
#pragma unroll 1
  for (unsigned by = 1; by < warp_width(); by *= 2) {
    unsigned below = __shfl_up(value, by);
    value += lane >= by ? below : 0;
  }
  return value;
}

// The sum of the threads before this one, and of all. All threads of the CTA call it; a barrier stands at its end.
DEVICE unsigned cta_sum_before(unsigned value, unsigned &total) {
  // Volatile: clang 14 takes a barrier for one that leaves such words alone, and may load them before it.
  __shared__ volatile unsigned sums[MAX_WARPS];
  unsigned width = warp_width(), lane = __lane_id(), warp = threadIdx.x / width, warps = blockDim.x / width;
  unsigned sum = warp_sum_up_to(value), before = 0;
  if (lane == width - 1)
    sums[warp] = sum;
  __syncthreads();
  total = 0;
  // Every warp adds up all warps' sums by itself, a warp's width of them at a time.
#pragma unroll 1
  for (unsigned first = 0; first < warps; first += width) {
    unsigned part = warp_sum_up_to(first + lane < warps ? sums[first + lane] : 0);
    unsigned here = __shfl(part, (int)(min(warp - first, width) - 1));
    before = warp > first ? total + here : before;
    total += __shfl(part, (int)width - 1);
  }
  __syncthreads();
  return before + sum - value;
}
