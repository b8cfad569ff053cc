/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_MATH_FUNCTIONS_HPP
#define UNRULY_MATH_FUNCTIONS_HPP

#include "cuda_runtime.h"

#endif
