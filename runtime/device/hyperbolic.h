/* Hyperbolic functions and their inverses. */
#ifndef UNRULY_DEVICE_HYPERBOLIC_H
#define UNRULY_DEVICE_HYPERBOLIC_H

API double __nv_sinh(double x) {
  double a = size(x), y;
  if (a < 0x1p-26)
    return x;
  if (a < 22.0) {
    Double2 e = expm1_of(a), twice = e + quotient(e, e + 1.0);
    y = 0.5 * (twice.hi + twice.lo);
  } else
    y = exp_of(Double2{a, 0.0}, -1);
  return with_sign(y, x);
}
API double __nv_cosh(double x) {
  double a = size(x);
  if (a < 22.0) {
    Double2 e = expm1_of(a) + 1.0;
    return fused(0.5, e.hi, fused(0.5, e.lo, 0.5 / e.hi));
  }
  return exp_of(Double2{a, 0.0}, -1);
}
API double __nv_tanh(double x) {
  double a = size(x);
  if (a < 0x1p-27 || is_nan(x))
    return x;
  if (a >= 22.0)
    return with_sign(1.0, x);
  Double2 e = expm1_of(-2.0 * a), y = quotient(-e, e + 2.0);
  return with_sign(y.hi + y.lo, x);
}
API double __nv_asinh(double x) {
  double a = size(x);
  if (a < 0x1p-27 || !(a < INFINITE))
    return x;
  double y;
  if (a > 0x1p28) {
    Double2 l = log_pair(a) + LN2;
    y = l.hi;
  } else {
    double square = a * a;
    y = __nv_log1p(a + square / (1.0 + root(1.0 + square)));
  }
  return with_sign(y, x);
}
API double __nv_acosh(double x) {
  if (!(x >= 1.0))
    return not_a_number();
  if (x > 0x1p28)
    return x < INFINITE ? (log_pair(x) + LN2).hi : x;
  double t = x - 1.0;
  return __nv_log1p(t + root(fused(t, t, 2.0 * t)));
}
API double __nv_atanh(double x) {
  double a = size(x);
  if (!(a < 1.0))
    return a == 1.0 ? with_sign(INFINITE, x) : not_a_number();
  if (a < 0x1p-27)
    return x;
  return with_sign(0.5 * __nv_log1p(2.0 * a / (1.0 - a)), x);
}

/* ---- Single precision */

API float __nv_sinhf(float x) {
  float a = size(x), y;
  if (a < 0x1p-12f)
    return x;
  if (a < 10.0f) {
    float e = __nv_expm1f(a);
    y = 0.5f * (e + e / (e + 1.0f));
  } else
    y = a > 95.0f ? INFINITE_F : exp_of(Float2{a, 0.0f} + -LN2_F);
  return with_sign(y, x);
}
API float __nv_coshf(float x) {
  float a = size(x);
  if (a < 10.0f) {
    float e = __nv_expf(a);
    return fused(0.5f, e, 0.5f / e);
  }
  return a > 95.0f ? INFINITE_F : exp_of(Float2{a, 0.0f} + -LN2_F);
}
API float __nv_tanhf(float x) {
  float a = size(x);
  if (a < 0.55f) {
    float z = x * x;
    return fused(x * z, polynomial(TANHF, z), x);
  }
  if (is_nan(x))
    return x;
  return with_sign(a > 10.0f ? 1.0f : 1.0f - 2.0f / (__nv_expf(2.0f * a) + 1.0f), x);
}
API float __nv_asinhf(float x) {
  float a = size(x);
  if (a < 0x1p-12f || !(a < INFINITE_F))
    return x;
  float y;
  if (a > 0x1p13f)
    y = __nv_logf(a) + LN2_F.hi;
  else {
    float square = a * a;
    y = __nv_log1pf(a + square / (1.0f + root(1.0f + square)));
  }
  return with_sign(y, x);
}
API float __nv_acoshf(float x) {
  if (!(x >= 1.0f))
    return not_a_number_f();
  if (x > 0x1p13f)
    return x < INFINITE_F ? __nv_logf(x) + LN2_F.hi : x;
  float t = x - 1.0f;
  return __nv_log1pf(t + root(fused(t, t, 2.0f * t)));
}
API float __nv_atanhf(float x) {
  float a = size(x);
  if (!(a < 1.0f))
    return a == 1.0f ? with_sign(INFINITE_F, x) : not_a_number_f();
  if (a < 0x1p-12f)
    return x;
  return with_sign(0.5f * __nv_log1pf(2.0f * a / (1.0f - a)), x);
}

#endif
