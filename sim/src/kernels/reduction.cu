// Sum of an array: each thread adds up a share, a tree in shared memory the threads of a CTA down to one warp, shuffles
// that warp. One sum per CTA comes out; a launch with a single CTA adds those up.
#include "warp.h"

#define BLOCK 256 // at least a warp; a power of two

extern "C" __global__ void reduce(const unsigned *in, unsigned *out, unsigned count) {
  __shared__ unsigned partial[BLOCK];
  unsigned t = threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = blockIdx.x * BLOCK + t; i < count; i += gridDim.x * BLOCK)
    sum += in[i];
  partial[t] = sum;
  __syncthreads();
#pragma unroll 1
  for (unsigned half = BLOCK / 2; half >= warp_width(); half /= 2) {
    if (t < half)
      partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t < warp_width()) {
    sum = warp_sum(partial[t]);
    if (t == 0)
      out[blockIdx.x] = sum;
  }
}
