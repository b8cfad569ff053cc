// Mesh refinement, data-driven and double-buffered: a work ID is a bad triangle. The first launch of a super-step pulls, the
// third pushes those that are bad still or again. Compiled with every worklist: no line knows which.
#include "dmr_commit.h"
#include "worklist.h"

// The first bad ones, a thread an element.
extern "C" __global__ void dmr_check(Worklist worklist, Mesh mesh, unsigned elements) {
  WorklistThread work(worklist);
  work.configure();
  unsigned element = blockIdx.x * blockDim.x + threadIdx.x;
  if (element < elements && check(mesh, element))
    work.push(element);
  work.finish();
}

// `before`: elements before each. How much work one will be, nobody knows.
extern "C" __global__ void dmr_mark(Worklist worklist, Mesh mesh, Cavities cavities, const unsigned *before) {
  WorklistThread work(worklist);
  work.balance(before);
  unsigned element;
  do {
    element = work.pull();
    if (is_work(element) && !mesh.deleted[element])
      mark(mesh, cavities, element);
  } while (work.goes_on(element));
  work.finish();
}

extern "C" __global__ void dmr_contend(Mesh mesh, Cavities cavities, unsigned count) {
  unsigned cavity = blockIdx.x * blockDim.x + threadIdx.x;
  if (cavity < count)
    contend(mesh, cavities, cavity);
}

extern "C" __global__ void dmr_commit(Worklist worklist, Mesh mesh, Cavities cavities, unsigned count) {
  WorklistThread work(worklist);
  unsigned cavity = blockIdx.x * blockDim.x + threadIdx.x;
  if (cavity < count)
    commit(mesh, cavities, cavity, work);
  work.finish();
}
