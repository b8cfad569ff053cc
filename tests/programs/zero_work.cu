// Calls that do nothing, and calls that say that they are not supported.
#include "check.h"

__global__ void nothing() {}

__global__ void several(char a, double b, short c, int3 d, float *out) {
  out[0] = a, out[1] = b, out[2] = c, out[3] = d.x + d.y + d.z;
}

int main() {
  void *pointer = (void *)1;
  GOOD(cudaMalloc(&pointer, 0));
  CHECK(pointer == 0);
  GOOD(cudaFree(0));
  GOOD(cudaFreeHost(0));
  GOOD(cudaMemset(0, 0, 0));
  GIVES(cudaErrorInvalidValue, cudaMalloc((void **)0, 4));
  nothing<<<1, 1>>>();
  nothing<<<dim3(3, 2, 2), dim3(4, 4, 2)>>>();
  GOOD(cudaDeviceSynchronize());
  GOOD(cudaThreadSynchronize());

  // Arguments of different sizes lie where the kernel looks for them.
  float *out, back[4];
  GOOD(cudaMalloc(&out, sizeof back));
  several<<<1, 1>>>(-3, 2.5, 1234, make_int3(1, 20, 300), out);
  GOOD(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(back[0] == -3 && back[1] == 2.5f && back[2] == 1234 && back[3] == 321);
  // The same launch, call by call.
  char a = 7;
  double b = -0.5;
  short c = -1;
  int3 d = make_int3(4, 5, 6);
  void *arguments[] = {&a, &b, &c, &d, &out};
  GOOD(cudaLaunchKernel((const void *)several, dim3(1), dim3(1), arguments, 0, 0));
  GOOD(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 7 && back[1] == -0.5f && back[2] == -1 && back[3] == 15);
  GIVES(cudaErrorInvalidDeviceFunction, cudaLaunchKernel((const void *)&a, dim3(1), dim3(1), arguments, 0, 0));

  cudaGraph_t graph;
  GIVES(cudaErrorNotSupported, cudaGraphCreate(&graph, 0));
  GIVES(cudaErrorNotSupported, cudaGetLastError());
  int can = 99;
  GOOD(cudaDeviceCanAccessPeer(&can, 0, 0));
  CHECK(can == 0);
  GOOD(cudaThreadExit());
  PASS();
}
