// Shortest paths with frontiers (IRU, Fig 10; Davidson et al., IPDPS 2014). label is the length of the shortest path to a
// node that was found so far, 0xffffffff if none. An edge's weight in the edge frontier is the length of the path by way of it.
#include "frontier.h"
#include "frontier_begin.h"
#include "relax.h"

// All edges of a node.
DEVICE void expand(const unsigned *row, const unsigned *col, const unsigned *weight, const unsigned *label, unsigned node,
                   const Frontier &edge_frontier, unsigned *weight_frontier) {
  Expansion e(row, node, edge_frontier);
  unsigned length = label[node];
#pragma unroll 1
  for (unsigned i = lane_number(); i < e.edges; i += warp_lanes()) {
    edge_frontier.items[e.at + i] = col[e.begin + i];
    weight_frontier[e.at + i] = lengthened(length, weight[e.begin + i]);
  }
}

#ifdef HARDWARE_WORKLIST

extern "C" __global__ void sssp_expand(const unsigned *row, const unsigned *col, const unsigned *weight,
                                       const unsigned *label, NodeFrontier, Frontier edge_frontier,
                                       unsigned *weight_frontier) {
  WarpPulls pulls;
  unsigned id;
  do {
    id = pulls.next();
    if (is_work(id))
      expand(row, col, weight, label, id, edge_frontier, weight_frontier);
  } while (id != WL_DONE);
}

#else

extern "C" __global__ void sssp_expand(const unsigned *row, const unsigned *col, const unsigned *weight,
                                       const unsigned *label, const unsigned *nodes, unsigned count,
                                       Frontier edge_frontier, unsigned *weight_frontier) {
  if (warp_number() < count)
    expand(row, col, weight, label, nodes[warp_number()], edge_frontier, weight_frontier);
}

#endif

// Relaxes; lookup names for each node whose path got shorter an edge that made it so.
extern "C" __global__ void sssp_compaction(const unsigned *edge_frontier, const unsigned *weight_frontier,
                                           unsigned number_elements, unsigned *label, unsigned *lookup) {
  unsigned pos = thread_number();
  if (pos < number_elements) {
    unsigned edge, weight;
    bool active_thread = true;
#ifdef USE_IRU
    active_thread = load_iru(edge, weight, pos);
#else
    edge = edge_frontier[pos];
    weight = weight_frontier[pos];
#endif
    if (active_thread) {
      unsigned old = atomicMin(&label[edge], weight);
      if (old > weight)
        lookup[edge] = pos;
    }
  }
}

#ifdef NEAR_FAR

// The edges that lookup names lead to the next node frontier if their node is nearer than split, else to the far pile, in
// which a node is put once (waits). lookup names nothing afterwards.
extern "C" __global__ void sssp_split(const unsigned *edge_frontier, unsigned number_elements, const unsigned *label,
                                      unsigned *lookup, unsigned *waits, unsigned split, Frontier near, Frontier far) {
  unsigned pos = thread_number();
  if (pos < number_elements) {
    unsigned edge;
#ifdef USE_IRU_SPLIT
    unsigned none;
    load_iru(edge, none, pos);
#else
    edge = edge_frontier[pos];
#endif
    if (lookup[edge] == pos) {
      lookup[edge] = 0xffffffffu;
      if (label[edge] < split) {
        append(near, edge);
      } else if (waits[edge] == 0) {
        waits[edge] = 1;
        append(far, edge);
      }
    }
  }
}

// The far pile after split went up from `before`: what was nearer already has been expanded since it was put there.
extern "C" __global__ void sssp_raise(const unsigned *pile, unsigned count, const unsigned *label, unsigned before,
                                      unsigned split, Frontier near, Frontier far) {
  unsigned pos = thread_number();
  if (pos < count) {
    unsigned node = pile[pos], length = label[node];
    if (length >= split)
      append(far, node);
    else if (length >= before)
      append(near, node);
  }
}

#else

// The edges that lookup names lead to the next node frontier. lookup names nothing afterwards.
extern "C" __global__ void sssp_filter(const unsigned *edge_frontier, unsigned number_elements, unsigned *lookup,
                                       NodeFrontier node_frontier) {
  unsigned pos = thread_number();
  if (pos < number_elements) {
    unsigned edge = edge_frontier[pos];
    if (lookup[edge] == pos) {
      lookup[edge] = 0xffffffffu;
      append_node(node_frontier, edge);
    }
  }
}

#endif
