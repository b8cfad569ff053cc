// Mesh refinement, topology-driven: a thread an element in every launch, bad or not.
#include "dmr_commit.h"

DEVICE unsigned own_element() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void dmr_check(Mesh mesh, unsigned elements) {
  if (own_element() < elements)
    check(mesh, own_element());
}

// `own`: by element, the cavity of a bad one, NONE of others.
extern "C" __global__ void dmr_mark(Mesh mesh, Cavities cavities, unsigned *own, unsigned elements) {
  unsigned element = own_element();
  if (element < elements)
    own[element] = mesh.bad[element] && !mesh.deleted[element] ? mark(mesh, cavities, element) : NONE;
}

extern "C" __global__ void dmr_contend(Mesh mesh, Cavities cavities, const unsigned *own, unsigned elements) {
  unsigned element = own_element();
  if (element < elements && own[element] != NONE)
    contend(mesh, cavities, own[element]);
}

// Bad triangles are found by their marks: nothing is pushed.
struct NoList {
  MEMBER void push(unsigned) {}
};

extern "C" __global__ void dmr_commit(Mesh mesh, Cavities cavities, const unsigned *own, unsigned elements) {
  unsigned element = own_element();
  NoList none;
  if (element < elements && own[element] != NONE)
    commit(mesh, cavities, own[element], none);
}
