// A sparse matrix times a vector that is read through a texture; rows by warps with shuffles.
// nvcc: -arch=sm_20
#include "check.h"
#include <cmath>
#include <cutil_inline.h>
#include <vector>

texture<float, 1, cudaReadModeElementType> vector_texture;

__global__ void by_warps(const int *row, const int *column, const float *value, float *out, int rows) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= rows)
    return;
  float sum = 0;
  for (int i = row[warp] + lane; i < row[warp + 1]; i += 32)
    sum += value[i] * tex1Dfetch(vector_texture, column[i]);
  for (int by = 16; by > 0; by /= 2)
    sum += __shfl_down(sum, by);
  if (lane == 0)
    out[warp] = sum;
}

int main(int argc, char **argv) {
  CUT_DEVICE_INIT(argc, argv);
  const int rows = 200;
  std::vector<int> row(1, 0), column;
  std::vector<float> value, x(rows), y(rows);
  for (int r = 0; r < rows; r++) {
    x[r] = 1.0f / (r + 1);
    for (int k = 0; k < 1 + r % 70; k++) {
      column.push_back((r * 31 + k * 7) % rows);
      value.push_back(0.01f * ((r + k) % 90) - 0.3f);
    }
    row.push_back((int)column.size());
  }
  int *drow, *dcolumn;
  float *dvalue, *dx, *dy;
  cutilSafeCall(cudaMalloc((void **)&drow, row.size() * 4));
  cutilSafeCall(cudaMalloc((void **)&dcolumn, column.size() * 4));
  cutilSafeCall(cudaMalloc((void **)&dvalue, value.size() * 4));
  cutilSafeCall(cudaMalloc((void **)&dx, rows * 4));
  cutilSafeCall(cudaMalloc((void **)&dy, rows * 4));
  CUDA_SAFE_CALL(cudaMemcpy(drow, row.data(), row.size() * 4, cudaMemcpyHostToDevice));
  CUDA_SAFE_CALL(cudaMemcpy(dcolumn, column.data(), column.size() * 4, cudaMemcpyHostToDevice));
  CUDA_SAFE_CALL(cudaMemcpy(dvalue, value.data(), value.size() * 4, cudaMemcpyHostToDevice));
  CUDA_SAFE_CALL(cudaMemcpy(dx, x.data(), rows * 4, cudaMemcpyHostToDevice));
  CUDA_SAFE_CALL(cudaBindTexture(NULL, vector_texture, dx, rows * 4));
  unsigned int timer = 0;
  CUT_SAFE_CALL(cutCreateTimer(&timer));
  CUT_SAFE_CALL(cutStartTimer(timer));
  by_warps<<<(rows * 32 + 127) / 128, 128>>>(drow, dcolumn, dvalue, dy, rows);
  CUT_CHECK_ERROR("by_warps");
  CUT_SAFE_CALL(cutStopTimer(timer));
  CUDA_SAFE_CALL(cudaMemcpy(y.data(), dy, rows * 4, cudaMemcpyDeviceToHost));
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    for (int i = row[r]; i < row[r + 1]; i++)
      sum += (double)value[i] * x[column[i]];
    CHECK(fabs(sum - y[r]) < 1e-5);
  }
  CUDA_SAFE_CALL(cudaUnbindTexture(vector_texture));
  PASS();
}
