/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_CUDA_DEVICE_RUNTIME_API_H
#define UNRULY_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime.h"

#endif
