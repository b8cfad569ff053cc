// Temperature of a chip, a step of time a launch: a five-point stencil as in Rodinia's HotSpot. A CTA keeps its tile with
// a border of one cell in shared memory.
#include "unruly_cuda.h"

#define TILE 16

// Heat that flows in a step: between neighbours and to the heat sink, each per kelvin of difference.
struct Flow {
  float between, to_sink, ambient;
};

// No heat flows across the edge of the chip: what lies outside is as warm as the cell at the edge.
DEVICE float at(const float *cells, int row, int column, int n) {
  row = max(0, min(row, n - 1));
  column = max(0, min(column, n - 1));
  return cells[row * n + column];
}

extern "C" __global__ void hotspot_step(const float *power, const float *from, float *to, int n, Flow flow) {
  __shared__ float tile[TILE + 2][TILE + 2];
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  tile[y][x] = at(from, row, column, n);
  if (y == 1)
    tile[0][x] = at(from, row - 1, column, n);
  if (y == TILE)
    tile[TILE + 1][x] = at(from, row + 1, column, n);
  if (x == 1)
    tile[y][0] = at(from, row, column - 1, n);
  if (x == TILE)
    tile[y][TILE + 1] = at(from, row, column + 1, n);
  __syncthreads();
  if (row >= n || column >= n)
    return;
  float t = tile[y][x];
  float around = tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
  to[row * n + column] =
      t + (power[row * n + column] + flow.between * (around - 4.0f * t) + flow.to_sink * (flow.ambient - t));
}
