// Several threads use the device at the same time; each has its own last error.
#include "check.h"
#include <pthread.h>

__global__ void add(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += value;
}

static void *work(void *argument) {
  const int n = 1000;
  int number = *(int *)argument, back[n], *device;
  cudaStream_t stream;
  GOOD(cudaSetDevice(0));
  GOOD(cudaStreamCreate(&stream));
  for (int round = 0; round < 10; round++) {
    GOOD(cudaMalloc(&device, n * sizeof(int)));
    GOOD(cudaMemsetAsync(device, 0, n * sizeof(int), stream));
    for (int i = 0; i < 3; i++)
      add<<<4, 256, 0, stream>>>(device, n, number + i);
    GOOD(cudaMemcpyAsync(back, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    GOOD(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++)
      CHECK(back[i] == 3 * number + 3);
    GOOD(cudaFree(device));
    // The odd ones make mistakes, which the even ones do not see.
    if (number % 2 == 1) {
      add<<<1, 5000, 0, stream>>>(device, n, 1);
      GIVES(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
    } else {
      GOOD(cudaPeekAtLastError());
    }
  }
  GOOD(cudaStreamDestroy(stream));
  return 0;
}

int main() {
  pthread_t thread[4];
  int number[4];
  for (int i = 0; i < 4; i++) {
    number[i] = i;
    CHECK(pthread_create(&thread[i], 0, work, &number[i]) == 0);
  }
  for (int i = 0; i < 4; i++)
    CHECK(pthread_join(thread[i], 0) == 0);
  GOOD(cudaGetLastError());
  PASS();
}
