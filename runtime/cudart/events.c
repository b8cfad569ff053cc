/* Events: they note the time of the model, which only kernels let pass. */
#include "internal.h"
#include <stdlib.h>

struct event {
  unsigned flags;
  int is_recorded;
  uint64_t time; /* ns */
};

static cudaError_t create(cudaEvent_t *handle, unsigned flags) {
  const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (handle == NULL || (flags & ~known) != 0)
    return cudaErrorInvalidValue;
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return error;
  struct event *event = calloc(1, sizeof *event);
  if (event == NULL)
    return cudaErrorMemoryAllocation;
  event->flags = flags;
  *handle = unruly_new_handle(UNRULY_EVENT, event);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return unruly_done(create(event, cudaEventDefault)); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return unruly_done(create(event, flags));
}

static cudaError_t find(const char *call, cudaEvent_t handle, struct event **event) {
  cudaError_t error = unruly_ready();
  *event = unruly_handle(UNRULY_EVENT, handle);
  if (error == cudaSuccess && *event == NULL)
    error = unruly_refuse(call, cudaErrorInvalidResourceHandle, "there is no such event");
  return error;
}

static cudaError_t record(const char *call, cudaEvent_t handle, cudaStream_t stream) {
  struct unruly_message nothing = {.length = 0};
  struct event *event;
  unsigned char reply[8];
  cudaError_t error = find(call, handle, &event);
  if (error == cudaSuccess)
    error = unruly_check_stream(call, stream);
  if (error == cudaSuccess)
    error = unruly_ask(call, UNRULY_TIME, &nothing, NULL, 0, reply, sizeof reply);
  if (error != cudaSuccess)
    return error;
  event->time = unruly_get64(reply);
  event->is_recorded = 1;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return unruly_done(record("cudaEventRecord", event, stream)); }

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return unruly_done(flags != 0 ? cudaErrorInvalidValue : record("cudaEventRecordWithFlags", event, stream));
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  struct event *event;
  return unruly_done(find("cudaEventQuery", handle, &event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  struct event *event;
  return unruly_done(find("cudaEventSynchronize", handle, &event));
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  struct event *event = unruly_handle(UNRULY_EVENT, handle);
  if (event == NULL)
    return unruly_done(cudaErrorInvalidResourceHandle);
  unruly_free_handle(handle);
  free(event);
  return unruly_done(unruly_ready());
}

static cudaError_t elapsed(const char *call, float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  struct event *from, *to;
  if (milliseconds == NULL)
    return cudaErrorInvalidValue;
  cudaError_t error = find(call, start, &from);
  if (error == cudaSuccess)
    error = find(call, end, &to);
  if (error != cudaSuccess)
    return error;
  if (!from->is_recorded || !to->is_recorded || ((from->flags | to->flags) & cudaEventDisableTiming) != 0)
    return unruly_refuse(call, cudaErrorInvalidResourceHandle, "an event has no time: it is not recorded, or was made without timing");
  *milliseconds = (float)((double)(int64_t)(to->time - from->time) / 1e6);
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return unruly_done(elapsed("cudaEventElapsedTime", milliseconds, start, end));
}
