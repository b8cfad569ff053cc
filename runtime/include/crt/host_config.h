/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_CRT_HOST_CONFIG_H
#define UNRULY_CRT_HOST_CONFIG_H

#include "../cuda_runtime_api.h"

#endif
