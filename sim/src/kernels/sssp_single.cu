// Single-source shortest paths, data-driven and single-buffered (HWWL, Fig 1b and V-C): a work ID is a vertex whose
// distance fell, and one launch runs until there is no work anywhere.
// The host sets the source's distance to 0.
#include "sssp_reach.h"

// The distance is read when the vertex is pulled, past the L1 cache, which does not see the atomics of other cores.
extern "C" __global__ void sssp_drain(Worklist worklist, const unsigned *row, const unsigned *col, const unsigned *weight,
                                      unsigned *dist) {
  WorklistThread work(worklist);
  unsigned v;
  do {
    v = work.pull();
    if (is_work(v)) {
      unsigned d = *(const volatile unsigned *)&dist[v], end = row[v + 1];
#pragma unroll 1
      for (unsigned e = row[v]; e < end; e++)
        reach(col[e], lengthened(d, weight[e]), dist, work);
    }
  } while (work.goes_on(v));
  work.finish();
}
