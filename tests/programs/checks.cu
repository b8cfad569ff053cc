// A program in which --check finds nothing: each of its kernels does what looks like a mistake and is none.
// exec: --check uninitialised,races
#include "check.h"
#include <string.h>

const int N = 1024, BLOCK = 128;

struct Item {
  char tag;
  double value;
};

__device__ int total;

// Barriers around every use of shared memory; the last steps are within a warp.
__global__ void reduce(const int *in, int *out) {
  extern __shared__ int part[];
  int t = threadIdx.x;
  for (int round = 0; round < 2; round++) {
    part[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (int half = BLOCK / 2; half >= 32; half /= 2) {
      if (t < half)
        part[t] += part[t + half];
      __syncthreads();
    }
    if (t < 32) {
      volatile int *mine = part;
      for (int half = 16; half > 0; half /= 2) {
        int sum = mine[t] + mine[t + half];
        __syncwarp();
        mine[t] = sum;
        __syncwarp();
      }
    }
    if (t == 0)
      out[blockIdx.x] = part[0];
    __syncthreads();
  }
}

// Atomics in shared memory and on a variable of the module, which is zero; all warps set the flag to the same value.
__global__ void histogram(const int *in, int *counts) {
  __shared__ int mine[16];
  __shared__ volatile bool seen;
  if (threadIdx.x < 16)
    mine[threadIdx.x] = 0;
  if (threadIdx.x == 0)
    seen = false;
  __syncthreads();
  atomicAdd(&mine[in[blockIdx.x * BLOCK + threadIdx.x] % 16], 1);
  seen = true;
  __syncthreads();
  if (threadIdx.x < 16 && seen)
    atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
  if (threadIdx.x == 0)
    atomicAdd(&total, BLOCK);
}

__global__ void make(Item *items) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  items[i].tag = i % 3;
  items[i].value = i;
}

// Copies the gaps, too, and has copies of its own.
__global__ void pass(const Item *from, Item *to, int *shared_with_host) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Item local[2] = {from[i], from[i ^ 1]};
  to[i] = local[local[0].tag == 3];
  shared_with_host[i] += 1;
}

__global__ void first_of_heap(int *out) {
  int *block = (int *)malloc(sizeof(int));
  *block = threadIdx.x;
  out[threadIdx.x] = *block;
  free(block);
}

int main() {
  int data[N], back[N], *in, *out, *managed;
  for (int i = 0; i < N; i++)
    data[i] = i;
  GOOD(cudaMalloc(&in, sizeof data));
  GOOD(cudaMalloc(&out, sizeof data));
  GOOD(cudaMemcpy(in, data, sizeof data, cudaMemcpyHostToDevice));
  reduce<<<N / BLOCK, BLOCK, BLOCK * sizeof(int)>>>(in, out);
  GOOD(cudaMemcpy(back, out, N / BLOCK * sizeof(int), cudaMemcpyDeviceToHost));
  for (int block = 0; block < N / BLOCK; block++)
    CHECK(back[block] == BLOCK * (block * BLOCK) + BLOCK * (BLOCK - 1) / 2);

  GOOD(cudaMemset(out, 0, 16 * sizeof(int)));
  histogram<<<N / BLOCK, BLOCK>>>(in, out);
  GOOD(cudaMemcpy(back, out, 16 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; i++)
    CHECK(back[i] == N / 16);
  int counted;
  GOOD(cudaMemcpyFromSymbol(&counted, total, sizeof counted));
  CHECK(counted == N);

  Item *items, *copies, *host = (Item *)malloc(N * sizeof(Item));
  GOOD(cudaMalloc(&items, N * sizeof(Item)));
  GOOD(cudaMalloc(&copies, N * sizeof(Item)));
  GOOD(cudaMallocManaged(&managed, sizeof data));
  memset(managed, 0, sizeof data);
  make<<<N / BLOCK, BLOCK>>>(items);
  pass<<<N / BLOCK, BLOCK>>>(items, copies, managed);
  GOOD(cudaMemcpy(host, copies, N * sizeof(Item), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++)
    CHECK(host[i].tag == i % 3 && host[i].value == i && managed[i] == 1);

  first_of_heap<<<1, 32>>>(out);
  GOOD(cudaMemcpy(back, out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++)
    CHECK(back[i] == i);
  PASS();
}
