/* Bessel functions of the first kind, and modified ones of orders 0 and 1, from Bessel's integral: the trapezoidal rule converges
 * faster than any power of the number of points. The functions of the second kind are not here. */
#ifndef UNRULY_DEVICE_BESSEL_H
#define UNRULY_DEVICE_BESSEL_H

/* 1 / pi times the integral of cos(n t - x sin t) from 0 to pi. */
RARE double bessel(int n, double x) {
  double a = size(x);
  if (!(a < 0x1p20))
    return is_nan(x) ? x : 0.0;
  int points = (int)(0.5 * (a + (double)(n < 0 ? -n : n))) + 32;
  double total = 0.0;
  for (int i = 0; i < 2 * points; i++) {
    double t = PI.hi * ((double)i + 0.5) / (double)(2 * points);
    total += __nv_cos((double)n * t - x * __nv_sin(t));
  }
  return total / (double)(2 * points);
}
API double __nv_j0(double x) { return bessel(0, x); }
API double __nv_j1(double x) { return bessel(1, x); }
API double __nv_jn(int n, double x) { return n < 0 ? not_a_number() : bessel(n, x); }
API float __nv_j0f(float x) { return (float)bessel(0, (double)x); }
API float __nv_j1f(float x) { return (float)bessel(1, (double)x); }
API float __nv_jnf(int n, float x) { return n < 0 ? not_a_number_f() : (float)bessel(n, (double)x); }

/* 1 / pi times the integral of e^(x cos t) cos(n t) from 0 to pi. */
RARE double modified_bessel(int n, double x) {
  double a = size(x);
  if (!(a < 714.0))
    return is_nan(x) ? x : n == 1 ? with_sign(INFINITE, x) : INFINITE;
  int points = (int)(0.5 * a) + 32;
  double total = 0.0;
  for (int i = 0; i < 2 * points; i++) {
    double t = PI.hi * ((double)i + 0.5) / (double)(2 * points), c = __nv_cos(t);
    /* Near |x| = 700 the power alone would be too large. */
    total += exp_of(Double2{a * (c - 1.0), 0.0}) * (n == 1 ? c : 1.0);
  }
  Double2 whole = {a, 0.0};
  double y = total / (double)(2 * points) * exp_of(whole, -8) * 256.0;
  return n == 1 ? with_sign(y, x) : y;
}
API double __nv_cyl_bessel_i0(double x) { return modified_bessel(0, x); }
API double __nv_cyl_bessel_i1(double x) { return modified_bessel(1, x); }
API float __nv_cyl_bessel_i0f(float x) { return (float)modified_bessel(0, (double)x); }
API float __nv_cyl_bessel_i1f(float x) { return (float)modified_bessel(1, (double)x); }

#endif
