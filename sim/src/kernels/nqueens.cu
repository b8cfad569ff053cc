// In how many ways queens can stand on a board, one in each row, so that none attacks another: backtracking with sets of
// bits. The host places those of the first rows in every way, a thread each counts the ways to place the others, with
// its stack in shared memory, as in the benchmark NQU of Bakhoda et al.
#include "unruly_cuda.h"

#define BLOCK 64 // also in nqueens.rs
#define ROWS 12  // most rows that are left to a thread; also there

// prefix: three words for each beginning, each an array of its own: bits of the columns that are taken, and of those
// that the queens so far attack in the next row along the one and along the other diagonal.
extern "C" __global__ void nqueens_count(const unsigned *prefix, unsigned *count, unsigned prefixes, int side, int rows) {
  __shared__ unsigned columns[ROWS][BLOCK], left[ROWS][BLOCK], right[ROWS][BLOCK], open[ROWS][BLOCK];
  unsigned t = threadIdx.x, i = blockIdx.x * BLOCK + t;
  if (i >= prefixes)
    return;
  unsigned board = (1u << side) - 1, taken = prefix[i], l = prefix[prefixes + i], r = prefix[2 * prefixes + i];
  unsigned found = 0;
  int row = 0;
  columns[0][t] = taken;
  left[0][t] = l;
  right[0][t] = r;
  open[0][t] = board & ~(taken | l | r);
#pragma unroll 1
  while (row >= 0) {
    unsigned places = open[row][t];
    if (places == 0) {
      row--;
      continue;
    }
    unsigned queen = places & (0u - places);
    open[row][t] = places ^ queen;
    if (row == rows - 1) {
      found++;
      continue;
    }
    taken = columns[row][t] | queen;
    l = (left[row][t] | queen) << 1;
    r = (right[row][t] | queen) >> 1;
    row++;
    columns[row][t] = taken;
    left[row][t] = l;
    right[row][t] = r;
    open[row][t] = board & ~(taken | l | r);
  }
  count[i] = found;
}
