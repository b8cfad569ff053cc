// A bitonic sort, a scan over blocks with dynamic shared memory, and a histogram with atomics in shared memory.
#include "check.h"
#include <algorithm>
#include <vector>

__global__ void bitonic_step(unsigned *keys, unsigned distance, unsigned run) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other > i) {
    bool up = (i & run) == 0;
    unsigned a = keys[i], b = keys[other];
    if (up == (a > b)) {
      keys[i] = b;
      keys[other] = a;
    }
  }
}

// Inclusive, of one block; the last thread leaves the block's sum.
__global__ void scan_block(const unsigned *in, unsigned *out, unsigned *sums) {
  extern __shared__ unsigned part[];
  int i = threadIdx.x;
  part[i] = in[blockIdx.x * blockDim.x + i];
  __syncthreads();
  for (unsigned by = 1; by < blockDim.x; by *= 2) {
    unsigned before = i >= (int)by ? part[i - by] : 0;
    __syncthreads();
    part[i] += before;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + i] = part[i];
  if (sums && i == (int)blockDim.x - 1)
    sums[blockIdx.x] = part[i];
}
__global__ void add_sums(unsigned *out, const unsigned *sums) {
  if (blockIdx.x > 0)
    out[blockIdx.x * blockDim.x + threadIdx.x] += sums[blockIdx.x - 1];
}

__global__ void histogram(const unsigned *keys, unsigned *bins, int n) {
  __shared__ unsigned local[64];
  if (threadIdx.x < 64)
    local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[keys[i] % 64], 1u);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  const unsigned n = 1024, threads = 128, blocks = n / threads;
  std::vector<unsigned> keys(n), sorted, scanned(n);
  unsigned x = 12345;
  for (unsigned &key : keys)
    key = (x = x * 1664525u + 1013904223u) >> 12;
  unsigned *device, *out, *sums, *bins;
  GOOD(cudaMalloc(&device, n * sizeof(unsigned)));
  GOOD(cudaMalloc(&out, n * sizeof(unsigned)));
  GOOD(cudaMalloc(&sums, blocks * sizeof(unsigned)));
  GOOD(cudaMalloc(&bins, 64 * sizeof(unsigned)));
  GOOD(cudaMemset(bins, 0, 64 * sizeof(unsigned)));
  GOOD(cudaMemcpy(device, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));

  histogram<<<3, threads>>>(device, bins, n);
  unsigned counted[64];
  GOOD(cudaMemcpy(counted, bins, sizeof counted, cudaMemcpyDeviceToHost));
  for (unsigned bin = 0; bin < 64; bin++)
    CHECK(counted[bin] == std::count_if(keys.begin(), keys.end(), [bin](unsigned key) { return key % 64 == bin; }));

  scan_block<<<blocks, threads, threads * sizeof(unsigned)>>>(device, out, sums);
  scan_block<<<1, blocks, blocks * sizeof(unsigned)>>>(sums, sums, nullptr);
  add_sums<<<blocks, threads>>>(out, sums);
  GOOD(cudaMemcpy(scanned.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    CHECK(scanned[i] == (sum += keys[i]));

  for (unsigned run = 2; run <= n; run *= 2)
    for (unsigned distance = run / 2; distance > 0; distance /= 2)
      bitonic_step<<<blocks, threads>>>(device, distance, run);
  sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  GOOD(cudaMemcpy(keys.data(), device, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(keys == sorted);
  PASS();
}
