/* Texture and surface references: names of the device code that the host binds to memory. */
#include "textures.h"
#include <stdlib.h>

struct reference {
  const void *host;
  const char *name;
  struct unruly_module *module;
  int is_read_as_float;
  struct reference *next;
};
/* Constructors fill the list before anybody reads it. */
static struct reference *references;

static void add(void **handle, const void *host, const char *name, int is_read_as_float) {
  struct reference *reference = malloc(sizeof *reference);
  if (reference == NULL)
    abort();
  *reference = (struct reference){host, name, (struct unruly_module *)handle, is_read_as_float, references};
  references = reference;
}

void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dimension, int read_mode,
                           int is_external) {
  (void)device, (void)dimension, (void)is_external;
  add(handle, host, name, read_mode == cudaReadModeNormalizedFloat);
}

void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dimension, int is_external) {
  (void)device, (void)dimension, (void)is_external;
  add(handle, host, name, 0);
}

static const struct reference *find(const void *host) {
  const struct reference *reference = references;
  while (reference != NULL && reference->host != host)
    reference = reference->next;
  return reference;
}

/* The handle of a reference is the address of its name on the device. */
static cudaError_t handle_of(const char *call, const void *host, const struct reference **reference, uint64_t *handle) {
  uint64_t bytes;
  *reference = find(host);
  if (*reference == NULL)
    return unruly_refuse(call, cudaErrorInvalidTexture, "there is no such reference in the device code");
  return unruly_module_variable(call, (*reference)->module, (*reference)->name, handle, &bytes);
}

cudaError_t unruly_bind_texture(const char *call, uint64_t handle, const struct unruly_texture *t) {
  struct unruly_message message = {.length = 0};
  const uint32_t channels[] = {t->channels.f, t->channels.x, t->channels.y, t->channels.z, t->channels.w};
  const uint32_t flags[] = {t->is_filtered, t->is_normalized, t->is_read_as_float, t->is_linear};
  const uint64_t places[] = {t->address, t->pitch, t->slice};
  unruly_put64(&message, handle);
  unruly_put32(&message, 1);
  unruly_put(&message, t->size, sizeof t->size);
  unruly_put(&message, channels, sizeof channels);
  unruly_put(&message, t->modes, sizeof t->modes);
  unruly_put(&message, flags, sizeof flags);
  unruly_put(&message, places, sizeof places);
  return unruly_ask(call, UNRULY_TEXTURE, &message, NULL, 0, NULL, 0);
}

cudaError_t unruly_unbind_texture(const char *call, uint64_t handle) {
  struct unruly_message message = {.length = 0};
  unruly_put64(&message, handle);
  unruly_put32(&message, 0);
  return unruly_ask(call, UNRULY_TEXTURE, &message, NULL, 0, NULL, 0);
}

int unruly_texels_of_array(cudaArray_const_t handle, struct unruly_texture *texture) {
  const struct unruly_array *array = unruly_array(handle);
  if (array == NULL)
    return 0;
  const size_t size[3] = {array->extent.width, array->extent.height, array->extent.depth};
  for (int axis = 0; axis < 3; axis++)
    texture->size[axis] = size[axis] > 0 ? (uint32_t)size[axis] : 1;
  texture->channels = array->channels;
  texture->address = array->address;
  texture->pitch = array->pitch;
  texture->slice = array->pitch * texture->size[1];
  return 1;
}

int unruly_texels_of_memory(const void *pointer, const struct cudaChannelFormatDesc *channels, size_t bytes,
                            struct unruly_texture *texture) {
  struct unruly_region region;
  uint64_t address = (uintptr_t)pointer;
  size_t element = unruly_element_bytes(channels);
  if (!unruly_find_region(address, &region) || element == 0 || address < region.address)
    return 0;
  size_t there = region.bytes - (size_t)(address - region.address);
  texture->size[0] = (uint32_t)((bytes < there ? bytes : there) / element);
  texture->size[1] = texture->size[2] = 1;
  texture->channels = *channels;
  texture->address = address;
  texture->pitch = texture->slice = texture->size[0] * element;
  texture->is_linear = 1;
  return texture->size[0] > 0;
}

int unruly_texels_of_rows(const void *pointer, const struct cudaChannelFormatDesc *channels, size_t width, size_t height, size_t pitch,
                          struct unruly_texture *texture) {
  if (width == 0 || height == 0 || width > UINT32_MAX || height > UINT32_MAX || unruly_element_bytes(channels) == 0)
    return 0;
  texture->size[0] = (uint32_t)width;
  texture->size[1] = (uint32_t)height;
  texture->size[2] = 1;
  texture->channels = *channels;
  texture->address = (uintptr_t)pointer;
  texture->pitch = pitch;
  texture->slice = pitch * height;
  return 1;
}

/* Binds what has been found, in the way that the reference says. */
static cudaError_t bind(const char *call, const struct textureReference *how, int is_found, struct unruly_texture *texture) {
  const struct reference *reference;
  uint64_t handle;
  cudaError_t error = handle_of(call, how, &reference, &handle);
  if (error == cudaSuccess && !is_found)
    error = unruly_refuse(call, cudaErrorInvalidValue, "there are no texels of this format");
  if (error != cudaSuccess)
    return error;
  for (int axis = 0; axis < 3; axis++)
    texture->modes[axis] = how->addressMode[axis];
  texture->is_filtered = how->filterMode == cudaFilterModeLinear;
  texture->is_normalized = how->normalized != 0;
  texture->is_read_as_float = (uint32_t)reference->is_read_as_float;
  return unruly_bind_texture(call, handle, texture);
}

/* Textures begin at any element, so that the offset is always 0. */
cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference, const void *pointer,
                            const struct cudaChannelFormatDesc *channels, size_t bytes) {
  struct unruly_texture texture = {.is_linear = 0};
  if (reference == NULL || channels == NULL)
    return unruly_done(cudaErrorInvalidValue);
  if (offset != NULL)
    *offset = 0;
  int is_found = unruly_texels_of_memory(pointer, channels, bytes, &texture);
  return unruly_done(bind("cudaBindTexture", reference, is_found, &texture));
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference, const void *pointer,
                              const struct cudaChannelFormatDesc *channels, size_t width, size_t height, size_t pitch) {
  struct unruly_texture texture = {.is_linear = 0};
  if (reference == NULL || channels == NULL)
    return unruly_done(cudaErrorInvalidValue);
  if (offset != NULL)
    *offset = 0;
  int is_found = unruly_texels_of_rows(pointer, channels, width, height, pitch, &texture);
  return unruly_done(bind("cudaBindTexture2D", reference, is_found, &texture));
}

cudaError_t cudaBindTextureToArray(const struct textureReference *reference, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *channels) {
  struct unruly_texture texture = {.is_linear = 0};
  if (reference == NULL || channels == NULL)
    return unruly_done(cudaErrorInvalidValue);
  int is_found = unruly_texels_of_array(array, &texture);
  return unruly_done(bind("cudaBindTextureToArray", reference, is_found, &texture));
}

cudaError_t cudaUnbindTexture(const struct textureReference *host) {
  const char *call = "cudaUnbindTexture";
  const struct reference *reference;
  uint64_t handle;
  cudaError_t error = handle_of(call, host, &reference, &handle);
  return unruly_done(error != cudaSuccess ? error : unruly_unbind_texture(call, handle));
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference) {
  if (offset == NULL || find(reference) == NULL)
    return unruly_done(cudaErrorInvalidTexture);
  *offset = 0;
  return cudaSuccess;
}

cudaError_t cudaGetTextureReference(const struct textureReference **reference, const void *symbol) {
  if (reference == NULL || find(symbol) == NULL)
    return unruly_done(cudaErrorInvalidTexture);
  *reference = symbol;
  return cudaSuccess;
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *host, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *channels) {
  const char *call = "cudaBindSurfaceToArray";
  struct unruly_texture texture = {.is_linear = 0};
  const struct reference *reference;
  uint64_t handle;
  cudaError_t error = handle_of(call, host, &reference, &handle);
  if (error == cudaErrorInvalidTexture)
    error = cudaErrorInvalidSurface;
  if (error == cudaSuccess && (channels == NULL || !unruly_texels_of_array(array, &texture)))
    error = cudaErrorInvalidValue;
  return unruly_done(error != cudaSuccess ? error : unruly_bind_texture(call, handle, &texture));
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **reference, const void *symbol) {
  if (reference == NULL || find(symbol) == NULL)
    return unruly_done(cudaErrorInvalidSurface);
  *reference = symbol;
  return cudaSuccess;
}
