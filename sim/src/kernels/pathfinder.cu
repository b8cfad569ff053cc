// Cheapest way through a grid of costs from the first row to each cell of the last, a step down and at most one column
// aside at a time: dynamic programming, a row after the other, as in Rodinia's PathFinder. A launch does up to HALO rows:
// a CTA also computes HALO columns on either side of its own (the ghost zone), of which a row at each side becomes stale
// with every step, and so needs nothing of other CTAs.
#include "unruly_cuda.h"

#define BLOCK 256
#define HALO 20 // also in pathfinder.rs

// from: the cheapest ways to the row before `row`; to: those to row + steps - 1.
extern "C" __global__ void pathfinder_rows(const int *cost, const int *from, int *to, int columns, int row, int steps) {
  __shared__ int before[BLOCK], after[BLOCK];
  int t = threadIdx.x, first = (int)blockIdx.x * (BLOCK - 2 * HALO) - HALO, column = first + t;
  bool exists = column >= 0 && column < columns;
  // Beside the first and the last column there is none.
  int left = max(t - 1, -first), right = min(t + 1, columns - 1 - first);
  if (exists)
    before[t] = from[column];
  __syncthreads();
#pragma unroll 1
  for (int step = 0;; step++) {
    bool fresh = exists && t > step && t < BLOCK - 1 - step;
    if (fresh)
      after[t] = cost[(row + step) * columns + column] + min(before[t], min(before[left], before[right]));
    __syncthreads();
    if (step == steps - 1) {
      if (fresh && t >= HALO && t < BLOCK - HALO)
        to[column] = after[t];
      return;
    }
    if (fresh)
      before[t] = after[t];
    __syncthreads();
  }
}
