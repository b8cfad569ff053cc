/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_LIBRARY_TYPES_H
#define UNRULY_LIBRARY_TYPES_H

#include "cuda_runtime_api.h"

#endif
