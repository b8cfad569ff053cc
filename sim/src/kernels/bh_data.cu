// Barnes-Hut, data-driven: a work ID is the place of a body in the order of the tree. All are pushed before the launch that
// pulls them, and no more. The lanes of a warp walk together for what they have pulled; those without work wait for them.
// Compiled with every worklist: no line knows which.
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

// `terms`: what a body's walk adds up, as far as that is known, summed up over the bodies before it in the tree's order.
// `leaders`: by place, the place whose lane was the first in the walk.
extern "C" __global__ void bh_force(Worklist worklist, Tree tree, Acceleration acceleration, const unsigned *terms,
                                    unsigned *leaders) {
  WorklistThread work(worklist);
  work.balance(terms);
  Walk walk;
  unsigned i;
  do {
    i = work.pull();
    if (is_work(i)) {
      leaders[i] = __shfl(i, __ffs((int)__activemask()) - 1);
      attract(tree, tree.order[i], walk, acceleration);
    }
  } while (work.goes_on(i));
  work.finish();
}
