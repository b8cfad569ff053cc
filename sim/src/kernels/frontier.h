// Frontiers: arrays of the nodes, or of the edges, that a round of a graph algorithm works on (IRU, 4.1). A round expands
// the nodes of the node frontier into the edge frontier, a warp for each node; then it contracts the edge frontier, a thread for
// each edge. With USE_IRU the threads of a contraction take their edges from the reorder unit; nothing else differs.
// With HARDWARE_WORKLIST the nodes are in the worklist units, frontier_worklist.h.
#pragma once
#include "unruly_cuda.h"

struct Frontier {
  unsigned *items;
  unsigned *count;
};

DEVICE unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Lanes of a warp: 32 or, with NARROW_WARPS, as many as the GPU has.
#ifdef NARROW_WARPS
DEVICE unsigned warp_lanes() { return get_simd_width(); }
#else
DEVICE unsigned warp_lanes() { return warpSize; }
#endif
DEVICE unsigned lane_number() { return threadIdx.x & (warp_lanes() - 1); }

// Room for `count` items of the calling lane's warp, which only its first lane asks for.
DEVICE unsigned reserve(const Frontier &frontier, unsigned count) {
  unsigned at = 0;
  if (lane_number() == 0)
    at = atomicAdd(frontier.count, count);
  return __shfl_sync(0xffffffffu, at, 0);
}

// Adds an item of the calling thread. Threads of a warp that come together take their places with one atomic.
DEVICE void append(const Frontier &frontier, unsigned item) {
  unsigned together = __activemask(), first = __ffs((int)together) - 1, at = 0;
  if (lane_number() == first)
    at = atomicAdd(frontier.count, (unsigned)__popc(together));
  at = __shfl_sync(together, at, (int)first);
  frontier.items[at + __popc(together & ((1u << lane_number()) - 1))] = item;
}

// The node that the calling thread's warp expands: its edges, and the place of the first of them in the edge frontier.
struct Expansion {
  unsigned node, begin, edges, at;

  __device__ __forceinline__ Expansion(const unsigned *row, unsigned v, const Frontier &edge_frontier)
      : node(v), begin(row[v]), edges(row[v + 1] - begin), at(reserve(edge_frontier, edges)) {}
};

#ifdef HARDWARE_WORKLIST
#include "frontier_worklist.h"
#else

// Nodes of a frontier, one for each warp of the launch.
DEVICE unsigned warp_number() { return thread_number() >> (__ffs((int)warp_lanes()) - 1); }

typedef Frontier NodeFrontier;
DEVICE void append_node(const NodeFrontier &frontier, unsigned node) { append(frontier, node); }

#endif
