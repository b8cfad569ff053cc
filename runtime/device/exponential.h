/* Powers of e, 2 and 10: x is a whole power of two and a rest, for which there is a polynomial. */
#ifndef UNRULY_DEVICE_EXPONENTIAL_H
#define UNRULY_DEVICE_EXPONENTIAL_H

/* e^r - 1, |r| < log(2) / 2. */
INLINE Double2 exp_rest(Double2 r) { return fast_sum(r.hi, fused(r.hi * r.hi, polynomial(EXP, r.hi), r.lo)); }
INLINE Float2 exp_rest(Float2 r) { return fast_sum(r.hi, fused(r.hi * r.hi, polynomial(EXPF, r.hi), r.lo)); }

/* x less n log(2). */
INLINE Double2 without_powers(Double2 x, double n) {
  Double2 p = product(n, LN2.hi);
  /* x - p.hi is exact. */
  Double2 s = sum(x.hi - p.hi, -p.lo);
  return fast_sum(s.hi, s.lo + fused(-n, LN2.lo, x.lo));
}
constexpr Float2 LN2_F = {0x1.62e430p-1f, -0x1.05c610p-29f};
INLINE Float2 without_powers(Float2 x, float n) {
  Float2 p = product(n, LN2_F.hi);
  Float2 s = sum(x.hi - p.hi, -p.lo);
  return fast_sum(s.hi, s.lo + fused(-n, LN2_F.lo, x.lo));
}

/* e^x, times 2^more. */
INLINE double exp_of(Double2 x, int more = 0) {
  if (!(size(x.hi) < 1e5))
    return is_nan(x.hi) ? x.hi : x.hi > 0.0 ? INFINITE : 0.0;
  double n = nearest(x.hi * LOG2_E.hi);
  n = n > 2000.0 ? 2000.0 : n < -2000.0 ? -2000.0 : n;
  Double2 q = exp_rest(without_powers(x, n));
  if (x.hi > 1400.0)
    return INFINITE;
  if (x.hi < -1400.0)
    return 0.0;
  Double2 s = fast_sum(1.0, q.hi);
  return scaled(s.hi + (s.lo + q.lo), (int)n + more);
}
INLINE float exp_of(Float2 x) {
  if (!(size(x.hi) < 170.0f))
    return is_nan(x.hi) ? x.hi : x.hi > 0.0f ? INFINITE_F : 0.0f;
  float n = nearest(x.hi * 0x1.715476p+0f);
  Float2 q = exp_rest(without_powers(x, n));
  Float2 s = fast_sum(1.0f, q.hi);
  return scaled(s.hi + (s.lo + q.lo), (int)n);
}

API double __nv_exp(double x) { return exp_of(Double2{x, 0.0}); }
API double __nv_exp2(double x) {
  if (!(size(x) < 1100.0))
    return is_nan(x) ? x : x > 0.0 ? INFINITE : 0.0;
  double n = nearest(x);
  Double2 q = exp_rest(LN2 * (x - n)), s = fast_sum(1.0, q.hi);
  return scaled(s.hi + (s.lo + q.lo), (int)n);
}
API double __nv_exp10(double x) {
  if (!(size(x) < 400.0))
    return is_nan(x) ? x : x > 0.0 ? INFINITE : 0.0;
  return exp_of(LN10 * x);
}
/* e^x - 1, -50 < x < 709. */
INLINE Double2 expm1_of(double x) {
  double n = nearest(x * LOG2_E.hi);
  Double2 q = exp_rest(without_powers(Double2{x, 0.0}, n));
  double power = two_to((int)n);
  return Double2{q.hi * power, q.lo * power} + power + -1.0;
}
API double __nv_expm1(double x) {
  if (size(x) < 0x1p-54)
    return x;
  if (x < -45.0)
    return -1.0;
  if (!(x < 705.0))
    return is_nan(x) ? x : __nv_exp(x);
  Double2 y = expm1_of(x);
  return y.hi + y.lo;
}

/* A single-precision power that is rounded once: the rest has the precision that it needs. */
API float __nv_expf(float x) {
  if (!(size(x) < 170.0f))
    return is_nan(x) ? x : x > 0.0f ? INFINITE_F : 0.0f;
  float n = nearest(x * 0x1.715476p+0f);
  float r = fused(-n, LN2_F.lo, fused(-n, LN2_F.hi, x));
  return scaled(1.0f + fused(r * r, polynomial(EXPF, r), r), (int)n);
}
API float __nv_exp2f(float x) {
  if (!(size(x) < 170.0f))
    return is_nan(x) ? x : x > 0.0f ? INFINITE_F : 0.0f;
  float n = nearest(x), r = (x - n) * LN2_F.hi;
  return scaled(1.0f + fused(r * r, polynomial(EXPF, r), r), (int)n);
}
API float __nv_exp10f(float x) {
  if (!(size(x) < 60.0f))
    return is_nan(x) ? x : x > 0.0f ? INFINITE_F : 0.0f;
  return exp_of(Float2{0x1.26bb1cp+1f, -0x1.12aabap-25f} * x);
}
API float __nv_expm1f(float x) {
  if (!(x < 89.0f))
    return is_nan(x) ? x : INFINITE_F;
  if (x < -20.0f)
    return -1.0f;
  float n = nearest(x * 0x1.715476p+0f);
  Float2 q = exp_rest(without_powers(Float2{x, 0.0f}, n));
  if (n == 0.0f)
    return q.hi == 0.0f ? x : q.hi + q.lo;
  float half = two_to_f((int)n - 1);
  Float2 s = Float2{q.hi * half, q.lo * half} + half + -0.5f;
  return 2.0f * (s.hi + s.lo);
}

#endif
