// Laplace's equation in a cube, a Jacobi step a launch: each cell inside becomes the mean of its six neighbours, those on
// the faces stay as they are. As in Giles's laplace3d: a CTA walks through the planes with three planes of its tile in
// shared memory, each with a border of one cell, and moves all of them down by one with each step.
#include "unruly_cuda.h"

#define TILE_X 32
#define TILE_Y 4
#define WIDTH (TILE_X + 2)
#define PLANE (WIDTH * (TILE_Y + 2))
#define BORDER (2 * (TILE_X + TILE_Y + 2)) // cells around a tile: so many threads load one each

DEVICE bool is_inside(int place, int n) { return place > 0 && place < n - 1; }

// A cell of the three planes that a thread keeps up to date: its place in the middle one, and in the cube's current plane.
struct Cell {
  float *middle;
  const float *source;
  bool exists;

  // x and y in the tile, from -1; row and column in the plane.
  __device__ __forceinline__ Cell(float *planes, const float *from, int x, int y, int row, int column, int n, bool wanted)
      : middle(planes + PLANE + (y + 1) * WIDTH + x + 1), source(from + row * n + column),
        exists(wanted && row >= 0 && row < n && column >= 0 && column < n) {}

  // Before the first plane: it is the upper one.
  __device__ __forceinline__ void begin() {
    if (exists)
      middle[PLANE] = *source;
  }

  // All planes down by one; the next of the cube, if there is one, comes in above.
  __device__ __forceinline__ void shift(int plane_cells, bool more) {
    if (!exists)
      return;
    middle[-PLANE] = middle[0];
    middle[0] = middle[PLANE];
    source += plane_cells;
    if (more)
      middle[PLANE] = *source;
  }
};

extern "C" __global__ void laplace_step(const float *from, float *to, int n) {
  __shared__ float planes[3 * PLANE];
  int x = threadIdx.x, y = threadIdx.y, t = y * TILE_X + x;
  int first_row = blockIdx.y * TILE_Y, first_column = blockIdx.x * TILE_X;
  int row = first_row + y, column = first_column + x;
  // The first two warps have the rows before and behind the tile, the next threads its sides with the corners.
  int side = t - 2 * TILE_X;
  int border_x = t < 2 * TILE_X ? x : (side & 1) * (TILE_X + 1) - 1;
  int border_y = t < 2 * TILE_X ? y * (TILE_Y + 1) - 1 : side / 2 - 1;
  Cell own(planes, from, x, y, row, column, n, true);
  Cell border(planes, from, border_x, border_y, first_row + border_y, first_column + border_x, n, t < BORDER);
  own.begin();
  border.begin();
#pragma unroll 1
  for (int plane = 0; plane < n; plane++) {
    own.shift(n * n, plane + 1 < n);
    border.shift(n * n, plane + 1 < n);
    __syncthreads();
    if (own.exists) {
      const float *cell = own.middle;
      float next = cell[0];
      if (is_inside(plane, n) && is_inside(row, n) && is_inside(column, n))
        next = (cell[-PLANE] + cell[PLANE] + cell[-WIDTH] + cell[WIDTH] + cell[-1] + cell[1]) * (1.0f / 6.0f);
      to[(plane * n + row) * n + column] = next;
    }
    __syncthreads();
  }
}
