// Host memory that kernels see: mapped when it is allocated, registered later, and pinned memory whose address is an argument.
#include "check.h"

__global__ void add(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += in[i];
}

int main() {
  const int n = 2500;
  int *in, *out, *in_device, *out_device;
  GOOD(cudaSetDeviceFlags(cudaDeviceMapHost));
  GOOD(cudaHostAlloc((void **)&in, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined));
  GOOD(cudaHostAlloc((void **)&out, n * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < n; i++)
    in[i] = i, out[i] = 10 * i;
  GOOD(cudaHostGetDevicePointer((void **)&in_device, in, 0));
  GOOD(cudaHostGetDevicePointer((void **)&out_device, out, 0));
  add<<<(n + 255) / 256, 256>>>(in_device, out_device, n);
  GOOD(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++)
    CHECK(out[i] == 11 * i);
  unsigned flags;
  GOOD(cudaHostGetFlags(&flags, out));
  CHECK((flags & cudaHostAllocMapped) != 0);

  // The host changes it between launches.
  for (int i = 0; i < n; i++)
    in[i] = 1;
  add<<<(n + 255) / 256, 256>>>(in_device, out_device, n);
  GOOD(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++)
    CHECK(out[i] == 11 * i + 1);

  // Memory that the program had before.
  int *own = (int *)malloc(n * sizeof(int)), *own_device;
  for (int i = 0; i < n; i++)
    own[i] = -i;
  GOOD(cudaHostRegister(own, n * sizeof(int), cudaHostRegisterMapped));
  GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own, n * sizeof(int), cudaHostRegisterMapped));
  GOOD(cudaHostGetDevicePointer((void **)&own_device, own + 100, 0));
  add<<<10, 256>>>(in_device, own_device, n - 100);
  GOOD(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++)
    CHECK(own[i] == (i < 100 ? -i : 1 - i));
  GOOD(cudaHostUnregister(own));
  GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own));

  // With one address space, pinned memory has the same address on the device.
  int *pinned;
  GOOD(cudaMallocHost((void **)&pinned, n * sizeof(int)));
  for (int i = 0; i < n; i++)
    pinned[i] = 3;
  add<<<10, 256>>>(pinned, pinned, n);
  GOOD(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++)
    CHECK(pinned[i] == 6);
  cudaPointerAttributes attributes;
  GOOD(cudaPointerGetAttributes(&attributes, pinned));
  CHECK(attributes.type == cudaMemoryTypeHost && attributes.devicePointer == pinned);
  CHECK(attributes.memoryType == cudaMemoryTypeHost && !attributes.isManaged);
  GOOD(cudaFreeHost(pinned));
  GOOD(cudaFreeHost(in));
  GOOD(cudaFreeHost(out));
  GIVES(cudaErrorInvalidValue, cudaFreeHost(out));
  PASS();
}
