/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_CRT_MATH_FUNCTIONS_H
#define UNRULY_CRT_MATH_FUNCTIONS_H

#include "../cuda_runtime.h"

#endif
