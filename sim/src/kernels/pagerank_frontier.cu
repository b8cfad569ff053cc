// PageRank by pushing (IRU, Fig 11; Geil et al.): all nodes are the node frontier, all edges the edge frontier, and an edge's
// weight is what its node gives. One iteration is three launches.
#include "frontier.h"

// What each node gives to each of its neighbours.
extern "C" __global__ void pagerank_expand(const unsigned *row, const float *rank, unsigned nodes,
                                           float *weight_frontier) {
  unsigned v = warp_number();
  if (v >= nodes)
    return;
  unsigned begin = row[v], end = row[v + 1];
  float share = rank[v] / (float)max(end - begin, 1u);
#pragma unroll 1
  for (unsigned e = begin + lane_number(); e < end; e += warp_lanes())
    weight_frontier[e] = share;
}

// label becomes the sum of what a node is given.
extern "C" __global__ void pagerank_contract(const unsigned *edge_frontier, const float *weight_frontier,
                                             unsigned number_elements, float *label) {
  unsigned pos = thread_number();
  if (pos < number_elements) {
    unsigned edge;
    float weight;
    bool active_thread = true;
#ifdef USE_IRU
    active_thread = load_iru(edge, weight);
#else
    edge = edge_frontier[pos];
    weight = weight_frontier[pos];
#endif
    if (active_thread)
      atomicAdd(&label[edge], weight);
  }
}

// rank = base + damping * label; label is 0 again.
extern "C" __global__ void pagerank_update(float *rank, float *label, unsigned nodes, float base, float damping) {
  unsigned v = thread_number();
  if (v < nodes) {
    rank[v] = base + damping * label[v];
    label[v] = 0;
  }
}
