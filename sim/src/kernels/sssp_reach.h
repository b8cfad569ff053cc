// What both data-driven kernels of single-source shortest paths do with an edge, and their first launch.
#pragma once
#include "relax.h"
#include "worklist.h"

// Pushes u each time its distance falls, as LonestarGPU does: a vertex may be in the worklist several times. Whoever lowers
// a distance pushes, so the last to lower it has pushed too.
DEVICE void reach(unsigned u, unsigned length, unsigned *dist, WorklistThread &work) {
  if (relax(u, length, dist))
    work.push(u);
}

// Round 0: the source's edges in equal shares over the CTAs, so that all cores get work.
extern "C" __global__ void sssp_init(Worklist worklist, const unsigned *row, const unsigned *col, const unsigned *weight,
                                     unsigned *dist, unsigned source) {
  WorklistThread work(worklist);
  work.configure();
  work.expand(row);
  unsigned begin = row[source], degree = row[source + 1] - begin;
  unsigned share = (degree + gridDim.x - 1) / gridDim.x;
  unsigned end = begin + min(degree, (blockIdx.x + 1) * share);
  for (unsigned e = begin + blockIdx.x * share + threadIdx.x; e < end; e += blockDim.x)
    reach(col[e], weight[e], dist, work);
  work.finish();
}
