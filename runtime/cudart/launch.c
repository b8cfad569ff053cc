/* Launches: configurations of `<<<...>>>`, arguments, and the kernel. A launch has ended when its call returns. */
#include "internal.h"
#include <pthread.h>
#include <string.h>

/* What `<<<...>>>` says, until the stub of the kernel takes it. */
struct configuration {
  dim3 grid, block;
  size_t shared;
  void *stream;
};
enum { MOST_NESTED = 64 };
static _Thread_local struct configuration pushed[MOST_NESTED];
static _Thread_local unsigned count;

/* Memory that both sides see is copied to the device and back around a launch, which others must not disturb. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  if (count == MOST_NESTED)
    return 1;
  pushed[count++] = (struct configuration){grid, block, shared, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (count == 0)
    return cudaErrorInvalidConfiguration;
  struct configuration *top = &pushed[--count];
  *grid = top->grid;
  *block = top->block;
  *shared = top->shared;
  *(void **)stream = top->stream;
  return cudaSuccess;
}

/* Where the parameter block of a launch starts in the message, and what it can be. */
enum { HEAD = 8 + 6 * 4 + 4, MOST_PARAMETERS = sizeof((struct unruly_message *)0)->bytes - HEAD };

static cudaError_t parameters(const char *call, const struct unruly_function *function, struct unruly_arguments arguments,
                              unsigned char *into) {
  if (arguments.piece != NULL) {
    memcpy(into, arguments.piece, arguments.bytes < function->parameter_bytes ? arguments.bytes : function->parameter_bytes);
    return cudaSuccess;
  }
  if (function->parameters > 0 && arguments.each == NULL)
    return unruly_refuse(call, cudaErrorInvalidValue, "the kernel has parameters, and there are no arguments");
  for (uint32_t i = 0; i < function->parameters; i++)
    memcpy(into + function->parameter[i].offset, arguments.each[i], function->parameter[i].bytes);
  return cudaSuccess;
}

static cudaError_t launch(const char *call, const struct unruly_function *function, struct unruly_message *message) {
  const unsigned char *block = message->bytes + HEAD;
  cudaError_t error = unruly_push_twins(call, block, function->parameter_bytes);
  if (error != cudaSuccess)
    return error;
  error = unruly_ask_launch(call, message);
  if (error == cudaSuccess)
    return unruly_pull_twins(call, block, function->parameter_bytes);
  /* A kernel that has failed leaves nothing to work with; a launch that has been refused leaves all as it was. */
  if (error >= cudaErrorIllegalAddress && error != cudaErrorLaunchOutOfResources && error != cudaErrorNotSupported)
    unruly_set_sticky(error);
  return error;
}

cudaError_t unruly_launch(const char *call, struct unruly_function *function, dim3 grid, dim3 block, struct unruly_arguments arguments,
                          size_t shared) {
  struct unruly_message message = {.length = 0};
  cudaError_t error = unruly_know(call, function);
  if (error != cudaSuccess)
    return error;
  if (shared > UINT32_MAX)
    return unruly_refuse(call, cudaErrorInvalidValue, "the shared memory of a block is more than any GPU has");
  unruly_put64(&message, function->handle);
  unsigned sizes[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared};
  unruly_put(&message, sizes, sizeof sizes);
  if (function->parameter_bytes > MOST_PARAMETERS)
    return unruly_refuse(call, cudaErrorInvalidValue, "the parameters of the kernel take more than 8,156 bytes");
  error = parameters(call, function, arguments, message.bytes + HEAD);
  if (error != cudaSuccess)
    return error;
  message.length += function->parameter_bytes;
  pthread_mutex_lock(&one_at_a_time);
  error = launch(call, function, &message);
  pthread_mutex_unlock(&one_at_a_time);
  return error;
}

static cudaError_t launch_stub(const char *call, const void *stub, dim3 grid, dim3 block, struct unruly_arguments arguments,
                               size_t shared, cudaStream_t stream) {
  struct unruly_function *function;
  cudaError_t error = unruly_check_stream(call, stream);
  if (error == cudaSuccess)
    error = unruly_function(call, stub, &function);
  return error != cudaSuccess ? error : unruly_launch(call, function, grid, block, arguments, shared);
}

cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **each, size_t shared, cudaStream_t stream) {
  const struct unruly_arguments arguments = {.each = each};
  return unruly_done(launch_stub("cudaLaunchKernel", stub, grid, block, arguments, shared, stream));
}

/* All blocks must run at once. */
static cudaError_t fits(const char *call, const void *stub, dim3 grid, dim3 block, size_t shared) {
  int blocks;
  struct unruly_properties gpu;
  cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stub, (int)(block.x * block.y * block.z), shared);
  if (error == cudaSuccess)
    error = unruly_properties(call, &gpu);
  if (error != cudaSuccess)
    return error;
  unsigned long long wanted = (unsigned long long)grid.x * grid.y * grid.z;
  if (wanted > (unsigned long long)blocks * gpu.cores)
    return unruly_refuse(call, cudaErrorCooperativeLaunchTooLarge, "the blocks of a cooperative launch must all run at once");
  return cudaSuccess;
}

cudaError_t cudaLaunchCooperativeKernel(const void *stub, dim3 grid, dim3 block, void **each, size_t shared,
                                        cudaStream_t stream) {
  const char *call = "cudaLaunchCooperativeKernel";
  const struct unruly_arguments arguments = {.each = each};
  cudaError_t error = fits(call, stub, grid, block, shared);
  return unruly_done(error != cudaSuccess ? error : launch_stub(call, stub, grid, block, arguments, shared, stream));
}

/* ---- the launch before CUDA 9.2 ---- */

static _Thread_local unsigned char arguments_set[MOST_PARAMETERS];

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  return unruly_done(__cudaPushCallConfiguration(grid, block, shared, stream) == 0 ? cudaSuccess : cudaErrorInvalidConfiguration);
}

cudaError_t cudaSetupArgument(const void *argument, size_t bytes, size_t offset) {
  if (argument == NULL || offset > MOST_PARAMETERS || bytes > MOST_PARAMETERS - offset)
    return unruly_done(cudaErrorInvalidValue);
  memcpy(arguments_set + offset, argument, bytes);
  return cudaSuccess;
}

cudaError_t cudaLaunch(const void *stub) {
  const struct unruly_arguments arguments = {.piece = arguments_set, .bytes = sizeof arguments_set};
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  cudaError_t error = __cudaPopCallConfiguration(&grid, &block, &shared, &stream);
  return unruly_done(error != cudaSuccess ? error : launch_stub("cudaLaunch", stub, grid, block, arguments, shared, stream));
}
