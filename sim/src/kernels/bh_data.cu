// Barnes-Hut, data-driven: a work ID is the place of a body in the order of the tree. All are pushed before the launch that
// pulls them, and no more. Threads walk on their own. Compiled with every worklist: no line knows which.
#include "bh.h"
#include "worklist.h"

extern "C" __global__ void bh_start(Worklist worklist, unsigned bodies) {
  WorklistThread work(worklist);
  work.configure();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < bodies)
    work.push(i);
  work.finish();
}

extern "C" __global__ void bh_force(Worklist worklist, Tree tree, Acceleration acceleration) {
  WorklistThread work(worklist);
  OwnStack stack;
  unsigned i;
  do {
    i = work.pull();
    if (is_work(i))
      attract(tree, tree.order[i], stack, acceleration);
  } while (work.goes_on(i));
  work.finish();
}
