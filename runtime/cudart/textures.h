/* What texture references and texture objects share. */
#ifndef UNRULY_TEXTURES_H
#define UNRULY_TEXTURES_H

#include "arrays.h"

/* Where texels lie, and how they are read: what UNRULY_TEXTURE says. */
struct unruly_texture {
  uint32_t size[3];
  struct cudaChannelFormatDesc channels;
  uint32_t modes[3];
  uint32_t is_filtered, is_normalized, is_read_as_float, is_linear;
  uint64_t address, pitch, slice;
};
/* The texels of an array. 0: there is no such array. */
int unruly_texels_of_array(cudaArray_const_t array, struct unruly_texture *texture);
/* Those of linear memory, which is at most `bytes` long. 0: it is no memory, or its elements are none. */
int unruly_texels_of_memory(const void *pointer, const struct cudaChannelFormatDesc *channels, size_t bytes,
                            struct unruly_texture *texture);
/* Those of memory in rows. */
int unruly_texels_of_rows(const void *pointer, const struct cudaChannelFormatDesc *channels, size_t width, size_t height, size_t pitch,
                          struct unruly_texture *texture);
cudaError_t unruly_bind_texture(const char *call, uint64_t handle, const struct unruly_texture *texture);
cudaError_t unruly_unbind_texture(const char *call, uint64_t handle);

#endif
