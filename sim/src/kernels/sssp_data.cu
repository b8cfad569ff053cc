// Single-source shortest paths, data-driven and double-buffered: a work ID is a vertex whose distance fell in the round
// before; one launch per round. Compiled with every worklist: no line knows which.
// The host sets the source's distance to 0.
#include "sssp_reach.h"

// One of the rounds from 1 on.
extern "C" __global__ void sssp_round(Worklist worklist, const unsigned *row, const unsigned *col, const unsigned *weight,
                                      unsigned *dist) {
  WorklistThread work(worklist);
  work.balance(row);
  unsigned v;
  do {
    v = work.pull();
    if (is_work(v)) {
      unsigned d = dist[v], end = row[v + 1];
#pragma unroll 1
      for (unsigned e = row[v]; e < end; e++)
        reach(col[e], lengthened(d, weight[e]), dist, work);
    }
  } while (work.goes_on(v));
  work.finish();
}
