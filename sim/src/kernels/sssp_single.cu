// Single-source shortest paths, data-driven and single-buffered (HWWL, Fig 1b and V-C): a work ID is a vertex whose
// distance fell, and one launch runs until there is no work anywhere. A vertex is pushed each time its distance falls.
// The host sets the source's distance to 0.
#include "relax.h"
#include "worklist.h"

DEVICE void reach(unsigned u, unsigned length, unsigned *dist, WorklistThread &work) {
  if (relax(u, length, dist))
    work.push(u);
}

// The source's edges in equal shares over the CTAs, so that all cores get work.
extern "C" __global__ void sssp_init(Worklist worklist, const unsigned *row, const unsigned *col, const unsigned *weight,
                                     unsigned *dist, unsigned source) {
  WorklistThread work(worklist);
  work.configure();
  unsigned begin = row[source], degree = row[source + 1] - begin;
  unsigned share = (degree + gridDim.x - 1) / gridDim.x;
  unsigned end = begin + min(degree, (blockIdx.x + 1) * share);
  for (unsigned e = begin + blockIdx.x * share + threadIdx.x; e < end; e += blockDim.x)
    reach(col[e], weight[e], dist, work);
  work.finish();
}

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
