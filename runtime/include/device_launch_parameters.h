/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_DEVICE_LAUNCH_PARAMETERS_H
#define UNRULY_DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif
