// Minimum spanning forest, topology-driven: every node looks for a shortest edge in every round.
#include "mst.h"

extern "C" __global__ void mst_init(Forest forest, unsigned nodes) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes)
    reset(forest, v);
}

// The host clears *changed before each launch and stops after the launch that leaves it clear.
extern "C" __global__ void mst_find(Forest forest, unsigned *changed, unsigned nodes) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes && find(forest, v))
    *changed = 1;
}
