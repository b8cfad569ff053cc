// A training step of a network with one hidden layer of 16 units, the part between the many inputs and that layer, as in
// Rodinia's backprop: the sums forward, and the new weights backward. What lies between is the host's, as there.
// Unit 0 of each layer is always 1, and so weights have 17 columns, of which the first is not used: the rows of a CTA do
// not begin at the lines of the caches. Row 0 has the thresholds of the hidden units. Inputs fill CTAs.
#include "unruly_cuda.h"

#define HIDDEN 16
#define TILE 16
#define STRIDE (HIDDEN + 1)

// The CTA's weight of its input y for its hidden unit x.
DEVICE int own_place() { return (blockIdx.x * TILE + threadIdx.y + 1) * STRIDE + threadIdx.x + 1; }

// partial: what the 16 inputs of each CTA add to the sum of each hidden unit. The weights' memory takes what the tree
// leaves of the products: the host writes the weights again. As in Rodinia, powers of two are those of the float units.
extern "C" __global__ void backprop_forward(const float *input, float *weight, float *partial) {
  __shared__ float unit[TILE], product[TILE][HIDDEN];
  int x = threadIdx.x, y = threadIdx.y, place = own_place();
  if (x == 0)
    unit[y] = input[blockIdx.x * TILE + y + 1];
  __syncthreads();
  product[y][x] = weight[place];
  __syncthreads();
  product[y][x] *= unit[y];
  __syncthreads();
#pragma unroll 1
  for (int i = 1; i <= __log2f(TILE); i++) {
    int power = (int)__powf(2, i);
    if (y % power == 0)
      product[y][x] += product[y + power / 2][x];
    __syncthreads();
  }
  weight[place] = product[y][x];
  __syncthreads();
  if (x == 0)
    partial[blockIdx.x * HIDDEN + y] = product[0][y];
}

// change: what the step before added to each weight, and then what this one did.
extern "C" __global__ void backprop_adjust(const float *delta, const float *input, float *weight, float *change,
                                           float rate, float momentum) {
  int x = threadIdx.x + 1, y = blockIdx.x * TILE + threadIdx.y + 1, place = own_place();
  weight[place] += rate * delta[x] * input[y] + momentum * change[place];
  change[place] = rate * delta[x] * input[y] + momentum * change[place];
  __syncthreads();
  // The thresholds: their input is 1.
  if (threadIdx.y == 0 && blockIdx.x == 0) {
    weight[x] += rate * delta[x] + momentum * change[x];
    change[x] = rate * delta[x] + momentum * change[x];
  }
}
