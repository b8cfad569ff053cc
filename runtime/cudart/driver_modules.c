/* The driver API: modules, their functions and variables, and launches. */
#include "driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A module keeps its text for as long as the program runs. */
static CUresult load(const char *call, CUmodule *handle, const char *image) {
  struct unruly_module *module;
  CUresult error = unruly_driver_ready();
  if (error != CUDA_SUCCESS)
    return error;
  if (handle == NULL || image == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  const char *packed = unruly_image(image);
  char *text = strdup(packed != NULL ? packed : image);
  if (text == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  error = unruly_driver_result(unruly_module_load(call, text, &module));
  if (error == CUDA_SUCCESS)
    *handle = unruly_new_handle(UNRULY_MODULE_HANDLE, module);
  return error;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) { return load("cuModuleLoadData", module, image); }

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values) {
  (void)count, (void)options, (void)values; /* options are for a compiler, which there is not */
  return load("cuModuleLoadDataEx", module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) { return load("cuModuleLoadFatBinary", module, image); }

static char *contents(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  long bytes;
  if (file == NULL)
    return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (bytes = ftell(file)) >= 0 && (text = calloc(1, (size_t)bytes + 1)) != NULL) {
    rewind(file);
    if (fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
      free(text);
      text = NULL;
    }
  }
  fclose(file);
  return text;
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
  char *text = path != NULL ? contents(path) : NULL;
  if (text == NULL)
    return CUDA_ERROR_FILE_NOT_FOUND;
  CUresult error = load("cuModuleLoad", module, text);
  free(text);
  return error;
}

CUresult cuModuleUnload(CUmodule handle) {
  struct unruly_module *module = unruly_handle(UNRULY_MODULE_HANDLE, handle);
  if (module == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  unruly_free_handle(handle);
  return unruly_driver_result(unruly_module_unload("cuModuleUnload", module));
}

CUresult cuModuleGetFunction(CUfunction *handle, CUmodule from, const char *name) {
  struct unruly_module *module = unruly_handle(UNRULY_MODULE_HANDLE, from);
  struct unruly_function *function;
  if (handle == NULL || name == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (module == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult error = unruly_driver_result(unruly_module_function("cuModuleGetFunction", module, name, &function));
  if (error == CUDA_SUCCESS)
    *handle = unruly_new_handle(UNRULY_FUNCTION_HANDLE, function);
  return error;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule from, const char *name) {
  struct unruly_module *module = unruly_handle(UNRULY_MODULE_HANDLE, from);
  uint64_t where, size;
  if (name == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (module == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult error = unruly_driver_result(unruly_module_variable("cuModuleGetGlobal", module, name, &where, &size));
  if (error == CUDA_SUCCESS && address != NULL)
    *address = where;
  if (error == CUDA_SUCCESS && bytes != NULL)
    *bytes = size;
  return error;
}

static struct unruly_function *function_of(CUfunction handle) { return unruly_handle(UNRULY_FUNCTION_HANDLE, handle); }

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction handle) {
  struct unruly_function *function = function_of(handle);
  struct cudaFuncAttributes a;
  if (value == NULL || function == NULL)
    return value == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
  CUresult error = unruly_driver_result(cudaFuncGetAttributes(&a, function->stub));
  if (error != CUDA_SUCCESS)
    return error;
  const int values[] = {a.maxThreadsPerBlock, (int)a.sharedSizeBytes, (int)a.constSizeBytes, (int)a.localSizeBytes, a.numRegs,
                        a.ptxVersion,         a.binaryVersion,        a.cacheModeCA,         a.maxDynamicSharedSizeBytes,
                        a.preferredShmemCarveout};
  if ((size_t)which >= sizeof values / sizeof *values)
    return CUDA_ERROR_INVALID_VALUE;
  *value = values[which];
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute which, int value) {
  struct unruly_function *function = function_of(handle);
  return function == NULL ? CUDA_ERROR_INVALID_HANDLE
                          : unruly_driver_result(cudaFuncSetAttribute(function->stub, (enum cudaFuncAttribute)which, value));
}

CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config) {
  struct unruly_function *function = function_of(handle);
  return function == NULL ? CUDA_ERROR_INVALID_HANDLE
                          : unruly_driver_result(cudaFuncSetCacheConfig(function->stub, (enum cudaFuncCache)config));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction handle, int threads, size_t shared) {
  struct unruly_function *function = function_of(handle);
  return function == NULL ? CUDA_ERROR_INVALID_HANDLE
                          : unruly_driver_result(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function->stub, threads, shared));
}

/* The parameters of a launch that has them as one piece. 0: the list is wrong. */
static int in_one_piece(void **extra, struct unruly_arguments *arguments) {
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      arguments->piece = extra[1];
    else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
      arguments->bytes = *(size_t *)extra[1];
    else
      return 0;
  }
  return arguments->piece != NULL;
}

CUresult cuLaunchKernel(CUfunction handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                        unsigned block_z, unsigned shared, CUstream stream, void **arguments, void **extra) {
  const char *call = "cuLaunchKernel";
  struct unruly_function *function = function_of(handle);
  CUresult error = unruly_driver_ready();
  if (error != CUDA_SUCCESS)
    return error;
  if (function == NULL || !unruly_is_stream(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  struct unruly_arguments given = {.each = arguments};
  if (arguments == NULL && extra != NULL && !in_one_piece(extra, &given))
    return CUDA_ERROR_INVALID_VALUE;
  /* A piece may leave out what aligns its end. */
  if (given.piece != NULL && (given.bytes > function->parameter_bytes || given.bytes + 8 < function->parameter_bytes))
    return unruly_driver_result(
        unruly_refuse(call, cudaErrorInvalidValue, "the parameters have not the size that the kernel takes"));
  dim3 grid = {grid_x, grid_y, grid_z}, threads = {block_x, block_y, block_z};
  return unruly_driver_result(unruly_launch(call, function, grid, threads, given, shared));
}
