/* Streams: in order, and done at once. Work of a stream has ended when the call that asked for it returns. */
#include "internal.h"
#include <stdlib.h>

struct stream {
  unsigned flags;
  int priority;
};

int unruly_is_stream(cudaStream_t stream) {
  int is_special = stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
  return is_special || unruly_handle(UNRULY_STREAM, stream) != NULL;
}

cudaError_t unruly_check_stream(const char *call, cudaStream_t stream) {
  return unruly_is_stream(stream) ? cudaSuccess : unruly_refuse(call, cudaErrorInvalidResourceHandle, "there is no such stream");
}

static cudaError_t check(const char *call, cudaStream_t stream) {
  cudaError_t error = unruly_ready();
  return error != cudaSuccess ? error : unruly_check_stream(call, stream);
}

static cudaError_t create(cudaStream_t *handle, unsigned flags, int priority) {
  if (handle == NULL || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
    return cudaErrorInvalidValue;
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return error;
  struct stream *stream = malloc(sizeof *stream);
  if (stream == NULL)
    return cudaErrorMemoryAllocation;
  *stream = (struct stream){flags, priority};
  *handle = unruly_new_handle(UNRULY_STREAM, stream);
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return unruly_done(create(stream, cudaStreamDefault, 0)); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return unruly_done(create(stream, flags, 0));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return unruly_done(create(stream, flags, priority));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least != NULL)
    *least = 0;
  if (greatest != NULL)
    *greatest = 0;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  struct stream *stream = unruly_handle(UNRULY_STREAM, handle);
  if (stream == NULL)
    return unruly_done(cudaErrorInvalidResourceHandle);
  unruly_free_handle(handle);
  free(stream);
  return unruly_done(unruly_ready());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return unruly_done(check("cudaStreamSynchronize", stream)); }

cudaError_t cudaStreamQuery(cudaStream_t stream) { return unruly_done(check("cudaStreamQuery", stream)); }

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags) {
  struct stream *stream = unruly_handle(UNRULY_STREAM, handle);
  if (flags == NULL || !unruly_is_stream(handle))
    return unruly_done(flags == NULL ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  *flags = stream != NULL ? stream->flags : cudaStreamDefault;
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority) {
  struct stream *stream = unruly_handle(UNRULY_STREAM, handle);
  if (priority == NULL || !unruly_is_stream(handle))
    return unruly_done(priority == NULL ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  *priority = stream != NULL ? stream->priority : 0;
  return cudaSuccess;
}

/* What is recorded has happened. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  const char *call = "cudaStreamWaitEvent";
  if (flags != 0)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = check(call, stream);
  if (error == cudaSuccess && unruly_handle(UNRULY_EVENT, event) == NULL)
    error = unruly_refuse(call, cudaErrorInvalidResourceHandle, "there is no such event");
  return unruly_done(error);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags) {
  if (callback == NULL || flags != 0)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = check("cudaStreamAddCallback", stream);
  if (error == cudaSuccess || error == unruly_sticky())
    callback(stream, error, data);
  return unruly_done(error);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  if (function == NULL)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = check("cudaLaunchHostFunc", stream);
  if (error == cudaSuccess)
    function(data);
  return unruly_done(error);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags) {
  struct unruly_region region;
  (void)bytes, (void)flags;
  cudaError_t error = check("cudaStreamAttachMemAsync", stream);
  if (error == cudaSuccess && (!unruly_find_region((uintptr_t)pointer, &region) || region.kind != UNRULY_MANAGED))
    error = cudaErrorInvalidValue;
  return unruly_done(error);
}

/* Streams are never captured into a graph. */
static cudaError_t not_capturing(const char *call, cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  cudaError_t error = status == NULL ? cudaErrorInvalidValue : check(call, stream);
  if (error == cudaSuccess)
    *status = cudaStreamCaptureStatusNone;
  return error;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  return unruly_done(not_capturing("cudaStreamIsCapturing", stream, status));
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *number) {
  if (number != NULL)
    *number = 0;
  return unruly_done(not_capturing("cudaStreamGetCaptureInfo", stream, status));
}
