// Breadth-first search, data-driven and double-buffered (HWWL, Fig 2): a work ID is a vertex that the level before
// reached; one launch per level. Compiled with every worklist: no line knows which.
// dist[v] is 0xffffffff as long as v has not been reached; the host sets the source's to 0.
#include "bfs_visit.h"

// One of the levels from 1 on.
extern "C" __global__ void bfs_level(Worklist worklist, const unsigned *row, const unsigned *col, unsigned *dist,
                                     unsigned level) {
  WorklistThread work(worklist);
  work.balance(row);
  unsigned v;
  do {
    v = work.pull();
    if (is_work(v)) {
      unsigned end = row[v + 1];
#pragma unroll 1
      for (unsigned e = row[v]; e < end; e++)
        visit(col[e], level + 1, dist, work);
    }
  } while (work.goes_on(v));
  work.finish();
}
