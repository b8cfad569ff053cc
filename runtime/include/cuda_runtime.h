/* The CUDA runtime for C++: what the device has in kernels, the calls of the runtime, and their forms for types.
 * A plain C or C++ file gets the calls alone. */
#ifndef UNRULY_CUDA_RUNTIME_H
#define UNRULY_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__
#include "unruly/aside.h"

#if defined(__CUDA__) && defined(__cplusplus)
#include "unruly/begin.h"
/* Without debug information, so that messages name the line of the program that calls a function from here. */
#pragma push_macro("__forceinline__")
#undef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline, nodebug))
#include "cuda_runtime_api.h"
#include "unruly/device.h"
#include "unruly/min_max.h"
#include "unruly/atomic.h"
#include "unruly/shuffle.h"
#include "unruly/cached.h"
#include "unruly/texture.h"
#include "unruly/surface.h"
#include "unruly/host_math.h"
#pragma pop_macro("__forceinline__")
#else
#include "cuda_runtime_api.h"
#endif
#if defined(__cplusplus)
#include "unruly/typed_calls.h"
#endif

#include "unruly/back.h"

#endif
