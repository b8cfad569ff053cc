// Global alignment of two sequences (Needleman and Wunsch, 1970) as in Rodinia: the matrix of scores in tiles, a launch for
// every diagonal of tiles, a CTA for every tile of it. In a CTA a thread has a column, and the threads go down the tile
// one behind the other.
#include "unruly_cuda.h"

#define TILE 16

// similarity: n x n; score: (n + 1) x (n + 1), of which the host has filled the first row and column. The tiles of the
// diagonal are those of which the numbers of row and column add up to it, `first` is the row of the first.
extern "C" __global__ void nw_diagonal(const int *similarity, int *score, int n, int gap, int diagonal, int first) {
  __shared__ int cells[TILE + 1][TILE + 1], alike[TILE][TILE];
  int t = threadIdx.x, tile = first + blockIdx.x, width = n + 1;
  // The tile's cells lie right of and below this one.
  int row = tile * TILE, column = (diagonal - tile) * TILE;
  bool exists = column + t < n;
#pragma unroll 1
  for (int i = 0; i < TILE; i++)
    alike[i][t] = exists && row + i < n ? similarity[(row + i) * n + column + t] : 0;
  cells[0][t + 1] = exists ? score[row * width + column + t + 1] : 0;
  cells[t + 1][0] = row + t < n ? score[(row + t + 1) * width + column] : 0;
  if (t == 0)
    cells[0][0] = score[row * width + column];
  __syncthreads();
#pragma unroll 1
  for (int step = 0; step < 2 * TILE - 1; step++) {
    int i = step - t;
    if (i >= 0 && i < TILE)
      cells[i + 1][t + 1] = max(cells[i][t] + alike[i][t], max(cells[i][t + 1], cells[i + 1][t]) - gap);
    __syncthreads();
  }
#pragma unroll 1
  for (int i = 0; i < TILE; i++)
    if (exists && row + i < n)
      score[(row + i + 1) * width + column + t + 1] = cells[i + 1][t + 1];
}
