/* Lengths of vectors, without overflow on the way. */
#ifndef UNRULY_DEVICE_NORM_H
#define UNRULY_DEVICE_NORM_H

/* sqrt(a^2 + b^2 + ...). */
INLINE double length(const double *v, int count, bool inverse) {
  double largest = 0.0;
  bool infinite = false, nan = false;
  for (int i = 0; i < count; i++) {
    double a = size(v[i]);
    infinite |= is_infinite(a);
    nan |= is_nan(a);
    largest = a > largest ? a : largest;
  }
  if (infinite)
    return inverse ? 0.0 : INFINITE;
  if (nan)
    return not_a_number();
  if (largest == 0.0)
    return inverse ? INFINITE : 0.0;
  int e = __nv_ilogb(largest);
  Double2 square = {0.0, 0.0};
  for (int i = 0; i < count; i++) {
    double a = scaled(v[i], -e);
    square = square + product(a, a);
  }
  double s = root(square.hi);
  s += (fused(-s, s, square.hi) + square.lo) / (2.0 * s);
  return inverse ? __nv_scalbn(1.0 / s, -e) : __nv_scalbn(s, e);
}
API double __nv_norm(int count, const double *v) { return length(v, count, false); }
API double __nv_rnorm(int count, const double *v) { return length(v, count, true); }
API double __nv_hypot(double a, double b) {
  double v[] = {a, b};
  return length(v, 2, false);
}
API double __nv_rhypot(double a, double b) {
  double v[] = {a, b};
  return length(v, 2, true);
}
API double __nv_norm3d(double a, double b, double c) {
  double v[] = {a, b, c};
  return length(v, 3, false);
}
API double __nv_rnorm3d(double a, double b, double c) {
  double v[] = {a, b, c};
  return length(v, 3, true);
}
API double __nv_norm4d(double a, double b, double c, double d) {
  double v[] = {a, b, c, d};
  return length(v, 4, false);
}
API double __nv_rnorm4d(double a, double b, double c, double d) {
  double v[] = {a, b, c, d};
  return length(v, 4, true);
}

/* The squares of floats are in reach of double precision. */
INLINE float length_f(double square, bool infinite, bool inverse) {
  double s = infinite ? INFINITE : root(square);
  return (float)(inverse ? 1.0 / s : s);
}
INLINE double squared(float x) { return (double)x * (double)x; }
INLINE float norm_f(int count, const float *v, bool inverse) {
  double square = 0.0;
  bool infinite = false;
  for (int i = 0; i < count; i++) {
    square += squared(v[i]);
    infinite |= is_infinite(v[i]);
  }
  return length_f(square, infinite, inverse);
}
API float __nv_normf(int count, const float *v) { return norm_f(count, v, false); }
API float __nv_rnormf(int count, const float *v) { return norm_f(count, v, true); }
API float __nv_hypotf(float a, float b) { return length_f(squared(a) + squared(b), is_infinite(a) || is_infinite(b), false); }
API float __nv_rhypotf(float a, float b) { return length_f(squared(a) + squared(b), is_infinite(a) || is_infinite(b), true); }
API float __nv_norm3df(float a, float b, float c) {
  return length_f(squared(a) + squared(b) + squared(c), is_infinite(a) || is_infinite(b) || is_infinite(c), false);
}
API float __nv_rnorm3df(float a, float b, float c) {
  return length_f(squared(a) + squared(b) + squared(c), is_infinite(a) || is_infinite(b) || is_infinite(c), true);
}
API float __nv_norm4df(float a, float b, float c, float d) {
  bool infinite = is_infinite(a) || is_infinite(b) || is_infinite(c) || is_infinite(d);
  return length_f(squared(a) + squared(b) + squared(c) + squared(d), infinite, false);
}
API float __nv_rnorm4df(float a, float b, float c, float d) {
  bool infinite = is_infinite(a) || is_infinite(b) || is_infinite(c) || is_infinite(d);
  return length_f(squared(a) + squared(b) + squared(c) + squared(d), infinite, true);
}

#endif
