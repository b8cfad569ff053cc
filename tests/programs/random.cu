// Random numbers: in range, with the mean and the deviation that they should have, and other ones for each thread.
#include "check.h"
#include <cmath>
#include <curand.h>
#include <curand_kernel.h>

const int threads = 256, each = 40;

template <class State> __global__ void draw(float *uniform, float *normal, unsigned *raw) {
  State state;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234, i, 0, &state);
  raw[i] = curand(&state);
  for (int k = 0; k < each; k++) {
    uniform[i * each + k] = curand_uniform(&state);
    normal[i * each + k] = curand_normal(&state);
  }
}

static void check(const float *uniform, const float *normal, int n) {
  double sum = 0, squares = 0, normal_sum = 0, normal_squares = 0;
  for (int i = 0; i < n; i++) {
    CHECK(uniform[i] > 0 && uniform[i] <= 1);
    sum += uniform[i];
    squares += uniform[i] * uniform[i];
    normal_sum += normal[i];
    normal_squares += normal[i] * normal[i];
  }
  // Within five standard deviations of the mean of n numbers.
  double slack = 5 / sqrt((double)n);
  CHECK(fabs(sum / n - 0.5) < 0.29 * slack && fabs(squares / n - 1.0 / 3) < 0.3 * slack);
  CHECK(fabs(normal_sum / n) < slack && fabs(normal_squares / n - 1) < 1.5 * slack);
}

template <class State> static void on_device() {
  const int n = threads * each;
  float *uniform, *normal;
  unsigned *raw;
  GOOD(cudaMallocManaged(&uniform, n * sizeof(float)));
  GOOD(cudaMallocManaged(&normal, n * sizeof(float)));
  GOOD(cudaMallocManaged(&raw, threads * sizeof(unsigned)));
  draw<State><<<2, threads / 2>>>(uniform, normal, raw);
  GOOD(cudaDeviceSynchronize());
  check(uniform, normal, n);
  for (int i = 0; i < threads; i++)
    for (int k = 0; k < i; k++)
      CHECK(raw[i] != raw[k]);
}

int main() {
  on_device<curandState>();
  on_device<curandStatePhilox4_32_10_t>();
  // A known answer of Random123 for the counter 0 and the key 0.
  uint4 zero = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
  CHECK(zero.x == 0x6627e8d5 && zero.y == 0xe169c58d && zero.z == 0xbc57ac4c && zero.w == 0x9b00dbd8);

  const int n = 20000;
  static float uniform[n], normal[n];
  float *device;
  GOOD(cudaMalloc(&device, n * sizeof(float)));
  curandGenerator_t generator;
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 7) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(generator, device, n) == CURAND_STATUS_SUCCESS);
  GOOD(cudaMemcpy(uniform, device, sizeof uniform, cudaMemcpyDeviceToHost));
  CHECK(curandGenerateNormal(generator, device, n, 0, 1) == CURAND_STATUS_SUCCESS);
  GOOD(cudaMemcpy(normal, device, sizeof normal, cudaMemcpyDeviceToHost));
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  check(uniform, normal, n);
  PASS();
}
