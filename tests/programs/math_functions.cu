// Mathematical functions of kernels, in single and double precision, against the C library in a higher precision.
#include "check.h"
#include <cmath>
#include <cfloat>

// Function, double-precision reference, range, and the units in the last place that CUDA documents.
#define FUNCTIONS(X)                                                                                                             \
  X(exp(x), expl(x), -20, 20, 1)                                                                                                 \
  X(exp2(x), exp2l(x), -20, 20, 1)                                                                                               \
  X(exp10(x), exp10l(x), -20, 20, 1)                                                                                             \
  X(expm1(x), expm1l(x), -3, 3, 1)                                                                                               \
  X(log(x), logl(x), 0.001, 1000, 1)                                                                                             \
  X(log2(x), log2l(x), 0.001, 1000, 1)                                                                                           \
  X(log10(x), log10l(x), 0.001, 1000, 1)                                                                                         \
  X(log1p(x), log1pl(x), -0.9, 10, 1)                                                                                            \
  X(sin(x), sinl(x), -20, 20, 2)                                                                                                 \
  X(cos(x), cosl(x), -20, 20, 2)                                                                                                 \
  X(tan(x), tanl(x), -1.5, 1.5, 2)                                                                                               \
  X(sin(x * 1e15), sinl((double)x * 1e15), 1, 2, 2)                                                                                \
  X(asin(x), asinl(x), -1, 1, 2)                                                                                                 \
  X(acos(x), acosl(x), -1, 1, 2)                                                                                                 \
  X(atan(x), atanl(x), -10, 10, 2)                                                                                               \
  X(atan2(x, 1.5), atan2l(x, 1.5), -10, 10, 2)                                                                                   \
  X(sinh(x), sinhl(x), -10, 10, 2)                                                                                               \
  X(cosh(x), coshl(x), -10, 10, 1)                                                                                               \
  X(tanh(x), tanhl(x), -3, 3, 2)                                                                                                 \
  X(asinh(x), asinhl(x), -10, 10, 3)                                                                                             \
  X(acosh(x), acoshl(x), 1, 10, 3)                                                                                               \
  X(atanh(x), atanhl(x), -0.9, 0.9, 2)                                                                                           \
  X(sqrt(x), sqrtl(x), 0, 100, 0.5001)                                                                                           \
  X(rsqrt(x), 1 / sqrtl(x), 0.01, 100, 1)                                                                                        \
  X(cbrt(x), cbrtl(x), -100, 100, 1)                                                                                             \
  X(pow(x, 2.5), powl(x, 2.5), 0.01, 100, 2)                                                                                     \
  X(hypot(x, 3.0), hypotl(x, 3.0), -10, 10, 2)                                                                                   \
  X(erf(x), erfl(x), -3, 3, 2)                                                                                                   \
  X(erfc(x), erfcl(x), -3, 10, 5)                                                                                                \
  X(tgamma(x), tgammal(x), 0.1, 20, 10)                                                                                          \
  X(lgamma(x), lgammal(x), 0.1, 100, 4)                                                                                          \
  X(fmod(x, 0.7), fmodl(x, 0.7), -50, 50, 0)                                                                                     \
  X(floor(x), floorl(x), -50, 50, 0)                                                                                             \
  X(ceil(x), ceill(x), -50, 50, 0)                                                                                               \
  X(round(x), roundl(x), -50, 50, 0)                                                                                             \
  X(rint(x), rintl(x), -50, 50, 0)                                                                                               \
  X(trunc(x), truncl(x), -50, 50, 0)                                                                                             \
  X(fabs(x), fabsl(x), -50, 50, 0)                                                                                               \
  X(expf(x), expl(x), -20, 20, 2)                                                                                                \
  X(logf(x), logl(x), 0.001, 1000, 1)                                                                                            \
  X(sinf(x), sinl(x), -20, 20, 2)                                                                                                \
  X(cosf(x), cosl(x), -20, 20, 2)                                                                                                \
  X(tanf(x), tanl(x), -1.5, 1.5, 4)                                                                                              \
  X(powf(x, 2.5f), powl(x, 2.5), 0.01, 100, 9)                                                                                   \
  X(atan2f(x, 1.5f), atan2l(x, 1.5), -10, 10, 3)                                                                                 \
  X(tanhf(x), tanhl(x), -3, 3, 2)                                                                                                \
  X(sqrtf(x), sqrtl(x), 0, 100, 0.5001)                                                                                          \
  X(rsqrtf(x), 1 / sqrtl(x), 0.01, 100, 2)                                                                                       \
  X(cbrtf(x), cbrtl(x), -100, 100, 1)                                                                                            \
  X(erff(x), erfl(x), -3, 3, 2)                                                                                                  \
  X(fmodf(x, 0.75f), fmodl(x, 0.75), -50, 50, 0)                                                                                 \
  X(__expf(x), expl(x), -2, 2, 6)                                                                                                \
  X(__fdividef(x, 3.0f), x / 3, 1, 2, 2)

#define COUNT(f, reference, from, to, allowed) +1
const int functions = FUNCTIONS(COUNT);
const int points = 64;

// Each function in a block of its own.
__global__ void compute(const double *in, double *out) {
  int i = threadIdx.x, n = 0;
  double *row = out + i;
#define COMPUTE(f, reference, from, to, allowed)                                                                                 \
  if (blockIdx.x == n) {                                                                                                         \
    double x = in[n * points + i];                                                                                               \
    row[n * points] = f;                                                                                                         \
  }                                                                                                                              \
  n++;
  FUNCTIONS(COMPUTE)
}

// The names without f are there for float, too, and give a float.
#define SAME(wide, narrow) wrong += sizeof(wide) != sizeof(narrow) || (double)(wide) != (double)(narrow);
#define ONE(name) SAME(name(x), name##f(x))
#define TWO(name) SAME(name(x, y), name##f(x, y))
__global__ void overloads(float x, float y, int *out) {
  int wrong = 0, q;
  ONE(acosh) ONE(asinh) ONE(cbrt) ONE(ceil) ONE(cos) ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor)
  ONE(lgamma) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(nearbyint) ONE(rint) ONE(round) ONE(sin) ONE(sqrt)
  ONE(tgamma) ONE(trunc) ONE(ilogb) ONE(lrint) ONE(lround) ONE(llrint) ONE(llround)
  TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow) TWO(remainder)
  SAME(atanh(1 / x), atanhf(1 / x)) SAME(fma(x, y, x), fmaf(x, y, x)) SAME(remquo(x, y, &q), remquof(x, y, &q))
  SAME(scalbn(x, 3), scalbnf(x, 3)) SAME(scalbln(x, 3L), scalblnf(x, 3L))
  *out = wrong + 1000 * !(isnan(nan("")) && isnan(nanf("")));
}

static bool is_single(const char *text) {
  while (*text != '(')
    text++;
  return text[-1] == 'f';
}

int main() {
  static double in[functions * points], out[functions * points];
  int n = 0;
#define FILL(f, reference, from, to, allowed)                                                                                    \
  for (int i = 0; i < points; i++)                                                                                               \
    in[n * points + i] = (float)(from + ((double)to - from) * (i + 0.37) / points);                                              \
  n++;
  FUNCTIONS(FILL)
  double *din, *dout;
  GOOD(cudaMalloc(&din, sizeof in));
  GOOD(cudaMalloc(&dout, sizeof out));
  GOOD(cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice));
  compute<<<functions, points>>>(din, dout);
  GOOD(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
  n = 0;
  int wrong = 0;
#define COMPARE(f, reference, from, to, allowed)                                                                                 \
  for (int i = 0; i < points; i++) {                                                                                             \
    long double x = in[n * points + i], exact = reference;                                                                       \
    int exponent, digits = is_single(#f) ? FLT_MANT_DIG : DBL_MANT_DIG;                                                          \
    frexpl(exact, &exponent);                                                                                                    \
    long double error = fabsl(out[n * points + i] - exact) / ldexpl(1, exponent - digits);                                       \
    if (!(error <= allowed)) {                                                                                                   \
      printf("%s of %La is %a, and not %La: %Lg units\n", #f, x, out[n * points + i], exact, error);                             \
      wrong++;                                                                                                                   \
    }                                                                                                                            \
  }                                                                                                                              \
  n++;
  FUNCTIONS(COMPARE)
  CHECK(wrong == 0);
  overloads<<<1, 1>>>(2.5f, 1.25f, (int *)dout);
  GOOD(cudaMemcpy(&wrong, dout, sizeof wrong, cudaMemcpyDeviceToHost));
  CHECK(wrong == 0);
  PASS();
}
