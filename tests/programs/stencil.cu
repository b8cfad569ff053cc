// Heat that spreads over a plate: two buffers, constant weights, borders, many launches; the plate in pitched memory.
#include "check.h"
#include <cmath>
#include <cstring>
#include <vector>

__constant__ float weights[5];
__device__ float hottest;

__global__ void step(const char *from, char *to, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  auto at = [=](int i, int j) { return ((const float *)(from + min(max(j, 0), height - 1) * pitch))[min(max(i, 0), width - 1)]; };
  ((float *)(to + y * pitch))[x] = weights[0] * at(x, y) + weights[1] * at(x - 1, y) + weights[2] * at(x + 1, y) +
                                   weights[3] * at(x, y - 1) + weights[4] * at(x, y + 1);
}
// Of non-negative numbers, whose bits are in the order of the numbers.
__global__ void maximum(const char *plate, size_t pitch, int width, int height) {
  for (int i = threadIdx.x; i < width * height; i += blockDim.x)
    atomicMax((int *)&hottest, __float_as_int(((const float *)(plate + i / width * pitch))[i % width]));
}

int main() {
  const int width = 45, height = 30, steps = 20;
  const float shares[5] = {0.6f, 0.1f, 0.1f, 0.1f, 0.1f};
  std::vector<float> plate(width * height), next(width * height), back(width * height);
  plate[10 * width + 20] = 1000;
  plate[0] = 500;
  char *buffer[2];
  size_t pitch;
  for (char *&b : buffer)
    GOOD(cudaMallocPitch((void **)&b, &pitch, width * 4, height));
  GOOD(cudaMemcpy2D(buffer[0], pitch, plate.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
  GOOD(cudaMemcpyToSymbol(weights, shares, sizeof shares));
  for (int s = 0; s < steps; s++)
    step<<<dim3(3, 4), dim3(16, 8)>>>(buffer[s % 2], buffer[(s + 1) % 2], pitch, width, height);
  maximum<<<1, 256>>>(buffer[steps % 2], pitch, width, height);
  float most = -1;
  GOOD(cudaMemcpyFromSymbol(&most, hottest, sizeof most));
  GOOD(cudaMemcpy2D(back.data(), width * 4, buffer[steps % 2], pitch, width * 4, height, cudaMemcpyDeviceToHost));
  for (int s = 0; s < steps; s++) {
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        auto at = [&](int i, int j) { return plate[(j < 0 ? 0 : j >= height ? height - 1 : j) * width + (i < 0 ? 0 : i >= width ? width - 1 : i)]; };
        next[y * width + x] = shares[0] * at(x, y) + shares[1] * at(x - 1, y) + shares[2] * at(x + 1, y) + shares[3] * at(x, y - 1) + shares[4] * at(x, y + 1);
      }
    plate.swap(next);
  }
  float wanted = 0;
  for (int i = 0; i < width * height; i++) {
    CHECK(fabsf(back[i] - plate[i]) <= 1e-4f * (1 + plate[i]));
    wanted = fmaxf(wanted, back[i]);
  }
  CHECK(most == wanted);
  PASS();
}
