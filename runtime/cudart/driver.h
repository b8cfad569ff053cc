/* What the files of the driver API share. */
#ifndef UNRULY_DRIVER_H
#define UNRULY_DRIVER_H

#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop

#include "internal.h"

/* CUDA_SUCCESS: cuInit has been called, and this thread has a context. */
CUresult unruly_driver_ready(void);

/* What the driver API calls an error of the runtime. */
CUresult unruly_driver_result(cudaError_t error);

#endif
