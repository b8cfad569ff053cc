// What kernels print comes where it belongs; assertions, the heap and the stack of kernels with their limits.
#include "check.h"
#include <assert.h>
#include <string.h>
#include <unistd.h>

__global__ void hello(int number) {
  if (threadIdx.x < 2)
    printf("kernel %d, thread %d: %s %.2f\n", number, threadIdx.x, "text", 1.5 * number);
}

__global__ void assert_small(int value) { assert(value < 10); }

struct Node {
  int value;
  Node *next;
};

// A list on the heap of the device, which stays from launch to launch.
__device__ Node *first;

__global__ void push(int value) {
  Node *node = (Node *)malloc(sizeof(Node));
  node->value = value;
  node->next = first;
  first = node;
}

__global__ void take_all(int *sum) {
  while (first != 0) {
    Node *node = first;
    first = node->next;
    *sum = 10 * *sum + node->value;
    free(node);
  }
}

__global__ void too_much(int *is_null, size_t bytes) {
  void *volatile memory = malloc(bytes); // or the compiler leaves it out
  *is_null = memory == 0;
}

__device__ __noinline__ int depth_sum(int n, const int *data) { return n == 0 ? 0 : data[n - 1] + depth_sum(n - 1, data); }

__global__ void recursive(const int *data, int n, int *out) { *out = depth_sum(n, data); }

int main() {
  FILE *file = tmpfile();
  int terminal = dup(1);
  fflush(stdout);
  dup2(fileno(file), 1);
  printf("host 1\n");
  hello<<<1, 32>>>(1);
  printf("host 2\n");
  hello<<<1, 32>>>(2);
  GOOD(cudaDeviceSynchronize());
  printf("host 3\n");
  fflush(stdout);
  dup2(terminal, 1);
  rewind(file);
  char text[1000] = {};
  CHECK(fread(text, 1, sizeof text - 1, file) > 0);
  CHECK(strcmp(text, "host 1\nkernel 1, thread 0: text 1.50\nkernel 1, thread 1: text 1.50\n"
                     "host 2\nkernel 2, thread 0: text 3.00\nkernel 2, thread 1: text 3.00\nhost 3\n") == 0);

  size_t limit;
  GOOD(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK(limit == 8 << 20);
  GOOD(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  GOOD(cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10));

  int *out, value = 0;
  GOOD(cudaMalloc(&out, sizeof *out));
  GOOD(cudaMemset(out, 0, sizeof *out));
  for (int i = 1; i <= 4; i++)
    push<<<1, 1>>>(i);
  GIVES(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
  take_all<<<1, 1>>>(out);
  GOOD(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 4321);
  too_much<<<1, 1>>>(out, 2 << 20);
  GOOD(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 1);

  int data[50], expected = 0, *device;
  for (int i = 0; i < 50; i++)
    data[i] = i * i, expected += i * i;
  GOOD(cudaMalloc(&device, sizeof data));
  GOOD(cudaMemcpy(device, data, sizeof data, cudaMemcpyHostToDevice));
  recursive<<<1, 1>>>(device, 50, out);
  GOOD(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == expected);

  assert_small<<<1, 1>>>(9);
  GOOD(cudaDeviceSynchronize());
  assert_small<<<1, 1>>>(10);
  GIVES(cudaErrorAssert, cudaDeviceSynchronize());
  GIVES(cudaErrorAssert, cudaMemset(out, 0, 4));
  GOOD(cudaDeviceReset());
  PASS();
}
