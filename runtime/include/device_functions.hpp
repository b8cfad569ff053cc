/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_DEVICE_FUNCTIONS_HPP
#define UNRULY_DEVICE_FUNCTIONS_HPP

#include "cuda_runtime.h"

#endif
