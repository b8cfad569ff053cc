// PageRank by pulling: every vertex adds up what its neighbours give, one launch per iteration, no atomics. Compiled
// twice, with a vertex mapped to a thread and to a warp. The graph is undirected: who points to v is in v's row.
#include "mapping.h"

// What a vertex of this rank gives to each of its neighbours. Nobody reads what a vertex without neighbours gives.
DEVICE float share_of(float rank, unsigned degree) { return rank / (float)max(degree, 1u); }

// All vertices have the same rank.
extern "C" __global__ void pagerank_init(const unsigned *row, float *share, unsigned nodes, float rank) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes)
    share[v] = share_of(rank, row[v + 1] - row[v]);
}

// rank[v] = base + damping * (sum of the neighbours' shares).
extern "C" __global__ void pagerank_iterate(const unsigned *row, const unsigned *col, const float *share, float *rank,
                                            float *next_share, unsigned nodes, float base, float damping) {
  VertexThread me;
  unsigned v = me.vertex;
  PER_VERTEX;
  if (v >= nodes)
    return;
  unsigned begin = row[v], end = row[v + 1];
  PER_VERTEX_END;
  float sum = 0;
#pragma unroll 1
  for (unsigned e = me.first(begin); e < end; e += me.stride())
    sum += share[col[e]];
  sum = me.sum(sum);
  if (me.writes()) {
    float r = base + damping * sum;
    rank[v] = r;
    next_share[v] = share_of(r, end - begin);
  }
}
