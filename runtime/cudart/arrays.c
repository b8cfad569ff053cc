/* CUDA arrays, and copies of boxes. An array is device memory in rows, one element beside the other. */
#include "arrays.h"
#include <stdlib.h>

/* Rows of an array begin at a multiple of this many bytes. */
enum { ROW_ALIGNMENT = 32 };

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) {
  return (struct cudaChannelFormatDesc){.x = x, .y = y, .z = z, .w = w, .f = kind};
}

size_t unruly_element_bytes(const struct cudaChannelFormatDesc *channels) {
  return (size_t)(channels->x + channels->y + channels->z + channels->w) / 8;
}

struct unruly_array *unruly_array(cudaArray_const_t handle) { return unruly_handle(UNRULY_ARRAY, handle); }

/* 1, 2 or 4 equal channels of 8, 16 or 32 bits. */
static int is_format(const struct cudaChannelFormatDesc *c) {
  int is_size = c->x == 8 || c->x == 16 || c->x == 32;
  int is_one = c->y == 0 && c->z == 0 && c->w == 0, is_two = c->y == c->x && c->z == 0 && c->w == 0;
  return is_size && (is_one || is_two || (c->y == c->x && c->z == c->x && c->w == c->x));
}

static cudaError_t create(const char *call, cudaArray_t *handle, const struct cudaChannelFormatDesc *channels,
                          struct cudaExtent extent, unsigned flags) {
  if (handle == NULL || channels == NULL || extent.width == 0)
    return cudaErrorInvalidValue;
  if (!is_format(channels))
    return unruly_refuse(call, cudaErrorInvalidChannelDescriptor, "an element has 1, 2 or 4 channels of 8, 16 or 32 bits each");
  if ((flags & ~(unsigned)(cudaArraySurfaceLoadStore | cudaArrayTextureGather)) != 0)
    return unruly_refuse(call, cudaErrorNotSupported, "layered arrays and cube maps are not supported");
  int is_plane = extent.height > 0 && extent.depth == 0;
  if ((flags & cudaArrayTextureGather) != 0 && !is_plane)
    return cudaErrorInvalidValue;
  if (extent.width > 1 << 28 || extent.height > 1 << 16 || extent.depth > 1 << 12)
    return cudaErrorInvalidValue;
  size_t row = extent.width * unruly_element_bytes(channels);
  size_t pitch = (row + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
  size_t rows = (extent.height > 0 ? extent.height : 1) * (extent.depth > 0 ? extent.depth : 1);
  struct unruly_array *array = malloc(sizeof *array);
  if (array == NULL)
    return cudaErrorMemoryAllocation;
  *array = (struct unruly_array){.channels = *channels, .extent = extent, .flags = flags, .pitch = pitch};
  cudaError_t error = unruly_allocate(call, pitch * rows, &array->address);
  if (error != cudaSuccess) {
    free(array);
    return error;
  }
  *handle = unruly_new_handle(UNRULY_ARRAY, array);
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width, size_t height,
                            unsigned flags) {
  return unruly_done(create("cudaMallocArray", array, channels, (struct cudaExtent){width, height, 0}, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, struct cudaExtent extent,
                              unsigned flags) {
  return unruly_done(create("cudaMalloc3DArray", array, channels, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t handle) {
  const char *call = "cudaFreeArray";
  struct unruly_array *array = unruly_array(handle);
  if (handle == NULL)
    return unruly_done(unruly_ready());
  if (array == NULL)
    return unruly_done(unruly_refuse(call, cudaErrorInvalidValue, "there is no such array"));
  unruly_free_handle(handle);
  cudaError_t error = unruly_release(call, array->address);
  free(array);
  return unruly_done(error);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent, unsigned *flags, cudaArray_t handle) {
  struct unruly_array *array = unruly_array(handle);
  if (array == NULL)
    return unruly_done(cudaErrorInvalidValue);
  if (channels != NULL)
    *channels = array->channels;
  if (extent != NULL)
    *extent = array->extent;
  if (flags != NULL)
    *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *channels, cudaArray_const_t handle) {
  struct unruly_array *array = unruly_array(handle);
  if (array == NULL || channels == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *channels = array->channels;
  return cudaSuccess;
}

/* From byte x of row y on. 0: there is no such array, or it ends before. */
static int rows_of(cudaArray_const_t handle, size_t x, size_t y, size_t width, size_t rows, struct unruly_rows *found) {
  struct unruly_array *array = unruly_array(handle);
  if (array == NULL)
    return 0;
  size_t row = array->extent.width * unruly_element_bytes(&array->channels);
  size_t height = (array->extent.height > 0 ? array->extent.height : 1) * (array->extent.depth > 0 ? array->extent.depth : 1);
  *found = (struct unruly_rows){NULL, array->address + y * array->pitch + x, array->pitch};
  return x <= row && width <= row - x && y <= height && rows <= height - y;
}

static cudaError_t outside(const char *call) {
  return unruly_refuse(call, cudaErrorInvalidValue, "there is no such array, or the copy goes beyond its end");
}

static cudaError_t to_array(const char *call, cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                            size_t rows, enum cudaMemcpyKind kind) {
  enum unruly_side to_side, from_side;
  struct unruly_rows there;
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return error;
  if (!unruly_sides(kind, &to_side, &from_side) || to_side == UNRULY_ON_HOST)
    return unruly_refuse(call, cudaErrorInvalidMemcpyDirection, "an array is on the device");
  if (!rows_of(to, x, y, width, rows, &there) || from == NULL)
    return outside(call);
  return unruly_copy(call, there, unruly_rows(from, pitch, from_side), width, rows);
}

static cudaError_t from_array(const char *call, void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                              size_t rows, enum cudaMemcpyKind kind) {
  enum unruly_side to_side, from_side;
  struct unruly_rows there;
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return error;
  if (!unruly_sides(kind, &to_side, &from_side) || from_side == UNRULY_ON_HOST)
    return unruly_refuse(call, cudaErrorInvalidMemcpyDirection, "an array is on the device");
  if (!rows_of(from, x, y, width, rows, &there) || to == NULL)
    return outside(call);
  return unruly_copy(call, unruly_rows(to, pitch, to_side), there, width, rows);
}

/* Bytes in the order of the array, which may go over the ends of rows: one piece of each row at a time. */
struct walk {
  size_t x, y, row;
};

static size_t piece(const struct walk *walk, size_t left) { return left < walk->row - walk->x ? left : walk->row - walk->x; }

static void step(struct walk *walk, size_t bytes) {
  walk->x += bytes;
  if (walk->x == walk->row)
    walk->x = 0, walk->y++;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  struct unruly_array *array = unruly_array(to);
  struct walk walk = {x, y, array != NULL ? array->extent.width * unruly_element_bytes(&array->channels) : bytes + x};
  cudaError_t error = cudaSuccess;
  for (size_t done = 0; error == cudaSuccess && done < bytes;) {
    size_t some = piece(&walk, bytes - done);
    error = to_array("cudaMemcpyToArray", to, walk.x, walk.y, (const char *)from + done, some, some, 1, kind);
    step(&walk, some);
    done += some;
  }
  return unruly_done(error);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind) {
  struct unruly_array *array = unruly_array(from);
  struct walk walk = {x, y, array != NULL ? array->extent.width * unruly_element_bytes(&array->channels) : bytes + x};
  cudaError_t error = cudaSuccess;
  for (size_t done = 0; error == cudaSuccess && done < bytes;) {
    size_t some = piece(&walk, bytes - done);
    error = from_array("cudaMemcpyFromArray", (char *)to + done, some, from, walk.x, walk.y, some, 1, kind);
    step(&walk, some);
    done += some;
  }
  return unruly_done(error);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return unruly_is_stream(stream) ? cudaMemcpyToArray(to, x, y, from, bytes, kind) : unruly_done(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return unruly_is_stream(stream) ? cudaMemcpyFromArray(to, from, x, y, bytes, kind) : unruly_done(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind) {
  return unruly_done(to_array("cudaMemcpy2DToArray", to, x, y, from, pitch, width, height, kind));
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
                                  enum cudaMemcpyKind kind) {
  return unruly_done(from_array("cudaMemcpy2DFromArray", to, pitch, from, x, y, width, height, kind));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  return unruly_is_stream(stream) ? cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind)
                                  : unruly_done(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return unruly_is_stream(stream) ? cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind)
                                  : unruly_done(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, enum cudaMemcpyKind kind) {
  const char *call = "cudaMemcpy2DArrayToArray";
  struct unruly_rows target, source;
  (void)kind;
  cudaError_t error = unruly_ready();
  if (error == cudaSuccess && (!rows_of(to, to_x, to_y, width, height, &target) || !rows_of(from, from_x, from_y, width, height, &source)))
    error = outside(call);
  return unruly_done(error != cudaSuccess ? error : unruly_copy(call, target, source, width, height));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y,
                                   size_t bytes, enum cudaMemcpyKind kind) {
  (void)kind;
  void *between = malloc(bytes > 0 ? bytes : 1);
  if (between == NULL)
    return unruly_done(cudaErrorMemoryAllocation);
  cudaError_t error = cudaMemcpyFromArray(between, from, from_x, from_y, bytes, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess)
    error = cudaMemcpyToArray(to, to_x, to_y, between, bytes, cudaMemcpyHostToDevice);
  free(between);
  return error;
}

/* One end of a copy of a box: where its first byte is, and the bytes from plane to plane. */
struct end {
  struct unruly_rows rows;
  size_t plane;
};

/* An array has one element in a dimension that it does not have. */
static int is_within(size_t at, size_t count, size_t there) {
  there = there > 0 ? there : 1;
  return at <= there && count <= there - at;
}

static int has_box(const struct unruly_array *array, struct cudaPos at, struct cudaExtent box) {
  const struct cudaExtent *all = &array->extent;
  return is_within(at.x, box.width, all->width) && is_within(at.y, box.height, all->height) && is_within(at.z, box.depth, all->depth);
}

static cudaError_t end_of(const char *call, cudaArray_t handle, struct cudaPos at, struct cudaExtent box, struct cudaPitchedPtr pointer,
                          enum unruly_side side, struct end *end) {
  struct unruly_array *array = unruly_array(handle);
  if (handle != NULL && (array == NULL || !has_box(array, at, box)))
    return outside(call);
  if (array != NULL) {
    size_t height = array->extent.height > 0 ? array->extent.height : 1;
    uint64_t address = array->address + at.x * unruly_element_bytes(&array->channels) + (at.y + at.z * height) * array->pitch;
    *end = (struct end){{NULL, address, array->pitch}, height * array->pitch};
    return cudaSuccess;
  }
  if (pointer.ptr == NULL)
    return unruly_refuse(call, cudaErrorInvalidValue, "a pointer is null");
  size_t plane = pointer.pitch * pointer.ysize;
  const char *first = (const char *)pointer.ptr + at.x + at.y * pointer.pitch + at.z * plane;
  *end = (struct end){unruly_rows(first, pointer.pitch, side), plane};
  return cudaSuccess;
}

static struct unruly_rows in_plane(struct end end, size_t z) {
  struct unruly_rows rows = end.rows;
  rows.address += z * end.plane;
  if (rows.host != NULL)
    rows.host += z * end.plane;
  return rows;
}

static cudaError_t copy_box(const char *call, const struct cudaMemcpy3DParms *p) {
  enum unruly_side to_side, from_side;
  struct end to, from;
  cudaError_t error = p == NULL ? cudaErrorInvalidValue : unruly_ready();
  if (error != cudaSuccess)
    return error;
  if (!unruly_sides(p->kind, &to_side, &from_side))
    return unruly_refuse(call, cudaErrorInvalidMemcpyDirection, "there is no such direction");
  error = end_of(call, p->dstArray, p->dstPos, p->extent, p->dstPtr, to_side, &to);
  if (error == cudaSuccess)
    error = end_of(call, p->srcArray, p->srcPos, p->extent, p->srcPtr, from_side, &from);
  /* The width counts elements of an array that takes part, else bytes. */
  const struct unruly_array *target = unruly_array(p->dstArray), *source = unruly_array(p->srcArray);
  const struct unruly_array *array = target != NULL ? target : source;
  size_t element = array != NULL ? unruly_element_bytes(&array->channels) : 1, width = p->extent.width * element;
  if (error == cudaSuccess && source != NULL && unruly_element_bytes(&source->channels) != element)
    error = unruly_refuse(call, cudaErrorInvalidValue, "the elements of the arrays have different sizes");
  for (size_t z = 0; error == cudaSuccess && z < p->extent.depth; z++)
    error = unruly_copy(call, in_plane(to, z), in_plane(from, z), width, p->extent.height);
  return error;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters) { return unruly_done(copy_box("cudaMemcpy3D", parameters)); }

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream) {
  return unruly_done(unruly_is_stream(stream) ? copy_box("cudaMemcpy3DAsync", parameters) : cudaErrorInvalidResourceHandle);
}
