/* Errors: the last one of each thread, the one that stays after a kernel has failed, and their names. */
#include "internal.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local cudaError_t last;
static cudaError_t sticky;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

cudaError_t unruly_done(cudaError_t error) {
  if (error != cudaSuccess)
    last = error;
  return error;
}

cudaError_t unruly_refuse(const char *call, cudaError_t error, const char *text) {
  unruly_say(call, text);
  return error;
}

void unruly_say(const char *call, const char *text) {
  static char *said;
  pthread_mutex_lock(&lock);
  if (said == NULL || strcmp(text, said) != 0) {
    fflush(stdout);
    fprintf(stderr, "unruly: %s: %s\n", call, text);
    free(said);
    said = strdup(text);
  }
  pthread_mutex_unlock(&lock);
}

cudaError_t unruly_sticky(void) { return __atomic_load_n(&sticky, __ATOMIC_SEQ_CST); }

void unruly_set_sticky(cudaError_t error) { __atomic_store_n(&sticky, error, __ATOMIC_SEQ_CST); }

cudaError_t cudaGetLastError(void) {
  cudaError_t error = cudaPeekAtLastError();
  last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) { return unruly_sticky() != cudaSuccess ? unruly_sticky() : last; }

/* Name, and what it means. */
#define ERRORS(X)                                                                                                               \
  X(cudaSuccess, "no error")                                                                                                    \
  X(cudaErrorInvalidValue, "invalid argument")                                                                                  \
  X(cudaErrorMemoryAllocation, "out of memory")                                                                                 \
  X(cudaErrorInitializationError, "the runtime could not be initialised")                                                       \
  X(cudaErrorCudartUnloading, "the runtime is being unloaded")                                                                  \
  X(cudaErrorInvalidConfiguration, "invalid configuration argument")                                                            \
  X(cudaErrorInvalidPitchValue, "invalid pitch argument")                                                                       \
  X(cudaErrorInvalidSymbol, "invalid device symbol")                                                                            \
  X(cudaErrorInvalidHostPointer, "invalid host pointer")                                                                        \
  X(cudaErrorInvalidDevicePointer, "invalid device pointer")                                                                    \
  X(cudaErrorInvalidTexture, "invalid texture reference")                                                                       \
  X(cudaErrorInvalidTextureBinding, "the texture is not bound")                                                                 \
  X(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor")                                                            \
  X(cudaErrorInvalidMemcpyDirection, "invalid direction of a copy")                                                             \
  X(cudaErrorInvalidFilterSetting, "invalid texture filter")                                                                    \
  X(cudaErrorInvalidNormSetting, "invalid texture coordinates setting")                                                         \
  X(cudaErrorInsufficientDriver, "the driver is older than the runtime needs")                                                  \
  X(cudaErrorInvalidSurface, "invalid surface reference")                                                                       \
  X(cudaErrorInvalidDeviceFunction, "invalid device function")                                                                  \
  X(cudaErrorNoDevice, "no CUDA device is there")                                                                               \
  X(cudaErrorInvalidDevice, "there is no device of this number")                                                                \
  X(cudaErrorInvalidKernelImage, "the kernel image is invalid")                                                                 \
  X(cudaErrorDeviceUninitialized, "there is no context")                                                                        \
  X(cudaErrorNoKernelImageForDevice, "there is no kernel image for this device")                                                \
  X(cudaErrorInvalidPtx, "the PTX cannot be compiled")                                                                          \
  X(cudaErrorFileNotFound, "the file was not found")                                                                            \
  X(cudaErrorInvalidResourceHandle, "invalid resource handle")                                                                  \
  X(cudaErrorSymbolNotFound, "there is no such symbol")                                                                         \
  X(cudaErrorNotReady, "not ready yet")                                                                                         \
  X(cudaErrorIllegalAddress, "a kernel accessed an address that is not allocated")                                              \
  X(cudaErrorLaunchOutOfResources, "the launch needs more resources than the device has")                                       \
  X(cudaErrorLaunchTimeout, "the kernel did not end in time")                                                                   \
  X(cudaErrorPeerAccessAlreadyEnabled, "peer access is on already")                                                             \
  X(cudaErrorPeerAccessNotEnabled, "peer access is not on")                                                                     \
  X(cudaErrorSetOnActiveProcess, "the device is in use already")                                                                \
  X(cudaErrorContextIsDestroyed, "the context is destroyed")                                                                    \
  X(cudaErrorAssert, "an assertion of a kernel failed")                                                                         \
  X(cudaErrorHostMemoryAlreadyRegistered, "the host memory is registered already")                                              \
  X(cudaErrorHostMemoryNotRegistered, "the host memory is not registered")                                                      \
  X(cudaErrorHardwareStackError, "the stack of a kernel is damaged")                                                            \
  X(cudaErrorIllegalInstruction, "a kernel executed an illegal instruction")                                                    \
  X(cudaErrorMisalignedAddress, "a kernel accessed an address that is not aligned")                                             \
  X(cudaErrorInvalidAddressSpace, "a kernel used an address of the wrong space")                                                \
  X(cudaErrorInvalidPc, "a kernel left its code")                                                                               \
  X(cudaErrorLaunchFailure, "the launch failed")                                                                                \
  X(cudaErrorCooperativeLaunchTooLarge, "more blocks in a cooperative launch than can run at once")                             \
  X(cudaErrorNotPermitted, "not permitted")                                                                                     \
  X(cudaErrorNotSupported, "not supported")                                                                                     \
  X(cudaErrorUnknown, "unknown error")

const char *cudaGetErrorName(cudaError_t error) {
#define NAME(name, text)                                                                                                        \
  if (error == name)                                                                                                            \
    return #name;
  ERRORS(NAME)
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
#define TEXT(name, text)                                                                                                        \
  if (error == name)                                                                                                            \
    return text;
  ERRORS(TEXT)
  return "unrecognized error code";
}
