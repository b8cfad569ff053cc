// Coulombic potential of point charges on a plane of lattice points, as in Parboil's cp: the charges lie in constant memory, a
// thread adds up what all of them contribute to two points of a row.
#include "unruly_cuda.h"

#define TILE_X 16 // threads of a CTA, also in cp.rs
#define TILE_Y 8
#define POINTS 2   // of a thread, TILE_X apart
#define CHARGES 200 // also in cp.rs

// Place in the plane, square of the distance from it, and charge.
__constant__ float4 charges[CHARGES];

DEVICE float part(float x, float beyond, float charge) { return charge * (1.0f / sqrtf(x * x + beyond)); }

// potential: rows of gridDim.x tiles. What is there already is added to.
extern "C" __global__ void cp_plane(float *potential, float spacing) {
  unsigned column = blockIdx.x * TILE_X * POINTS + threadIdx.x, row = blockIdx.y * TILE_Y + threadIdx.y;
  unsigned place = row * gridDim.x * TILE_X * POINTS + column;
  float x = spacing * (float)column, apart = spacing * (float)(column + TILE_X), y = spacing * (float)row;
  float first = 0.0f, second = 0.0f;
#pragma unroll 1
  for (int i = 0; i < CHARGES; i++) {
    float4 charge = charges[i];
    float dy = y - charge.y, beyond = dy * dy + charge.z;
    first += part(x - charge.x, beyond, charge.w);
    second += part(apart - charge.x, beyond, charge.w);
  }
  potential[place] += first;
  potential[place + TILE_X] += second;
}
