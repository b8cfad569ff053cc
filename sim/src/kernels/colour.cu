// Graph colouring by rounds, as Pannotia's color_max (after Jones and Plassmann): in each round every vertex without a colour
// whose value is the largest among its neighbours without one takes the round's number as its colour. All values are
// different. A round is two launches, since colours must not change while neighbours look. Compiled for all mappings of a
// vertex.
#include "mapping.h"

#define NO_COLOUR 0xffffffffu

// largest[v]: the largest value of v's neighbours without a colour, 0 if there are none. The host clears *left before each
// round and stops after the round that leaves it clear: no two neighbours are without a colour then.
extern "C" __global__ void colour_largest(const unsigned *row, const unsigned *col, const unsigned *value,
                                          const unsigned *colour, unsigned *largest, unsigned *left, unsigned nodes) {
  PER_VERTEX;
  unsigned v = own_vertex();
  if (v >= nodes || colour[v] != NO_COLOUR)
    return;
  unsigned begin = row[v], end = row[v + 1];
  PER_VERTEX_END;
  VertexThread me(v);
  unsigned most = 0;
#pragma unroll 1
  for (unsigned e = me.first(begin); e < end; e += me.stride()) {
    unsigned u = col[e];
    if (colour[u] == NO_COLOUR) {
      *left = 1;
      most = max(most, value[u]);
    }
  }
  most = me.largest(most);
  if (me.writes())
    largest[v] = most;
}

// A thread for each vertex. A value that equals the largest is the vertex's own, over a loop.
extern "C" __global__ void colour_assign(const unsigned *value, const unsigned *largest, unsigned *colour, unsigned nodes,
                                         unsigned number) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes && colour[v] == NO_COLOUR && value[v] >= largest[v])
    colour[v] = number;
}
