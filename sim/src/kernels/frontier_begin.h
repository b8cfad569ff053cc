// The kernel that fills the node frontier before the first round, if it is in the worklist units.
#pragma once
#include "frontier.h"

#ifdef HARDWARE_WORKLIST
extern "C" __global__ void frontier_begin(NodeFrontier nodes, const unsigned *first, unsigned count) {
  WorklistThread work(nodes);
  work.configure();
  unsigned pos = thread_number();
  if (pos < count)
    append_node(nodes, first[pos]);
}
#endif
