// Recognition of digits by a network of four layers, as in the benchmark NN of Bakhoda et al.: two layers of maps, each unit of
// which sees windows of 5 x 5 of the layer before, and two layers of units that see all of it. A CTA is a map or a unit of
// an image: of 13 x 13 or 5 x 5 threads in the first two layers, of a single thread in the others.
#include "unruly_cuda.h"

#define IMAGE 29 // cells a side: of an image, and of the maps of the two layers; all these also in nn.rs
#define SIDE_1 13
#define SIDE_2 5
#define MAPS_1 6
#define MAPS_2 50
#define UNITS_3 100
#define UNITS_4 10
#define WINDOW 25
#define STRIDE 2 // between the windows of neighbouring units

#define ROW(n) (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4
#define WINDOW_OF(side) {ROW(0), ROW(side), ROW(2 * (side)), ROW(3 * (side)), ROW(4 * (side))}

// Where the cells of a window lie, from its first one on.
__constant__ int image_window[WINDOW] = WINDOW_OF(IMAGE);
__constant__ int map_window[WINDOW] = WINDOW_OF(SIDE_1);

DEVICE float answer(float sum) { return 1.7159f * tanhf(0.66666667f * sum); }

// Weights of a map: one that is always added, and one for each cell of the window.
extern "C" __global__ void nn_first(const float *image, const float *weight, float *maps) {
  int map = blockIdx.x, x = threadIdx.x, y = threadIdx.y;
  weight += map * (1 + WINDOW);
  image += blockIdx.y * IMAGE * IMAGE + STRIDE * y * IMAGE + STRIDE * x;
  float sum = weight[0];
#pragma unroll 1
  for (int i = 0; i < WINDOW; i++)
    sum += image[image_window[i]] * weight[1 + i];
  maps[((blockIdx.y * MAPS_1 + map) * SIDE_1 + y) * SIDE_1 + x] = answer(sum);
}

// Weights of a map: one that is always added, then for each cell of the window those for the six maps of the first layer; there
// is room for 6 x 26.
extern "C" __global__ void nn_second(const float *first, const float *weight, float *maps) {
  int map = blockIdx.x, x = threadIdx.x, y = threadIdx.y;
  weight += map * MAPS_1 * (1 + WINDOW);
  first += blockIdx.y * MAPS_1 * SIDE_1 * SIDE_1 + STRIDE * y * SIDE_1 + STRIDE * x;
  float sum = weight[0];
#pragma unroll 1
  for (int i = 0; i < WINDOW; i++) {
    const float *cell = first + map_window[i], *of_cell = weight + 1 + i * MAPS_1;
#pragma unroll
    for (int from = 0; from < MAPS_1; from++)
      sum += cell[from * SIDE_1 * SIDE_1] * of_cell[from];
  }
  maps[((blockIdx.y * MAPS_2 + map) * SIDE_2 + y) * SIDE_2 + x] = answer(sum);
}

// A unit that sees all of the layer before.
template <int SEEN> DEVICE void unit(const float *before, const float *weight, float *units) {
  weight += blockIdx.x * (1 + SEEN);
  before += blockIdx.y * SEEN;
  float sum = weight[0];
#pragma unroll 1
  for (int i = 0; i < SEEN; i++)
    sum += before[i] * weight[1 + i];
  units[blockIdx.y * gridDim.x + blockIdx.x] = answer(sum);
}

extern "C" __global__ void nn_third(const float *second, const float *weight, float *units) {
  unit<MAPS_2 * SIDE_2 * SIDE_2>(second, weight, units);
}

extern "C" __global__ void nn_fourth(const float *third, const float *weight, float *units) {
  unit<UNITS_3>(third, weight, units);
}
