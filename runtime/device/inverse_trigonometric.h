/* Arcus functions. */
#ifndef UNRULY_DEVICE_INVERSE_TRIGONOMETRIC_H
#define UNRULY_DEVICE_INVERSE_TRIGONOMETRIC_H

/* atan(t) - t, |t| < 7 / 16. */
INLINE double atan_rest(double t) {
  double z = t * t;
  return t * z * polynomial(ATAN, z);
}
/* atan(a / b), of positive numbers or zero: atan(x) = atan(c) + atan((x - c) / (1 + c x)) for one of four c. */
INLINE Double2 atan_of(double a, double b) {
  /* By whole powers of two into the range in which products are good. */
  double largest = a > b ? a : b;
  if (largest > 0x1p1000 || largest < 0x1p-900) {
    double by = largest > 1.0 ? 0x1p-600 : 0x1p600;
    a *= by;
    b *= by;
  }
  Double2 c = {0.0, 0.0}, up, down;
  if (a < 0.4375 * b) {
    up = {a, 0.0};
    down = {b, 0.0};
  } else if (a < 0.6875 * b) {
    c = {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56};
    up = sum(a, -0.5 * b);
    down = sum(b, 0.5 * a);
  } else if (a < 1.1875 * b) {
    c = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
    up = sum(a, -b);
    down = sum(b, a);
  } else if (a < 2.4375 * b) {
    c = {0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56};
    up = product(-1.5, b) + a;
    down = product(1.5, a) + b;
  } else {
    c = HALF_PI;
    up = {-b, 0.0};
    down = {a, 0.0};
  }
  Double2 t = quotient(up, down);
  return c + (t + atan_rest(t.hi));
}
API double __nv_atan(double x) {
  if (size(x) < 0x1p-27 || is_nan(x))
    return x;
  Double2 y = is_infinite(x) ? HALF_PI : atan_of(size(x), 1.0);
  return with_sign(y.hi + y.lo, x);
}
API double __nv_atan2(double y, double x) {
  if (is_nan(x) || is_nan(y))
    return x + y;
  Double2 t;
  if (y == 0.0 || (is_infinite(x) && !is_infinite(y)))
    t = {0.0, 0.0};
  else if (x == 0.0 || (is_infinite(y) && !is_infinite(x)))
    t = HALF_PI;
  else if (is_infinite(y))
    t = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
  else
    t = atan_of(size(y), size(x));
  if (is_negative(x))
    t = PI + -t;
  return with_sign(t.hi + t.lo, y);
}

/* asin(t), |t| <= 1 / 2. */
INLINE Double2 asin_of(Double2 t) {
  double z = t.hi * t.hi;
  return fast_sum(t.hi, fused(t.hi * z, polynomial(ASIN, z), t.lo));
}
/* sqrt((1 - x) / 2), whose arcus sine is half the arcus cosine. */
INLINE Double2 half_root(double x) {
  double z = 0.5 * (1.0 - x), s = root(z);
  double rest = fused(-s, s, z);
  return {s, s == 0.0 ? 0.0 : rest / (2.0 * s)};
}
API double __nv_asin(double x) {
  double a = size(x);
  if (!(a <= 1.0))
    return not_a_number();
  if (a < 0x1p-27)
    return x;
  if (a <= 0.5) {
    Double2 y = asin_of(Double2{x, 0.0});
    return y.hi + y.lo;
  }
  Double2 y = HALF_PI + asin_of(half_root(a)) * -2.0;
  return with_sign(y.hi + y.lo, x);
}
API double __nv_acos(double x) {
  double a = size(x);
  if (!(a <= 1.0))
    return not_a_number();
  Double2 y;
  if (a <= 0.5)
    y = HALF_PI + -asin_of(Double2{x, 0.0});
  else if (x > 0.0)
    y = asin_of(half_root(a)) * 2.0;
  else
    y = PI + asin_of(half_root(a)) * -2.0;
  return y.hi + y.lo;
}

/* ---- Single precision */

constexpr Float2 HALF_PI_F = {0x1.921fb6p+0f, -0x1.777a5cp-25f};
constexpr Float2 PI_F = {0x1.921fb6p+1f, -0x1.777a5cp-24f};

INLINE float atan_of(float t) {
  float z = t * t;
  return fused(t * z, polynomial(ATANF, z), t);
}
API float __nv_atanf(float x) {
  float a = size(x);
  float y = a > 1.0f ? HALF_PI_F.hi - (atan_of(1.0f / a) - HALF_PI_F.lo) : atan_of(a);
  return is_nan(x) ? x : with_sign(y, x);
}
API float __nv_atan2f(float y, float x) {
  if (is_nan(x) || is_nan(y))
    return x + y;
  float a = size(x), b = size(y), t;
  if (b == 0.0f)
    t = 0.0f;
  else if (a == b)
    t = 0x1.921fb6p-1f;
  else if (b > a)
    t = HALF_PI_F.hi - (atan_of(a / b) - HALF_PI_F.lo);
  else
    t = atan_of(b / a);
  if (is_negative(x))
    t = PI_F.hi - (t - PI_F.lo);
  return with_sign(t, y);
}
INLINE float asin_of(float t) {
  float z = t * t;
  return fused(t * z, polynomial(ASINF, z), t);
}
API float __nv_asinf(float x) {
  float a = size(x);
  if (!(a <= 1.0f))
    return not_a_number_f();
  if (a <= 0.5f)
    return asin_of(x);
  float y = HALF_PI_F.hi - (2.0f * asin_of(root(0.5f * (1.0f - a))) - HALF_PI_F.lo);
  return with_sign(y, x);
}
API float __nv_acosf(float x) {
  float a = size(x);
  if (!(a <= 1.0f))
    return not_a_number_f();
  if (a <= 0.5f)
    return HALF_PI_F.hi - (asin_of(x) - HALF_PI_F.lo);
  float y = 2.0f * asin_of(root(0.5f * (1.0f - a)));
  return x > 0.0f ? y : PI_F.hi - (y - PI_F.lo);
}

#endif
