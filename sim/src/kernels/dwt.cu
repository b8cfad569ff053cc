// Haar's wavelets in one dimension, as in dwtHaar1D of NVIDIA's CUDA SDK: a CTA takes two samples for each of its threads and, level
// by level, makes sums and differences of neighbours; half of its threads remain at each level.
#include "unruly_cuda.h"

#define MOST_THREADS 512 // also in dwt.rs
#define HALF 0.70710678f // root of a half

// A gap in every 16 words keeps the later levels, whose samples lie far apart, out of one bank.
DEVICE unsigned padded(unsigned place) { return place + place / 16; }

extern "C" __global__ void dwt_clear(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 0.0f; }

// samples: two for each thread of the grid. out: the differences of a level lie from their number on. mean: what remains of the
// samples of each CTA after `levels`, at most as many as its threads can do.
extern "C" __global__ void dwt_levels(const float *samples, float *out, float *mean, int levels) {
  __shared__ float kept[2 * MOST_THREADS + 2 * MOST_THREADS / 16];
  unsigned t = threadIdx.x, active = blockDim.x, first = blockIdx.x * 2 * blockDim.x;
  kept[padded(t)] = samples[first + t];
  kept[padded(t + active)] = samples[first + active + t];
  __syncthreads();
  float left = kept[padded(2 * t)], right = kept[padded(2 * t + 1)];
  __syncthreads();
  unsigned count = gridDim.x * active;
  out[count + blockIdx.x * active + t] = (left - right) * HALF;
  kept[padded(t)] = (left + right) * HALF;
  __syncthreads();
  unsigned apart = 1, place = 2 * t;
#pragma unroll 1
  for (int level = 1; level < levels; level++) {
    active /= 2;
    count /= 2;
    if (t < active) {
      left = kept[padded(place)];
      right = kept[padded(place + apart)];
      out[count + blockIdx.x * active + t] = (left - right) * HALF;
      kept[padded(place)] = (left + right) * HALF;
    }
    apart *= 2;
    place *= 2;
    __syncthreads();
  }
  if (t == 0)
    mean[blockIdx.x] = kept[0];
}
