// Managed memory: one pointer for both sides, also inside of structures.
#include "check.h"
#include <string.h>

struct Node {
  int value;
  Node *next;
};

__global__ void walk(Node *first, int *sum) {
  for (Node *node = first; node != 0; node = node->next) {
    *sum += node->value;
    node->value = -node->value;
  }
}

__global__ void fill(unsigned char *bytes, size_t from, size_t to) {
  for (size_t i = from + threadIdx.x; i < to; i += blockDim.x)
    bytes[i] = (unsigned char)(i * 7);
}

int main() {
  const int n = 50;
  int *sum;
  GOOD(cudaMallocManaged(&sum, sizeof *sum));
  *sum = 100;
  Node *first = 0;
  int expected = 100;
  for (int i = 0; i < n; i++) {
    Node *node;
    GOOD(cudaMallocManaged(&node, sizeof *node));
    node->value = i * i;
    node->next = first;
    first = node;
    expected += i * i;
  }
  walk<<<1, 1>>>(first, sum);
  GOOD(cudaDeviceSynchronize());
  CHECK(*sum == expected);
  int i = n;
  for (Node *node = first; node != 0; node = node->next)
    CHECK(--i >= 0 && node->value == -i * i);

  // Large, changed in parts by both sides.
  const size_t bytes = 1 << 20;
  unsigned char *large;
  GOOD(cudaMallocManaged(&large, bytes));
  CHECK(large[0] == 0 && large[bytes - 1] == 0);
  memset(large, 1, bytes);
  fill<<<1, 256>>>(large, 1000, 5000);
  GOOD(cudaDeviceSynchronize());
  memset(large + 4000, 2, 100000);
  fill<<<1, 256>>>(large, 90000, 91000);
  GOOD(cudaDeviceSynchronize());
  for (size_t at = 0; at < bytes; at++) {
    unsigned char kernel = (unsigned char)(at * 7);
    unsigned char wanted = at >= 90000 && at < 91000 ? kernel
                           : at >= 4000 && at < 104000 ? 2
                           : at >= 1000 && at < 4000   ? kernel
                                                       : 1;
    CHECK(large[at] == wanted);
  }

  // Copies and sets of it.
  unsigned char *device, host[64];
  GOOD(cudaMalloc(&device, 64));
  GOOD(cudaMemcpy(device, large + 1000, 64, cudaMemcpyDefault));
  GOOD(cudaMemcpy(host, device, 64, cudaMemcpyDeviceToHost));
  CHECK(memcmp(host, large + 1000, 64) == 0);
  GOOD(cudaMemset(large, 9, 10));
  CHECK(large[9] == 9 && large[10] == 1);
  cudaPointerAttributes attributes;
  GOOD(cudaPointerGetAttributes(&attributes, large + 5));
  CHECK(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == large + 5 && attributes.hostPointer == large + 5);
  CHECK(attributes.memoryType == cudaMemoryTypeDevice && attributes.isManaged);
  GOOD(cudaPointerGetAttributes(&attributes, device));
  CHECK(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == device);
  CHECK(attributes.memoryType == cudaMemoryTypeDevice && !attributes.isManaged);
  GOOD(cudaMemPrefetchAsync(large, bytes, 0, 0));
  GOOD(cudaFree(large));
  GIVES(cudaErrorInvalidValue, cudaFree(large));
  PASS();
}
