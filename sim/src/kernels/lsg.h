// A graph as LonestarGPU's kernels read it. Its functions take a vertex and the number of an edge among those of the vertex,
// and check both, each time: out-degree, a table of numbers that gives every vertex its own, the row's start, and only then
// the edge. A thread reads most of these words again and again, and neighbouring threads neighbouring words: this is why
// such kernels have few requests a load (HWWL, Table II).
#pragma once
#include "relax.h"

// Kernel parameter. Edges are numbered from 1: place 0 of `target` and `weight` belongs to none.
struct LsgGraph {
  unsigned nodes, edges;
  const unsigned *out_degree, *number, *first_edge; // by vertex; number[v] is v
  const unsigned *target, *weight;                  // by edge
};

// Edges that leave v; a thread behind the last vertex has none.
DEVICE unsigned degree(const LsgGraph &graph, unsigned v) { return v < graph.nodes ? graph.out_degree[v] : 0; }

// The number of edge i of v: 0 if there is no such edge.
DEVICE unsigned edge(const LsgGraph &graph, unsigned v, unsigned i) {
  if (i >= degree(graph, v) || graph.number[v] >= graph.nodes)
    return 0;
  unsigned e = graph.first_edge[graph.number[v]] + i;
  return e <= graph.edges ? e : 0;
}
