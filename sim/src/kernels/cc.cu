// Connected components by propagation of labels along all edges. A label is the number of a node of the same component, at first
// the node's own; it only falls. A round is three launches, and the last round changes nothing.
#include "frontier.h"

// Offers: each edge offers the label of the node that it comes from to the node that it leads to.
extern "C" __global__ void cc_offer(const unsigned *sources, unsigned number_elements, const unsigned *label,
                                    unsigned *offers) {
  unsigned pos = thread_number();
  if (pos < number_elements)
    offers[pos] = label[sources[pos]];
}

// Nodes take the least of what they are offered. The first look spares most atomics.
extern "C" __global__ void cc_hook(const unsigned *edge_frontier, const unsigned *offers, unsigned number_elements,
                                   unsigned *label, unsigned *changed) {
  unsigned pos = thread_number();
  if (pos < number_elements) {
    unsigned node, least;
    bool active_thread = true;
#ifdef USE_IRU
    active_thread = load_iru(node, least);
#else
    node = edge_frontier[pos];
    least = offers[pos];
#endif
    if (active_thread && label[node] > least && atomicMin(&label[node], least) > least)
      *changed = 1;
  }
}

// Labels of labels, to the end of the chain (pointer jumping).
extern "C" __global__ void cc_jump(unsigned *label, unsigned nodes) {
  unsigned v = thread_number();
  if (v >= nodes)
    return;
  unsigned least = label[v];
#pragma unroll 1
  while (label[least] < least)
    least = label[least];
  label[v] = least;
}
