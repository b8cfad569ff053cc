/* make_cudaExtent and the like. */
#ifndef UNRULY_DRIVER_FUNCTIONS_H
#define UNRULY_DRIVER_FUNCTIONS_H
#define __DRIVER_FUNCTIONS_H__
#include "unruly/aside.h"

#include "driver_types.h"

static __inline__ __host__ __attribute__((unused)) struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize,
                                                                                            size_t ysize) {
  struct cudaPitchedPtr value;
  value.ptr = ptr;
  value.pitch = pitch;
  value.xsize = xsize;
  value.ysize = ysize;
  return value;
}

static __inline__ __host__ __attribute__((unused)) struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos value;
  value.x = x;
  value.y = y;
  value.z = z;
  return value;
}

static __inline__ __host__ __attribute__((unused)) struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent value;
  value.width = width;
  value.height = height;
  value.depth = depth;
  return value;
}

#include "unruly/back.h"

#endif
