/* The error function, its relatives and their inverses. Single precision takes what double precision gives. */
#ifndef UNRULY_DEVICE_ERROR_FUNCTION_H
#define UNRULY_DEVICE_ERROR_FUNCTION_H

/* e^(x^2) erfc(x), of x >= 0 (Shepherd and Laframboise). */
INLINE double scaled_erfc(double x) {
  double q = (x - 4.0) / (x + 4.0);
  return x > 0x1p60 ? 0x1.20dd750429b6dp-1 / x : polynomial(ERFCX, q) / fused(2.0, x, 1.0);
}
/* e^(-x^2), of a pair. */
INLINE double gauss(Double2 x) { return exp_of(-(x * x)); }
INLINE double erfc_of(Double2 x) {
  /* erfcx has the slope 2 x erfcx - 2 / sqrt(pi). */
  double e = scaled_erfc(x.hi);
  e += x.lo * (2.0 * x.hi * e - 0x1.20dd750429b6dp+0);
  return gauss(x) * e;
}

API double __nv_erf(double x) {
  double a = size(x);
  if (a < 1.0)
    return x * polynomial(ERF, x * x);
  return is_nan(x) ? x : with_sign(a > 6.5 ? 1.0 : 1.0 - erfc_of(Double2{a, 0.0}), x);
}
API double __nv_erfc(double x) {
  if (is_nan(x))
    return x;
  if (x < 0.0)
    return x < -6.5 ? 2.0 : 2.0 - erfc_of(Double2{-x, 0.0});
  if (x < 0.5)
    return 1.0 - __nv_erf(x);
  return x > 28.0 ? 0.0 : erfc_of(Double2{x, 0.0});
}
API double __nv_erfcx(double x) {
  if (size(x) < 0.5)
    return __nv_exp(x * x) * (1.0 - __nv_erf(x));
  if (x >= 0.0 || is_nan(x))
    return is_nan(x) ? x : scaled_erfc(x);
  if (x < -27.0)
    return INFINITE;
  Double2 square = product(x, x);
  return 2.0 * exp_of(square) - scaled_erfc(-x);
}
API double __nv_normcdf(double x) {
  if (is_nan(x))
    return x;
  if (x < -40.0)
    return 0.0;
  if (x > 9.0)
    return 1.0;
  Double2 t = Double2{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55} * x;
  if (size(t.hi) < 0.5)
    return fused(0.5, __nv_erf(t.hi), 0.5);
  return t.hi < 0.0 ? 0.5 * erfc_of(-t) : 1.0 - 0.5 * erfc_of(t);
}

/* Halley's steps from a formula that is good to some thousandths (Winitzki). y = erfc(x), 0 < y <= 1. */
RARE double inverse_erfc(double y) {
  double l = y < 0.25 ? __nv_log(y) + __nv_log(2.0 - y) : __nv_log1p(-(1.0 - y) * (1.0 - y));
  double t = 4.3307467508 + 0.5 * l;
  double x = root(root(t * t - l * 6.8027210884) - t);
  for (int i = 0; i < 3; i++) {
    double error = y > 0.5 ? (1.0 - y) - __nv_erf(x) : __nv_erfc(x) - y;
    double step = error / (0x1.20dd750429b6dp+0 * gauss(Double2{x, 0.0}));
    x += step / (1.0 - x * step);
  }
  return x;
}
API double __nv_erfcinv(double y) {
  if (!(y > 0.0 && y < 2.0))
    return y == 0.0 ? INFINITE : y == 2.0 ? -INFINITE : not_a_number();
  if (y == 1.0)
    return 0.0;
  return y < 1.0 ? inverse_erfc(y) : -inverse_erfc(2.0 - y);
}
API double __nv_erfinv(double x) {
  double a = size(x);
  if (!(a < 1.0))
    return a == 1.0 ? with_sign(INFINITE, x) : not_a_number();
  if (a < 0x1p-28)
    return x * 0x1.c5bf891b4ef6bp-1;
  if (a > 0.5)
    return with_sign(inverse_erfc(1.0 - a), x);
  double t = 4.3307467508 + 0.5 * __nv_log1p(-a * a);
  double y = root(root(t * t - __nv_log1p(-a * a) * 6.8027210884) - t);
  for (int i = 0; i < 3; i++) {
    double step = (a - __nv_erf(y)) / (0x1.20dd750429b6dp+0 * gauss(Double2{y, 0.0}));
    y += step / (1.0 - y * step);
  }
  return with_sign(y, x);
}
API double __nv_normcdfinv(double p) { return -0x1.6a09e667f3bcdp+0 * __nv_erfcinv(2.0 * p); }

API float __nv_erfcf(float x) { return (float)__nv_erfc((double)x); }
API float __nv_erff(float x) { return (float)__nv_erf((double)x); }
API float __nv_erfcxf(float x) { return (float)__nv_erfcx((double)x); }
API float __nv_normcdff(float x) { return (float)__nv_normcdf((double)x); }
API float __nv_erfcinvf(float x) { return (float)__nv_erfcinv((double)x); }
API float __nv_erfinvf(float x) { return (float)__nv_erfinv((double)x); }
API float __nv_normcdfinvf(float x) { return (float)__nv_normcdfinv((double)x); }

#endif
