/* Bits of numbers, numbers of twice the precision, polynomials. */
#ifndef UNRULY_DEVICE_BASICS_H
#define UNRULY_DEVICE_BASICS_H

#define API extern "C" __attribute__((nothrow))
#define INLINE static inline __attribute__((always_inline))
/* Rare and long: called, not copied. */
#define RARE static __attribute__((noinline))

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

INLINE u64 bits(double x) { return __builtin_bit_cast(u64, x); }
INLINE u32 bits(float x) { return __builtin_bit_cast(u32, x); }
INLINE double number(u64 b) { return __builtin_bit_cast(double, b); }
INLINE float number(u32 b) { return __builtin_bit_cast(float, b); }

constexpr double INFINITE = __builtin_inf();
constexpr float INFINITE_F = __builtin_inff();
INLINE double not_a_number() { return number(0x7ff8000000000000ull); }
INLINE float not_a_number_f() { return number(0x7fffffffu); }

INLINE double size(double x) { return __builtin_fabs(x); }
INLINE float size(float x) { return __builtin_fabsf(x); }
INLINE bool is_nan(double x) { return x != x; }
INLINE bool is_nan(float x) { return x != x; }
INLINE bool is_infinite(double x) { return size(x) == INFINITE; }
INLINE bool is_infinite(float x) { return size(x) == INFINITE_F; }
INLINE bool is_negative(double x) { return (bits(x) >> 63) != 0; }
INLINE bool is_negative(float x) { return (bits(x) >> 31) != 0; }
INLINE double with_sign(double x, double sign) { return __builtin_copysign(x, sign); }
INLINE float with_sign(float x, float sign) { return __builtin_copysignf(x, sign); }
INLINE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
INLINE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
INLINE double nearest(double x) { return __builtin_rint(x); }
INLINE float nearest(float x) { return __builtin_rintf(x); }
INLINE double root(double x) { return __builtin_sqrt(x); }
INLINE float root(float x) { return __builtin_sqrtf(x); }

/* 2 to the power of n, for a normal result. */
INLINE double two_to(int n) { return number((u64)(n + 1023) << 52); }
INLINE float two_to_f(int n) { return number((u32)(n + 127) << 23); }
/* x times 2 to the power of n, in two steps, for results that are subnormal or infinite. |n| < 2100. */
INLINE double scaled(double x, int n) {
  int half = n / 2;
  return x * two_to(half) * two_to(n - half);
}
INLINE float scaled(float x, int n) {
  int half = n / 2;
  return x * two_to_f(half) * two_to_f(n - half);
}

/* A sum of two numbers that says more than one of them can. */
template <class T> struct Pair {
  T hi, lo;
};
typedef Pair<double> Double2;
typedef Pair<float> Float2;

/* A product that the compiler does not make part of a fused operation. */
#if defined(__NVPTX__)
INLINE double rounded_product(double a, double b) {
  double p;
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(p) : "d"(a), "d"(b));
  return p;
}
INLINE float rounded_product(float a, float b) {
  float p;
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(p) : "f"(a), "f"(b));
  return p;
}
#else
INLINE double rounded_product(double a, double b) { return a * b; }
INLINE float rounded_product(float a, float b) { return a * b; }
#endif

/* Exact sums and products; `fast` wants |a| >= |b|. */
template <class T> INLINE Pair<T> fast_sum(T a, T b) {
  T s = a + b;
  return {s, b - (s - a)};
}
template <class T> INLINE Pair<T> sum(T a, T b) {
  T s = a + b, bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}
template <class T> INLINE Pair<T> product(T a, T b) {
  T p = rounded_product(a, b);
  return {p, fused(a, b, -p)};
}
template <class T> INLINE Pair<T> operator+(Pair<T> a, Pair<T> b) {
  Pair<T> s = sum(a.hi, b.hi);
  return fast_sum(s.hi, s.lo + (a.lo + b.lo));
}
template <class T> INLINE Pair<T> operator+(Pair<T> a, T b) {
  Pair<T> s = sum(a.hi, b);
  return fast_sum(s.hi, s.lo + a.lo);
}
template <class T> INLINE Pair<T> operator*(Pair<T> a, Pair<T> b) {
  Pair<T> p = product(a.hi, b.hi);
  return fast_sum(p.hi, fused(a.hi, b.lo, fused(a.lo, b.hi, p.lo)));
}
template <class T> INLINE Pair<T> operator*(Pair<T> a, T b) {
  Pair<T> p = product(a.hi, b);
  return fast_sum(p.hi, fused(a.lo, b, p.lo));
}
template <class T> INLINE Pair<T> operator-(Pair<T> a) { return {-a.hi, -a.lo}; }
template <class T> INLINE Pair<T> quotient(Pair<T> a, Pair<T> b) {
  T q = a.hi / b.hi;
  T rest = fused(-q, b.hi, a.hi) + (a.lo - q * b.lo);
  return fast_sum(q, rest / b.hi);
}

/* c[0] + c[1] x + c[2] x^2 ... */
template <class T, int N> INLINE T polynomial(const T (&c)[N], T x) {
  T y = c[N - 1];
#pragma unroll
  for (int i = N - 2; i >= 0; i--)
    y = fused(y, x, c[i]);
  return y;
}

constexpr Double2 LN2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Double2 LN10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
constexpr Double2 LOG2_E = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr Double2 LOG10_E = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
constexpr Double2 LOG10_2 = {0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};
constexpr Double2 PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Double2 HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr double HALF_PI_LOWEST = -0x1.f1976b7ed8fbcp-110;

#endif
