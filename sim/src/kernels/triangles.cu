// Triangles of a graph whose edges lead from lower to higher numbers, rows in ascending order. Each two edges u-v and u-w with v < w
// are a wedge, which an edge v-w closes. One launch lists wedges, the next looks for what closes them.
#include "frontier.h"

// The wedges of the edges from `first` to `end`, each with the later edges of its node: a warp for each edge.
extern "C" __global__ void triangles_list(const unsigned *row, const unsigned *col, const unsigned *sources,
                                          unsigned first, unsigned end, Frontier wedges, unsigned *tips) {
  unsigned e = first + warp_number();
  if (e >= end)
    return;
  unsigned later = row[sources[e] + 1] - e - 1, at = reserve(wedges, later);
#pragma unroll 1
  for (unsigned i = lane_number(); i < later; i += warp_lanes()) {
    wedges.items[at + i] = col[e];
    tips[at + i] = col[e + 1 + i];
  }
}

// The edge v-w exists: binary search in the row of v.
DEVICE bool adjacent(const unsigned *row, const unsigned *col, unsigned v, unsigned w) {
  unsigned low = row[v], high = row[v + 1];
#pragma unroll 1
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (col[middle] < w)
      low = middle + 1;
    else
      high = middle;
  }
  return low < row[v + 1] && col[low] == w;
}

// Threads of a warp that close wedges add them up with one atomic.
extern "C" __global__ void triangles_close(const unsigned *wedges, const unsigned *tips, unsigned number_elements,
                                           const unsigned *row, const unsigned *col, unsigned *triangles) {
  unsigned pos = thread_number();
  bool closed = false;
  if (pos < number_elements) {
    unsigned v, w;
#ifdef USE_IRU
    load_iru(v, w);
#else
    v = wedges[pos];
    w = tips[pos];
#endif
    closed = adjacent(row, col, v, w);
  }
  unsigned together = __ballot(closed);
  if (lane_number() == 0 && together != 0)
    atomicAdd(triangles, (unsigned)__popc(together));
}
