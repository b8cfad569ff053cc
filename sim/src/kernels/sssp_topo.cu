// Single-source shortest paths, topology-driven (Bellman and Ford): in every round all vertices that have been reached
// relax all their edges, until nothing changes. Compiled twice, with a vertex mapped to a thread and to a warp.
// The host sets the source's distance to 0.
#include "mapping.h"
#include "relax.h"

// Round 0: the source's edges in equal shares over the CTAs.
extern "C" __global__ void sssp_init(const unsigned *row, const unsigned *col, const unsigned *weight, unsigned *dist,
                                     unsigned source) {
  unsigned begin = row[source], degree = row[source + 1] - begin;
  unsigned share = (degree + gridDim.x - 1) / gridDim.x;
  unsigned end = begin + min(degree, (blockIdx.x + 1) * share);
  for (unsigned e = begin + blockIdx.x * share + threadIdx.x; e < end; e += blockDim.x)
    relax(col[e], weight[e], dist);
}

// The host clears *changed before each launch and stops after the launch that leaves it clear. That many threads store the
// same 1 there at a time does no harm.
extern "C" __global__ void sssp_round(const unsigned *row, const unsigned *col, const unsigned *weight, unsigned *dist,
                                      unsigned *changed, unsigned nodes) {
  VertexThread me;
  unsigned v = me.vertex;
  if (v >= nodes)
    return;
  unsigned d = dist[v];
  if (d == UNREACHED)
    return;
  unsigned end = row[v + 1];
#pragma unroll 1
  for (unsigned e = me.first(row[v]); e < end; e += me.stride())
    if (relax(col[e], lengthened(d, weight[e]), dist))
      *changed = 1;
}
