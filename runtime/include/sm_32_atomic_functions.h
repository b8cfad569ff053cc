/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_SM_32_ATOMIC_FUNCTIONS_H
#define UNRULY_SM_32_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
