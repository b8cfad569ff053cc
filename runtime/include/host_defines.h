/* The words with which programs mark functions and variables. Without meaning where no CUDA is compiled. */
#ifndef UNRULY_HOST_DEFINES_H
#define UNRULY_HOST_DEFINES_H
#define __HOST_DEFINES_H__
#include "unruly/aside.h"

#define CUDARTAPI
#define CUDART_CB
#define CUDARTAPI_CDECL
#define __restrict_arr __restrict
#define __forceinline__ __inline__ __attribute__((always_inline))
#ifndef __align__
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
#ifndef __builtin_align__
#define __builtin_align__(bytes) __align__(bytes)
#endif

#if defined(__CUDA__)
#define __noinline__ __attribute__((noinline))
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* A variable of the device that the runtime mirrors on the host. */
#define __managed__ __attribute__((device)) __attribute__((abi_tag("unruly_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
#define __device_builtin__
#define __cudart_builtin__

#include "unruly/back.h"

#endif
