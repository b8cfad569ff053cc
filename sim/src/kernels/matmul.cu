// c = a * b for square matrices of any size, an element a thread: CTAs of TILE x TILE threads go along a row of tiles of a
// and a column of tiles of b, both of which they keep in shared memory.
#include "unruly_cuda.h"

#define TILE 16

extern "C" __global__ void matmul(const float *a, const float *b, float *c, unsigned n) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  unsigned x = threadIdx.x, y = threadIdx.y;
  unsigned row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
#pragma unroll 1
  for (unsigned begin = 0; begin < n; begin += TILE) {
    // What lies outside counts as 0.
    tile_a[y][x] = row < n && begin + x < n ? a[row * n + begin + x] : 0.0f;
    tile_b[y][x] = column < n && begin + y < n ? b[(begin + y) * n + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < TILE; k++)
      sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}
