// Minimum spanning forest, data-driven and double-buffered: a work ID is a node that had an edge to another component in the
// round before; only these look again. Compiled with every worklist: no line knows which.
#include "mst.h"
#include "worklist.h"

extern "C" __global__ void mst_init(Worklist worklist, Forest forest, unsigned nodes) {
  WorklistThread work(worklist);
  work.configure();
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes) {
    reset(forest, v);
    if (forest.row[v] < forest.row[v + 1])
      work.push(v);
  }
  work.finish();
}

extern "C" __global__ void mst_find(Worklist worklist, Forest forest) {
  WorklistThread work(worklist);
  work.balance(forest.row);
  unsigned v;
  do {
    v = work.pull();
    if (is_work(v) && find(forest, v))
      work.push(v);
  } while (work.goes_on(v));
  work.finish();
}
