// Breadth-first search as Rodinia's: two launches a level, with a byte a vertex for the frontier, for the marks that the
// first launch leaves for the second, and for what has been visited. A vertex is where its edges begin and how many they
// are. Compiled for all mappings of a vertex.
// The host sets the source's byte in frontier and visited, and its cost to 0; all other costs are 0xffffffff.
#include "mapping.h"

typedef unsigned char Byte;

struct Node {
  unsigned start, count;
};

// Each vertex of the frontier leaves it and marks its neighbours that have not been visited. Vertices that mark one
// neighbour at the same time race, harmlessly: all of them store the same cost.
extern "C" __global__ void bfs_mark(const Node *node, const unsigned *col, Byte *frontier, Byte *marked,
                                    const Byte *visited, unsigned *cost, unsigned nodes) {
#if defined(WARP_MAPPED) || defined(LANES_MAPPED)
  PER_VERTEX;
  unsigned v = own_vertex();
  if (v >= nodes || !frontier[v])
    return;
  unsigned begin = node[v].start, end = begin + node[v].count, next = cost[v] + 1;
  PER_VERTEX_END;
  VertexThread me(v);
  if (me.writes())
    frontier[v] = 0;
#pragma unroll 1
  for (unsigned e = me.first(begin); e < end; e += me.stride()) {
    unsigned u = col[e];
    if (!visited[u]) {
      cost[u] = next;
      marked[u] = 1;
    }
  }
#else
  unsigned v = own_vertex();
  if (v >= nodes || !frontier[v])
    return;
  frontier[v] = 0;
  // As in Rodinia, nothing is kept of the vertex and its cost: after each store, which could have changed them, they are
  // read again.
#pragma unroll 1
  for (unsigned e = node[v].start; e < node[v].start + node[v].count; e++) {
    unsigned u = col[e];
    if (!visited[u]) {
      cost[u] = cost[v] + 1;
      marked[u] = 1;
    }
  }
#endif
}

// What is marked is visited and the next frontier. The host clears *more before the level and stops when it stays clear.
extern "C" __global__ void bfs_commit(Byte *frontier, Byte *marked, Byte *visited, unsigned *more, unsigned nodes) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || !marked[v])
    return;
  frontier[v] = 1;
  visited[v] = 1;
  *more = 1;
  marked[v] = 0;
}
