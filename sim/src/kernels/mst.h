// Minimum spanning forest by Boruvka's method (HWWL, II-B), a thread per node in all its parts. In each round every
// component finds its shortest edge to another one (find, here the part for one node), joins the component at its other end
// (hook), and all nodes learn which component they are in now (flatten). Components are named by one of their nodes, the
// root. Edges are ordered by length, those of equal length by number, so that the forest is unique and hooks form no cycle
// but that of two components which choose the same edge.
#pragma once
#include "unruly_cuda.h"

#define NO_EDGE 0xffffffffffffffffull

// Kernel parameter. An undirected edge is stored in both directions, at two places of col; its number is one of them.
struct Forest {
  const unsigned *row, *col;
  const unsigned *from;          // by place: the node that the edge leaves
  const unsigned long long *key; // by place: length << 32 | number of the edge
  unsigned *component;           // by node: root of its component
  unsigned *parent;              // by root: the root that it joined in this round; its own if none
  unsigned long long *best;      // by root: the least key of an edge to another component
  unsigned *chosen;              // by number: 1 if the edge belongs to the forest
};

// Every node alone.
DEVICE void reset(const Forest &forest, unsigned v) {
  forest.component[v] = v;
  forest.parent[v] = v;
  forest.best[v] = NO_EDGE;
}

// Offers the component of v the shortest edge of v that leaves it. False if none does, which stays so. The first look
// spares the ends of edges that are too long, the second most atomics.
DEVICE bool find(const Forest &forest, unsigned v) {
  unsigned component = forest.component[v], end = forest.row[v + 1];
  unsigned long long least = NO_EDGE;
#pragma unroll 1
  for (unsigned e = forest.row[v]; e < end; e++) {
    unsigned long long key = forest.key[e];
    if (key < least && forest.component[forest.col[e]] != component)
      least = key;
  }
  if (least < forest.best[component])
    atomicMin(&forest.best[component], least);
  return least != NO_EDGE;
}

// A root joins the component at the other end of its shortest edge. Of two that chose the same edge the smaller one stays.
extern "C" __global__ void mst_hook(Forest forest, unsigned nodes) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || forest.component[v] != v)
    return;
  unsigned long long best = forest.best[v];
  if (best == NO_EDGE)
    return;
  unsigned number = (unsigned)best;
  unsigned one = forest.component[forest.from[number]], other = forest.component[forest.col[number]];
  unsigned partner = one == v ? other : one;
  forest.chosen[number] = 1;
  if (partner < v || forest.best[partner] != best)
    forest.parent[v] = partner;
}

// Pointer jumping: nodes go from parent to parent up to the root that stayed, and shorten the way for those who follow.
// Whatever a thread sees of the others' stores, it is an ancestor.
extern "C" __global__ void mst_flatten(Forest forest, unsigned nodes) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes)
    return;
  unsigned before = forest.component[v], root = before, parent = forest.parent[root];
  while (parent != root) {
    unsigned next = forest.parent[parent];
    if (next != parent)
      forest.parent[root] = next;
    root = parent;
    parent = next;
  }
  if (root != before)
    forest.component[v] = root;
  if (before == v)
    forest.best[v] = NO_EDGE;
}
