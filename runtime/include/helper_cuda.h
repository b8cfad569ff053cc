/* Checks of calls and choice of a device, in the names of the CUDA samples. */
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_
#include "unruly/aside.h"

#include "cuda_runtime.h"
#include "helper_string.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef DEVICE_RESET
#define DEVICE_RESET cudaDeviceReset();
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

static inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

template <class T> static inline void check(T result, char const *const function, const char *const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, (int)result, cudaGetErrorName((cudaError_t)result), function);
    exit(EXIT_FAILURE);
  }
}
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)

static inline void __getLastCudaError(const char *message, const char *file, const int line) {
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    fprintf(stderr, "%s(%d): getLastCudaError: %s: (%d) %s\n", file, line, message, (int)error, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)

static inline void __printLastCudaError(const char *message, const char *file, const int line) {
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    fprintf(stderr, "%s(%d): getLastCudaError: %s: (%d) %s\n", file, line, message, (int)error, cudaGetErrorString(error));
}
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

static inline int ftoi(float value) { return (int)(value >= 0 ? value + 0.5f : value - 0.5f); }

/* Single-precision cores of a multiprocessor, by compute capability. */
static inline int _ConvertSMVer2Cores(int major, int minor) {
  switch (major) {
  case 1: return 8;
  case 2: return minor == 0 ? 32 : 48;
  case 3: return 192;
  case 6: return minor == 0 ? 64 : 128;
  case 7: return 64;
  case 8: return minor == 0 ? 64 : 128;
  default: return 128;
  }
}
static inline const char *_ConvertSMVer2ArchName(int major, int) {
  const char *const names[] = {"", "Tesla", "Fermi", "Kepler", "", "Maxwell", "Pascal", "Volta", "Ampere", "Hopper"};
  return major >= 1 && major <= 9 ? names[major] : "Graphics Device";
}

static inline int gpuDeviceInit(int device) {
  int count;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count == 0) {
    fprintf(stderr, "gpuDeviceInit() CUDA error: no devices supporting CUDA.\n");
    exit(EXIT_FAILURE);
  }
  if (device < 0)
    device = 0;
  if (device > count - 1)
    return -device;
  checkCudaErrors(cudaSetDevice(device));
  return device;
}
static inline int gpuGetMaxGflopsDeviceId() {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count == 0) {
    fprintf(stderr, "gpuGetMaxGflopsDeviceId() CUDA error: no devices supporting CUDA.\n");
    exit(EXIT_FAILURE);
  }
  return 0;
}
static inline int findCudaDevice(int argc, const char **argv) {
  int device = 0;
  if (checkCmdLineFlag(argc, argv, "device"))
    device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
  else
    checkCudaErrors(cudaSetDevice(device = gpuGetMaxGflopsDeviceId()));
  if (device < 0) {
    printf("exiting...\n");
    exit(EXIT_FAILURE);
  }
  struct cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name, properties.major, properties.minor);
  return device;
}
static inline int findIntegratedGPU() { return -1; }
static inline bool checkCudaCapabilities(int major, int minor) {
  struct cudaDeviceProp properties;
  int device = 0;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  bool suffices = properties.major > major || (properties.major == major && properties.minor >= minor);
  if (!suffices)
    printf("  No GPU device was found that can support CUDA compute capability %d.%d.\n", major, minor);
  return suffices;
}

#include "unruly/back.h"

#endif
