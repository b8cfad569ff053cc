/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_SM_35_INTRINSICS_H
#define UNRULY_SM_35_INTRINSICS_H

#include "cuda_runtime.h"

#endif
