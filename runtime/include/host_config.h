/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_HOST_CONFIG_H
#define UNRULY_HOST_CONFIG_H

#include "cuda_runtime_api.h"

#endif
