// Laplace's equation in a cube, a Jacobi step a launch: each cell inside becomes the mean of its six neighbours, those on
// the faces stay as they are. As in Giles's laplace3d: a CTA walks through the planes with a tile of the cells that it
// is at in shared memory, with a border of one cell; a thread keeps what lies below and above of its own cell.
#include "unruly_cuda.h"

#define TILE_X 32
#define TILE_Y 4

// What lies outside of the cube is nobody's neighbour: any cell does.
DEVICE float at(const float *cells, int plane, int row, int column, int n) {
  row = max(0, min(row, n - 1));
  column = max(0, min(column, n - 1));
  return cells[(plane * n + row) * n + column];
}

DEVICE bool is_inside(int place, int n) { return place > 0 && place < n - 1; }

extern "C" __global__ void laplace_step(const float *from, float *to, int n) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int row = blockIdx.y * TILE_Y + threadIdx.y, column = blockIdx.x * TILE_X + threadIdx.x;
  float below = 0, here = at(from, 0, row, column, n);
#pragma unroll 1
  for (int plane = 0; plane < n; plane++) {
    float above = at(from, min(plane + 1, n - 1), row, column, n);
    tile[y][x] = here;
    if (y == 1)
      tile[0][x] = at(from, plane, row - 1, column, n);
    if (y == TILE_Y)
      tile[TILE_Y + 1][x] = at(from, plane, row + 1, column, n);
    if (x == 1)
      tile[y][0] = at(from, plane, row, column - 1, n);
    if (x == TILE_X)
      tile[y][TILE_X + 1] = at(from, plane, row, column + 1, n);
    __syncthreads();
    float next = here;
    if (is_inside(plane, n) && is_inside(row, n) && is_inside(column, n))
      next = (below + above + tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1]) * (1.0f / 6.0f);
    if (row < n && column < n)
      to[(plane * n + row) * n + column] = next;
    below = here;
    here = above;
    __syncthreads();
  }
}
