// Matches of short reads in a reference, as in MUMmerGPU: a thread walks one read through the suffix tree of the reference, and
// finds for each of its first bases how far the read matches from there on anywhere. From one base to the next it follows a
// suffix link and skips what it knows to match.
#include "unruly_cuda.h"

#define LETTERS 4
#define ROOT 0 // nobody's child: no child is 0

// The label of a node is text[from] to text[to - 1]; `link` is the node that spells the same without the first base.
struct Node {
  int from, to;
  unsigned link;
};

// nodes, children: the tree. text: the reference, and then what is no base. reads: `length` bases each. node, matched: a node below
// or at which each match ends, and how long it is, for each read and start.
extern "C" __global__ void mum_match(const Node *nodes, const unsigned *children, const unsigned char *text,
                                     const unsigned char *reads, unsigned *node, int *matched, unsigned count, int length,
                                     int starts) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const unsigned char *read = reads + i * length;
  unsigned at = ROOT;
  int depth = 0, known = 0;
#pragma unroll 1
  for (int start = 0; start < starts; start++) {
    unsigned end = at;
    int match = depth;
#pragma unroll 1
    while (start + depth < length) {
      unsigned child = children[at * LETTERS + read[start + depth]];
      if (child == ROOT)
        break;
      int from = nodes[child].from, edge = nodes[child].to - from, same = max(min(known - depth, edge), 0);
#pragma unroll 1
      while (same < edge && start + depth + same < length && text[from + same] == read[start + depth + same])
        same++;
      end = child;
      match = depth + same;
      if (same < edge)
        break;
      at = child;
      depth = match;
    }
    node[i * starts + start] = end;
    matched[i * starts + start] = match;
    known = match - 1;
    at = nodes[at].link;
    depth = max(depth - 1, 0);
  }
}
