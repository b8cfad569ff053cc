/* The gamma function and its logarithm. */
#ifndef UNRULY_DEVICE_GAMMA_H
#define UNRULY_DEVICE_GAMMA_H

/* Stirling's series of log(gamma(x)), less (x - 1/2) log(x) - x + log(2 pi) / 2, x >= 12. */
INLINE double stirling(double x) {
  double z = 1.0 / (x * x);
  double y = fused(1.0 / 156.0, z, -691.0 / 360360.0);
  y = fused(y, z, 1.0 / 1188.0);
  y = fused(y, z, -1.0 / 1680.0);
  y = fused(y, z, 1.0 / 1260.0);
  y = fused(y, z, -1.0 / 360.0);
  y = fused(y, z, 1.0 / 12.0);
  return y / x;
}
/* log(gamma(x)), x >= 12. */
INLINE Double2 large_log_gamma(double x) {
  Double2 y = log_pair(x) * (x - 0.5) + -x;
  return (y + Double2{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55}) + stirling(x);
}
INLINE double positive_gamma(double x) {
  if (x >= 12.0)
    return x > 172.0 ? INFINITE : exp_of(large_log_gamma(x));
  double factors = 1.0;
  while (x > 2.0) {
    x -= 1.0;
    factors *= x;
  }
  if (x < 1.0)
    return polynomial(GAMMA, x - 0.5) / x;
  return factors * polynomial(GAMMA, x - 1.5);
}
API double __nv_tgamma(double x) {
  if (x > 0.0)
    return x < INFINITE ? positive_gamma(x) : x;
  if (x == 0.0)
    return 1.0 / x;
  if (is_nan(x) || is_infinite(x) || is_whole(x))
    return not_a_number();
  double s = __nv_sinpi(x);
  if (x < -184.0)
    return with_sign(0.0, s * -1.0);
  if (x > -0.5)
    return positive_gamma(x + 1.0) / x;
  /* gamma(x) gamma(-x) = -pi / (x sin(pi x)) */
  if (x > -12.0)
    return -PI.hi / (x * s * positive_gamma(-x));
  return -PI.hi / (x * s) * exp_of(-large_log_gamma(-x));
}

/* Of 1/2 <= x <= 3: a fit that has the zeros at 1 and 2. */
INLINE double log_gamma_between(double x) { return (x - 1.0) * (x - 2.0) * polynomial(LGAMMA, x - 1.75); }
INLINE double positive_log_gamma(double x) {
  if (x >= 12.0) {
    if (x > 0x1p1014)
      return x * (__nv_log(x) - 1.0);
    Double2 y = large_log_gamma(x);
    return y.hi + y.lo;
  }
  if (x < 0.5)
    return x < 0x1p-54 ? -__nv_log(x) : log_gamma_between(x + 1.0) - __nv_log(x);
  if (x <= 3.0)
    return log_gamma_between(x);
  double factors = 1.0;
  while (x > 3.0) {
    x -= 1.0;
    factors *= x;
  }
  return __nv_log(factors) + log_gamma_between(x);
}
API double __nv_lgamma(double x) {
  if (x > 0.0)
    return x < INFINITE ? positive_log_gamma(x) : x;
  if (is_nan(x))
    return x;
  if (is_infinite(x) || is_whole(x))
    return INFINITE;
  if (x > -0x1p-54)
    return -__nv_log(-x);
  return __nv_log(PI.hi / size(x * __nv_sinpi(x))) - positive_log_gamma(-x);
}
API float __nv_tgammaf(float x) { return (float)__nv_tgamma((double)x); }
API float __nv_lgammaf(float x) { return (float)__nv_lgamma((double)x); }

#endif
