// Cheapest way through a grid of costs from the first row to each cell of the last, a step down and at most one column
// aside at a time: dynamic programming, a row after the other, as in Rodinia's PathFinder. A launch does up to HALO rows:
// a CTA also computes HALO columns on either side of its own (the ghost zone), of which a row at each side becomes stale
// with every step, and so needs nothing of other CTAs.
#include "unruly_cuda.h"

#define BLOCK 256
#define HALO 16 // also in pathfinder.rs
#define FAR 0x7fffffff

// from: the cheapest ways to the row before `row`; to: those to row + steps - 1.
extern "C" __global__ void pathfinder_rows(const int *cost, const int *from, int *to, int columns, int row, int steps) {
  __shared__ int ways[2][BLOCK];
  int t = threadIdx.x;
  int column = (int)blockIdx.x * (BLOCK - 2 * HALO) + t - HALO;
  bool exists = column >= 0 && column < columns;
  int way = exists ? from[column] : FAR;
  ways[0][t] = way;
  __syncthreads();
#pragma unroll 1
  for (int step = 0; step < steps; step++) {
    const int *old = ways[step & 1];
    if (exists && t > step && t < BLOCK - 1 - step)
      way = cost[(row + step) * columns + column] + min(old[t], min(old[t - 1], old[t + 1]));
    // The other of the two buffers: nobody reads it before the barrier.
    ways[~step & 1][t] = way;
    __syncthreads();
  }
  if (exists && t >= HALO && t < BLOCK - HALO)
    to[column] = way;
}
