// Graph colouring by rounds, as Pannotia's color_max (after Jones and Plassmann): in each round every vertex without a colour
// whose value is the largest among its neighbours without one takes the round's number as its colour. All values are
// different. Compiled twice, with a vertex mapped to a thread and to a warp.
// Pannotia has two launches a round, since colours change while neighbours look. Here one does: a colour tells when it
// was given, so that who has none or this round's had none when the round began.
#include "mapping.h"

#define NO_COLOUR 0xffffffffu

// The host clears *left before each launch and stops after the launch that leaves it clear.
extern "C" __global__ void colour_round(const unsigned *row, const unsigned *col, const unsigned *value,
                                        unsigned *colour, unsigned *left, unsigned nodes, unsigned number) {
  PER_VERTEX;
  unsigned v = own_vertex();
  if (v >= nodes || colour[v] != NO_COLOUR)
    return;
  unsigned begin = row[v], end = row[v + 1], mine = value[v];
  PER_VERTEX_END;
  VertexThread me(v);
  bool beaten = false;
#pragma unroll 1
  for (unsigned e = me.first(begin); e < end; e += me.stride()) {
    unsigned u = col[e];
    if (colour[u] >= number && value[u] > mine)
      beaten = true;
  }
  beaten = me.any(beaten);
  if (!me.writes())
    return;
  if (beaten)
    *left = 1;
  else
    colour[v] = number;
}
