/* A header of CUDA's: what it declares is in the one that follows. */
#ifndef UNRULY_CRT_HOST_DEFINES_H
#define UNRULY_CRT_HOST_DEFINES_H

#include "../host_defines.h"

#endif
