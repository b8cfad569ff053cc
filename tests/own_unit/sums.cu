// A whole program that calls the unit of rogue.v, and checks what comes back.
#include <cstdio>
#include "unruly.h"

__global__ void sums(const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = unit_call<0>(in[i], 1000 * i);
  unit_do<1>(0, 0);
}

int main() {
  unsigned *in, *out, host[256];
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  for (unsigned i = 0; i < 256; i++)
    host[i] = 7 * i;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  for (int n = 0; n < 2; n++)
    sums<<<4, 64>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  if (cudaGetLastError() != cudaSuccess)
    return 1;
  for (unsigned i = 0; i < 256; i++)
    if (host[i] != 1007 * i)
      return 1;
  puts("right");
  return 0;
}
