/* Memory: on the device, on the host, and on both sides. */
#include "internal.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PITCH = 512 };

static cudaError_t ask_for_memory(const char *call, size_t bytes, int is_twin, uint64_t *address) {
  struct unruly_message message = {.length = 0};
  unsigned char reply[8];
  unruly_put64(&message, bytes);
  unruly_put32(&message, (uint32_t)is_twin);
  cudaError_t error = unruly_ready();
  if (error == cudaSuccess)
    error = unruly_ask(call, UNRULY_ALLOC, &message, NULL, 0, reply, sizeof reply);
  if (error == cudaSuccess)
    *address = unruly_get64(reply);
  return error;
}

static cudaError_t give_back(const char *call, uint64_t address) {
  struct unruly_message message = {.length = 0};
  unruly_put64(&message, address);
  return unruly_ask(call, UNRULY_FREE, &message, NULL, 0, NULL, 0);
}

cudaError_t unruly_allocate(const char *call, size_t bytes, uint64_t *address) {
  cudaError_t error = ask_for_memory(call, bytes, 0, address);
  if (error == cudaSuccess)
    unruly_add_region((struct unruly_region){.address = *address, .bytes = bytes, .kind = UNRULY_DEVICE});
  return error;
}

cudaError_t unruly_release(const char *call, uint64_t address) {
  struct unruly_region region;
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return error;
  if (!unruly_find_region(address, &region) || region.address != address || region.kind != UNRULY_DEVICE)
    return unruly_refuse(call, cudaErrorInvalidValue, "the pointer is not the beginning of device memory");
  unruly_remove_region(address, &region);
  return give_back(call, address);
}

/* Host memory at the address that its twin has on the device, so that a pointer means the same on both sides. */
cudaError_t unruly_allocate_twin(const char *call, size_t bytes, enum unruly_kind kind, unsigned flags, void **pointer) {
  uint64_t address;
  size_t length = (bytes + UNRULY_PAGE - 1) / UNRULY_PAGE * UNRULY_PAGE;
  if (length < bytes)
    return unruly_refuse(call, cudaErrorMemoryAllocation, "no machine has so much memory");
  cudaError_t error = ask_for_memory(call, length, 1, &address);
  if (error != cudaSuccess)
    return error;
  void *wanted = (void *)(uintptr_t)address;
  void *host = mmap(wanted, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  unsigned char *shadow = host == wanted ? calloc(1, bytes) : NULL;
  if (shadow == NULL) {
    if (host != MAP_FAILED)
      munmap(host, length);
    give_back(call, address);
    return unruly_refuse(call, cudaErrorMemoryAllocation, "the host has no memory at the address that the device has");
  }
  int is_mapped = kind == UNRULY_MANAGED || (flags & cudaHostAllocMapped) != 0;
  unruly_add_region((struct unruly_region){address, host, bytes, kind, flags, is_mapped, shadow});
  *pointer = host;
  return cudaSuccess;
}

static cudaError_t free_twin(const char *call, const void *pointer, enum unruly_kind kind, const char *what) {
  struct unruly_region region;
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return error;
  if (!unruly_find_region((uintptr_t)pointer, &region) || region.host != pointer || region.kind != kind)
    return unruly_refuse(call, cudaErrorInvalidValue, what);
  unruly_remove_region((uintptr_t)pointer, &region);
  unruly_drop_host_side(&region);
  return give_back(call, region.address);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  const char *call = "cudaMalloc";
  uint64_t address = 0;
  if (pointer == NULL)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = bytes == 0 ? unruly_ready() : unruly_allocate(call, bytes, &address);
  if (error == cudaSuccess)
    *pointer = (void *)(uintptr_t)address;
  return unruly_done(error);
}

cudaError_t cudaFree(void *pointer) {
  const char *call = "cudaFree";
  struct unruly_region region;
  if (pointer == NULL)
    return unruly_done(unruly_ready());
  if (unruly_find_region((uintptr_t)pointer, &region) && region.kind == UNRULY_MANAGED)
    return unruly_done(free_twin(call, pointer, UNRULY_MANAGED, "the pointer is not the beginning of managed memory"));
  return unruly_done(unruly_release(call, (uintptr_t)pointer));
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  cudaError_t error = unruly_check_stream("cudaMallocAsync", stream);
  return error != cudaSuccess ? unruly_done(error) : cudaMalloc(pointer, bytes);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  cudaError_t error = unruly_check_stream("cudaFreeAsync", stream);
  return error != cudaSuccess ? unruly_done(error) : cudaFree(pointer);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (pointer == NULL || pitch == NULL || width > SIZE_MAX - PITCH)
    return unruly_done(cudaErrorInvalidValue);
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  if (height > 0 && *pitch > SIZE_MAX / height)
    return unruly_done(cudaErrorMemoryAllocation);
  return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
  if (pitched == NULL || (extent.depth > 0 && extent.height > SIZE_MAX / extent.depth))
    return unruly_done(cudaErrorInvalidValue);
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  if (pointer == NULL || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return unruly_done(cudaErrorInvalidValue);
  return unruly_done(unruly_allocate_twin("cudaMallocManaged", bytes, UNRULY_MANAGED, flags, pointer));
}

static cudaError_t host_alloc(const char *call, void **pointer, size_t bytes, unsigned flags) {
  const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (pointer == NULL || (flags & ~known) != 0)
    return cudaErrorInvalidValue;
  if (bytes == 0) {
    *pointer = NULL;
    return unruly_ready();
  }
  return unruly_allocate_twin(call, bytes, UNRULY_TWIN, flags, pointer);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return unruly_done(host_alloc("cudaHostAlloc", pointer, bytes, flags));
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) { return unruly_done(host_alloc("cudaMallocHost", pointer, bytes, 0)); }

cudaError_t cudaFreeHost(void *pointer) {
  if (pointer == NULL)
    return unruly_done(unruly_ready());
  return unruly_done(free_twin("cudaFreeHost", pointer, UNRULY_TWIN, "the pointer is not the beginning of pinned memory"));
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  const char *call = "cudaHostRegister";
  struct unruly_region region;
  uint64_t address;
  if (pointer == NULL || bytes == 0)
    return unruly_done(cudaErrorInvalidValue);
  if (unruly_find_region((uintptr_t)pointer, &region))
    return unruly_done(cudaErrorHostMemoryAlreadyRegistered);
  cudaError_t error = ask_for_memory(call, bytes, 1, &address);
  if (error != cudaSuccess)
    return unruly_done(error);
  /* The device has zeros. */
  unsigned char *shadow = calloc(1, bytes);
  if (shadow == NULL) {
    give_back(call, address);
    return unruly_done(cudaErrorMemoryAllocation);
  }
  unruly_add_region((struct unruly_region){address, pointer, bytes, UNRULY_HOST, flags, 1, shadow});
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *pointer) {
  const char *call = "cudaHostUnregister";
  struct unruly_region region;
  if (!unruly_find_region((uintptr_t)pointer, &region) || region.kind != UNRULY_HOST || region.host != pointer)
    return unruly_done(cudaErrorHostMemoryNotRegistered);
  unruly_remove_region((uintptr_t)pointer, &region);
  unruly_drop_host_side(&region);
  return unruly_done(give_back(call, region.address));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  struct unruly_region region;
  if (device == NULL || flags != 0 || !unruly_find_region((uintptr_t)host, &region) || region.host == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *device = (void *)(uintptr_t)(region.address + (size_t)((unsigned char *)host - region.host));
  unruly_map_region(region.address);
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  struct unruly_region region;
  if (flags == NULL || !unruly_find_region((uintptr_t)host, &region) || region.kind != UNRULY_TWIN)
    return unruly_done(cudaErrorInvalidValue);
  *flags = region.flags;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all_bytes) {
  const char *call = "cudaMemGetInfo";
  struct unruly_message nothing = {.length = 0};
  unsigned char reply[16];
  if (free_bytes == NULL || all_bytes == NULL)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = unruly_ready();
  if (error == cudaSuccess)
    error = unruly_ask(call, UNRULY_MEMORY_INFO, &nothing, NULL, 0, reply, sizeof reply);
  if (error == cudaSuccess) {
    *free_bytes = unruly_get64(reply);
    *all_bytes = unruly_get64(reply + 8);
  }
  return unruly_done(error);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
  struct unruly_region region;
  if (attributes == NULL || pointer == NULL)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return unruly_done(error);
  memset(attributes, 0, sizeof *attributes);
  attributes->hostPointer = (void *)pointer;
  attributes->type = cudaMemoryTypeUnregistered;
  if (!unruly_find_region((uintptr_t)pointer, &region))
    return cudaSuccess;
  int is_host_side = region.kind == UNRULY_HOST && (uintptr_t)pointer - (uintptr_t)region.host < region.bytes;
  size_t offset = (uintptr_t)pointer - (is_host_side ? (uintptr_t)region.host : region.address);
  attributes->devicePointer = (void *)(uintptr_t)(region.address + offset);
  attributes->hostPointer = region.host == NULL ? NULL : region.host + offset;
  attributes->type = region.host == NULL              ? cudaMemoryTypeDevice
                     : region.kind == UNRULY_MANAGED ? cudaMemoryTypeManaged
                                                      : cudaMemoryTypeHost;
  attributes->isManaged = region.kind == UNRULY_MANAGED;
  attributes->memoryType = attributes->isManaged ? cudaMemoryTypeDevice : attributes->type;
  return cudaSuccess;
}

/* Managed memory is where it is needed at any time: advice changes nothing. */
static cudaError_t advise(const void *pointer, size_t bytes) {
  struct unruly_region region;
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return error;
  int is_managed = unruly_find_region((uintptr_t)pointer, &region) && region.kind == UNRULY_MANAGED;
  return is_managed && bytes <= region.bytes ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device) {
  (void)advice, (void)device;
  return unruly_done(advise(pointer, bytes));
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream) {
  (void)device, (void)stream;
  return unruly_done(advise(pointer, bytes));
}
