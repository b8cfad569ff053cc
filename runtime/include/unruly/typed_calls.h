/* Calls of the runtime for C++: typed pointers, variables instead of their addresses, kernels instead of pointers. */
#ifndef UNRULY_TYPED_CALLS_H
#define UNRULY_TYPED_CALLS_H

#include "cuda_runtime_api.h"

#pragma push_macro("UNRULY_CALL")
#define UNRULY_CALL static __inline__ __host__ __attribute__((unused)) cudaError_t

/* ---- Memory */

template <class T> UNRULY_CALL cudaMalloc(T **devPtr, size_t size) { return ::cudaMalloc((void **)(void *)devPtr, size); }
template <class T> UNRULY_CALL cudaMallocAsync(T **devPtr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)devPtr, size, stream);
}
template <class T> UNRULY_CALL cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
template <class T> UNRULY_CALL cudaHostAlloc(T **ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
template <class T> UNRULY_CALL cudaHostGetDevicePointer(T **devPtr, void *ptr, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)devPtr, ptr, flags);
}
template <class T> UNRULY_CALL cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void **)(void *)devPtr, pitch, width, height);
}
template <class T> UNRULY_CALL cudaMallocManaged(T **devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)devPtr, size, flags);
}
template <class T>
UNRULY_CALL cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr, size_t length = 0, unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}

/* ---- Symbols: a variable, or its name as a text */

template <class T>
UNRULY_CALL cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class T>
UNRULY_CALL cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
template <class T>
UNRULY_CALL cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
template <class T>
UNRULY_CALL cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                      enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
UNRULY_CALL cudaMemcpyToSymbol(const char *symbol, const void *src, size_t count, size_t offset = 0,
                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)symbol, src, count, offset, kind);
}
UNRULY_CALL cudaMemcpyFromSymbol(void *dst, const char *symbol, size_t count, size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, (const void *)symbol, count, offset, kind);
}
template <class T> UNRULY_CALL cudaGetSymbolAddress(void **devPtr, const T &symbol) {
  return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}
template <class T, class P> UNRULY_CALL cudaGetSymbolAddress(P **devPtr, const T &symbol) {
  return ::cudaGetSymbolAddress((void **)(void *)devPtr, (const void *)&symbol);
}
template <class T> UNRULY_CALL cudaGetSymbolSize(size_t *size, const T &symbol) {
  return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

/* ---- Kernels */

template <class T>
UNRULY_CALL cudaLaunchKernel(T *function, dim3 gridDim, dim3 blockDim, void **arguments, size_t sharedMem = 0,
                             cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)function, gridDim, blockDim, arguments, sharedMem, stream);
}
template <class T>
UNRULY_CALL cudaLaunchCooperativeKernel(T *function, dim3 gridDim, dim3 blockDim, void **arguments, size_t sharedMem = 0,
                                        cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)function, gridDim, blockDim, arguments, sharedMem, stream);
}
template <class T> UNRULY_CALL cudaSetupArgument(T argument, size_t offset) {
  return ::cudaSetupArgument((const void *)&argument, sizeof(T), offset);
}
template <class T> UNRULY_CALL cudaLaunch(T *function) { return ::cudaLaunch((const void *)function); }
template <class T> UNRULY_CALL cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *function) {
  return ::cudaFuncGetAttributes(attributes, (const void *)function);
}
template <class T> UNRULY_CALL cudaFuncSetAttribute(T *function, enum cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <class T> UNRULY_CALL cudaFuncSetCacheConfig(T *function, enum cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void *)function, config);
}
template <class T> UNRULY_CALL cudaFuncSetSharedMemConfig(T *function, enum cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void *)function, config);
}

/* ---- Occupancy */

template <class T>
UNRULY_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int blockSize, size_t dynamicShared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, blockSize, dynamicShared);
}
template <class T>
UNRULY_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T function, int blockSize, size_t dynamicShared,
                                                                   unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function, blockSize, dynamicShared, flags);
}
/* The block size with the most threads on a core, and the blocks that fill the device with it. */
template <class Shared, class T>
UNRULY_CALL cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *minGridSize, int *blockSize, T function, Shared shared,
                                                                    int blockSizeLimit = 0, unsigned int flags = 0) {
  struct cudaFuncAttributes attributes;
  int device, cores, warp, best = 0;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess)
    error = ::cudaFuncGetAttributes(&attributes, (const void *)function);
  if (error != cudaSuccess)
    return error;
  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit)
    limit = blockSizeLimit;
  for (int size = limit, blocks; size > 0; size = (size - 1) / warp * warp) {
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)function, size, shared(size), flags);
    if (error != cudaSuccess)
      return error;
    if (blocks * size > best) {
      best = blocks * size;
      *blockSize = size;
      *minGridSize = blocks * cores;
    }
  }
  return cudaSuccess;
}
template <class Shared, class T>
UNRULY_CALL cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T function, Shared shared,
                                                           int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, function, shared, blockSizeLimit);
}
struct unruly_same_shared {
  size_t bytes;
  size_t operator()(int) const { return bytes; }
};
template <class T>
UNRULY_CALL cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, T function, size_t dynamicShared = 0,
                                                        int blockSizeLimit = 0, unsigned int flags = 0) {
  unruly_same_shared shared = {dynamicShared};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, function, shared, blockSizeLimit, flags);
}
template <class T>
UNRULY_CALL cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T function, size_t dynamicShared = 0,
                                               int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, function, dynamicShared, blockSizeLimit);
}

/* ---- Events */

UNRULY_CALL cudaEventCreate(cudaEvent_t *event, unsigned int flags) { return ::cudaEventCreateWithFlags(event, flags); }

#pragma pop_macro("UNRULY_CALL")

#include "channel_descriptor.h"

#endif
