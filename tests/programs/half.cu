// 16-bit floating point: all values there and back, arithmetic rounded once.
#include "check.h"
#include <cmath>
#include <cuda_fp16.h>

__global__ void convert(unsigned short *back, float *wide) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  half h = __ushort_as_half((unsigned short)i);
  wide[i] = __half2float(h);
  back[i] = __half_as_ushort(__float2half_rn(wide[i]));
}
__global__ void compute(const half *a, const half *b, half *out, int n) {
  int i = threadIdx.x;
  out[i] = a[i] + b[i];
  out[n + i] = a[i] * b[i];
  out[2 * n + i] = __hfma(a[i], b[i], a[i]);
  half2 two = __hadd2(__halves2half2(a[i], b[i]), __float2half2_rn(1.0f));
  out[3 * n + i] = two.x;
  out[4 * n + i] = two.y;
}

// What a half means (IEEE 754).
static double meaning(unsigned h) {
  int exponent = h >> 10 & 31, fraction = h & 1023;
  double size = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
  return h & 0x8000 ? -size : size;
}
// The nearest half, the even one between two: by trying all.
static unsigned short nearest(double x) {
  unsigned best = 0;
  for (unsigned h = 0; h < 0x7c00; h++) {
    double old = fabs(meaning(best) - fabs(x)), now = fabs(meaning(h) - fabs(x));
    if (now < old || (now == old && h % 2 == 0))
      best = h;
  }
  return (unsigned short)(best | (x < 0 ? 0x8000 : 0));
}

int main() {
  const int all = 65536, n = 32;
  unsigned short *back;
  float *wide;
  GOOD(cudaMallocManaged(&back, all * sizeof *back));
  GOOD(cudaMallocManaged(&wide, all * sizeof *wide));
  convert<<<all / 256, 256>>>(back, wide);
  GOOD(cudaDeviceSynchronize());
  for (int i = 0; i < all; i++) {
    if ((i & 0x7fff) > 0x7c00) {
      CHECK(wide[i] != wide[i]);
      continue;
    }
    CHECK(back[i] == i);
    CHECK((i & 0x7fff) == 0x7c00 ? std::isinf(wide[i]) : wide[i] == meaning(i));
    CHECK(__half2float(__ushort_as_half((unsigned short)i)) == wide[i]);
    CHECK(__half_as_ushort(__float2half(wide[i])) == i);
  }
  half *a, *b, *out;
  GOOD(cudaMallocManaged(&a, n * sizeof *a));
  GOOD(cudaMallocManaged(&b, n * sizeof *b));
  GOOD(cudaMallocManaged(&out, 5 * n * sizeof *out));
  for (int i = 0; i < n; i++) {
    a[i] = __float2half(0.37f * i - 3);
    b[i] = __float2half(1.0f / (i + 1));
  }
  compute<<<1, n>>>(a, b, out, n);
  GOOD(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) {
    double x = (float)a[i], y = (float)b[i];
    CHECK(__half_as_ushort(out[i]) == nearest(x + y));
    CHECK(__half_as_ushort(out[n + i]) == nearest(x * y));
    CHECK(__half_as_ushort(out[2 * n + i]) == nearest(x * y + x));
    CHECK(__half_as_ushort(out[3 * n + i]) == nearest(x + 1) && __half_as_ushort(out[4 * n + i]) == nearest(y + 1));
  }
  PASS();
}
