/* Copies and sets: rows of bytes from one side to the other. They have ended when their calls return. */
#include "internal.h"
#include <stdlib.h>
#include <string.h>

/* Bytes of one request. */
enum { PIECE = 1 << 20 };

struct unruly_rows unruly_rows(const void *pointer, size_t pitch, enum unruly_side side) {
  struct unruly_region region;
  uint64_t address = (uintptr_t)pointer;
  struct unruly_rows rows = {NULL, address, pitch};
  if (pointer != NULL && unruly_find_region(address, &region)) {
    int is_host_side = region.kind == UNRULY_HOST && address - (uintptr_t)region.host < region.bytes;
    if (region.host != NULL)
      rows.host = is_host_side ? (unsigned char *)pointer : region.host + (address - region.address);
  } else if (side != UNRULY_ON_DEVICE) {
    rows.host = (unsigned char *)pointer;
  }
  return rows;
}

int unruly_sides(enum cudaMemcpyKind kind, enum unruly_side *to, enum unruly_side *from) {
  switch (kind) {
  case cudaMemcpyHostToHost:
    *to = *from = UNRULY_ON_HOST;
    return 1;
  case cudaMemcpyHostToDevice:
    *to = UNRULY_ON_DEVICE, *from = UNRULY_ON_HOST;
    return 1;
  case cudaMemcpyDeviceToHost:
    *to = UNRULY_ON_HOST, *from = UNRULY_ON_DEVICE;
    return 1;
  case cudaMemcpyDeviceToDevice:
    *to = *from = UNRULY_ON_DEVICE;
    return 1;
  case cudaMemcpyDefault:
    *to = *from = UNRULY_ANYWHERE;
    return 1;
  }
  return 0;
}

static void put_rows(struct unruly_message *message, uint64_t address, size_t pitch, size_t width, size_t rows) {
  unruly_put64(message, address);
  unruly_put64(message, pitch);
  unruly_put64(message, width);
  unruly_put64(message, rows);
}

/* Some rows that fit one request. The host's rows lie side by side. */
static cudaError_t write_piece(const char *call, uint64_t to, size_t pitch, const unsigned char *from, size_t width, size_t rows) {
  struct unruly_message message = {.length = 0};
  put_rows(&message, to, pitch, width, rows);
  return unruly_ask(call, UNRULY_WRITE, &message, from, width * rows, NULL, 0);
}

static cudaError_t read_piece(const char *call, unsigned char *to, uint64_t from, size_t pitch, size_t width, size_t rows) {
  struct unruly_message message = {.length = 0};
  put_rows(&message, from, pitch, width, rows);
  return unruly_ask(call, UNRULY_READ, &message, NULL, 0, to, width * rows);
}

static cudaError_t write_gathered(const char *call, struct unruly_rows to, struct unruly_rows from, size_t width, size_t rows) {
  if (from.pitch == width || rows == 1)
    return write_piece(call, to.address, to.pitch, from.host, width, rows);
  unsigned char *together = malloc(width * rows);
  if (together == NULL)
    return cudaErrorMemoryAllocation;
  for (size_t row = 0; row < rows; row++)
    memcpy(together + row * width, from.host + row * from.pitch, width);
  cudaError_t error = write_piece(call, to.address, to.pitch, together, width, rows);
  free(together);
  return error;
}

static cudaError_t read_scattered(const char *call, struct unruly_rows to, struct unruly_rows from, size_t width, size_t rows) {
  if (to.pitch == width || rows == 1)
    return read_piece(call, to.host, from.address, from.pitch, width, rows);
  unsigned char *together = malloc(width * rows);
  if (together == NULL)
    return cudaErrorMemoryAllocation;
  cudaError_t error = read_piece(call, together, from.address, from.pitch, width, rows);
  for (size_t row = 0; error == cudaSuccess && row < rows; row++)
    memcpy(to.host + row * to.pitch, together + row * width, width);
  free(together);
  return error;
}

static struct unruly_rows moved(struct unruly_rows rows, size_t bytes) {
  if (rows.host != NULL)
    rows.host += bytes;
  rows.address += bytes;
  return rows;
}

/* Between the sides, in pieces. */
static cudaError_t transfer(const char *call, struct unruly_rows to, struct unruly_rows from, size_t width, size_t rows) {
  size_t some_bytes = width < PIECE ? width : PIECE, some_rows = width < PIECE ? PIECE / width : 1;
  for (size_t row = 0; row < rows; row += some_rows)
    for (size_t at = 0; at < width; at += some_bytes) {
      size_t bytes = width - at < some_bytes ? width - at : some_bytes;
      size_t count = rows - row < some_rows ? rows - row : some_rows;
      struct unruly_rows to_here = moved(to, row * to.pitch + at), from_here = moved(from, row * from.pitch + at);
      cudaError_t error = from.host != NULL ? write_gathered(call, to_here, from_here, bytes, count)
                                            : read_scattered(call, to_here, from_here, bytes, count);
      if (error != cudaSuccess)
        return error;
    }
  return cudaSuccess;
}

static cudaError_t on_device(const char *call, struct unruly_rows to, struct unruly_rows from, size_t width, size_t rows) {
  struct unruly_message message = {.length = 0};
  unruly_put64(&message, to.address);
  unruly_put64(&message, to.pitch);
  unruly_put64(&message, from.address);
  unruly_put64(&message, from.pitch);
  unruly_put64(&message, width);
  unruly_put64(&message, rows);
  return unruly_ask(call, UNRULY_COPY, &message, NULL, 0, NULL, 0);
}

cudaError_t unruly_copy(const char *call, struct unruly_rows to, struct unruly_rows from, size_t width, size_t rows) {
  if (rows > 1 && (to.pitch < width || from.pitch < width))
    return unruly_refuse(call, cudaErrorInvalidPitchValue, "a row is longer than the pitch");
  if (width == 0 || rows == 0)
    return cudaSuccess;
  if (to.pitch == width && from.pitch == width)
    width *= rows, rows = 1;
  if (to.host != NULL && from.host != NULL) {
    for (size_t row = 0; row < rows; row++)
      memmove(to.host + row * to.pitch, from.host + row * from.pitch, width);
    return cudaSuccess;
  }
  if (to.host == NULL && from.host == NULL)
    return on_device(call, to, from, width, rows);
  return transfer(call, to, from, width, rows);
}

cudaError_t unruly_set(const char *call, struct unruly_rows to, size_t width, size_t rows, uint32_t value, unsigned bytes) {
  struct unruly_message message = {.length = 0};
  if (rows > 1 && to.pitch < width)
    return unruly_refuse(call, cudaErrorInvalidPitchValue, "a row is longer than the pitch");
  for (size_t row = 0; to.host != NULL && row < rows; row++)
    for (size_t at = 0; at < width; at += bytes)
      memcpy(to.host + row * to.pitch + at, &value, bytes);
  if (to.host != NULL || width == 0 || rows == 0)
    return cudaSuccess;
  put_rows(&message, to.address, to.pitch, width, rows);
  unruly_put32(&message, value);
  unruly_put32(&message, bytes);
  return unruly_ask(call, UNRULY_SET, &message, NULL, 0, NULL, 0);
}

static cudaError_t copy_2d(const char *call, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                           size_t height, enum cudaMemcpyKind kind) {
  enum unruly_side to_side, from_side;
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return error;
  if (!unruly_sides(kind, &to_side, &from_side))
    return unruly_refuse(call, cudaErrorInvalidMemcpyDirection, "there is no such direction");
  if (width == 0 || height == 0)
    return cudaSuccess;
  if (to == NULL || from == NULL)
    return unruly_refuse(call, cudaErrorInvalidValue, "a pointer is null");
  return unruly_copy(call, unruly_rows(to, to_pitch, to_side), unruly_rows(from, from_pitch, from_side), width, height);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  return unruly_done(copy_2d("cudaMemcpy", to, bytes, from, bytes, bytes, 1, kind));
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  return unruly_done(copy_2d("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  cudaError_t error = unruly_check_stream("cudaMemcpyAsync", stream);
  return unruly_done(error != cudaSuccess ? error : copy_2d("cudaMemcpyAsync", to, bytes, from, bytes, bytes, 1, kind));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream) {
  const char *call = "cudaMemcpy2DAsync";
  cudaError_t error = unruly_check_stream(call, stream);
  return unruly_done(error != cudaSuccess ? error : copy_2d(call, to, to_pitch, from, from_pitch, width, height, kind));
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  if (to_device != 0 || from_device != 0)
    return unruly_done(cudaErrorInvalidDevice);
  return cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream) {
  cudaError_t error = unruly_check_stream("cudaMemcpyPeerAsync", stream);
  return error != cudaSuccess ? unruly_done(error) : cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}

static cudaError_t set_2d(const char *call, void *pointer, size_t pitch, int value, size_t width, size_t height) {
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess || width == 0 || height == 0)
    return error;
  if (pointer == NULL)
    return unruly_refuse(call, cudaErrorInvalidValue, "the pointer is null");
  return unruly_set(call, unruly_rows(pointer, pitch, UNRULY_ON_DEVICE), width, height, (uint32_t)value & 0xff, 1);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return unruly_done(set_2d("cudaMemset", pointer, bytes, value, bytes, 1));
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  return unruly_done(set_2d("cudaMemset2D", pointer, pitch, value, width, height));
}

static cudaError_t set_3d(const char *call, struct cudaPitchedPtr to, int value, struct cudaExtent extent) {
  cudaError_t error = unruly_ready();
  for (size_t z = 0; error == cudaSuccess && z < extent.depth; z++)
    error = set_2d(call, (char *)to.ptr + z * to.pitch * to.ysize, to.pitch, value, extent.width, extent.height);
  return error;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent) {
  return unruly_done(set_3d("cudaMemset3D", to, value, extent));
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  cudaError_t error = unruly_check_stream("cudaMemsetAsync", stream);
  return unruly_done(error != cudaSuccess ? error : set_2d("cudaMemsetAsync", pointer, bytes, value, bytes, 1));
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  cudaError_t error = unruly_check_stream("cudaMemset2DAsync", stream);
  return unruly_done(error != cudaSuccess ? error : set_2d("cudaMemset2DAsync", pointer, pitch, value, width, height));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream) {
  cudaError_t error = unruly_check_stream("cudaMemset3DAsync", stream);
  return unruly_done(error != cudaSuccess ? error : set_3d("cudaMemset3DAsync", to, value, extent));
}
