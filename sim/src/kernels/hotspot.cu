// Temperature of a chip: a five-point stencil as in Rodinia's HotSpot. A launch does up to GHOST steps of time: a CTA also
// computes GHOST cells on each side of its own (the ghost zone), of which a ring becomes stale with every step, and so
// needs nothing of other CTAs. Its lanes idle as their cells become stale.
#include "unruly_cuda.h"

#define TILE 16
#define GHOST 2 // also in hotspot.rs
#define KEPT (TILE - 2 * GHOST)

// Heat that flows in a step: between neighbours and to the heat sink, each per kelvin of difference.
struct Flow {
  float between, to_sink, ambient;
};

extern "C" __global__ void hotspot_steps(const float *power, const float *from, float *to, int n, int steps, Flow flow) {
  __shared__ float now[TILE][TILE], heat[TILE][TILE], next[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int first_row = blockIdx.y * KEPT - GHOST, first_column = blockIdx.x * KEPT - GHOST;
  int row = first_row + y, column = first_column + x;
  bool exists = row >= 0 && row < n && column >= 0 && column < n;
  if (exists) {
    now[y][x] = from[row * n + column];
    heat[y][x] = power[row * n + column];
  }
  __syncthreads();
  // No heat flows across the edge of the chip: what lies outside is as warm as the cell at the edge.
  int up = max(y - 1, -first_row), down = min(y + 1, n - 1 - first_row);
  int left = max(x - 1, -first_column), right = min(x + 1, n - 1 - first_column);
#pragma unroll 1
  for (int step = 0;; step++) {
    bool fresh = exists && x > step && x < TILE - 1 - step && y > step && y < TILE - 1 - step;
    if (fresh) {
      float t = now[y][x];
      float around = now[up][x] + now[down][x] + now[y][left] + now[y][right];
      next[y][x] = t + (heat[y][x] + flow.between * (around - 4.0f * t) + flow.to_sink * (flow.ambient - t));
    }
    __syncthreads();
    if (step == steps - 1) {
      bool mine = x >= GHOST && x < TILE - GHOST && y >= GHOST && y < TILE - GHOST;
      if (fresh && mine)
        to[row * n + column] = next[y][x];
      return;
    }
    if (fresh)
      now[y][x] = next[y][x];
    __syncthreads();
  }
}
