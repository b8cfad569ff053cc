/* Complex numbers of CUDA's, for host and device, C and C++. Division and the absolute value scale, so that nothing overflows on the
 * way to a result that is in range. */
#ifndef UNRULY_CU_COMPLEX_H
#define UNRULY_CU_COMPLEX_H
#define CU_COMPLEX_H_
#include "unruly/aside.h"

#include "vector_types.h"
#include <math.h>

#pragma push_macro("UNRULY_COMPLEX")
#define UNRULY_COMPLEX static __inline__ __host__ __device__ __attribute__((unused))

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#if defined(__cplusplus)
extern "C" {
#endif

/* All functions of one precision: its types, what ends their names, and the functions of mathematics that they call. */
#define UNRULY_COMPLEX_OF(complex, real, f, absolute, hypotenuse)                                                                \
  UNRULY_COMPLEX real cuCreal##f(complex x) { return x.x; }                                                                      \
  UNRULY_COMPLEX real cuCimag##f(complex x) { return x.y; }                                                                      \
  UNRULY_COMPLEX complex make_##complex(real r, real i) {                                                                        \
    complex result;                                                                                                              \
    result.x = r;                                                                                                                \
    result.y = i;                                                                                                                \
    return result;                                                                                                               \
  }                                                                                                                              \
  UNRULY_COMPLEX complex cuConj##f(complex x) { return make_##complex(x.x, -x.y); }                                              \
  UNRULY_COMPLEX complex cuCadd##f(complex x, complex y) { return make_##complex(x.x + y.x, x.y + y.y); }                        \
  UNRULY_COMPLEX complex cuCsub##f(complex x, complex y) { return make_##complex(x.x - y.x, x.y - y.y); }                        \
  UNRULY_COMPLEX complex cuCmul##f(complex x, complex y) {                                                                       \
    return make_##complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                                         \
  }                                                                                                                              \
  /* Both parts of the divisor become 1 or less. */                                                                              \
  UNRULY_COMPLEX complex cuCdiv##f(complex x, complex y) {                                                                       \
    real scale = 1 / (absolute(y.x) + absolute(y.y));                                                                            \
    complex a = make_##complex(x.x * scale, x.y * scale), b = make_##complex(y.x * scale, y.y * scale);                          \
    real square = 1 / (b.x * b.x + b.y * b.y);                                                                                   \
    return make_##complex((a.x * b.x + a.y * b.y) * square, (a.y * b.x - a.x * b.y) * square);                                   \
  }                                                                                                                              \
  UNRULY_COMPLEX real cuCabs##f(complex x) { return hypotenuse(x.x, x.y); }                                                      \
  /* x * y + d */                                                                                                                \
  UNRULY_COMPLEX complex cuCfma##f(complex x, complex y, complex d) {                                                            \
    return make_##complex(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);                                             \
  }
UNRULY_COMPLEX_OF(cuFloatComplex, float, f, fabsf, hypotf)
UNRULY_COMPLEX_OF(cuDoubleComplex, double, , fabs, hypot)
#undef UNRULY_COMPLEX_OF

/* ---- One precision from the other, and the short names of single precision */

UNRULY_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) { return make_cuFloatComplex((float)c.x, (float)c.y); }
UNRULY_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) { return make_cuDoubleComplex((double)c.x, (double)c.y); }
UNRULY_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }

#if defined(__cplusplus)
}
#endif

#pragma pop_macro("UNRULY_COMPLEX")

#include "unruly/back.h"

#endif
