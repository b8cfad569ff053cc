/* What programs use of the old SDK's utilities: checks, timers, arguments, comparisons. */
#ifndef UNRULY_CUTIL_H
#define UNRULY_CUTIL_H
#define _CUTIL_H_
#include "unruly/aside.h"

#include "cuda_runtime.h"
#include "helper_functions.h"
#include <stdio.h>
#include <stdlib.h>

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };

#define CUDA_SAFE_CALL_NO_SYNC(call)                                                                                             \
  do {                                                                                                                           \
    cudaError_t unruly_error = call;                                                                                             \
    if (cudaSuccess != unruly_error) {                                                                                           \
      fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__, cudaGetErrorString(unruly_error));       \
      exit(EXIT_FAILURE);                                                                                                        \
    }                                                                                                                            \
  } while (0)
#define CUDA_SAFE_CALL(call)                                                                                                     \
  do {                                                                                                                           \
    CUDA_SAFE_CALL_NO_SYNC(call);                                                                                                \
    CUDA_SAFE_CALL_NO_SYNC(cudaThreadSynchronize());                                                                             \
  } while (0)
#define CUT_SAFE_CALL(call)                                                                                                      \
  do {                                                                                                                           \
    if (CUTTrue != call) {                                                                                                       \
      fprintf(stderr, "Cut error in file '%s' in line %i.\n", __FILE__, __LINE__);                                               \
      exit(EXIT_FAILURE);                                                                                                        \
    }                                                                                                                            \
  } while (0)
#define CUT_CHECK_ERROR(message)                                                                                                 \
  do {                                                                                                                           \
    cudaError_t unruly_error = cudaGetLastError();                                                                               \
    if (cudaSuccess == unruly_error)                                                                                             \
      unruly_error = cudaThreadSynchronize();                                                                                    \
    if (cudaSuccess != unruly_error) {                                                                                           \
      fprintf(stderr, "Cuda error: %s in file '%s' in line %i : %s.\n", message, __FILE__, __LINE__,                             \
              cudaGetErrorString(unruly_error));                                                                                 \
      exit(EXIT_FAILURE);                                                                                                        \
    }                                                                                                                            \
  } while (0)
#define CUT_SAFE_MALLOC(call)                                                                                                    \
  do {                                                                                                                           \
    if (NULL == (call)) {                                                                                                        \
      fprintf(stderr, "Host malloc failure in file '%s' in line %i\n", __FILE__, __LINE__);                                      \
      exit(EXIT_FAILURE);                                                                                                        \
    }                                                                                                                            \
  } while (0)
#define CUT_DEVICE_INIT(...)                                                                                                     \
  do {                                                                                                                           \
    int unruly_count = 0;                                                                                                        \
    CUDA_SAFE_CALL_NO_SYNC(cudaGetDeviceCount(&unruly_count));                                                                   \
    if (unruly_count == 0) {                                                                                                     \
      fprintf(stderr, "cutil error: no devices supporting CUDA.\n");                                                             \
      exit(EXIT_FAILURE);                                                                                                        \
    }                                                                                                                            \
    struct cudaDeviceProp unruly_properties;                                                                                     \
    CUDA_SAFE_CALL_NO_SYNC(cudaGetDeviceProperties(&unruly_properties, 0));                                                      \
    CUDA_SAFE_CALL_NO_SYNC(cudaSetDevice(0));                                                                                    \
  } while (0)
#define CUT_EXIT(...)                                                                                                            \
  do {                                                                                                                           \
    exit(EXIT_SUCCESS);                                                                                                          \
  } while (0)
#define CUT_BANK_CHECKER(array, index) array[index]
#define CUT_CONDITION(value)                                                                                                     \
  do {                                                                                                                           \
    if (!(value)) {                                                                                                              \
      fprintf(stderr, "Condition failure in file '%s' in line %i.\n", __FILE__, __LINE__);                                       \
      exit(EXIT_FAILURE);                                                                                                        \
    }                                                                                                                            \
  } while (0)
#define cutilSafeCall(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define cutilSafeThreadSync() CUDA_SAFE_CALL_NO_SYNC(cudaThreadSynchronize())
#define cutilExit(argc, argv) CUT_EXIT(argc, argv)
#define cutilDeviceInit(argc, argv) CUT_DEVICE_INIT(argc, argv)
#define cutGetMaxGflopsDeviceId() 0
#define cutilSafeMalloc(call) CUT_SAFE_MALLOC(call)

/* ---- Timers: a name is a number from 1 on */

static inline std::vector<StopWatchInterface *> &unrulyTimers() {
  static std::vector<StopWatchInterface *> timers;
  return timers;
}
static inline StopWatchInterface *unrulyTimer(unsigned int name) {
  return name >= 1 && name <= unrulyTimers().size() ? unrulyTimers()[name - 1] : NULL;
}
static inline CUTBoolean cutCreateTimer(unsigned int *name) {
  unrulyTimers().push_back(new StopWatchInterface);
  *name = (unsigned int)unrulyTimers().size();
  return CUTTrue;
}
static inline CUTBoolean cutDeleteTimer(unsigned int name) {
  if (unrulyTimer(name) == NULL)
    return CUTFalse;
  delete unrulyTimers()[name - 1];
  unrulyTimers()[name - 1] = NULL;
  return CUTTrue;
}
static inline CUTBoolean cutStartTimer(unsigned int name) {
  StopWatchInterface *timer = unrulyTimer(name);
  return sdkStartTimer(&timer) ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutStopTimer(unsigned int name) {
  StopWatchInterface *timer = unrulyTimer(name);
  return sdkStopTimer(&timer) ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutResetTimer(unsigned int name) {
  StopWatchInterface *timer = unrulyTimer(name);
  return sdkResetTimer(&timer) ? CUTTrue : CUTFalse;
}
static inline float cutGetTimerValue(unsigned int name) {
  StopWatchInterface *timer = unrulyTimer(name);
  return sdkGetTimerValue(&timer);
}
static inline float cutGetAverageTimerValue(unsigned int name) {
  StopWatchInterface *timer = unrulyTimer(name);
  return sdkGetAverageTimerValue(&timer);
}

/* ---- Arguments */

static inline CUTBoolean cutCheckCmdLineFlag(const int argc, const char **argv, const char *name) {
  return checkCmdLineFlag(argc, argv, name) ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutGetCmdLineArgumenti(const int argc, const char **argv, const char *name, int *value) {
  bool found = checkCmdLineFlag(argc, argv, name);
  if (found)
    *value = getCmdLineArgumentInt(argc, argv, name);
  return found ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutGetCmdLineArgumentf(const int argc, const char **argv, const char *name, float *value) {
  bool found = checkCmdLineFlag(argc, argv, name);
  if (found)
    *value = getCmdLineArgumentFloat(argc, argv, name);
  return found ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutGetCmdLineArgumentstr(const int argc, const char **argv, const char *name, char **value) {
  return getCmdLineArgumentString(argc, argv, name, value) ? CUTTrue : CUTFalse;
}
static inline char *cutFindFilePath(const char *filename, const char *executable) { return sdkFindFilePath(filename, executable); }
static inline void cutFree(void *pointer) { free(pointer); }

/* ---- Comparisons */

static inline CUTBoolean cutComparef(const float *reference, const float *data, const unsigned int length) {
  return unrulyCompare(reference, data, length, 0.0f, 0.0f) ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutComparefe(const float *reference, const float *data, const unsigned int length, const float epsilon) {
  return unrulyCompare(reference, data, length, epsilon, 0.0f) ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutComparei(const int *reference, const int *data, const unsigned int length) {
  return unrulyCompare(reference, data, length, 0, 0.0f) ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutCompareub(const unsigned char *reference, const unsigned char *data, const unsigned int length) {
  return unrulyCompare(reference, data, length, 0, 0.0f) ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutCompareL2fe(const float *reference, const float *data, const unsigned int length, const float epsilon) {
  return sdkCompareL2fe(reference, data, length, epsilon) ? CUTTrue : CUTFalse;
}

#include "unruly/back.h"

#endif
