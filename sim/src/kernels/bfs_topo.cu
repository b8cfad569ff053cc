// Breadth-first search, topology-driven (HWWL, Fig 1a): every vertex in every level, one launch per level. Compiled twice,
// with a vertex mapped to a thread and to a warp.
// dist[v] is 0xffffffff as long as v has not been reached; the host sets the source's to 0.
#include "mapping.h"

// Level 0: the source's edges in equal shares over the CTAs, so that a hub as source does not wait for one thread.
extern "C" __global__ void bfs_init(const unsigned *row, const unsigned *col, unsigned *dist, unsigned source) {
  unsigned begin = row[source], degree = row[source + 1] - begin;
  unsigned share = (degree + gridDim.x - 1) / gridDim.x;
  unsigned end = begin + min(degree, (blockIdx.x + 1) * share);
  for (unsigned e = begin + blockIdx.x * share + threadIdx.x; e < end; e += blockDim.x)
    dist[col[e]] = 1;
}

// The levels from 1 on. The host clears *changed before each launch and stops after the launch that leaves it clear.
// Threads that reach one vertex at the same time race, harmlessly: all of them store the same distance.
extern "C" __global__ void bfs_level(const unsigned *row, const unsigned *col, unsigned *dist, unsigned *changed,
                                     unsigned nodes, unsigned level) {
  VertexThread me;
  unsigned v = me.vertex;
  PER_VERTEX;
  if (v >= nodes || dist[v] != level)
    return;
  unsigned end = row[v + 1], begin = row[v];
  PER_VERTEX_END;
#pragma unroll 1
  for (unsigned e = me.first(begin); e < end; e += me.stride()) {
    unsigned u = col[e];
    if (dist[u] == 0xffffffffu) {
      dist[u] = level + 1;
      *changed = 1;
    }
  }
}
