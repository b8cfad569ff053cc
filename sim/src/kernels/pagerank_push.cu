// PageRank by pushing, as in Graph-Waving's Listings 1 and 2: every vertex adds what it gives to the next rank of each of its
// neighbours, with an atomic addition. Compiled for all mappings of a vertex: to a thread (Listing 1), a warp (Listing 2), a part
// of one.
#include "mapping.h"

// All vertices have the same rank, and nothing has been pushed.
extern "C" __global__ void pagerank_start(float *rank, float *next, unsigned nodes, float first) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes) {
    rank[v] = first;
    next[v] = 0;
  }
}

extern "C" __global__ void pagerank_push(const unsigned *row, const unsigned *col, const float *rank, float *next,
                                         unsigned nodes) {
  PER_VERTEX;
  unsigned v = own_vertex();
  if (v >= nodes)
    return;
  unsigned begin = row[v], end = row[v + 1];
  // Infinite for a vertex without neighbours: nobody is given it.
  float share = rank[v] / (float)(end - begin);
  PER_VERTEX_END;
  VertexThread me(v);
#pragma unroll 1
  for (unsigned e = me.first(begin); e < end; e += me.stride())
    atomicAdd(&next[col[e]], share);
}

// rank = base + damping * (sum of what was pushed), which is 0 again.
extern "C" __global__ void pagerank_damp(float *rank, float *next, unsigned nodes, float base, float damping) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes) {
    rank[v] = base + damping * next[v];
    next[v] = 0;
  }
}
