/* Device variables, by the address of their shadow on the host or by their name. */
#include "internal.h"

/* Where a part of a variable is. Managed variables are on both sides. */
static cudaError_t part_of(const char *call, const void *symbol, size_t bytes, size_t offset, struct unruly_rows *rows) {
  struct unruly_variable *variable;
  cudaError_t error = unruly_variable(call, symbol, &variable);
  if (error != cudaSuccess)
    return error;
  if (offset > variable->bytes || bytes > variable->bytes - offset)
    return unruly_refuse(call, cudaErrorInvalidValue, "the copy goes beyond the end of the variable");
  *rows = unruly_rows((const void *)(uintptr_t)(variable->address + offset), bytes, UNRULY_ON_DEVICE);
  return cudaSuccess;
}

static cudaError_t to_symbol(const char *call, const void *symbol, const void *from, size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind) {
  enum unruly_side to_side, from_side;
  struct unruly_rows to;
  cudaError_t error = part_of(call, symbol, bytes, offset, &to);
  if (error != cudaSuccess)
    return error;
  if (!unruly_sides(kind, &to_side, &from_side) || to_side == UNRULY_ON_HOST)
    return unruly_refuse(call, cudaErrorInvalidMemcpyDirection, "a variable is on the device");
  return unruly_copy(call, to, unruly_rows(from, bytes, from_side), bytes, 1);
}

static cudaError_t from_symbol(const char *call, void *to, const void *symbol, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  enum unruly_side to_side, from_side;
  struct unruly_rows from;
  cudaError_t error = part_of(call, symbol, bytes, offset, &from);
  if (error != cudaSuccess)
    return error;
  if (!unruly_sides(kind, &to_side, &from_side) || from_side == UNRULY_ON_HOST)
    return unruly_refuse(call, cudaErrorInvalidMemcpyDirection, "a variable is on the device");
  return unruly_copy(call, unruly_rows(to, bytes, to_side), from, bytes, 1);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  return unruly_done(to_symbol("cudaMemcpyToSymbol", symbol, from, bytes, offset, kind));
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  return unruly_done(from_symbol("cudaMemcpyFromSymbol", to, symbol, bytes, offset, kind));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream) {
  if (!unruly_is_stream(stream))
    return unruly_done(cudaErrorInvalidResourceHandle);
  return unruly_done(to_symbol("cudaMemcpyToSymbolAsync", symbol, from, bytes, offset, kind));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  if (!unruly_is_stream(stream))
    return unruly_done(cudaErrorInvalidResourceHandle);
  return unruly_done(from_symbol("cudaMemcpyFromSymbolAsync", to, symbol, bytes, offset, kind));
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  struct unruly_variable *variable;
  cudaError_t error = unruly_variable("cudaGetSymbolAddress", symbol, &variable);
  if (error == cudaSuccess)
    *address = (void *)(uintptr_t)variable->address;
  return unruly_done(error);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  struct unruly_variable *variable;
  cudaError_t error = unruly_variable("cudaGetSymbolSize", symbol, &variable);
  if (error == cudaSuccess)
    *bytes = variable->bytes;
  return unruly_done(error);
}
