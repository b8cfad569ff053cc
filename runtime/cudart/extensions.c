/* The units of the papers, for the host of a program. */
#include "internal.h"
#pragma GCC visibility push(default)
#include "unruly.h"
#pragma GCC visibility pop

cudaError_t unrulyWorklistCount(unsigned long long *count) {
  const char *call = "unrulyWorklistCount";
  struct unruly_message nothing = {.length = 0};
  unsigned char reply[8];
  if (count == NULL)
    return unruly_done(cudaErrorInvalidValue);
  cudaError_t error = unruly_ready();
  if (error == cudaSuccess)
    error = unruly_ask(call, UNRULY_WORKLIST, &nothing, NULL, 0, reply, sizeof reply);
  if (error == cudaSuccess)
    *count = unruly_get64(reply);
  return unruly_done(error);
}

cudaError_t unrulyConfigureReorder(const void *target, size_t element_bytes, const void *indices, const void *secondary,
                                   size_t count, int filter) {
  const char *call = "unrulyConfigureReorder";
  struct unruly_message message = {.length = 0};
  unruly_put64(&message, (uintptr_t)target);
  unruly_put64(&message, element_bytes);
  unruly_put64(&message, (uintptr_t)indices);
  unruly_put64(&message, (uintptr_t)secondary);
  unruly_put64(&message, count);
  unruly_put32(&message, (uint32_t)filter);
  cudaError_t error = unruly_ready();
  if (error == cudaSuccess)
    error = unruly_ask(call, UNRULY_REORDER, &message, NULL, 0, NULL, 0);
  return unruly_done(error);
}
