// Breadth-first search, data-driven and single-buffered (HWWL, Fig 1b and V-C): a work ID is a vertex whose distance fell,
// and one launch runs until there is no work anywhere. Levels overlap, so a vertex may be reached on a way that is too long
// first and come again; the distances are right in the end.
#include "bfs_visit.h"

// The distance is read when the vertex is pulled, past the L1 cache, which does not see the atomics of other cores.
extern "C" __global__ void bfs_drain(Worklist worklist, const unsigned *row, const unsigned *col, unsigned *dist) {
  WorklistThread work(worklist);
  unsigned v;
  do {
    v = work.pull();
    if (is_work(v)) {
      unsigned distance = *(const volatile unsigned *)&dist[v] + 1, end = row[v + 1];
#pragma unroll 1
      for (unsigned e = row[v]; e < end; e++)
        visit(col[e], distance, dist, work);
    }
  } while (work.goes_on(v));
  work.finish();
}
