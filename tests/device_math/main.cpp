// The device's mathematical functions, compiled for the host, against the C library in a higher precision. Prints the largest error of
// each function in units of the last place, and fails if one is larger than CUDA documents.
#include "libdevice.cpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>

typedef long double Wide;

static std::mt19937_64 engine(20260701);

// Distance in units of the last place of the exact value, as CUDA's documentation measures it.
static double distance(double found, Wide exact) {
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found) ? 0 : 1e30;
  double rounded = (double)exact;
  if (std::isinf(rounded) || std::isinf(found))
    return rounded == found || std::fabs(exact) > 1.797693134862315e308L ? 0 : 1e30;
  int exponent;
  std::frexp(rounded, &exponent);
  return (double)(std::fabs((Wide)found - exact) / std::ldexp((Wide)1, std::max(exponent - 53, -1074)));
}
static double distance(float found, Wide exact) {
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found) ? 0 : 1e30;
  float rounded = (float)exact;
  if (std::isinf(rounded) || std::isinf(found))
    return rounded == found || std::fabs(exact) > 3.402823e38L ? 0 : 1e30;
  int exponent;
  std::frexp(rounded, &exponent);
  return (double)(std::fabs((Wide)found - exact) / std::ldexp((Wide)1, std::max(exponent - 24, -149)));
}

// Values in a range: half of them spread evenly, half over all exponents.
template <class T> static T value(T from, T to) {
  std::uniform_real_distribution<double> even(0, 1);
  if (engine() & 1)
    return (T)(from + (to - from) * even(engine));
  double largest = std::max(std::fabs((double)from), std::fabs((double)to));
  double exponent = even(engine) * (sizeof(T) == 8 ? 300 : 40);
  double x = largest * std::exp2(-exponent) * even(engine);
  if (from < 0 && (engine() & 1))
    x = -x;
  return x < from ? from : x > to ? to : (T)x;
}

static bool failed = false;
static void report(const char *name, double worst, double at, double at2, double allowed) {
  bool bad = !(worst <= allowed);
  failed |= bad;
  printf("%-12s %8.3f ulp, allowed %3g%s", name, worst, allowed, bad ? "" : "\n");
  if (bad)
    printf("  WRONG at %a %a\n", at, at2);
}

static int count = 400000;

template <class T, class F, class R> static void one(const char *name, F f, R reference, T from, T to, double allowed) {
  double worst = 0, at = 0;
  auto look = [&](T x) {
    double d = distance(f(x), reference((Wide)x));
    if (d > worst) {
      worst = d;
      at = x;
    }
  };
  for (int i = 0; i < count; i++)
    look(value(from, to));
  const T special[] = {(T)0.0, (T)-0.0, (T)1, (T)-1, (T)0.5, (T)2, (T)INFINITY, (T)-INFINITY, (T)NAN, from, to};
  for (T x : special)
    look(x);
  report(name, worst, at, 0, allowed);
}
template <class T, class F, class R> static void two(const char *name, F f, R reference, T from, T to, T from2, T to2, double allowed) {
  double worst = 0, at = 0, at2 = 0;
  auto look = [&](T x, T y) {
    double d = distance(f(x, y), reference((Wide)x, (Wide)y));
    if (d > worst) {
      worst = d;
      at = x;
      at2 = y;
    }
  };
  for (int i = 0; i < count; i++)
    look(value(from, to), value(from2, to2));
  const T special[] = {(T)0.0, (T)-0.0, (T)1, (T)-1, (T)0.5, (T)2, (T)-3, (T)INFINITY, (T)-INFINITY, (T)NAN};
  for (T x : special)
    for (T y : special)
      look(x, y);
  report(name, worst, at, at2, allowed);
}

static Wide exp10w(Wide x) { return exp10l(x); }
static const Wide PI_WIDE = 3.14159265358979323846264338327950288L;
static Wide sinpi(Wide x) {
  if (!std::isfinite(x))
    return NAN;
  Wide r = std::remainder(x, (Wide)2);
  return std::fabs(r) > 0.5L ? std::copysign(std::sin(PI_WIDE * (1 - std::fabs(r))), r) : std::sin(PI_WIDE * r);
}
static Wide cospi(Wide x) {
  if (!std::isfinite(x))
    return NAN;
  Wide r = std::fabs(std::remainder(x, (Wide)2));
  return r < 0.25L ? std::cos(PI_WIDE * r) : std::sin(PI_WIDE * (0.5L - r));
}

#define D1(name, reference, from, to, allowed) one<double>(#name, __nv_##name, [](Wide x) { return (Wide)(reference); }, from, to, allowed)
#define F1(name, reference, from, to, allowed) one<float>(#name, __nv_##name, [](Wide x) { return (Wide)(reference); }, from, to, allowed)
#define D2(name, reference, a, b, c, d, allowed)                                                                                 \
  two<double>(#name, __nv_##name, [](Wide x, Wide y) { return (Wide)(reference); }, a, b, c, d, allowed)
#define F2(name, reference, a, b, c, d, allowed)                                                                                 \
  two<float>(#name, __nv_##name, [](Wide x, Wide y) { return (Wide)(reference); }, a, b, c, d, allowed)

int main(int argc, char **argv) {
  if (argc > 1)
    count = atoi(argv[1]);
  const double H = 1.7e308;
  const float HF = 3.4e38f;
  D1(exp, std::exp(x), -746, 711, 1);
  D1(exp2, std::exp2(x), -1076, 1025, 1);
  D1(exp10, exp10w(x), -324, 309, 1);
  D1(expm1, std::expm1(x), -50, 711, 1);
  D1(log, std::log(x), 0, H, 1);
  D1(log2, std::log2(x), 0, H, 1);
  D1(log10, std::log10(x), 0, H, 1);
  D1(log1p, std::log1p(x), -1, H, 1);
  one<double>("log near 1", __nv_log, [](Wide x) { return std::log(x); }, 0.5, 2.0, 1);
  one<double>("log2 near 1", __nv_log2, [](Wide x) { return std::log2(x); }, 0.5, 2.0, 1);
  one<double>("log1p near 0", __nv_log1p, [](Wide x) { return std::log1p(x); }, -1.0, 2.0, 1);
  D1(sin, std::sin(x), -100, 100, 2);
  D1(cos, std::cos(x), -100, 100, 2);
  D1(tan, std::tan(x), -100, 100, 2);
  one<double>("sin large", __nv_sin, [](Wide x) { return std::sin(x); }, -H, H, 2);
  one<double>("cos large", __nv_cos, [](Wide x) { return std::cos(x); }, -1e12, 1e12, 2);
  one<double>("tan large", __nv_tan, [](Wide x) { return std::tan(x); }, -1e30, 1e30, 2);
  D1(sinpi, sinpi(x), -1e6, 1e6, 2);
  D1(cospi, cospi(x), -1e6, 1e6, 2);
  D1(asin, std::asin(x), -1, 1, 2);
  D1(acos, std::acos(x), -1, 1, 2);
  D1(atan, std::atan(x), -1e3, 1e3, 2);
  D2(atan2, std::atan2(x, y), -10, 10, -10, 10, 2);
  two<double>("atan2 wide", __nv_atan2, [](Wide y, Wide x) { return std::atan2(y, x); }, -H, H, -H, H, 2);
  D1(sinh, std::sinh(x), -711, 711, 2);
  D1(cosh, std::cosh(x), -711, 711, 1);
  D1(tanh, std::tanh(x), -25, 25, 2);
  D1(asinh, std::asinh(x), -1e10, 1e10, 3);
  one<double>("asinh near 0", __nv_asinh, [](Wide x) { return std::asinh(x); }, -4.0, 4.0, 3);
  D1(acosh, std::acosh(x), 1, 1e10, 3);
  one<double>("acosh near 1", __nv_acosh, [](Wide x) { return std::acosh(x); }, 1.0, 4.0, 3);
  D1(atanh, std::atanh(x), -1, 1, 2);
  D1(sqrt, std::sqrt(x), 0, H, 0.5001);
  D1(rsqrt, 1 / std::sqrt(x), 0, H, 1);
  D1(cbrt, std::cbrt(x), -H, H, 1);
  D1(rcbrt, 1 / std::cbrt(x), -H, H, 1);
  D2(pow, std::pow(x, y), 0, 100, -150, 150, 2);
  two<double>("pow near 1", __nv_pow, [](Wide x, Wide y) { return std::pow(x, y); }, 0.9, 1.1, -7000.0, 7000.0, 2);
  two<double>("pow negative", __nv_pow, [](Wide x, Wide y) { return std::pow(x, y); }, -3.0, 3.0, -5.0, 5.0, 2);
  D2(hypot, std::hypot(x, y), -H, H, -H, H, 2);
  D2(fmod, std::fmod(x, y), -1e6, 1e6, -10, 10, 0);
  two<double>("fmod wide", __nv_fmod, [](Wide x, Wide y) { return std::fmod(x, y); }, -H, H, -H, H, 0);
  D2(remainder, std::remainder(x, y), -1e6, 1e6, -10, 10, 0);
  D2(fdim, std::fdim(x, y), -10, 10, -10, 10, 0.5001);
  D1(erf, std::erf(x), -7, 7, 2);
  D1(erfc, std::erfc(x), -7, 28, 5);
  D1(erfcx, x < 10 ? std::exp(x * x) * std::erfc(x) : (Wide)__nv_erfcx((double)x), -20, 8, 4);
  D1(normcdf, 0.5L * std::erfc(-x * 0.707106781186547524400844362104849L), -38, 9, 5);
  one<double>("erf(erfinv)", [](double x) { return x != x || size(x) >= 1 ? x : (double)std::erf((Wide)__nv_erfinv(x)); }, [](Wide x) { return x; }, -0.9, 0.9, 5);
  one<double>("erfc(erfcinv)", [](double x) { return !(x > 0 && x < 2) ? x : (double)std::erfc((Wide)__nv_erfcinv(x)); }, [](Wide x) { return x; }, 1e-6, 1.0, 200);
  D1(tgamma, std::tgamma(x), -170, 171.6, 10);
  D1(lgamma, std::lgamma(x), 0, 1e6, 4);
  one<double>("lgamma below", __nv_lgamma, [](Wide x) { return std::lgamma(x); }, -1e4, -12.0, 4);
  one<double>("lgamma 1..2", __nv_lgamma, [](Wide x) { return std::lgamma(x); }, 0.5, 3.0, 4);
  D1(round, std::round(x), -10, 10, 0);
  D1(rint, std::rint(x), -10, 10, 0);
  D1(logb, std::logb(x), -H, H, 0);
  two<double>("ldexp", [](double x, double n) { return __nv_ldexp(x, n == n ? (int)std::max(-4000.0, std::min(4000.0, n)) : 0); },
              [](Wide x, Wide n) { return (Wide)std::ldexp((double)x, n == n ? (int)std::max((Wide)-4000, std::min((Wide)4000, n)) : 0); }, -H, H, -2200.0, 2200.0, 0);
  D2(nextafter, (Wide)std::nextafter((double)x, (double)y), -10, 10, -10, 10, 0);

  F1(expf, std::exp(x), -104, 89, 2);
  F1(exp2f, std::exp2(x), -150, 129, 2);
  F1(exp10f, exp10w(x), -46, 39, 2);
  F1(expm1f, std::expm1(x), -20, 89, 1);
  F1(logf, std::log(x), 0, HF, 1);
  F1(log2f, std::log2(x), 0, HF, 1);
  F1(log10f, std::log10(x), 0, HF, 2);
  F1(log1pf, std::log1p(x), -1, HF, 1);
  one<float>("logf near 1", __nv_logf, [](Wide x) { return std::log(x); }, 0.5f, 2.0f, 1);
  one<float>("log2f near 1", __nv_log2f, [](Wide x) { return std::log2(x); }, 0.5f, 2.0f, 1);
  one<float>("log10f near 1", __nv_log10f, [](Wide x) { return std::log10(x); }, 0.5f, 2.0f, 2);
  one<float>("log1pf near 0", __nv_log1pf, [](Wide x) { return std::log1p(x); }, -1.0f, 2.0f, 1);
  F1(sinf, std::sin(x), -100, 100, 2);
  F1(cosf, std::cos(x), -100, 100, 2);
  F1(tanf, std::tan(x), -100, 100, 4);
  one<float>("sinf large", __nv_sinf, [](Wide x) { return std::sin(x); }, -HF, HF, 2);
  one<float>("cosf large", __nv_cosf, [](Wide x) { return std::cos(x); }, -1e6f, 1e6f, 2);
  F1(sinpif, sinpi(x), -1e4, 1e4, 2);
  F1(cospif, cospi(x), -1e4, 1e4, 2);
  F1(asinf, std::asin(x), -1, 1, 4);
  F1(acosf, std::acos(x), -1, 1, 3);
  F1(atanf, std::atan(x), -1e3, 1e3, 2);
  F2(atan2f, std::atan2(x, y), -10, 10, -10, 10, 3);
  F1(sinhf, std::sinh(x), -90, 90, 3);
  F1(coshf, std::cosh(x), -90, 90, 2);
  F1(tanhf, std::tanh(x), -12, 12, 2);
  F1(asinhf, std::asinh(x), -1e6, 1e6, 3);
  one<float>("asinhf near 0", __nv_asinhf, [](Wide x) { return std::asinh(x); }, -4.0f, 4.0f, 3);
  F1(acoshf, std::acosh(x), 1, 1e6, 4);
  one<float>("acoshf near 1", __nv_acoshf, [](Wide x) { return std::acosh(x); }, 1.0f, 4.0f, 4);
  F1(atanhf, std::atanh(x), -1, 1, 3);
  F1(rsqrtf, 1 / std::sqrt(x), 0, HF, 2);
  F1(cbrtf, std::cbrt(x), -HF, HF, 1);
  F1(rcbrtf, 1 / std::cbrt(x), -HF, HF, 2);
  F2(powf, std::pow(x, y), 0, 100, -20, 20, 8);
  two<float>("powf near 1", __nv_powf, [](Wide x, Wide y) { return std::pow(x, y); }, 0.9f, 1.1f, -800.0f, 800.0f, 8);
  two<float>("powf negative", __nv_powf, [](Wide x, Wide y) { return std::pow(x, y); }, -3.0f, 3.0f, -5.0f, 5.0f, 8);
  F2(hypotf, std::hypot(x, y), -HF, HF, -HF, HF, 3);
  F2(fmodf, std::fmod(x, y), -1e6, 1e6, -10, 10, 0);
  F2(remainderf, std::remainder(x, y), -1e6, 1e6, -10, 10, 0);
  F1(erff, std::erf(x), -7, 7, 2);
  F1(erfcf, std::erfc(x), -7, 11, 4);
  F1(tgammaf, std::tgamma(x), -33, 35, 11);
  F1(lgammaf, std::lgamma(x), 0, 1e6, 6);
  F1(roundf, std::round(x), -10, 10, 0);
  count = std::min(count, 20000);
  one<double>("j0", [](double x) { return is_nan(x) || is_infinite(x) ? 3.0 : __nv_j0(x) + 3.0; }, [](Wide x) { return std::isfinite(x) ? (Wide)j0l(x) + 3 : 3; }, -50.0, 50.0, 8);
  one<double>("j1", [](double x) { return is_nan(x) || is_infinite(x) ? 3.0 : __nv_j1(x) + 3.0; }, [](Wide x) { return std::isfinite(x) ? (Wide)j1l(x) + 3 : 3; }, -50.0, 50.0, 8);
  return failed;
}
