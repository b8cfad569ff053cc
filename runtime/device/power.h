/* Powers and roots. */
#ifndef UNRULY_DEVICE_POWER_H
#define UNRULY_DEVICE_POWER_H

INLINE bool is_whole(double y) { return __builtin_trunc(y) == y; }
INLINE bool is_odd(double y) { return is_whole(y) && size(y) < 0x1p53 && !is_whole(0.5 * y); }

/* |x|^y, for a positive finite x. */
INLINE double power_of(double x, double y) { return exp_of(log_pair(x) * y); }

/* What is not a power of a positive number; C99 says what it is. */
RARE double special_power(double x, double y) {
  if (y == 0.0 || x == 1.0)
    return 1.0;
  if (is_nan(x) || is_nan(y))
    return x + y;
  double base = size(x);
  bool odd = is_odd(y);
  if (is_infinite(y))
    return base == 1.0 ? 1.0 : (base > 1.0) == (y > 0.0) ? INFINITE : 0.0;
  if (base == 0.0 || base == INFINITE) {
    double result = (base == 0.0) == (y > 0.0) ? 0.0 : INFINITE;
    return odd ? with_sign(result, x) : result;
  }
  if (x < 0.0 && !is_whole(y))
    return not_a_number();
  /* A power this large leaves the range unless the base is 1. */
  double result = base == 1.0 ? 1.0 : size(y) > 0x1p70 ? ((base > 1.0) == (y > 0.0) ? INFINITE : 0.0) : power_of(base, y);
  return x < 0.0 && odd ? -result : result;
}
API double __nv_pow(double x, double y) {
  return x > 0.0 && x < INFINITE && size(y) < 0x1p70 ? power_of(x, y) : special_power(x, y);
}
/* In pairs of floats. */
API float __nv_powf(float x, float y) {
  if (!(x > 0.0f && x < INFINITE_F && size(y) < 0x1p40f))
    return (float)special_power((double)x, (double)y);
  int k;
  float f = split(x, &k) - 1.0f;
  Float2 s = quotient(Float2{f, 0.0f}, Float2{2.0f, 0.0f} + f), z = s * s;
  float rest = 0x1.745d18p-4f; /* 1 / 11 */
  rest = fused(rest, z.hi, 0x1.c71c72p-4f);
  rest = fused(rest, z.hi, 0x1.24924ap-3f);
  rest = fused(rest, z.hi, 0x1.99999ap-3f);
  Float2 t = z * Float2{0x1.555556p-2f, -0x1.555556p-27f} + z.hi * z.hi * rest;
  Float2 twice = {2.0f * s.hi, 2.0f * s.lo};
  Float2 log = LN2_F * (float)k + (twice + twice * t);
  return exp_of(log * y);
}
INLINE double whole_power(double x, int n) {
  double y = 1.0;
  for (u32 rest = n < 0 ? 0u - (u32)n : (u32)n; rest != 0; rest >>= 1) {
    if (rest & 1)
      y *= x;
    x *= x;
  }
  return n < 0 ? 1.0 / y : y;
}
/* Products: some units in the last place, more for larger n. */
API double __nv_powi(double x, int n) { return n >= -8 && n <= 8 ? whole_power(x, n) : __nv_pow(x, (double)n); }
API float __nv_powif(float x, int n) { return (float)(n >= -64 && n <= 64 ? whole_power((double)x, n) : __nv_pow((double)x, (double)n)); }

API double __nv_sqrt(double x) { return root(x); }
API float __nv_sqrtf(float x) { return root(x); }
/* 1 / sqrt(x), corrected once. */
API double __nv_rsqrt(double x) {
  if (!(x > 0.0 && x < INFINITE))
    return 1.0 / root(x);
  double s = root(x), y = 1.0 / s;
  /* s^2 differs from x by what is known exactly. */
  double rest = fused(-s, s, x);
  double slip = fused(-s, y, 1.0);
  return fused(y, slip - 0.5 * (rest / x), y);
}
API float __nv_rsqrtf(float x) {
  if (!(x > 0.0f && x < INFINITE_F))
    return 1.0f / root(x);
  float s = root(x), y = 1.0f / s;
  float rest = fused(-s, s, x);
  float slip = fused(-s, y, 1.0f);
  return fused(y, slip - 0.5f * (rest / x), y);
}

/* A third of the exponent, and Halley's steps. The last one knows the error of the cube exactly. */
API double __nv_cbrt(double x) {
  if (x == 0.0 || !(size(x) < INFINITE))
    return x;
  double a = size(x);
  int e = __nv_ilogb(a), third = (e + 3000) / 3 - 1000;
  double m = scaled(a, -3 * third); /* 1 <= m < 8 */
  double y = fused(m, 0.17, 0.9);
#pragma unroll
  for (int i = 0; i < 3; i++) {
    double cube = y * y * y;
    y = y * ((cube + 2.0 * m) / (2.0 * cube + m));
  }
  Double2 cube = product(y, y) * y;
  double rest = (m - cube.hi) - cube.lo;
  y += rest / (3.0 * y * y);
  return with_sign(scaled(y, third), x);
}
API float __nv_cbrtf(float x) {
  if (x == 0.0f || !(size(x) < INFINITE_F))
    return x;
  float a = size(x);
  int e = __nv_ilogbf(a), third = (e + 300) / 3 - 100;
  float m = scaled(a, -3 * third);
  float y = fused(m, 0.17f, 0.9f);
#pragma unroll
  for (int i = 0; i < 2; i++) {
    float cube = y * y * y;
    y = y * ((cube + 2.0f * m) / (2.0f * cube + m));
  }
  Float2 cube = product(y, y) * y;
  float rest = (m - cube.hi) - cube.lo;
  y += rest / (3.0f * y * y);
  return with_sign(scaled(y, third), x);
}
API double __nv_rcbrt(double x) {
  double y = 1.0 / __nv_cbrt(x);
  if (x == 0.0 || !(size(x) < INFINITE))
    return y;
  Double2 one = product(x, y) * y * y;
  return fused(y, ((1.0 - one.hi) - one.lo) * (1.0 / 3.0), y);
}
API float __nv_rcbrtf(float x) { return 1.0f / __nv_cbrtf(x); }

#endif
