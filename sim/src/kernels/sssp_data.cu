// Single-source shortest paths, data-driven and double-buffered: a work ID is a vertex whose distance fell in the round
// before; one launch per round. Compiled with every worklist: no line knows which.
// The host sets the source's distance to 0 and all of queued to 0xffffffff.
#include "relax.h"
#include "worklist.h"

// A vertex may become nearer many times in a round; queued[u] is the last round that pushed it, so that it is pushed once
// and no more IDs than vertices need room. Later improvements of the round are not lost: the next round reads the distance.
DEVICE void reach(unsigned u, unsigned length, unsigned *dist, unsigned *queued, unsigned round, WorklistThread &work) {
  if (relax(u, length, dist) && atomicExch(&queued[u], round) != round)
    work.push(u);
}

// Round 0: the source's edges in equal shares over the CTAs, so that all cores get work.
extern "C" __global__ void sssp_init(Worklist worklist, const unsigned *row, const unsigned *col, const unsigned *weight,
                                     unsigned *dist, unsigned *queued, unsigned source) {
  WorklistThread work(worklist);
  work.configure();
  unsigned begin = row[source], degree = row[source + 1] - begin;
  unsigned share = (degree + gridDim.x - 1) / gridDim.x;
  unsigned end = begin + min(degree, (blockIdx.x + 1) * share);
  for (unsigned e = begin + blockIdx.x * share + threadIdx.x; e < end; e += blockDim.x)
    reach(col[e], weight[e], dist, queued, 0, work);
  work.finish();
}

// One of the rounds from 1 on.
extern "C" __global__ void sssp_round(Worklist worklist, const unsigned *row, const unsigned *col, const unsigned *weight,
                                      unsigned *dist, unsigned *queued, unsigned round) {
  WorklistThread work(worklist);
  unsigned v;
  do {
    v = work.pull();
    if (is_work(v)) {
      unsigned d = dist[v], end = row[v + 1];
#pragma unroll 1
      for (unsigned e = row[v]; e < end; e++)
        reach(col[e], lengthened(d, weight[e]), dist, queued, round, work);
    }
  } while (work.goes_on(v));
  work.finish();
}
