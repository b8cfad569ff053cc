/* CUDA arrays, for copies and for textures. */
#ifndef UNRULY_ARRAYS_H
#define UNRULY_ARRAYS_H

#include "internal.h"

struct unruly_array {
  struct cudaChannelFormatDesc channels;
  struct cudaExtent extent; /* elements; 0 in a dimension that the array does not have */
  unsigned flags;
  size_t pitch;
  uint64_t address;
};
/* NULL: there is no such array. */
struct unruly_array *unruly_array(cudaArray_const_t handle);
size_t unruly_element_bytes(const struct cudaChannelFormatDesc *channels);

#endif
