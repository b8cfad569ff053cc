// Core numbers by peeling: in step k the nodes with k neighbours left go, and those whose neighbours fall to k by that. Nodes that
// went before have fewer than k in `degree`, all others have at least k.
#include "frontier.h"

extern "C" __global__ void kcore_scan(const unsigned *degree, unsigned nodes, unsigned k, unsigned *core, Frontier next) {
  unsigned v = thread_number();
  if (v < nodes && degree[v] == k) {
    core[v] = k;
    append(next, v);
  }
}

// All edges of the nodes that went.
extern "C" __global__ void kcore_expand(const unsigned *row, const unsigned *col, const unsigned *nodes, unsigned count,
                                        Frontier edge_frontier) {
  if (warp_number() >= count)
    return;
  Expansion e(row, nodes[warp_number()], edge_frontier);
#pragma unroll 1
  for (unsigned i = lane_number(); i < e.edges; i += warp_lanes())
    edge_frontier.items[e.at + i] = col[e.begin + i];
}

// The nodes that the edges lead to have a neighbour less each time. The first look spares most atomics.
extern "C" __global__ void kcore_contract(const unsigned *edge_frontier, unsigned number_elements, unsigned *degree,
                                          unsigned k, unsigned *core, Frontier next) {
  unsigned pos = thread_number();
  if (pos < number_elements) {
    unsigned node;
#ifdef USE_IRU
    load_iru(node);
#else
    node = edge_frontier[pos];
#endif
    if (degree[node] > k && atomicAdd(&degree[node], 0xffffffffu) == k + 1) {
      core[node] = k;
      append(next, node);
    }
  }
}
