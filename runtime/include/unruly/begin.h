/* What must come before anything else in a CUDA file: clang's own declarations of device mathematics come before <cmath>. */
#ifndef UNRULY_BEGIN_H
#define UNRULY_BEGIN_H

#include <__clang_cuda_math_forward_declares.h>

/* The C++ library's object is the host's; kernels that name it get one of the device's. */
#if defined(__CUDA_ARCH__)
#pragma push_macro("nothrow")
#define nothrow unruly_host_nothrow
#include <new>
#pragma pop_macro("nothrow")
namespace std {
static const nothrow_t nothrow __attribute__((device)) = nothrow_t();
}
#endif

#define __CUDACC__
#define __NVCC__
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 194

#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda.h"
#include "host_defines.h"

#endif
