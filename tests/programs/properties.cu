// What the device says of itself and of kernels fits together.
#include "check.h"
#include <string.h>

__constant__ int constants[10];

__global__ void small(int *out) { out[threadIdx.x] = constants[threadIdx.x % 10]; }

__global__ void shared_memory(int *out) {
  __shared__ int buffer[1024];
  buffer[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int count, device, value, version, runtime;
  GOOD(cudaGetDeviceCount(&count));
  GOOD(cudaGetDevice(&device));
  CHECK(count == 1 && device == 0);
  GOOD(cudaSetDevice(0));
  GOOD(cudaDriverGetVersion(&version));
  GOOD(cudaRuntimeGetVersion(&runtime));
  CHECK(version >= runtime && runtime >= 10000);

  cudaDeviceProp p;
  GOOD(cudaGetDeviceProperties(&p, 0));
  GIVES(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 1));
  CHECK(strlen(p.name) > 0 && p.multiProcessorCount >= 1 && p.clockRate > 0 && p.major >= 3);
  CHECK(p.warpSize == 32 && p.maxThreadsPerBlock >= 512 && p.maxThreadsPerBlock <= p.maxThreadsPerMultiProcessor);
  CHECK(p.maxThreadsDim[0] >= p.maxThreadsPerBlock && p.maxGridSize[1] == 65535 && p.maxGridSize[0] == 0x7fffffff);
  CHECK(p.sharedMemPerBlock >= 16384 && p.regsPerBlock >= 8192 && p.totalConstMem == 65536 && p.totalGlobalMem > (1u << 30));
  GOOD(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  CHECK(value == p.multiProcessorCount);
  GOOD(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
  CHECK(value == p.maxThreadsPerBlock);
  GOOD(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK(value == p.major);
  GOOD(cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlocksPerMultiprocessor, 0));
  CHECK(value == p.maxBlocksPerMultiProcessor && value >= 8);
  size_t free_bytes, all;
  GOOD(cudaMemGetInfo(&free_bytes, &all));
  CHECK(all == p.totalGlobalMem);

  cudaFuncAttributes a;
  GOOD(cudaFuncGetAttributes(&a, shared_memory));
  CHECK(a.sharedSizeBytes == 4096 && a.numRegs > 0 && a.maxThreadsPerBlock <= p.maxThreadsPerBlock && a.localSizeBytes == 0);
  GOOD(cudaFuncGetAttributes(&a, small));
  CHECK(a.sharedSizeBytes == 0 && a.constSizeBytes >= 40);
  GOOD(cudaFuncSetCacheConfig(small, cudaFuncCachePreferShared));
  GOOD(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));

  // Blocks on a core: bounded by their number, by threads, by shared memory.
  int blocks;
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 1, 0));
  CHECK(blocks >= 1 && blocks <= p.maxBlocksPerMultiProcessor);
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, p.maxThreadsPerBlock, 0));
  CHECK(blocks >= 1 && blocks * p.maxThreadsPerBlock <= p.maxThreadsPerMultiProcessor);
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 32, p.sharedMemPerBlock / 2));
  CHECK(blocks == 2);
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared_memory, 32, p.sharedMemPerBlock));
  CHECK(blocks == 0);
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, p.maxThreadsPerBlock + 1, 0));
  CHECK(blocks == 0);

  // A block of the largest size runs.
  int *out, *back = (int *)malloc(1024 * sizeof(int));
  int threads = a.maxThreadsPerBlock < 1024 ? a.maxThreadsPerBlock : 1024;
  GOOD(cudaMalloc(&out, 1024 * sizeof(int)));
  for (int i = 0; i < threads; i++)
    back[i] = i;
  GOOD(cudaMemcpy(out, back, threads * sizeof(int), cudaMemcpyHostToDevice));
  shared_memory<<<1, threads>>>(out);
  GOOD(cudaMemcpy(back, out, threads * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < threads; i++)
    CHECK(back[i] == threads - 1 - i);

  size_t limit;
  GOOD(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  GOOD(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  CHECK(limit == 4096);
  GOOD(cudaSetDeviceFlags(cudaDeviceMapHost));
  PASS();
}
