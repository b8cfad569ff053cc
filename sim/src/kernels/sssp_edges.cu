// Single-source shortest paths with the hardware worklist and its edge expander: a work ID is a vertex whose distance fell, and a
// thread pulls one edge of it. Double-buffered, one launch per round; single-buffered, one launch until there is no work anywhere.
// The host sets the source's distance to 0.
#include "sssp_reach.h"

// The distance is read past the L1 cache, which does not see the atomics of other cores.
DEVICE void go_round(const Worklist &worklist, const unsigned *col, const unsigned *weight, unsigned *dist) {
  WorklistThread work(worklist);
  unsigned e, v;
  do {
    e = work.pull_edge(v);
    if (is_work(e))
      reach(col[e], lengthened(*(const volatile unsigned *)&dist[v], weight[e]), dist, work);
  } while (work.goes_on(e));
  work.finish();
}

#ifndef SINGLE_BUFFER

// One of the rounds from 1 on.
extern "C" __global__ void sssp_round(Worklist worklist, const unsigned *, const unsigned *col, const unsigned *weight,
                                      unsigned *dist) {
  go_round(worklist, col, weight, dist);
}

#else

extern "C" __global__ void sssp_drain(Worklist worklist, const unsigned *, const unsigned *col, const unsigned *weight,
                                      unsigned *dist) {
  go_round(worklist, col, weight, dist);
}

#endif
