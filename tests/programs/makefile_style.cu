// What makefiles and formatters do: macros whose names headers use, libraries of the toolkit, launches taken apart, functions of its own
// with names of the C library; new and delete in kernels and complex numbers besides.
// nvcc: -std=c++17 -DN=96 -DT=float -DM -UM -DF(x)=x+1 -Xcompiler -Dscale=3,-fopenmp -D NDEBUG -lcurand -lgomp
#include "check.h"
#include <cuComplex.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>

#if defined(M) || !defined(NDEBUG) || F(1) != 2
#error the macros of the command line
#endif

static float log2f(float x) { return scale * x; }
static __device__ float sqrtf(float x) { return scale * x; }
static inline __host__ __device__ double cbrt(double x) { return scale * x; }
#ifdef NOT_DEFINED
static double round(double x) { return x; }
#else
static double round(double x) { return scale * x; }
#endif
static double exp(double x) { return scale * x; }
#include <random>

__global__ void own_functions(T *out) {
  out[threadIdx.x] = N + log2f(8.0f) + sqrtf(4.0f) + (T)cbrt(8.0);
}

template <class A> __global__ void memory(A *out) {
  struct alignas(64) Wide {
    A value;
    uint8_t rest[100];
  };
  A *one = new A(41), *some = new A[3], *perhaps = new (std::nothrow) A(9);
  Wide *wide = new Wide, *wides = new Wide[3];
  some[2] = 7;
  out[0] = *one + 1;
  out[1] = some[2] + *perhaps;
  out[2] = (uintptr_t)wide % 64 + (uintptr_t)wides % 64;
  delete one;
  delete[] some;
  ::operator delete(perhaps, std::nothrow);
  delete wide;
  delete[] wides;
  char room[sizeof(A)];
  out[3] = *new (room) A(5);
}

// Each value of the host's: product, quotient, sum with a product, absolute value.
__host__ __device__ void complex_numbers(cuDoubleComplex *out, cuFloatComplex *single) {
  cuDoubleComplex a = make_cuDoubleComplex(3, 4), b = make_cuDoubleComplex(1, -2), big = make_cuDoubleComplex(3e300, 4e300);
  out[0] = cuCmul(a, b);                                          // 3 + 8 + (4 - 6) i
  out[1] = cuCdiv(a, b);                                          // (3 + 4i)(1 + 2i) / 5
  out[2] = cuCfma(a, b, cuCadd(a, cuConj(b)));                    // 11 - 2i + 4 + 6i
  out[3] = make_cuDoubleComplex(cuCabs(big), cuCreal(cuCdiv(big, big)));
  cuFloatComplex c = cuComplexDoubleToFloat(a), d = make_cuComplex(1, -2), large = make_cuFloatComplex(3e30f, 4e30f);
  single[0] = cuCmulf(c, d);
  single[1] = cuCdivf(c, d);
  single[2] = cuCfmaf(c, d, cuCsubf(c, cuConjf(d)));              // 11 - 2i + 2 + 2i
  single[3] = make_cuFloatComplex(cuCabsf(large), cuCimagf(cuCdivf(large, large)));
  out[4] = cuComplexFloatToDouble(single[0]);
}

__global__ void on_device(cuDoubleComplex *out, cuFloatComplex *single) { complex_numbers(out, single); }

static void check_complex(const cuDoubleComplex *out, const cuFloatComplex *single) {
  const double right[10] = {11, -2, -1, 2, 15, 4, 5e300, 1, 11, -2}, right_single[8] = {11, -2, -1, 2, 13, 0, 5e30, 0};
  for (int i = 0; i < 10; i++)
    CHECK(fabs(((const double *)out)[i] - right[i]) <= 1e-12 * fabs(right[i]));
  for (int i = 0; i < 8; i++)
    CHECK(fabs(((const float *)single)[i] - right_single[i]) <= 1e-6 * fabs(right_single[i]) + 1e-6);
}

int main() {
  T *out, host[4];
  GOOD(cudaMalloc(&out, sizeof host));
  own_functions << <1, 4>> >(out);
  GOOD(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[3] == 96 + 3 + 12 + 24);
  CHECK(log2f(8) == 24 && sqrtf(4) == 2 && cbrt(8.0) == 24);
  CHECK(round(2.6) == 2.6 * scale && std::round(2.6) == 3 && exp(1.0) == scale && std::exp(0.0) == 1);

  memory<T> <<< dim3(1), 1 >> >(out);
  GOOD(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 42 && host[1] == 16 && host[2] == 0 && host[3] == 5);

  cuDoubleComplex *numbers, found[5];
  cuFloatComplex *singles, found_singles[4];
  complex_numbers(found, found_singles);
  check_complex(found, found_singles);
  GOOD(cudaMalloc(&numbers, sizeof found));
  GOOD(cudaMalloc(&singles, sizeof found_singles));
  on_device < < <1, 1 > > >(numbers, singles);
  GOOD(cudaMemcpy(found, numbers, sizeof found, cudaMemcpyDeviceToHost));
  GOOD(cudaMemcpy(found_singles, singles, sizeof found_singles, cudaMemcpyDeviceToHost));
  check_complex(found, found_singles);

  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; i++)
    sum += i;
  CHECK(sum == 45 && omp_get_max_threads() > 0);
  PASS();
}
