// The node frontier in the worklist units: the warps of an expansion pull the nodes that the round before has pushed, one at a time,
// until no node is left. Part of frontier.h.
#pragma once
#include "worklist.h"

typedef Worklist NodeFrontier;
DEVICE void append_node(const NodeFrontier &, unsigned node) { __wlpush(node); }

// A warp's pulls. Its lanes pull in turns, so that each bank of the core is pulled from, however many banks there are.
class WarpPulls {
public:
  MEMBER WarpPulls() : turn(threadIdx.x / warp_lanes()) {}

  // The next node, WL_WAIT or WL_DONE; the same in all lanes, which call it together.
  MEMBER unsigned next() {
    unsigned puller = turn++ & (warp_lanes() - 1), id = 0;
    if (lane_number() == puller)
      id = __wlpull();
    return __shfl(id, (int)puller);
  }

private:
  unsigned turn;
};
