// Betweenness centrality from one source (Brandes, 2001), topology-driven as Pannotia's: a launch a level, forward to count
// the shortest paths, backward to add up what depends on a vertex. Both push with atomic additions. Compiled for all mappings
// of a vertex.
#include "mapping.h"

#define UNREACHED 0xffffffffu

// Nothing is reached but the source, to which one path leads.
extern "C" __global__ void bc_clear(unsigned *dist, float *paths, float *delta, unsigned nodes, unsigned source) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes)
    return;
  dist[v] = v == source ? 0 : UNREACHED;
  paths[v] = v == source ? 1.0f : 0.0f;
  delta[v] = 0;
}

// Every neighbour in the next level is given the paths to v, whoever reached it first. The host clears *changed before
// each launch and stops after the launch that leaves it clear.
extern "C" __global__ void bc_forward(const unsigned *row, const unsigned *col, unsigned *dist, float *paths,
                                      unsigned *changed, unsigned nodes, unsigned level) {
  PER_VERTEX;
  unsigned v = own_vertex();
  if (v >= nodes || dist[v] != level)
    return;
  unsigned begin = row[v], end = row[v + 1];
  float mine = paths[v];
  PER_VERTEX_END;
  VertexThread me(v);
#pragma unroll 1
  for (unsigned e = me.first(begin); e < end; e += me.stride()) {
    unsigned u = col[e], distance = dist[u];
    if (distance == UNREACHED) {
      distance = level + 1;
      dist[u] = distance;
      *changed = 1;
    }
    if (distance == level + 1)
      atomicAdd(&paths[u], mine);
  }
}

// The levels from the last to 2, on the transposed graph: from_row and from say who points to v. Of the paths to v, and to
// what lies behind v, this share passes u.
extern "C" __global__ void bc_backward(const unsigned *from_row, const unsigned *from, const unsigned *dist,
                                       const float *paths, float *delta, unsigned nodes, unsigned level) {
  PER_VERTEX;
  unsigned v = own_vertex();
  if (v >= nodes || dist[v] != level)
    return;
  unsigned begin = from_row[v], end = from_row[v + 1];
  float mine = paths[v], behind = 1.0f + delta[v];
  PER_VERTEX_END;
  VertexThread me(v);
#pragma unroll 1
  for (unsigned e = me.first(begin); e < end; e += me.stride()) {
    unsigned u = from[e];
    if (dist[u] == level - 1)
      atomicAdd(&delta[u], paths[u] / mine * behind);
  }
}
