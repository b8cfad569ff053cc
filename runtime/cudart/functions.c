/* Kernels: their attributes, and how many of their blocks a core can hold. */
#include "internal.h"
#include <string.h>

static cudaError_t known(const char *call, const void *stub, struct unruly_function **function) {
  cudaError_t error = unruly_function(call, stub, function);
  return error != cudaSuccess ? error : unruly_know(call, *function);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *stub) {
  const char *call = "cudaFuncGetAttributes";
  struct unruly_function *function;
  struct unruly_properties gpu;
  if (attributes == NULL)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = known(call, stub, &function);
  if (error == cudaSuccess)
    error = unruly_properties(call, &gpu);
  if (error != cudaSuccess)
    return unruly_done(error);
  memset(attributes, 0, sizeof *attributes);
  attributes->sharedSizeBytes = function->shared_bytes;
  attributes->constSizeBytes = function->constant_bytes;
  attributes->localSizeBytes = function->local_bytes;
  attributes->maxThreadsPerBlock = (int)function->most_threads;
  attributes->numRegs = (int)function->registers;
  attributes->ptxVersion = attributes->binaryVersion = (int)(10 * gpu.compute_major + gpu.compute_minor);
  attributes->maxDynamicSharedSizeBytes = (int)(gpu.shared_bytes - function->shared_bytes);
  attributes->preferredShmemCarveout = -1;
  return cudaSuccess;
}

/* The sizes of the caches are those of the configuration. */
cudaError_t cudaFuncSetCacheConfig(const void *stub, enum cudaFuncCache config) {
  struct unruly_function *function;
  (void)config;
  return unruly_done(known("cudaFuncSetCacheConfig", stub, &function));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *stub, enum cudaSharedMemConfig config) {
  struct unruly_function *function;
  (void)config;
  return unruly_done(known("cudaFuncSetSharedMemConfig", stub, &function));
}

cudaError_t cudaFuncSetAttribute(const void *stub, enum cudaFuncAttribute which, int value) {
  const char *call = "cudaFuncSetAttribute";
  struct cudaFuncAttributes attributes;
  if (which != cudaFuncAttributeMaxDynamicSharedMemorySize && which != cudaFuncAttributePreferredSharedMemoryCarveout)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = cudaFuncGetAttributes(&attributes, stub);
  if (error == cudaSuccess && which == cudaFuncAttributeMaxDynamicSharedMemorySize &&
      (value < 0 || value > attributes.maxDynamicSharedSizeBytes))
    error = unruly_refuse(call, cudaErrorInvalidValue, "a core has less shared memory");
  return unruly_done(error);
}

static cudaError_t occupancy(const char *call, int *blocks, const void *stub, int threads, size_t shared) {
  struct unruly_function *function;
  struct unruly_message message = {.length = 0};
  unsigned char reply[4];
  if (blocks == NULL || threads <= 0)
    return cudaErrorInvalidValue;
  cudaError_t error = known(call, stub, &function);
  if (error != cudaSuccess)
    return error;
  unruly_put64(&message, function->handle);
  unruly_put32(&message, (uint32_t)threads);
  unruly_put64(&message, shared);
  error = unruly_ask(call, UNRULY_OCCUPANCY, &message, NULL, 0, reply, sizeof reply);
  if (error == cudaSuccess)
    *blocks = (int)unruly_get32(reply);
  return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub, int threads, size_t shared) {
  return unruly_done(occupancy("cudaOccupancyMaxActiveBlocksPerMultiprocessor", blocks, stub, threads, shared));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *stub, int threads, size_t shared,
                                                                   unsigned flags) {
  (void)flags;
  return unruly_done(occupancy("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, stub, threads, shared));
}

/* Every GPU of the model has double precision. */
cudaError_t cudaSetDoubleForDevice(double *value) { return value != NULL ? cudaSuccess : unruly_done(cudaErrorInvalidValue); }

cudaError_t cudaSetDoubleForHost(double *value) { return cudaSetDoubleForDevice(value); }
