/* Logarithms: x = 2^k (1 + f), and log(1 + f) = 2 artanh(f / (2 + f)). */
#ifndef UNRULY_DEVICE_LOGARITHM_H
#define UNRULY_DEVICE_LOGARITHM_H

/* 1 + f = x / 2^k, between sqrt(1/2) and sqrt(2), of a positive finite x. */
INLINE double split(double x, int *k) {
  int more = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    more = -54;
  }
  u64 b = bits(x);
  int e = (int)(b >> 52) - 1023;
  double m = number((b & 0xfffffffffffffull) | 0x3ff0000000000000ull);
  if (m > 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    e++;
  }
  *k = e + more;
  return m;
}
INLINE float split(float x, int *k) {
  int more = 0;
  if (x < 0x1p-126f) {
    x *= 0x1p25f;
    more = -25;
  }
  u32 b = bits(x);
  int e = (int)(b >> 23) - 127;
  float m = number((b & 0x7fffffu) | 0x3f800000u);
  if (m > 0x1.6a09e6p+0f) {
    m *= 0.5f;
    e++;
  }
  *k = e + more;
  return m;
}

/* log(1 + f), |f| < 0.42, with 10 bits to spare. */
INLINE Double2 log_of(Double2 f) {
  Double2 s = quotient(f, Double2{2.0, 0.0} + f), z = s * s;
  double rest = 0x1.8618618618618p-5; /* 1 / 21 */
#pragma unroll
  for (int n = 19; n >= 5; n -= 2)
    rest = fused(rest, z.hi, 1.0 / n);
  Double2 third = z * Double2{0x1.5555555555555p-2, 0x1.5555555555555p-56};
  Double2 t = third + z.hi * z.hi * rest;
  Double2 twice = {2.0 * s.hi, 2.0 * s.lo};
  return twice + twice * t;
}
INLINE Double2 log_pair(double x) {
  int k;
  double m = split(x, &k);
  return LN2 * (double)k + log_of(Double2{m - 1.0, 0.0});
}
/* log(0), log(-1), log(infinity), log(NaN). */
INLINE double log_of_special(double x) { return x == 0.0 ? -INFINITE : x < 0.0 ? not_a_number() : x; }
INLINE float log_of_special(float x) { return x == 0.0f ? -INFINITE_F : x < 0.0f ? not_a_number_f() : x; }
INLINE bool has_log(double x) { return x > 0.0 && x < INFINITE; }
INLINE bool has_log(float x) { return x > 0.0f && x < INFINITE_F; }

API double __nv_log(double x) {
  if (!has_log(x))
    return log_of_special(x);
  Double2 y = log_pair(x);
  return y.hi + y.lo;
}
API double __nv_log2(double x) {
  if (!has_log(x))
    return log_of_special(x);
  int k;
  double m = split(x, &k);
  Double2 y = LOG2_E * log_of(Double2{m - 1.0, 0.0}) + (double)k;
  return y.hi + y.lo;
}
API double __nv_log10(double x) {
  if (!has_log(x))
    return log_of_special(x);
  int k;
  double m = split(x, &k);
  Double2 y = LOG10_2 * (double)k + LOG10_E * log_of(Double2{m - 1.0, 0.0});
  return y.hi + y.lo;
}
API double __nv_log1p(double x) {
  if (size(x) < 0x1p-54)
    return x;
  if (!(x > -1.0 && x < INFINITE))
    return x == -1.0 ? -INFINITE : x < -1.0 ? not_a_number() : x;
  if (x > -0.29 && x < 0.41) {
    Double2 y = log_of(Double2{x, 0.0});
    return y.hi + y.lo;
  }
  Double2 u = sum(1.0, x);
  Double2 y = log_pair(u.hi) + u.lo / u.hi;
  return y.hi + y.lo;
}

/* f - f^2 / 2 + f^3 P(f), in two parts. */
INLINE Float2 log_of(float f) {
  Float2 square = product(f, f);
  float cube = f * square.hi;
  return sum(f, -0.5f * square.hi) + fused(cube, polynomial(LOGF, f), -0.5f * square.lo);
}
API float __nv_logf(float x) {
  if (!has_log(x))
    return log_of_special(x);
  int k;
  float f = split(x, &k) - 1.0f;
  Float2 y = Float2{(float)k * 0x1.62e4p-1f, (float)k * 0x1.7f7d1cp-20f};
  y = sum(y.hi, y.lo) + log_of(f);
  return y.hi + y.lo;
}
API float __nv_log2f(float x) {
  if (!has_log(x))
    return log_of_special(x);
  int k;
  float f = split(x, &k) - 1.0f;
  Float2 y = Float2{0x1.715476p+0f, 0x1.4ae0c0p-26f} * log_of(f) + (float)k;
  return y.hi + y.lo;
}
API float __nv_log10f(float x) {
  if (!has_log(x))
    return log_of_special(x);
  int k;
  float f = split(x, &k) - 1.0f;
  Float2 y = Float2{0x1.344136p-2f, -0x1.ec10c0p-27f} * (float)k + Float2{0x1.bcb7b2p-2f, -0x1.5b235ep-27f} * log_of(f);
  return y.hi + y.lo;
}
API float __nv_log1pf(float x) {
  if (size(x) < 0x1p-25f)
    return x;
  if (!(x > -1.0f && x < INFINITE_F))
    return x == -1.0f ? -INFINITE_F : x < -1.0f ? not_a_number_f() : x;
  if (x > -0.29f && x < 0.41f) {
    Float2 y = log_of(x);
    return y.hi + y.lo;
  }
  Float2 u = sum(1.0f, x);
  int k;
  float m = split(u.hi, &k);
  Float2 y = sum((float)k * 0x1.62e4p-1f, (float)k * 0x1.7f7d1cp-20f) + log_of(m - 1.0f) + u.lo / u.hi;
  return y.hi + y.lo;
}

#endif
