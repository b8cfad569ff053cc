// Copies in every direction, sets, and what is and is not a pointer.
#include "check.h"
#include <string.h>

const int N = 3000;

__global__ void twice(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= 2;
}

int main() {
  int *host = (int *)malloc(N * sizeof(int)), *back = (int *)malloc(N * sizeof(int));
  for (int i = 0; i < N; i++)
    host[i] = i * i - 7;
  int *a, *b;
  GOOD(cudaMalloc(&a, N * sizeof(int)));
  GOOD(cudaMalloc(&b, N * sizeof(int)));
  CHECK((size_t)a % 256 == 0 && (size_t)b % 256 == 0);

  // To the device, on the device, and back.
  GOOD(cudaMemcpy(a, host, N * sizeof(int), cudaMemcpyHostToDevice));
  twice<<<(N + 127) / 128, 128>>>(a, N);
  GOOD(cudaGetLastError());
  GOOD(cudaMemcpy(b, a, N * sizeof(int), cudaMemcpyDeviceToDevice));
  GOOD(cudaMemcpy(back, b, N * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++)
    CHECK(back[i] == 2 * host[i]);

  // In the order of a stream.
  int *c;
  GOOD(cudaMallocAsync(&c, N * sizeof(int), 0));
  GOOD(cudaMemcpyAsync(c, a, N * sizeof(int), cudaMemcpyDeviceToDevice, 0));
  GOOD(cudaMemcpy(back, c, N * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(back[5] == 2 * host[5]);
  GOOD(cudaFreeAsync(c, 0));

  // With the direction found from the pointers.
  GOOD(cudaMemcpy(b, host, N * sizeof(int), cudaMemcpyDefault));
  GOOD(cudaMemcpy(a, b, N * sizeof(int), cudaMemcpyDefault));
  memset(back, 0, N * sizeof(int));
  GOOD(cudaMemcpy(back, a, N * sizeof(int), cudaMemcpyDefault));
  CHECK(memcmp(back, host, N * sizeof(int)) == 0);
  memset(back, 0, N * sizeof(int));
  GOOD(cudaMemcpy(back, host, N * sizeof(int), cudaMemcpyHostToHost));
  CHECK(memcmp(back, host, N * sizeof(int)) == 0);

  // Parts, from the middle of an allocation.
  GOOD(cudaMemset(a, 0x5a, N * sizeof(int)));
  GOOD(cudaMemset(a + 10, 0, 3 * sizeof(int) + 1));
  GOOD(cudaMemcpy(back, a, N * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(back[9] == 0x5a5a5a5a && back[10] == 0 && back[12] == 0 && back[13] == 0x5a5a5a00 && back[14] == 0x5a5a5a5a);
  GOOD(cudaMemcpyAsync(a + 100, host, 5 * sizeof(int), cudaMemcpyHostToDevice, 0));
  GOOD(cudaMemsetAsync(a + 105, 0xff, sizeof(int), 0));
  GOOD(cudaDeviceSynchronize());
  GOOD(cudaMemcpy(back, a + 99, 8 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(back[0] == 0x5a5a5a5a && back[1] == host[0] && back[5] == host[4] && back[6] == -1 && back[7] == 0x5a5a5a5a);

  // Nothing to do.
  GOOD(cudaMemcpy(a, host, 0, cudaMemcpyHostToDevice));
  GOOD(cudaFree(0));

  // What is wrong.
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(a, host, 4, (enum cudaMemcpyKind)77));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(a, host, N * sizeof(int) + 4096, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaFree(a + 1));
  GIVES(cudaErrorInvalidValue, cudaFree(host));
  GOOD(cudaFree(a));
  GIVES(cudaErrorInvalidValue, cudaFree(a));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(back, a, 4, cudaMemcpyDeviceToHost));
  GOOD(cudaFree(b));

  // All memory comes back.
  size_t before, after, all;
  GOOD(cudaMemGetInfo(&before, &all));
  CHECK(before <= all && all >= (1u << 30));
  for (int i = 0; i < 100; i++) {
    void *much;
    GOOD(cudaMalloc(&much, 64 << 20));
    GOOD(cudaMemGetInfo(&after, &all));
    CHECK(after + (64 << 20) <= before);
    GOOD(cudaFree(much));
  }
  GOOD(cudaMemGetInfo(&after, &all));
  CHECK(before == after);
  void *too_much = (void *)1;
  GIVES(cudaErrorMemoryAllocation, cudaMalloc(&too_much, all + 1));
  CHECK(too_much == (void *)1);
  GIVES(cudaErrorMemoryAllocation, cudaGetLastError());
  GOOD(cudaGetLastError());
  PASS();
}
