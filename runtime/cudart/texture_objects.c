/* Texture and surface objects: handles that kernels get as arguments. */
#include "textures.h"
#include <stdlib.h>

struct object {
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
  int is_surface;
};

static struct object *object_of(unsigned long long handle, int is_surface) {
  struct object *object = unruly_handle(UNRULY_TEXTURE_OBJECT, (void *)(uintptr_t)handle);
  return object != NULL && object->is_surface == is_surface ? object : NULL;
}

static int texels_of(const struct cudaResourceDesc *resource, struct unruly_texture *texture) {
  switch (resource->resType) {
  case cudaResourceTypeArray:
    return unruly_texels_of_array(resource->res.array.array, texture);
  case cudaResourceTypeLinear:
    return unruly_texels_of_memory(resource->res.linear.devPtr, &resource->res.linear.desc, resource->res.linear.sizeInBytes, texture);
  case cudaResourceTypePitch2D:
    return unruly_texels_of_rows(resource->res.pitch2D.devPtr, &resource->res.pitch2D.desc, resource->res.pitch2D.width,
                                 resource->res.pitch2D.height, resource->res.pitch2D.pitchInBytes, texture);
  default:
    return 0;
  }
}

static cudaError_t create(const char *call, unsigned long long *handle, struct object made) {
  struct unruly_texture texels = {.is_linear = 0};
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return error;
  if (made.resource.resType == cudaResourceTypeMipmappedArray)
    return unruly_refuse(call, cudaErrorNotSupported, "mipmapped arrays are not supported");
  if (!texels_of(&made.resource, &texels))
    return unruly_refuse(call, cudaErrorInvalidValue, "there are no texels of this format");
  for (int axis = 0; axis < 3; axis++)
    texels.modes[axis] = made.texture.addressMode[axis];
  texels.is_filtered = made.texture.filterMode == cudaFilterModeLinear;
  texels.is_normalized = made.texture.normalizedCoords != 0;
  texels.is_read_as_float = made.texture.readMode == cudaReadModeNormalizedFloat;
  struct object *object = malloc(sizeof *object);
  if (object == NULL)
    return cudaErrorMemoryAllocation;
  *object = made;
  void *number = unruly_new_handle(UNRULY_TEXTURE_OBJECT, object);
  error = unruly_bind_texture(call, (uintptr_t)number, &texels);
  if (error == cudaSuccess) {
    *handle = (uintptr_t)number;
    return cudaSuccess;
  }
  unruly_free_handle(number);
  free(object);
  return error;
}

static cudaError_t destroy(const char *call, unsigned long long handle, int is_surface) {
  struct object *object = object_of(handle, is_surface);
  if (object == NULL)
    return unruly_refuse(call, cudaErrorInvalidValue, "there is no such object");
  unruly_free_handle((void *)(uintptr_t)handle);
  free(object);
  return unruly_unbind_texture(call, handle);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *handle, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view) {
  const char *call = "cudaCreateTextureObject";
  if (handle == NULL || resource == NULL || texture == NULL)
    return unruly_done(cudaErrorInvalidValue);
  if (view != NULL && view->format != cudaResViewFormatNone)
    return unruly_done(unruly_refuse(call, cudaErrorNotSupported, "views of another format are not supported"));
  return unruly_done(create(call, handle, (struct object){*resource, *texture, 0}));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
  return unruly_done(destroy("cudaDestroyTextureObject", handle, 0));
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t handle) {
  const struct object *object = object_of(handle, 0);
  if (resource == NULL || object == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *resource = object->resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture, cudaTextureObject_t handle) {
  const struct object *object = object_of(handle, 0);
  if (texture == NULL || object == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *texture = object->texture;
  return cudaSuccess;
}

/* Objects have no views, as documented for those that were made without one. */
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view, cudaTextureObject_t handle) {
  (void)view, (void)handle;
  return unruly_done(cudaErrorInvalidValue);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *handle, const struct cudaResourceDesc *resource) {
  if (handle == NULL || resource == NULL || resource->resType != cudaResourceTypeArray)
    return unruly_done(cudaErrorInvalidValue);
  return unruly_done(create("cudaCreateSurfaceObject", handle, (struct object){.resource = *resource, .is_surface = 1}));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
  return unruly_done(destroy("cudaDestroySurfaceObject", handle, 1));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t handle) {
  const struct object *object = object_of(handle, 1);
  if (resource == NULL || object == NULL)
    return unruly_done(cudaErrorInvalidValue);
  *resource = object->resource;
  return cudaSuccess;
}
