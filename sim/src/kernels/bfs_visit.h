// What both data-driven kernels of breadth-first search do with an edge, and their first launch.
#pragma once
#include "worklist.h"

// Claims u with an atomic minimum, as LonestarGPU does, so that each vertex is pushed once. With a plain store all
// threads that look before the first store arrives would push it.
DEVICE void visit(unsigned u, unsigned distance, unsigned *dist, WorklistThread &work) {
  if (dist[u] > distance && atomicMin(&dist[u], distance) > distance)
    work.push(u);
}

// Level 0: the source's edges in equal shares over the CTAs, so that all cores get work, neighbours to neighbours.
extern "C" __global__ void bfs_init(Worklist worklist, const unsigned *row, const unsigned *col, unsigned *dist,
                                    unsigned source) {
  WorklistThread work(worklist);
  work.configure();
  work.expand(row);
  unsigned begin = row[source], degree = row[source + 1] - begin;
  unsigned share = (degree + gridDim.x - 1) / gridDim.x;
  unsigned end = begin + min(degree, (blockIdx.x + 1) * share);
  for (unsigned e = begin + blockIdx.x * share + threadIdx.x; e < end; e += blockDim.x)
    visit(col[e], 1, dist, work);
  work.finish();
}
