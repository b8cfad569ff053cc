// In how many ways queens can stand on a board, one in each row, so that none attacks another: backtracking with sets of
// bits, as the benchmark NQU of Bakhoda et al. does it. The host places those of the first two rows, a thread each counts
// the ways to place the others, with its stack in shared memory; the CTA adds up the counts.
#include "unruly_cuda.h"

#define BLOCK 96 // also in nqueens.rs
#define DEPTH 10 // most rows that are left to a thread; also there

// board: three words for each beginning, each an array of its own: bits of the columns that are taken, and of those that
// the queens so far attack in the next row along the one and along the other diagonal. sums: one for each CTA. Threads
// without a beginning only join the sum.
extern "C" __global__ void nqueens_count(const unsigned *board, unsigned *sums, unsigned beginnings, int side, int rows) {
  __shared__ unsigned columns[BLOCK][DEPTH], left[BLOCK][DEPTH], right[BLOCK][DEPTH], open[BLOCK][DEPTH];
  __shared__ unsigned count[BLOCK];
  unsigned t = threadIdx.x, i = blockIdx.x * BLOCK + t, found = 0;
  if (i < beginnings) {
    unsigned all = (1u << side) - 1, taken = board[i], l = board[beginnings + i], r = board[2 * beginnings + i];
    int row = 0;
    columns[t][0] = taken;
    left[t][0] = l;
    right[t][0] = r;
    open[t][0] = all & ~(taken | l | r);
#pragma unroll 1
    while (row >= 0) {
      unsigned places = open[t][row];
      if (places == 0) {
        row--;
        continue;
      }
      unsigned queen = places & (0u - places);
      open[t][row] = places ^ queen;
      if (row == rows - 1) {
        found++;
        continue;
      }
      taken = columns[t][row] | queen;
      l = (left[t][row] | queen) << 1;
      r = (right[t][row] | queen) >> 1;
      row++;
      columns[t][row] = taken;
      left[t][row] = l;
      right[t][row] = r;
      open[t][row] = all & ~(taken | l | r);
    }
  }
  count[t] = found;
  __syncthreads();
  // Seven steps: 64 + 32 threads, then halves.
#pragma unroll
  for (unsigned half = 64; half > 0; half /= 2) {
    if (t < half && t + half < BLOCK)
      count[t] += count[t + half];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = count[0];
}
