// Barnes-Hut simulation of bodies that attract each other (HWWL, II-B): a body walks down the octree that the host has built,
// and takes a cell that is far away for a single body in its centre of mass. A cell is far if its distance is at least twice
// its side.
#pragma once
#include "warp.h"

#define MEMBER __device__ __forceinline__

#define NONE 0xffffffffu
#define CHILDREN 8u
#define DEPTH 32 // most cells inside each other; also in octree.rs
#define BLOCK 256
#define NARROWEST_WARP 8

// Kernel parameter. Nodes are the bodies and behind them the cells, the root first.
struct Tree {
  float *x, *y, *z;      // by node: a cell's are those of its centre of mass
  const float *mass;     // by node
  const unsigned *child; // eight nodes a cell, NONE behind the last
  const unsigned *order; // bodies as the tree has them: neighbours are near each other
  unsigned bodies;
  float limit;   // square of the distance from which on a child of the root is far
  float softening; // square of the distance that is added to all others
};

// By body.
struct Acceleration {
  float *x, *y, *z;
};

static __shared__ volatile unsigned stacks[BLOCK / NARROWEST_WARP][DEPTH];

// The walk of a warp: where it has come to in each cell that it is in, the number of the cell << 4 | children it has seen.
// The lanes that begin a walk stay together until its end. A cell is far if it is so for all of them.
class Walk {
public:
  MEMBER Walk() : cells(stacks[threadIdx.x / warp_width()]) {}
  MEMBER unsigned get(int depth) const { return cells[depth]; }
  MEMBER void set(int depth, unsigned cell) { cells[depth] = cell; }
  MEMBER bool agrees(bool is_far) const { return __all(is_far); }

private:
  volatile unsigned *cells;
};

// What one body or far cell adds to another. Which cells are far depends on single roundings, hence fmaf and __fmul_rn.
DEVICE void attract(const Tree &tree, unsigned body, Walk &walk, const Acceleration &result) {
  float x = tree.x[body], y = tree.y[body], z = tree.z[body], limit = tree.limit;
  float sum_x = 0, sum_y = 0, sum_z = 0;
  int depth = 0;
  walk.set(0, 0);
#pragma unroll 1
  while (depth >= 0) {
    unsigned at = walk.get(depth), seen = at & 15;
    unsigned node = seen < CHILDREN ? tree.child[(at >> 4) * CHILDREN + seen] : NONE;
    if (node == NONE) {
      depth--;
      limit *= 4.0f;
      continue;
    }
    walk.set(depth, at + 1);
    float dx = tree.x[node] - x, dy = tree.y[node] - y, dz = tree.z[node] - z;
    float square = fmaf(dx, dx, fmaf(dy, dy, __fmul_rn(dz, dz)));
    if (node < tree.bodies || walk.agrees(square >= limit)) {
      float inverse = rsqrtf(square + tree.softening);
      float pull = tree.mass[node] * inverse * inverse * inverse;
      sum_x += dx * pull;
      sum_y += dy * pull;
      sum_z += dz * pull;
    } else {
      depth++;
      limit *= 0.25f;
      walk.set(depth, (node - tree.bodies) << 4);
    }
  }
  result.x[body] = sum_x;
  result.y[body] = sum_y;
  result.z[body] = sum_z;
}

// By body.
struct Velocity {
  float *x, *y, *z;
};

// Leapfrog, a thread a body: the velocity of half a step later, and where it leads in a step.
extern "C" __global__ void bh_move(Tree tree, Acceleration by, Velocity velocity, float kick, float step) {
  unsigned body = blockIdx.x * blockDim.x + threadIdx.x;
  if (body >= tree.bodies)
    return;
  float x = fmaf(by.x[body], kick, velocity.x[body]);
  float y = fmaf(by.y[body], kick, velocity.y[body]);
  float z = fmaf(by.z[body], kick, velocity.z[body]);
  velocity.x[body] = x;
  velocity.y[body] = y;
  velocity.z[body] = z;
  tree.x[body] = fmaf(x, step, tree.x[body]);
  tree.y[body] = fmaf(y, step, tree.y[body]);
  tree.z[body] = fmaf(z, step, tree.z[body]);
}
