// Breadth-first search with the hardware worklist and its edge expander: a work ID is a vertex whose distance fell, and a thread
// pulls one edge of it. Double-buffered, one launch per level; single-buffered, one launch until there is no work anywhere.
// dist[v] is 0xffffffff as long as v has not been reached; the host sets the source's to 0.
#include "bfs_visit.h"

#ifndef SINGLE_BUFFER

// One of the levels from 1 on.
extern "C" __global__ void bfs_level(Worklist worklist, const unsigned *, const unsigned *col, unsigned *dist,
                                     unsigned level) {
  WorklistThread work(worklist);
  unsigned e, v;
  do {
    e = work.pull_edge(v);
    if (is_work(e))
      visit(col[e], level + 1, dist, work);
  } while (work.goes_on(e));
  work.finish();
}

#else

// The distance is read past the L1 cache, which does not see the atomics of other cores.
extern "C" __global__ void bfs_drain(Worklist worklist, const unsigned *, const unsigned *col, unsigned *dist) {
  WorklistThread work(worklist);
  unsigned e, v;
  do {
    e = work.pull_edge(v);
    if (is_work(e))
      visit(col[e], *(const volatile unsigned *)&dist[v] + 1, dist, work);
  } while (work.goes_on(e));
  work.finish();
}

#endif
