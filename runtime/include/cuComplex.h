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

/* ---- Single precision */

UNRULY_COMPLEX float cuCrealf(cuFloatComplex x) { return x.x; }
UNRULY_COMPLEX float cuCimagf(cuFloatComplex x) { return x.y; }
UNRULY_COMPLEX cuFloatComplex make_cuFloatComplex(float r, float i) {
  cuFloatComplex result;
  result.x = r;
  result.y = i;
  return result;
}
UNRULY_COMPLEX cuFloatComplex cuConjf(cuFloatComplex x) { return make_cuFloatComplex(x.x, -x.y); }
UNRULY_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y) { return make_cuFloatComplex(x.x + y.x, x.y + y.y); }
UNRULY_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y) { return make_cuFloatComplex(x.x - y.x, x.y - y.y); }
UNRULY_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y) {
  return make_cuFloatComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/* Both parts of the divisor become 1 or less. */
UNRULY_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y) {
  float scale = 1.0f / (fabsf(y.x) + fabsf(y.y));
  cuFloatComplex a = make_cuFloatComplex(x.x * scale, x.y * scale), b = make_cuFloatComplex(y.x * scale, y.y * scale);
  float square = 1.0f / (b.x * b.x + b.y * b.y);
  return make_cuFloatComplex((a.x * b.x + a.y * b.y) * square, (a.y * b.x - a.x * b.y) * square);
}
UNRULY_COMPLEX float cuCabsf(cuFloatComplex x) { return hypotf(x.x, x.y); }
/* x * y + d */
UNRULY_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex d) {
  return make_cuFloatComplex(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);
}

/* ---- Double precision */

UNRULY_COMPLEX double cuCreal(cuDoubleComplex x) { return x.x; }
UNRULY_COMPLEX double cuCimag(cuDoubleComplex x) { return x.y; }
UNRULY_COMPLEX cuDoubleComplex make_cuDoubleComplex(double r, double i) {
  cuDoubleComplex result;
  result.x = r;
  result.y = i;
  return result;
}
UNRULY_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex x) { return make_cuDoubleComplex(x.x, -x.y); }
UNRULY_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y) { return make_cuDoubleComplex(x.x + y.x, x.y + y.y); }
UNRULY_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y) { return make_cuDoubleComplex(x.x - y.x, x.y - y.y); }
UNRULY_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y) {
  return make_cuDoubleComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
UNRULY_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y) {
  double scale = 1.0 / (fabs(y.x) + fabs(y.y));
  cuDoubleComplex a = make_cuDoubleComplex(x.x * scale, x.y * scale), b = make_cuDoubleComplex(y.x * scale, y.y * scale);
  double square = 1.0 / (b.x * b.x + b.y * b.y);
  return make_cuDoubleComplex((a.x * b.x + a.y * b.y) * square, (a.y * b.x - a.x * b.y) * square);
}
UNRULY_COMPLEX double cuCabs(cuDoubleComplex x) { return hypot(x.x, x.y); }
UNRULY_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d) {
  return make_cuDoubleComplex(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);
}

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
