// Betweenness centrality from one source (Brandes, 2001), topology-driven as Pannotia's: a launch a level, forward to count
// the shortest paths, backward to add up what depends on a vertex. Compiled twice, with a vertex mapped to a thread and to
// a warp. The graph is undirected: who points to v is in v's row.
// Pannotia's forward pass adds to the neighbours' counts with atomics, in order of arrival. Here a vertex adds up its
// own count from the level before while it looks for the next: the same walk over the same edges, the same sum each time.
// dist[v] is 0xffffffff as long as v has not been reached; the host sets the source's to 0, and all of delta.
#include "mapping.h"

#define UNREACHED 0xffffffffu

// The host clears *changed before each launch and stops after the launch that leaves it clear.
extern "C" __global__ void bc_forward(const unsigned *row, const unsigned *col, unsigned *dist, float *paths,
                                      unsigned *changed, unsigned nodes, unsigned level) {
  PER_VERTEX;
  unsigned v = own_vertex();
  if (v >= nodes || dist[v] != level)
    return;
  unsigned begin = row[v], end = row[v + 1];
  PER_VERTEX_END;
  VertexThread me(v);
  float sum = 0;
#pragma unroll 1
  for (unsigned e = me.first(begin); e < end; e += me.stride()) {
    unsigned u = col[e], distance = dist[u];
    if (distance == UNREACHED) {
      dist[u] = level + 1;
      *changed = 1;
    } else if (distance + 1 == level) {
      sum += paths[u];
    }
  }
  sum = me.sum(sum);
  if (me.writes())
    paths[v] = level == 0 ? 1.0f : sum; // one path leads from the source to itself
}

// The levels from the last but one to 1: of the paths to u, and to what lies behind u, this share passes v.
extern "C" __global__ void bc_backward(const unsigned *row, const unsigned *col, const unsigned *dist,
                                       const float *paths, float *delta, unsigned nodes, unsigned level) {
  PER_VERTEX;
  unsigned v = own_vertex();
  if (v >= nodes || dist[v] != level)
    return;
  unsigned begin = row[v], end = row[v + 1];
  float mine = paths[v];
  PER_VERTEX_END;
  VertexThread me(v);
  float sum = 0;
#pragma unroll 1
  for (unsigned e = me.first(begin); e < end; e += me.stride()) {
    unsigned u = col[e];
    if (dist[u] == level + 1)
      sum += mine / paths[u] * (1.0f + delta[u]);
  }
  sum = me.sum(sum);
  if (me.writes())
    delta[v] = sum;
}
