/* The driver API, on the same engine as the runtime: the device, contexts, memory, streams and events. */
#include "driver.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* All contexts share the one device. Each thread has a stack of them. */
enum { MOST_CONTEXTS = 16 };
static int is_initialised;
static int contexts;
static _Thread_local CUcontext stack[MOST_CONTEXTS];
static _Thread_local int depth;

/* Both sets of errors have the same numbers, except for those that only the runtime has. */
CUresult unruly_driver_result(cudaError_t error) {
  if (error == cudaErrorInvalidSymbol || error == cudaErrorInvalidDeviceFunction)
    return CUDA_ERROR_NOT_FOUND;
  return error > cudaErrorProfilerDisabled && error < cudaErrorNoDevice ? CUDA_ERROR_INVALID_VALUE : (CUresult)error;
}

CUresult unruly_driver_ready(void) {
  if (!is_initialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  return depth > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* A call that needs a context. */
#define IN_CONTEXT(call)                                                                                                        \
  CUresult ready = unruly_driver_ready();                                                                                       \
  return ready != CUDA_SUCCESS ? ready : unruly_driver_result(call)

/* A call that needs the device. */
#define ON_DEVICE(device, call)                                                                                                 \
  if (!is_initialised)                                                                                                          \
    return CUDA_ERROR_NOT_INITIALIZED;                                                                                          \
  return (device) != 0 ? CUDA_ERROR_INVALID_DEVICE : unruly_driver_result(call)

CUresult cuInit(unsigned flags) {
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult error = unruly_driver_result(unruly_reached());
  is_initialised = error != CUDA_ERROR_NO_DEVICE;
  return error;
}

CUresult cuDriverGetVersion(int *version) { return unruly_driver_result(cudaDriverGetVersion(version)); }

/* The driver's names differ from the runtime's. */
#define ERRORS(X)                                                                                                               \
  X(CUDA_SUCCESS)                                                                                                               \
  X(CUDA_ERROR_INVALID_VALUE)                                                                                                   \
  X(CUDA_ERROR_OUT_OF_MEMORY)                                                                                                   \
  X(CUDA_ERROR_NOT_INITIALIZED)                                                                                                 \
  X(CUDA_ERROR_DEINITIALIZED)                                                                                                   \
  X(CUDA_ERROR_PROFILER_DISABLED)                                                                                               \
  X(CUDA_ERROR_NO_DEVICE)                                                                                                       \
  X(CUDA_ERROR_INVALID_DEVICE)                                                                                                  \
  X(CUDA_ERROR_INVALID_IMAGE)                                                                                                   \
  X(CUDA_ERROR_INVALID_CONTEXT)                                                                                                 \
  X(CUDA_ERROR_CONTEXT_ALREADY_CURRENT)                                                                                         \
  X(CUDA_ERROR_MAP_FAILED)                                                                                                      \
  X(CUDA_ERROR_UNMAP_FAILED)                                                                                                    \
  X(CUDA_ERROR_ARRAY_IS_MAPPED)                                                                                                 \
  X(CUDA_ERROR_ALREADY_MAPPED)                                                                                                  \
  X(CUDA_ERROR_NO_BINARY_FOR_GPU)                                                                                               \
  X(CUDA_ERROR_ALREADY_ACQUIRED)                                                                                                \
  X(CUDA_ERROR_NOT_MAPPED)                                                                                                      \
  X(CUDA_ERROR_NOT_MAPPED_AS_ARRAY)                                                                                             \
  X(CUDA_ERROR_NOT_MAPPED_AS_POINTER)                                                                                           \
  X(CUDA_ERROR_ECC_UNCORRECTABLE)                                                                                               \
  X(CUDA_ERROR_UNSUPPORTED_LIMIT)                                                                                               \
  X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE)                                                                                          \
  X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)                                                                                         \
  X(CUDA_ERROR_INVALID_PTX)                                                                                                     \
  X(CUDA_ERROR_INVALID_SOURCE)                                                                                                  \
  X(CUDA_ERROR_FILE_NOT_FOUND)                                                                                                  \
  X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND)                                                                                  \
  X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED)                                                                                       \
  X(CUDA_ERROR_OPERATING_SYSTEM)                                                                                                \
  X(CUDA_ERROR_INVALID_HANDLE)                                                                                                  \
  X(CUDA_ERROR_ILLEGAL_STATE)                                                                                                   \
  X(CUDA_ERROR_NOT_FOUND)                                                                                                       \
  X(CUDA_ERROR_NOT_READY)                                                                                                       \
  X(CUDA_ERROR_ILLEGAL_ADDRESS)                                                                                                 \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)                                                                                         \
  X(CUDA_ERROR_LAUNCH_TIMEOUT)                                                                                                  \
  X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING)                                                                                   \
  X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)                                                                                     \
  X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED)                                                                                         \
  X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE)                                                                                          \
  X(CUDA_ERROR_CONTEXT_IS_DESTROYED)                                                                                            \
  X(CUDA_ERROR_ASSERT)                                                                                                          \
  X(CUDA_ERROR_TOO_MANY_PEERS)                                                                                                  \
  X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)                                                                                  \
  X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED)                                                                                      \
  X(CUDA_ERROR_HARDWARE_STACK_ERROR)                                                                                            \
  X(CUDA_ERROR_ILLEGAL_INSTRUCTION)                                                                                             \
  X(CUDA_ERROR_MISALIGNED_ADDRESS)                                                                                              \
  X(CUDA_ERROR_INVALID_ADDRESS_SPACE)                                                                                           \
  X(CUDA_ERROR_INVALID_PC)                                                                                                      \
  X(CUDA_ERROR_LAUNCH_FAILED)                                                                                                   \
  X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)                                                                                    \
  X(CUDA_ERROR_NOT_PERMITTED)                                                                                                   \
  X(CUDA_ERROR_NOT_SUPPORTED)                                                                                                   \
  X(CUDA_ERROR_UNKNOWN)

CUresult cuGetErrorName(CUresult error, const char **name) {
  *name = NULL;
#define NAME(number)                                                                                                            \
  if (error == number)                                                                                                          \
    *name = #number;
  ERRORS(NAME)
  return *name != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  const char *name;
  CUresult known = cuGetErrorName(error, &name);
  *text = known == CUDA_SUCCESS ? cudaGetErrorString((cudaError_t)error) : NULL;
  return known;
}

/* ---- the device ---- */

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = 0;
  ON_DEVICE(ordinal, cudaSuccess);
}

CUresult cuDeviceGetCount(int *count) { ON_DEVICE(0, cudaGetDeviceCount(count)); }

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  ON_DEVICE(device, cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

static CUresult properties(struct cudaDeviceProp *found, CUdevice device) {
  ON_DEVICE(device, cudaGetDeviceProperties(found, device));
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  struct cudaDeviceProp found;
  CUresult error = properties(&found, device);
  if (error == CUDA_SUCCESS && length > 0)
    snprintf(name, (size_t)length, "%s", found.name);
  return error;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  struct cudaDeviceProp found;
  CUresult error = properties(&found, device);
  if (error == CUDA_SUCCESS)
    *bytes = found.totalGlobalMem;
  return error;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  struct cudaDeviceProp found;
  CUresult error = properties(&found, device);
  if (error == CUDA_SUCCESS)
    *major = found.major, *minor = found.minor;
  return error;
}

CUresult cuDeviceGetProperties(CUdevprop *wanted, CUdevice device) {
  struct cudaDeviceProp found;
  CUresult error = properties(&found, device);
  if (error != CUDA_SUCCESS)
    return error;
  wanted->maxThreadsPerBlock = found.maxThreadsPerBlock;
  memcpy(wanted->maxThreadsDim, found.maxThreadsDim, sizeof found.maxThreadsDim);
  memcpy(wanted->maxGridSize, found.maxGridSize, sizeof found.maxGridSize);
  wanted->sharedMemPerBlock = (int)found.sharedMemPerBlock;
  wanted->totalConstantMemory = (int)found.totalConstMem;
  wanted->SIMDWidth = found.warpSize;
  wanted->memPitch = (int)found.memPitch;
  wanted->regsPerBlock = found.regsPerBlock;
  wanted->clockRate = found.clockRate;
  wanted->textureAlign = (int)found.textureAlignment;
  return CUDA_SUCCESS;
}

/* ---- contexts ---- */

static CUresult push(CUcontext context) {
  if (depth == MOST_CONTEXTS)
    return CUDA_ERROR_INVALID_VALUE;
  stack[depth++] = context;
  return CUDA_SUCCESS;
}

static CUresult new_context(CUcontext *context, CUdevice device) {
  if (!is_initialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (device != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  static int only;
  *context = unruly_new_handle(UNRULY_CONTEXT, &only);
  __atomic_add_fetch(&contexts, 1, __ATOMIC_SEQ_CST);
  return CUDA_SUCCESS;
}

/* The one of the runtime. */
static CUresult primary_context(CUcontext *context, CUdevice device) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static CUcontext primary;
  pthread_mutex_lock(&lock);
  CUresult error = unruly_handle(UNRULY_CONTEXT, primary) != NULL ? CUDA_SUCCESS : new_context(&primary, device);
  *context = primary;
  pthread_mutex_unlock(&lock);
  return error;
}

void unruly_use_context(void) {
  CUcontext context;
  is_initialised = 1;
  if (depth == 0 && primary_context(&context, 0) == CUDA_SUCCESS)
    push(context);
}

CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device) {
  (void)flags;
  CUresult error = new_context(context, device);
  return error != CUDA_SUCCESS ? error : push(*context);
}

/* With the last context all memory goes. */
CUresult cuCtxDestroy(CUcontext context) {
  if (unruly_handle(UNRULY_CONTEXT, context) == NULL)
    return CUDA_ERROR_INVALID_CONTEXT;
  unruly_free_handle(context);
  if (depth > 0 && stack[depth - 1] == context)
    depth--;
  return __atomic_sub_fetch(&contexts, 1, __ATOMIC_SEQ_CST) > 0 ? CUDA_SUCCESS : unruly_driver_result(cudaDeviceReset());
}

CUresult cuCtxAttach(CUcontext *context, unsigned flags) {
  (void)flags;
  return cuCtxGetCurrent(context);
}

CUresult cuCtxDetach(CUcontext context) { return cuCtxDestroy(context); }

CUresult cuCtxPushCurrent(CUcontext context) {
  return unruly_handle(UNRULY_CONTEXT, context) != NULL ? push(context) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
  CUresult error = unruly_driver_ready();
  if (error == CUDA_SUCCESS && context != NULL)
    *context = stack[depth - 1];
  if (error == CUDA_SUCCESS)
    depth--;
  return error;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  depth = depth > 0 ? depth - 1 : 0;
  return context == NULL ? CUDA_SUCCESS : cuCtxPushCurrent(context);
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = depth > 0 ? stack[depth - 1] : NULL;
  return is_initialised ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuCtxGetDevice(CUdevice *device) { IN_CONTEXT(cudaGetDevice(device)); }

CUresult cuCtxGetFlags(unsigned *flags) { IN_CONTEXT(cudaGetDeviceFlags(flags)); }

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  *version = 3020; /* the version of the calls with 64-bit addresses */
  return context == NULL || unruly_handle(UNRULY_CONTEXT, context) != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxSynchronize(void) { IN_CONTEXT(unruly_ready()); }

CUresult cuCtxSetLimit(CUlimit limit, size_t value) { IN_CONTEXT(cudaDeviceSetLimit((enum cudaLimit)limit, value)); }

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) { IN_CONTEXT(cudaDeviceGetLimit(value, (enum cudaLimit)limit)); }

CUresult cuCtxSetCacheConfig(CUfunc_cache config) { IN_CONTEXT(cudaDeviceSetCacheConfig((enum cudaFuncCache)config)); }

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) { IN_CONTEXT(cudaDeviceGetCacheConfig((enum cudaFuncCache *)config)); }

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return primary_context(context, device);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) { ON_DEVICE(device, cudaSuccess); }

CUresult cuDevicePrimaryCtxReset(CUdevice device) { ON_DEVICE(device, cudaDeviceReset()); }

/* ---- memory ---- */

static void *pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

CUresult cuMemGetInfo(size_t *free_bytes, size_t *all) { IN_CONTEXT(cudaMemGetInfo(free_bytes, all)); }

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) { IN_CONTEXT(bytes == 0 ? cudaErrorInvalidValue : cudaMalloc((void **)address, bytes)); }

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element_bytes) {
  (void)element_bytes;
  IN_CONTEXT(cudaMallocPitch((void **)address, pitch, width, height));
}

CUresult cuMemAllocHost(void **host, size_t bytes) { IN_CONTEXT(cudaMallocHost(host, bytes)); }

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  IN_CONTEXT(cudaMallocManaged((void **)address, bytes, flags));
}

CUresult cuMemHostAlloc(void **host, size_t bytes, unsigned flags) { IN_CONTEXT(cudaHostAlloc(host, bytes, flags)); }

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *host, unsigned flags) {
  IN_CONTEXT(cudaHostGetDevicePointer((void **)address, host, flags));
}

CUresult cuMemFree(CUdeviceptr address) { IN_CONTEXT(cudaFree(pointer(address))); }

CUresult cuMemFreeHost(void *host) { IN_CONTEXT(cudaFreeHost(host)); }

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  IN_CONTEXT(cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  IN_CONTEXT(cudaMemcpy(pointer(to), from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  IN_CONTEXT(cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  IN_CONTEXT(cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  IN_CONTEXT(cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  IN_CONTEXT(cudaMemcpyAsync(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  IN_CONTEXT(cudaMemcpyAsync(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  IN_CONTEXT(cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream));
}

static cudaError_t set(const char *call, CUdeviceptr to, uint32_t value, size_t count, unsigned bytes, CUstream stream) {
  if (!unruly_is_stream(stream))
    return cudaErrorInvalidResourceHandle;
  if (to % bytes != 0)
    return unruly_refuse(call, cudaErrorInvalidValue, "the address is not a multiple of the size of an element");
  return unruly_set(call, unruly_rows(pointer(to), count * bytes, UNRULY_ON_DEVICE), count * bytes, 1, value, bytes);
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) { IN_CONTEXT(set("cuMemsetD8", to, value, count, 1, NULL)); }

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  IN_CONTEXT(set("cuMemsetD16", to, value, count, 2, NULL));
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) { IN_CONTEXT(set("cuMemsetD32", to, value, count, 4, NULL)); }

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  IN_CONTEXT(set("cuMemsetD8Async", to, value, count, 1, stream));
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  IN_CONTEXT(set("cuMemsetD16Async", to, value, count, 2, stream));
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  IN_CONTEXT(set("cuMemsetD32Async", to, value, count, 4, stream));
}

/* ---- streams and events ---- */

CUresult cuStreamCreate(CUstream *stream, unsigned flags) { IN_CONTEXT(cudaStreamCreateWithFlags(stream, flags)); }

CUresult cuStreamDestroy(CUstream stream) { IN_CONTEXT(cudaStreamDestroy(stream)); }

CUresult cuStreamSynchronize(CUstream stream) { IN_CONTEXT(cudaStreamSynchronize(stream)); }

CUresult cuStreamQuery(CUstream stream) { IN_CONTEXT(cudaStreamQuery(stream)); }

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) { IN_CONTEXT(cudaStreamWaitEvent(stream, event, flags)); }

CUresult cuEventCreate(CUevent *event, unsigned flags) { IN_CONTEXT(cudaEventCreateWithFlags(event, flags)); }

CUresult cuEventDestroy(CUevent event) { IN_CONTEXT(cudaEventDestroy(event)); }

CUresult cuEventRecord(CUevent event, CUstream stream) { IN_CONTEXT(cudaEventRecord(event, stream)); }

CUresult cuEventSynchronize(CUevent event) { IN_CONTEXT(cudaEventSynchronize(event)); }

CUresult cuEventQuery(CUevent event) { IN_CONTEXT(cudaEventQuery(event)); }

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  IN_CONTEXT(cudaEventElapsedTime(milliseconds, start, end));
}
