// A training step of a network with one hidden layer of 16 units, the part between the many inputs and that layer, as in
// Rodinia's backprop: the sums forward, and the new weights backward. What lies between is the host's, as there.
#include "unruly_cuda.h"

#define HIDDEN 16
#define TILE 16

// partial: what the 16 inputs of each CTA add to the sum of each hidden unit. x is the hidden unit, y the input.
extern "C" __global__ void backprop_forward(const float *input, const float *weight, float *partial, int inputs) {
  __shared__ float unit[TILE], product[TILE][HIDDEN];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * TILE + y;
  if (x == 0)
    unit[y] = i < inputs ? input[i] : 0.0f;
  __syncthreads();
  product[y][x] = i < inputs ? weight[i * HIDDEN + x] * unit[y] : 0.0f;
  __syncthreads();
#pragma unroll 1
  for (int half = 1; half < TILE; half *= 2) {
    if (y % (2 * half) == 0)
      product[y][x] += product[y + half][x];
    __syncthreads();
  }
  if (y == 0)
    partial[blockIdx.x * HIDDEN + x] = product[0][x];
}

// change: what the step before added to each weight, and then what this one did.
extern "C" __global__ void backprop_adjust(const float *delta, const float *input, float *weight, float *change, int inputs,
                                           float rate, float momentum) {
  int x = threadIdx.x, i = blockIdx.x * TILE + threadIdx.y;
  if (i >= inputs)
    return;
  int place = i * HIDDEN + x;
  float step = rate * delta[x] * input[i] + momentum * change[place];
  weight[place] += step;
  change[place] = step;
}
