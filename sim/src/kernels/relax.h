// What both kernels of single-source shortest paths do with an edge. dist[v] is the length of the shortest path to v that
// was found so far, 0xffffffff if none; it only ever falls, so a thread that reads an old value of it relaxes in vain or
// too early, never wrongly, and whoever lowered it sees to it that the vertex gets another turn.
#pragma once
#include "unruly_cuda.h"

#define UNREACHED 0xffffffffu

// Length of a path of length d and one more edge; a path too long for 32 bits does not reach.
DEVICE unsigned lengthened(unsigned d, unsigned weight) { return d + min(weight, ~d); }

// True if the path is shorter than what was there. The first look spares most atomics.
DEVICE bool relax(unsigned u, unsigned length, unsigned *dist) {
  return dist[u] > length && atomicMin(&dist[u], length) > length;
}
