// Errors that pass, and errors that stay until the device is reset.
#include "check.h"
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__device__ int initial = 5;

__global__ void store(int *data, int place) { data[place] = 1; }

__global__ void change() { initial = 6; }

__global__ void stop(int *data) {
  if (data[0] == 0)
    __builtin_trap();
}

// No block of it has more than 64 threads.
__global__ void __launch_bounds__(64) bounded(int *data) { atomicAdd(data, 1); }

int main() {
  int *data, value;
  GOOD(cudaMalloc(&data, 64 * sizeof(int)));
  GOOD(cudaMemset(data, 0, 64 * sizeof(int)));

  // A launch that cannot be is an error of that launch alone, and reading the last error resets it.
  store<<<1, 4096>>>(data, 0);
  GIVES(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
  GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
  GOOD(cudaGetLastError());
  store<<<dim3(1, 70000), 1>>>(data, 0);
  GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
  store<<<0, 1>>>(data, 0);
  GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
  store<<<1, 1, 10 << 20>>>(data, 0);
  GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
  store<<<1, 1>>>(data, 3);
  GOOD(cudaGetLastError());
  GOOD(cudaMemcpy(&value, data + 3, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 1);

  // So is one of more threads than the kernel is compiled for.
  cudaFuncAttributes attributes;
  GOOD(cudaFuncGetAttributes(&attributes, bounded));
  CHECK(attributes.maxThreadsPerBlock == 64);
  GOOD(cudaFuncGetAttributes(&attributes, stop));
  CHECK(attributes.maxThreadsPerBlock == 1024);
  bounded<<<1, 65>>>(data);
  GIVES(cudaErrorInvalidValue, cudaGetLastError());
  bounded<<<2, dim3(8, 8)>>>(data);
  GOOD(cudaGetLastError());
  GOOD(cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 128);
  int blocks;
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 65, 0));
  CHECK(blocks == 0);
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 64, 0));
  CHECK(blocks > 0);

  GIVES(cudaErrorInvalidDevice, cudaSetDevice(1));
  GIVES(cudaErrorInvalidDevice, cudaGetLastError());
  GIVES(cudaErrorInvalidDeviceFunction, cudaFuncSetCacheConfig((const void *)main, cudaFuncCachePreferL1));
  cudaGetLastError();

  // The names of errors are part of the interface; what they mean is text for people.
  CHECK(strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess") == 0);
  CHECK(strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
  CHECK(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
  CHECK(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  CHECK(strlen(cudaGetErrorString((cudaError_t)12345)) > 0);

  // A kernel that accesses what is not allocated: all calls fail from now on.
  change<<<1, 1>>>();
  store<<<1, 1>>>(data, 1 << 20);
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());
  void *more;
  GIVES(cudaErrorIllegalAddress, cudaMalloc(&more, 4));
  GIVES(cudaErrorIllegalAddress, cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost));
  store<<<1, 1>>>(data, 0);
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());

  // After a reset the device is as new: no memory, variables with their initial values.
  GOOD(cudaDeviceReset());
  GOOD(cudaGetLastError());
  GOOD(cudaMemcpyFromSymbol(&value, initial, sizeof value));
  CHECK(value == 5);
  GIVES(cudaErrorInvalidValue, cudaFree(data));
  cudaGetLastError();
  GOOD(cudaMalloc(&data, 64 * sizeof(int)));
  store<<<1, 1>>>(data, 9);
  GOOD(cudaMemcpy(&value, data + 9, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 1);

  // Use of memory that has been freed.
  GOOD(cudaFree(data));
  store<<<1, 1>>>(data, 0);
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());
  GOOD(cudaDeviceReset());

  // Addresses that are not aligned, and traps.
  char *bytes;
  GOOD(cudaMalloc(&bytes, 64));
  store<<<1, 1>>>((int *)(bytes + 2), 0);
  GIVES(cudaErrorMisalignedAddress, cudaGetLastError());
  GOOD(cudaDeviceReset());
  GOOD(cudaMalloc(&data, 64));
  GOOD(cudaMemset(data, 0, 64));
  stop<<<1, 1>>>(data);
  GIVES(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  GOOD(cudaDeviceReset());

  // A child of fork cannot use what its parent has begun with.
  int status;
  pid_t child = fork();
  if (child == 0)
    _exit(cudaMalloc(&data, 64) == cudaSuccess);
  CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  GOOD(cudaMalloc(&data, 64));
  PASS();
}
