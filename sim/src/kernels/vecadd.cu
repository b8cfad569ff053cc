// Vector addition, an element a thread: a stream.
#include "unruly_cuda.h"

extern "C" __global__ void vecadd(const float *a, const float *b, float *c, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    c[i] = a[i] + b[i];
}
