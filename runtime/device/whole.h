/* Signs, parts and remainders of numbers: all exact. */
#ifndef UNRULY_DEVICE_WHOLE_H
#define UNRULY_DEVICE_WHOLE_H

API double __nv_fabs(double x) { return __builtin_fabs(x); }
API float __nv_fabsf(float x) { return __builtin_fabsf(x); }
API double __nv_copysign(double x, double y) { return with_sign(x, y); }
API float __nv_copysignf(float x, float y) { return with_sign(x, y); }
API double __nv_floor(double x) { return __builtin_floor(x); }
API float __nv_floorf(float x) { return __builtin_floorf(x); }
API double __nv_ceil(double x) { return __builtin_ceil(x); }
API float __nv_ceilf(float x) { return __builtin_ceilf(x); }
API double __nv_trunc(double x) { return __builtin_trunc(x); }
API float __nv_truncf(float x) { return __builtin_truncf(x); }
API double __nv_rint(double x) { return nearest(x); }
API float __nv_rintf(float x) { return nearest(x); }
API double __nv_nearbyint(double x) { return nearest(x); }
API float __nv_nearbyintf(float x) { return nearest(x); }
API double __nv_round(double x) {
  double whole = __builtin_trunc(x);
  return with_sign(size(x - whole) >= 0.5 ? whole + with_sign(1.0, x) : whole, x);
}
API float __nv_roundf(float x) {
  float whole = __builtin_truncf(x);
  return with_sign(size(x - whole) >= 0.5f ? whole + with_sign(1.0f, x) : whole, x);
}
API i64 __nv_llrint(double x) { return (i64)nearest(x); }
API i64 __nv_llrintf(float x) { return (i64)nearest(x); }
API i64 __nv_llround(double x) { return (i64)__nv_round(x); }
API i64 __nv_llroundf(float x) { return (i64)__nv_roundf(x); }
API double __nv_fmax(double a, double b) { return __builtin_fmax(a, b); }
API float __nv_fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
API double __nv_fmin(double a, double b) { return __builtin_fmin(a, b); }
API float __nv_fminf(float a, float b) { return __builtin_fminf(a, b); }
API double __nv_fdim(double a, double b) { return a <= b ? 0.0 : a - b; }
API float __nv_fdimf(float a, float b) { return a <= b ? 0.0f : a - b; }
API double __nv_fma(double a, double b, double c) { return fused(a, b, c); }
API float __nv_fmaf(float a, float b, float c) { return fused(a, b, c); }
API float __nv_saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

API int __nv_signbitd(double x) { return is_negative(x); }
API int __nv_signbitf(float x) { return is_negative(x); }
API int __nv_isfinited(double x) { return size(x) < INFINITE; }
API int __nv_finitef(float x) { return size(x) < INFINITE_F; }
API int __nv_isinfd(double x) { return is_infinite(x); }
API int __nv_isinff(float x) { return is_infinite(x); }
API int __nv_isnand(double x) { return is_nan(x); }
API int __nv_isnanf(float x) { return is_nan(x); }
API double __nv_nan(const signed char *) { return not_a_number(); }
API float __nv_nanf(const signed char *) { return not_a_number_f(); }

/* ---- Exponents */

constexpr int SMALLEST_INT = -2147483647 - 1;

API int __nv_ilogb(double x) {
  u64 b = bits(x) & 0x7fffffffffffffffull;
  if (b >= 0x7ff0000000000000ull)
    return is_nan(x) ? SMALLEST_INT : 2147483647;
  if (b == 0)
    return SMALLEST_INT;
  return b >> 52 ? (int)(b >> 52) - 1023 : -1011 - __builtin_clzll(b);
}
API int __nv_ilogbf(float x) {
  u32 b = bits(x) & 0x7fffffffu;
  if (b >= 0x7f800000u)
    return is_nan(x) ? SMALLEST_INT : 2147483647;
  if (b == 0)
    return SMALLEST_INT;
  return b >> 23 ? (int)(b >> 23) - 127 : -118 - __builtin_clz(b);
}
API double __nv_logb(double x) {
  if (!(size(x) < INFINITE))
    return x * x;
  return x == 0.0 ? -INFINITE : (double)__nv_ilogb(x);
}
API float __nv_logbf(float x) {
  if (!(size(x) < INFINITE_F))
    return x * x;
  return x == 0.0f ? -INFINITE_F : (float)__nv_ilogbf(x);
}
API double __nv_frexp(double x, int *exponent) {
  if (x == 0.0 || !(size(x) < INFINITE)) {
    *exponent = 0;
    return x;
  }
  int e = __nv_ilogb(x) + 1;
  *exponent = e;
  return scaled(x, -e);
}
API float __nv_frexpf(float x, int *exponent) {
  if (x == 0.0f || !(size(x) < INFINITE_F)) {
    *exponent = 0;
    return x;
  }
  int e = __nv_ilogbf(x) + 1;
  *exponent = e;
  return scaled(x, -e);
}
/* Scaled in three steps of which only the last may round. */
API double __nv_scalbn(double x, int n) {
  n = n > 3300 ? 3300 : n < -3300 ? -3300 : n;
  if (n > 1023) {
    x *= two_to(1023);
    n -= 1023;
    if (n > 1023) {
      x *= two_to(1023);
      n = n > 2046 ? 1023 : n - 1023;
    }
  } else if (n < -1022) {
    x *= two_to(-969);
    n += 969;
    if (n < -1022) {
      x *= two_to(-969);
      n = n < -1991 ? -1022 : n + 969;
    }
  }
  return x * two_to(n);
}
API float __nv_scalbnf(float x, int n) { return (float)__nv_scalbn((double)x, n < -400 ? -400 : n > 400 ? 400 : n); }
API double __nv_ldexp(double x, int n) { return __nv_scalbn(x, n); }
API float __nv_ldexpf(float x, int n) { return __nv_scalbnf(x, n); }
API double __nv_modf(double x, double *whole) {
  double w = __builtin_trunc(x);
  *whole = w;
  return with_sign(is_infinite(x) ? 0.0 : x - w, x);
}
API float __nv_modff(float x, float *whole) {
  float w = __builtin_truncf(x);
  *whole = w;
  return with_sign(is_infinite(x) ? 0.0f : x - w, x);
}
API double __nv_nextafter(double x, double y) {
  if (is_nan(x) || is_nan(y))
    return x + y;
  if (x == y)
    return y;
  if (x == 0.0)
    return with_sign(number((u64)1), y);
  return number((x < y) == (x > 0.0) ? bits(x) + 1 : bits(x) - 1);
}
API float __nv_nextafterf(float x, float y) {
  if (is_nan(x) || is_nan(y))
    return x + y;
  if (x == y)
    return y;
  if (x == 0.0f)
    return with_sign(number(1u), y);
  return number((x < y) == (x > 0.0f) ? bits(x) + 1 : bits(x) - 1);
}

/* ---- Remainders: long division, one bit of the quotient a step */

/* |x| modulo |y|, and the last bits of the quotient. */
RARE double long_division(double x, double y, u32 *quotient) {
  x = size(x);
  y = size(y);
  u32 q = 0;
  int ex = __nv_ilogb(x), ey = __nv_ilogb(y);
  if (ex < ey || x < y) {
    *quotient = 0;
    return x;
  }
  /* Whole numbers of 53 bits, with their exponents apart. */
  u64 mx = (bits(__nv_scalbn(x, 52 - ex)) & 0xfffffffffffffull) | 1ull << 52;
  u64 my = (bits(__nv_scalbn(y, 52 - ey)) & 0xfffffffffffffull) | 1ull << 52;
  for (int i = ex - ey; i >= 0; i--) {
    q <<= 1;
    if (mx >= my) {
      mx -= my;
      q |= 1;
    }
    if (i > 0)
      mx <<= 1;
  }
  *quotient = q;
  return __nv_scalbn((double)mx, ey - 52);
}
API double __nv_fmod(double x, double y) {
  if (is_nan(x) || is_nan(y) || is_infinite(x) || y == 0.0)
    return not_a_number();
  if (is_infinite(y) || x == 0.0)
    return x;
  u32 q;
  return with_sign(long_division(x, y, &q), x);
}
API float __nv_fmodf(float x, float y) { return (float)__nv_fmod((double)x, (double)y); }
API double __nv_remquo(double x, double y, int *quotient) {
  *quotient = 0;
  if (is_nan(x) || is_nan(y) || is_infinite(x) || y == 0.0)
    return not_a_number();
  if (is_infinite(y) || x == 0.0)
    return x;
  u32 q;
  double rest = long_division(x, y, &q), divisor = size(y);
  /* To the nearest, and to the even quotient between two. */
  double other = divisor - rest;
  if (rest > other || (rest == other && (q & 1))) {
    rest = -other;
    q++;
  }
  int low = (int)(q & 0x7fffffff);
  *quotient = is_negative(x) != is_negative(y) ? -low : low;
  return rest == 0.0 ? with_sign(0.0, x) : is_negative(x) ? -rest : rest;
}
API float __nv_remquof(float x, float y, int *quotient) { return (float)__nv_remquo((double)x, (double)y, quotient); }
API double __nv_remainder(double x, double y) {
  int q;
  return __nv_remquo(x, y, &q);
}
API float __nv_remainderf(float x, float y) { return (float)__nv_remainder((double)x, (double)y); }

#endif
