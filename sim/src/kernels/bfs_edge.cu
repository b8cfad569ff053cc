// Breadth-first search, data-driven with an edge to a thread, as the fastest of LonestarGPU 2.0: a CTA takes as many vertices
// as it has threads, numbers their edges by a prefix sum over the degrees, spreads the edges' places over shared memory, and
// gives each thread one edge. A second prefix sum gives the vertices that were found their places, and one atomic a batch of
// edges takes room for them. One launch per level.
// dist[v] is 0xffffffff as long as v has not been reached; the host sets the source's to 0 and pushes the source.
#include "cta_scan.h"
#include "relax.h"
#include "worklist.h"

// Most threads of a CTA, and edges of a batch.
#define BATCH 704

// A plain store claims u: threads that see it unreached at the same time all store the same distance, and all push u. The
// look goes past the L1 cache, which does not see the stores of other cores.
DEVICE bool claim(unsigned u, unsigned distance, unsigned *dist) {
  bool is_new = *(const volatile unsigned *)&dist[u] == UNREACHED;
  if (is_new)
    dist[u] = distance;
  return is_new;
}

// Room for so many IDs of the CTA. All threads call it.
DEVICE unsigned cta_reserve(const Worklist &list, unsigned ids) {
  __shared__ volatile unsigned base; // volatile: see cta_scan.h
  if (threadIdx.x == 0)
    base = ids > 0 ? atomicAdd(list.push_count, ids) : 0;
  __syncthreads();
  return base;
}

extern "C" __global__ void bfs_level(Worklist list, const unsigned *row, const unsigned *col, unsigned *dist,
                                     unsigned level) {
  __shared__ volatile unsigned places[BATCH]; // volatile: see cta_scan.h
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x, next = 0, left = 0, edges, found;
  if (at < *list.pull_count) {
    unsigned v = list.pull_ids[at];
    next = row[v];
    left = row[v + 1] - next;
  }
  // Where the thread's next edge stands among all edges of the CTA.
  unsigned number = cta_sum_before(left, edges);
#pragma unroll 1
  for (unsigned batch = 0; batch < edges; batch += blockDim.x) {
#pragma unroll 1
    for (; left > 0 && number - batch < blockDim.x; left--)
      places[number++ - batch] = next++;
    __syncthreads();
    bool has_edge = batch + threadIdx.x < edges;
    unsigned u = has_edge ? col[places[threadIdx.x]] : 0;
    bool is_new = has_edge && claim(u, level + 1, dist);
    unsigned before = cta_sum_before(is_new, found);
    unsigned to = cta_reserve(list, found) + before;
    if (is_new)
      list.store(to, u);
  }
}
