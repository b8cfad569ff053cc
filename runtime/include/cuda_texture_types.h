/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_CUDA_TEXTURE_TYPES_H
#define UNRULY_CUDA_TEXTURE_TYPES_H

#include "cuda_runtime.h"

#endif
