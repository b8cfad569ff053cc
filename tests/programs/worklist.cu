// The hardware worklist in a whole program: nodes of a tree are counted by threads that take them from it, in lock-step with its RTL.
// exec: --units lockstep
#include "check.h"
#include <unruly.h>

// Each core's worklist gets its overflow buffer and becomes a single buffer, so that one launch visits all.
__global__ void start(unsigned root, void *overflow, unsigned long long bytes) {
  if (threadIdx.x == 0) {
    __wlinit(overflow, bytes);
    __wlcfg(0);
  }
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    __wlpush(root);
}
// Node i has the children 2 i + 1 and 2 i + 2. Lanes that were told to wait meet those that had work before all pull again; the empty
// assembly keeps the compiler from sending lanes with work back alone.
__global__ void visit(unsigned *visits, unsigned nodes) {
  unsigned node;
  do {
    node = __wlpull();
    if (node < WL_WAIT) {
      atomicAdd(&visits[node], 1u);
      for (unsigned child = 2 * node + 1; child <= 2 * node + 2; child++)
        if (child < nodes)
          __wlpush(child);
    }
    asm volatile("" : "+r"(node));
  } while (node != WL_DONE);
}

int main() {
  const unsigned nodes = 500;
  unsigned *visits;
  unsigned long long left;
  GOOD(cudaMallocManaged(&visits, nodes * sizeof *visits));
  cudaDeviceProp properties;
  GOOD(cudaGetDeviceProperties(&properties, 0));
  void *overflow;
  GOOD(cudaMalloc(&overflow, 1 << 16));
  start<<<properties.multiProcessorCount, 32>>>(0, overflow, 1 << 16);
  GOOD(cudaDeviceSynchronize());
  GOOD(unrulyWorklistCount(&left));
  CHECK(left == 1);
  visit<<<properties.multiProcessorCount, 64>>>(visits, nodes);
  GOOD(cudaDeviceSynchronize());
  for (unsigned i = 0; i < nodes; i++)
    CHECK(visits[i] == 1);
  GOOD(unrulyWorklistCount(&left));
  CHECK(left == 0);
  PASS();
}
