/* The device: there is one, number 0. */
#include "internal.h"
#include <pthread.h>
#include <string.h>

/* What is the same for every configuration. */
enum { TEXTURE_ALIGNMENT = 256, MOST_THREADS_DIMENSION = 1024, MOST_THREADS_Z = 64, MOST_GRID_YZ = 65535 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_known;
static struct unruly_properties known;
static unsigned device_flags;
static enum cudaFuncCache cache_config = cudaFuncCachePreferNone;
static enum cudaSharedMemConfig shared_config = cudaSharedMemBankSizeFourByte;

/* There is a device, whether a kernel has failed or not. */
static cudaError_t present(void) {
  cudaError_t error = unruly_reached();
  return error == cudaErrorNoDevice ? error : cudaSuccess;
}

cudaError_t unruly_properties(const char *call, struct unruly_properties *properties) {
  struct unruly_message nothing = {.length = 0};
  cudaError_t error = present();
  if (error != cudaSuccess)
    return error;
  pthread_mutex_lock(&lock);
  if (!is_known)
    error = unruly_ask(call, UNRULY_PROPERTIES, &nothing, NULL, 0, &known, sizeof known);
  is_known = error == cudaSuccess;
  *properties = known;
  pthread_mutex_unlock(&lock);
  return error;
}

static cudaError_t check_device(int device) {
  cudaError_t error = present();
  return error != cudaSuccess ? error : device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceCount(int *count) {
  if (count == NULL)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = present();
  *count = error == cudaSuccess;
  return unruly_done(error);
}

cudaError_t cudaGetDevice(int *device) {
  if (device == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *device = 0;
  return unruly_done(present());
}

cudaError_t cudaSetDevice(int device) { return unruly_done(check_device(device)); }

cudaError_t cudaSetValidDevices(int *devices, int count) {
  for (int i = 0; i < count; i++)
    if (devices[i] != 0)
      return unruly_done(cudaErrorInvalidDevice);
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted) {
  (void)wanted;
  return cudaGetDevice(device);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  const char *call = "cudaGetDeviceProperties";
  struct unruly_properties gpu;
  if (properties == NULL)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = check_device(device);
  if (error == cudaSuccess)
    error = unruly_properties(call, &gpu);
  if (error != cudaSuccess)
    return unruly_done(error);
  memset(properties, 0, sizeof *properties);
  memcpy(properties->name, gpu.name, sizeof properties->name);
  properties->totalGlobalMem = gpu.memory_bytes;
  properties->sharedMemPerBlock = gpu.shared_bytes;
  properties->sharedMemPerMultiprocessor = gpu.shared_bytes;
  properties->sharedMemPerBlockOptin = gpu.shared_bytes;
  properties->regsPerBlock = (int)gpu.registers;
  properties->regsPerMultiprocessor = (int)gpu.registers;
  properties->warpSize = (int)gpu.warp_size;
  properties->memPitch = INT32_MAX;
  properties->maxThreadsPerBlock = (int)gpu.max_threads_block;
  properties->maxThreadsPerMultiProcessor = (int)gpu.max_threads_core;
  properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = MOST_THREADS_DIMENSION;
  properties->maxThreadsDim[2] = MOST_THREADS_Z;
  properties->maxGridSize[0] = INT32_MAX;
  properties->maxGridSize[1] = properties->maxGridSize[2] = MOST_GRID_YZ;
  properties->clockRate = (int)gpu.clock_khz;
  properties->memoryClockRate = (int)gpu.memory_clock_khz;
  properties->memoryBusWidth = (int)gpu.memory_bus_bits;
  properties->l2CacheSize = (int)gpu.l2_bytes;
  properties->totalConstMem = gpu.constant_bytes;
  properties->major = (int)gpu.compute_major;
  properties->minor = (int)gpu.compute_minor;
  properties->textureAlignment = TEXTURE_ALIGNMENT;
  properties->texturePitchAlignment = 32;
  properties->surfaceAlignment = TEXTURE_ALIGNMENT;
  properties->maxTexture1D = properties->maxTexture1DMipmap = 65536;
  properties->maxTexture1DLinear = 1 << 27;
  properties->maxTexture2D[0] = properties->maxTexture2D[1] = 65536;
  properties->maxTexture2DLinear[0] = properties->maxTexture2DLinear[1] = 65536;
  properties->maxTexture2DLinear[2] = INT32_MAX;
  properties->maxTexture3D[0] = properties->maxTexture3D[1] = properties->maxTexture3D[2] = 4096;
  properties->multiProcessorCount = (int)gpu.cores;
  properties->canMapHostMemory = 1;
  properties->unifiedAddressing = 1;
  properties->managedMemory = 1;
  properties->computeMode = cudaComputeModeDefault;
  properties->globalL1CacheSupported = (int)gpu.l1_caches_global;
  properties->localL1CacheSupported = 1;
  properties->cooperativeLaunch = 1;
  properties->streamPrioritiesSupported = 0;
  properties->maxBlocksPerMultiProcessor = (int)gpu.max_blocks_core;
  return cudaSuccess;
}

static cudaError_t attribute(const char *call, int *value, enum cudaDeviceAttr which, int device) {
  struct cudaDeviceProp p;
  cudaError_t error = value == NULL ? cudaErrorInvalidValue : cudaGetDeviceProperties(&p, device);
  if (error != cudaSuccess)
    return error;
#define CASE(name, field)                                                                                                       \
  case cudaDevAttr##name:                                                                                                       \
    *value = (int)(field);                                                                                                      \
    return cudaSuccess;
  switch (which) {
    CASE(MaxThreadsPerBlock, p.maxThreadsPerBlock)
    CASE(MaxBlockDimX, p.maxThreadsDim[0])
    CASE(MaxBlockDimY, p.maxThreadsDim[1])
    CASE(MaxBlockDimZ, p.maxThreadsDim[2])
    CASE(MaxGridDimX, p.maxGridSize[0])
    CASE(MaxGridDimY, p.maxGridSize[1])
    CASE(MaxGridDimZ, p.maxGridSize[2])
    CASE(MaxSharedMemoryPerBlock, p.sharedMemPerBlock)
    CASE(TotalConstantMemory, p.totalConstMem)
    CASE(WarpSize, p.warpSize)
    CASE(MaxPitch, p.memPitch)
    CASE(MaxRegistersPerBlock, p.regsPerBlock)
    CASE(ClockRate, p.clockRate)
    CASE(TextureAlignment, p.textureAlignment)
    CASE(GpuOverlap, 0)
    CASE(MultiProcessorCount, p.multiProcessorCount)
    CASE(KernelExecTimeout, 0)
    CASE(Integrated, 0)
    CASE(CanMapHostMemory, 1)
    CASE(ComputeMode, cudaComputeModeDefault)
    CASE(MaxTexture1DWidth, p.maxTexture1D)
    CASE(MaxTexture2DWidth, p.maxTexture2D[0])
    CASE(MaxTexture2DHeight, p.maxTexture2D[1])
    CASE(MaxTexture3DWidth, p.maxTexture3D[0])
    CASE(MaxTexture3DHeight, p.maxTexture3D[1])
    CASE(MaxTexture3DDepth, p.maxTexture3D[2])
    CASE(SurfaceAlignment, p.surfaceAlignment)
    CASE(ConcurrentKernels, 0)
    CASE(EccEnabled, 0)
    CASE(PciBusId, 0)
    CASE(PciDeviceId, 0)
    CASE(TccDriver, 0)
    CASE(MemoryClockRate, p.memoryClockRate)
    CASE(GlobalMemoryBusWidth, p.memoryBusWidth)
    CASE(L2CacheSize, p.l2CacheSize)
    CASE(MaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor)
    CASE(AsyncEngineCount, 0)
    CASE(UnifiedAddressing, 1)
    CASE(TexturePitchAlignment, p.texturePitchAlignment)
    CASE(ComputeCapabilityMajor, p.major)
    CASE(ComputeCapabilityMinor, p.minor)
    CASE(StreamPrioritiesSupported, 0)
    CASE(GlobalL1CacheSupported, p.globalL1CacheSupported)
    CASE(LocalL1CacheSupported, 1)
    CASE(MaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor)
    CASE(MaxRegistersPerMultiprocessor, p.regsPerMultiprocessor)
    CASE(ManagedMemory, 1)
    CASE(IsMultiGpuBoard, 0)
    CASE(HostNativeAtomicSupported, 0)
    CASE(PageableMemoryAccess, 0)
    CASE(ConcurrentManagedAccess, 0)
    CASE(ComputePreemptionSupported, 0)
    CASE(CanUseHostPointerForRegisteredMem, 0)
    CASE(CooperativeLaunch, 1)
    CASE(CooperativeMultiDeviceLaunch, 0)
    CASE(MaxSharedMemoryPerBlockOptin, p.sharedMemPerBlock)
    CASE(MaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor)
  default:
    return unruly_refuse(call, cudaErrorNotSupported, "this attribute is not known here");
  }
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int device) {
  return unruly_done(attribute("cudaDeviceGetAttribute", value, which, device));
}

cudaError_t cudaDeviceSynchronize(void) { return unruly_done(unruly_ready()); }

cudaError_t cudaThreadSynchronize(void) { return unruly_done(unruly_ready()); }

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if ((flags & ~(unsigned)cudaDeviceMask) != 0)
    return unruly_done(cudaErrorInvalidValue);
  device_flags = flags;
  return unruly_done(present());
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  if (flags == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *flags = device_flags | cudaDeviceMapHost;
  return unruly_done(present());
}

static cudaError_t reset(const char *call) {
  struct unruly_message nothing = {.length = 0};
  cudaError_t error = present();
  if (error == cudaSuccess)
    error = unruly_ask(call, UNRULY_RESET, &nothing, NULL, 0, NULL, 0);
  if (error != cudaSuccess)
    return error;
  unruly_set_sticky(cudaSuccess);
  unruly_remove_all_regions();
  unruly_forget_addresses();
  cudaGetLastError();
  return cudaSuccess;
}

cudaError_t cudaDeviceReset(void) { return unruly_done(reset("cudaDeviceReset")); }

cudaError_t cudaThreadExit(void) { return unruly_done(reset("cudaThreadExit")); }

static cudaError_t limit(const char *call, enum cudaLimit which, int sets, size_t *value) {
  struct unruly_message message = {.length = 0};
  unsigned char reply[8];
  unruly_put32(&message, (uint32_t)which);
  unruly_put32(&message, (uint32_t)sets);
  unruly_put64(&message, *value);
  cudaError_t error = unruly_ready();
  if (error == cudaSuccess)
    error = unruly_ask(call, UNRULY_LIMIT, &message, NULL, 0, reply, sizeof reply);
  if (error == cudaSuccess)
    *value = unruly_get64(reply);
  return error;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit which, size_t value) {
  return unruly_done(limit("cudaDeviceSetLimit", which, 1, &value));
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit which) {
  size_t found = 0;
  if (value == NULL)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = limit("cudaDeviceGetLimit", which, 0, &found);
  *value = found;
  return unruly_done(error);
}

cudaError_t cudaThreadSetLimit(enum cudaLimit which, size_t value) { return cudaDeviceSetLimit(which, value); }

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit which) { return cudaDeviceGetLimit(value, which); }

/* The sizes of the caches are those of the configuration: a preference is noted, and changes nothing. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  cache_config = config;
  return unruly_done(unruly_ready());
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  if (config == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *config = cache_config;
  return unruly_done(unruly_ready());
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config) { return cudaDeviceGetCacheConfig(config); }

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  shared_config = config == cudaSharedMemBankSizeDefault ? cudaSharedMemBankSizeFourByte : config;
  return unruly_done(unruly_ready());
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  if (config == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *config = shared_config;
  return unruly_done(unruly_ready());
}

/* The GPU is on no bus: its address is one that no other device has. */
cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
  cudaError_t error = check_device(device);
  if (text == NULL || bytes < 13)
    return unruly_done(cudaErrorInvalidValue);
  if (error == cudaSuccess)
    strcpy(text, "0000:00:00.0");
  return unruly_done(error);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
  if (device == NULL || text == NULL || strcmp(text, "0000:00:00.0") != 0)
    return unruly_done(device == NULL || text == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
  return cudaGetDevice(device);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  cudaError_t error = check_device(device);
  if (error == cudaSuccess)
    error = check_device(peer);
  if (can == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *can = 0;
  return unruly_done(error);
}

/* There is one device, which is no peer of itself. */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  (void)peer, (void)flags;
  return unruly_done(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  (void)peer;
  return unruly_done(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDriverGetVersion(int *version) {
  if (version == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *version = CUDART_VERSION; /* as the headers say, so that programs find both alike */
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }

cudaError_t cudaProfilerStart(void) { return cudaSuccess; }

cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
