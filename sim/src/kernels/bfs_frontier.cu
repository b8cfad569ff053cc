// Breadth-first search with frontiers (IRU, Fig 9; Merrill et al., PPoPP 2012). label is the distance from the source,
// 0xffffffff if unknown.
#include "frontier.h"
#include "frontier_begin.h"

// All edges of a node.
DEVICE void expand(const unsigned *row, const unsigned *col, unsigned node, const Frontier &edge_frontier) {
  Expansion e(row, node, edge_frontier);
#pragma unroll 1
  for (unsigned i = lane_number(); i < e.edges; i += warp_lanes())
    edge_frontier.items[e.at + i] = col[e.begin + i];
}

#ifdef HARDWARE_WORKLIST

extern "C" __global__ void bfs_expand(const unsigned *row, const unsigned *col, NodeFrontier, Frontier edge_frontier) {
  WarpPulls pulls;
  unsigned id;
  do {
    id = pulls.next();
    if (is_work(id))
      expand(row, col, id, edge_frontier);
  } while (id != WL_DONE);
}

#else

extern "C" __global__ void bfs_expand(const unsigned *row, const unsigned *col, const unsigned *nodes, unsigned count,
                                      Frontier edge_frontier) {
  if (warp_number() < count)
    expand(row, col, nodes[warp_number()], edge_frontier);
}

#endif

// The nodes that the edges lead to get their distance; those that had none are the next node frontier.
extern "C" __global__ void bfs_contract(const unsigned *edge_frontier, unsigned number_elements, unsigned *label,
                                        unsigned distance, NodeFrontier node_frontier) {
  unsigned pos = thread_number();
  if (pos < number_elements) {
    unsigned edge;
#ifdef USE_IRU
    load_iru(edge);
#else
    edge = edge_frontier[pos];
#endif
    if (label[edge] > distance && atomicMin(&label[edge], distance) > distance)
      append_node(node_frontier, edge);
  }
}
