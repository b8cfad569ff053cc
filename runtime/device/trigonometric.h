/* Sine, cosine, tangent. x is a whole number of quarters of a turn and a rest, for which there are polynomials. */
#ifndef UNRULY_DEVICE_TRIGONOMETRIC_H
#define UNRULY_DEVICE_TRIGONOMETRIC_H

/* 2 / pi in binary. */
static const u64 TWO_OVER_PI[20] = {0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
                                    0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
                                    0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
                                    0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull,
                                    0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull, 0xf0cfbc209af4361dull};

INLINE u64 from_bit(int place) {
  int word = place >> 6, shift = place & 63;
  u64 high = TWO_OVER_PI[word] << shift;
  return shift == 0 ? high : high | TWO_OVER_PI[word + 1] >> (64 - shift);
}

/* The rest of a large number (Payne and Hanek): of the product with 2 / pi only the bits around the point are computed. */
RARE Double2 large_rest(double x, int *quarters) {
  u64 b = bits(x);
  int e = (int)(b >> 52 & 0x7ff) - 1075; /* |x| = m 2^e */
  u64 m = (b & 0xfffffffffffffull) | 1ull << 52;
  /* The first bit of 2 / pi that still counts: m 2^e 2^-(first + 1) is below 4. Bits before it are whole turns. */
  int first = e - 2 < 0 ? 0 : e - 2;
  u64 a = from_bit(first), c = from_bit(first + 64), d = from_bit(first + 128);
  /* m times 192 bits. Two bits of the product before its point are kept. */
  unsigned __int128 low = (unsigned __int128)m * d;
  unsigned __int128 middle = (unsigned __int128)m * c + (u64)(low >> 64);
  unsigned __int128 high = (unsigned __int128)m * a + (u64)(middle >> 64);
  u64 word0 = (u64)high, word1 = (u64)middle;
  if (e < 2) {
    word1 = word1 >> (2 - e) | word0 << (62 + e);
    word0 = word0 >> (2 - e) | (u64)(high >> 64) << (62 + e);
  }
  int whole = (int)(word0 >> 62);
  u64 fraction = word0 << 2 | word1 >> 62, rest = word1 << 2;
  /* To the nearest quarter: the fraction as a signed number. */
  bool up = fraction >> 63;
  if (up) {
    whole++;
    rest = 0ull - rest;
    fraction = ~fraction + (rest == 0);
  }
  Double2 turn = sum((double)(fraction >> 11) * 0x1p-53, (double)((fraction & 0x7ff) << 53 | rest >> 11) * 0x1p-117);
  Double2 r = HALF_PI * turn;
  if (up)
    r = -r;
  if (x < 0.0) {
    r = -r;
    whole = -whole;
  }
  *quarters = whole;
  return r;
}

INLINE Double2 rest_of(double x, int *quarters) {
  if (size(x) > 0x1p27) {
    if (size(x) < INFINITE)
      return large_rest(x, quarters);
    *quarters = 0;
    return {not_a_number(), 0.0};
  }
  double n = nearest(x * 0x1.45f306dc9c883p-1);
  double r = fused(-n, HALF_PI.hi, x);
  Double2 p = product(n, HALF_PI.lo);
  Double2 s = sum(r, -p.hi);
  *quarters = (int)n;
  return fast_sum(s.hi, s.lo - p.lo - n * HALF_PI_LOWEST);
}

/* |r| < pi / 4. */
INLINE Double2 sin_pair(Double2 r) {
  double z = r.hi * r.hi;
  return {r.hi, fused(r.hi * z, polynomial(SIN, z), fused(-0.5 * z, r.lo, r.lo))};
}
INLINE Double2 cos_pair(Double2 r) {
  double z = r.hi * r.hi, half = 0.5 * z, w = 1.0 - half;
  return {w, ((1.0 - w) - half) + fused(z * z, polynomial(COS, z), -r.hi * r.lo)};
}
INLINE double sin_of(Double2 r) {
  Double2 y = sin_pair(r);
  return y.hi + y.lo;
}
INLINE double cos_of(Double2 r) {
  Double2 y = cos_pair(r);
  return y.hi + y.lo;
}
INLINE double sin_in(Double2 r, int quarters) {
  double y = quarters & 1 ? cos_of(r) : sin_of(r);
  return quarters & 2 ? -y : y;
}
API double __nv_sin(double x) {
  int q;
  Double2 r = rest_of(x, &q);
  return x == 0.0 ? x : sin_in(r, q);
}
API double __nv_cos(double x) {
  int q;
  Double2 r = rest_of(x, &q);
  return sin_in(r, q + 1);
}
API void __nv_sincos(double x, double *s, double *c) {
  int q;
  Double2 r = rest_of(x, &q);
  *s = x == 0.0 ? x : sin_in(r, q);
  *c = sin_in(r, q + 1);
}
API double __nv_tan(double x) {
  int q;
  Double2 r = rest_of(x, &q);
  Double2 s = sin_pair(r), c = cos_pair(r);
  s = fast_sum(s.hi, s.lo);
  c = fast_sum(c.hi, c.lo);
  Double2 y = q & 1 ? quotient(-c, s) : quotient(s, c);
  return x == 0.0 ? x : y.hi + y.lo;
}

/* sin(pi x): the rest of x is exact. */
INLINE Double2 half_turns(double x, int *quarters) {
  if (!(size(x) < INFINITE)) {
    *quarters = 0;
    return {not_a_number(), 0.0};
  }
  double n = nearest(2.0 * x);
  double r = fused(-0.5, n, x);
  *quarters = size(n) < 0x1p53 ? (int)((i64)n & 3) : 0;
  return PI * r;
}
API double __nv_sinpi(double x) {
  int q;
  Double2 r = half_turns(x, &q);
  return x == 0.0 ? x : is_whole(x) && size(x) < INFINITE ? with_sign(0.0, x) : sin_in(r, q);
}
API double __nv_cospi(double x) {
  int q;
  Double2 r = half_turns(x, &q);
  double y = sin_in(r, q + 1);
  return y == 0.0 ? 0.0 : y;
}
API void __nv_sincospi(double x, double *s, double *c) {
  *s = __nv_sinpi(x);
  *c = __nv_cospi(x);
}

/* ---- Single precision */

RARE float large_rest_f(float x, int *quarters) { return (float)rest_of((double)x, quarters).hi; }

INLINE float rest_of(float x, int *quarters) {
  if (size(x) > 0x1p16f)
    return large_rest_f(x, quarters);
  float n = nearest(x * 0x1.45f306p-1f);
  float r = fused(-n, 0x1.921fb6p+0f, x);
  r = fused(-n, -0x1.777a5cp-25f, r);
  *quarters = (int)n;
  return fused(-n, -0x1.ee59dap-50f, r);
}
INLINE float sin_of(float r) {
  float z = r * r;
  return fused(r * z, polynomial(SINF, z), r);
}
INLINE float cos_of(float r) {
  float z = r * r;
  return fused(z * z, polynomial(COSF, z), fused(-0.5f, z, 1.0f));
}
INLINE float sin_in(float r, int quarters) {
  float y = quarters & 1 ? cos_of(r) : sin_of(r);
  return quarters & 2 ? -y : y;
}
API float __nv_sinf(float x) {
  int q;
  float r = rest_of(x, &q);
  return x == 0.0f ? x : sin_in(r, q);
}
API float __nv_cosf(float x) {
  int q;
  float r = rest_of(x, &q);
  return sin_in(r, q + 1);
}
API void __nv_sincosf(float x, float *s, float *c) {
  int q;
  float r = rest_of(x, &q);
  *s = x == 0.0f ? x : sin_in(r, q);
  *c = sin_in(r, q + 1);
}
API float __nv_tanf(float x) {
  int q;
  float r = rest_of(x, &q);
  float s = sin_of(r), c = cos_of(r);
  return x == 0.0f ? x : q & 1 ? -c / s : s / c;
}
INLINE float half_turns(float x, int *quarters) {
  if (!(size(x) < INFINITE_F)) {
    *quarters = 0;
    return not_a_number_f();
  }
  float n = nearest(2.0f * x);
  float r = fused(-0.5f, n, x);
  *quarters = size(n) < 0x1p24f ? (int)n & 3 : 0;
  return fused(r, 0x1.921fb6p+1f, r * -0x1.777a5cp-24f);
}
API float __nv_sinpif(float x) {
  int q;
  float r = half_turns(x, &q);
  return x == 0.0f ? x : __builtin_truncf(x) == x && size(x) < INFINITE_F ? with_sign(0.0f, x) : sin_in(r, q);
}
API float __nv_cospif(float x) {
  int q;
  float r = half_turns(x, &q);
  float y = sin_in(r, q + 1);
  return y == 0.0f ? 0.0f : y;
}
API void __nv_sincospif(float x, float *s, float *c) {
  *s = __nv_sinpif(x);
  *c = __nv_cospif(x);
}

#endif
