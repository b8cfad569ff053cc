// Prices of options by the formula of Black and Scholes, against the same formula on the CPU; timed by events.
// nvcc: --use_fast_math -lineinfo
#include "check.h"
#include <cmath>
#include <helper_cuda.h>
#include <helper_functions.h>

__device__ float normal_distribution(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail = rsqrtf(2 * 3.14159265f) * __expf(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}
__launch_bounds__(128) __global__ void price(float2 *out, const float *spot, const float *strike, const float *years, float rate, float volatility, int n) {
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float root = sqrtf(years[i]);
    float d1 = __fdividef(__logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i], volatility * root);
    float d2 = d1 - volatility * root, discount = __expf(-rate * years[i]);
    float call = spot[i] * normal_distribution(d1) - strike[i] * discount * normal_distribution(d2);
    out[i] = make_float2(call, call + strike[i] * discount - spot[i]);
  }
}

int main(int argc, char **argv) {
  findCudaDevice(argc, (const char **)argv);
  const int n = 2000;
  float *host[3], *device[3];
  for (int k = 0; k < 3; k++) {
    host[k] = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++)
      host[k][i] = k == 2 ? 0.25f + (i % 40) * 0.25f : 5 + (i * (7 + k)) % 95;
    checkCudaErrors(cudaMalloc((void **)&device[k], n * sizeof(float)));
    checkCudaErrors(cudaMemcpy(device[k], host[k], n * sizeof(float), cudaMemcpyHostToDevice));
  }
  float2 *out, *back = (float2 *)malloc(n * sizeof(float2));
  checkCudaErrors(cudaMalloc((void **)&out, n * sizeof(float2)));
  StopWatchInterface *timer = NULL;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  cudaEvent_t start, stop;
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreate(&stop));
  checkCudaErrors(cudaEventRecord(start));
  price<<<8, 128>>>(out, device[0], device[1], device[2], 0.02f, 0.3f, n);
  getLastCudaError("price failed");
  checkCudaErrors(cudaEventRecord(stop));
  checkCudaErrors(cudaEventSynchronize(stop));
  float milliseconds = 0;
  checkCudaErrors(cudaEventElapsedTime(&milliseconds, start, stop));
  sdkStopTimer(&timer);
  CHECK(milliseconds > 0 && sdkGetTimerValue(&timer) > 0);
  checkCudaErrors(cudaMemcpy(back, out, n * sizeof(float2), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    double s = host[0][i], x = host[1][i], t = host[2][i], r = 0.02, v = 0.3;
    double d1 = (log(s / x) + (r + 0.5 * v * v) * t) / (v * sqrt(t)), d2 = d1 - v * sqrt(t);
    double call = s * 0.5 * erfc(-d1 / sqrt(2.0)) - x * exp(-r * t) * 0.5 * erfc(-d2 / sqrt(2.0));
    CHECK(fabs(back[i].x - call) < 1e-3 && fabs(back[i].y - (call + x * exp(-r * t) - s)) < 1e-3);
  }
  sdkDeleteTimer(&timer);
  PASS();
}
