// Barriers: of the threads of a block that have not returned, and of the program's own over a grid as big as the occupancy says that
// it may be.
#include "check.h"

__device__ unsigned arrived;

__device__ void whole_grid(unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < round * gridDim.x)
      ;
  }
  __syncthreads();
}

// Each round moves every element one block further.
__global__ void rotate(int *a, int *b, int rounds) {
  int threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 1; round <= rounds; round++) {
    volatile int *from = round % 2 ? a : b, *to = round % 2 ? b : a;
    to[(i + blockDim.x) % threads] = from[i] + 1;
    __threadfence();
    whole_grid(round);
  }
}

// Threads from `n` on are done before the barriers.
__global__ void reversed(int *out, int n) {
  __shared__ int s[96];
  int i = threadIdx.x;
  if (i >= n) {
    out[i] = -1;
    return;
  }
  s[i] = i;
  for (int round = 0; round < 2; round++) {
    __syncthreads();
    if (round == 1 && i == n - 1)
      return;
  }
  __syncthreads();
  out[i] = s[n - 1 - i];
}

void check_early_returns() {
  const int block = 96, n = 37;
  int *out, found[block];
  GOOD(cudaMalloc(&out, sizeof found));
  GOOD(cudaMemset(out, 0, sizeof found));
  reversed<<<1, block>>>(out, n);
  GOOD(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
  for (int i = 0; i < block; i++)
    CHECK(found[i] == (i >= n ? -1 : i == n - 1 ? 0 : n - 1 - i));
}

int main() {
  check_early_returns();
  const int block = 128, rounds = 4;
  cudaDeviceProp p;
  GOOD(cudaGetDeviceProperties(&p, 0));
  CHECK(p.cooperativeLaunch);
  int on_core;
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_core, rotate, block, 0));
  int grid = on_core * p.multiProcessorCount, threads = grid * block;
  CHECK(on_core >= 1);
  int *host = (int *)malloc(threads * sizeof(int)), *a, *b;
  for (int i = 0; i < threads; i++)
    host[i] = 10 * i;
  GOOD(cudaMalloc(&a, threads * sizeof(int)));
  GOOD(cudaMalloc(&b, threads * sizeof(int)));
  GOOD(cudaMemcpy(a, host, threads * sizeof(int), cudaMemcpyHostToDevice));
  int n = rounds;
  void *arguments[] = {&a, &b, &n};
  GOOD(cudaLaunchCooperativeKernel((const void *)rotate, dim3(grid), dim3(block), arguments, 0, 0));
  GOOD(cudaMemcpy(host, a, threads * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < threads; i++)
    CHECK(host[(i + rounds * block) % threads] == 10 * i + rounds);
  GIVES(cudaErrorCooperativeLaunchTooLarge,
        cudaLaunchCooperativeKernel((const void *)rotate, dim3(grid + 1), dim3(block), arguments, 0, 0));
  PASS();
}
