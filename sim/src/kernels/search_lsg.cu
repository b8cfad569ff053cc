// Breadth-first search, and with WEIGHTED shortest paths, topology-driven as in LonestarGPU: a thread for a vertex, and in
// every launch every vertex relaxes every edge, reached or not. A launch works in place: a thread that starts late sees what
// others have lowered, so several hops may fall into one launch.
// The host sets the source's distance to 0. It clears *changed before each launch and stops after the launch that leaves it
// clear: then no distance has changed in that launch, and every edge was relaxed with the final distances.
#include "lsg.h"

#ifdef WEIGHTED
#define LENGTH(graph, e) graph.weight[e]
#else
#define LENGTH(graph, e) 1u
#endif

extern "C" __global__ void relax_all(LsgGraph graph, unsigned *dist, unsigned *changed) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x, edges = degree(graph, v);
  bool lowered = false;
#pragma unroll 1
  for (unsigned i = 0; i < edges; i++) {
    unsigned e = edge(graph, v, i);
    // The vertex's own distance is read again for each edge.
    if (e != 0 && relax(graph.target[e], lengthened(dist[v], LENGTH(graph, e)), dist))
      lowered = true;
  }
  if (lowered)
    *changed = 1;
}
