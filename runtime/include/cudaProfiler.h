/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_CUDAPROFILER_H
#define UNRULY_CUDAPROFILER_H

#include "cuda_runtime_api.h"

#endif
