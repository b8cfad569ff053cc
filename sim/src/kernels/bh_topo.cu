// Barnes-Hut, topology-driven, as Burtscher and Pingali have it: the lanes of a warp walk together, with one stack in shared
// memory. They open a cell if one of them must, so that none waits for another, and each does what any of them needs.
#include "bh.h"

// Threads walk for all bodies, in the order of the tree: those of a warp are near each other.
extern "C" __global__ void bh_force(Tree tree, Acceleration acceleration) {
  Walk walk;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < tree.bodies; i += gridDim.x * blockDim.x)
    attract(tree, tree.order[i], walk, acceleration);
}
