// A product of matrices in tiles of shared memory, in single and double precision.
#include "check.h"
#include <cmath>
#include <vector>

const int tile = 16;

template <class T> __global__ void multiply(const T *a, const T *b, T *c, int n) {
  __shared__ T left[tile][tile], right[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  T sum = 0;
  for (int first = 0; first < n; first += tile) {
    left[threadIdx.y][threadIdx.x] = y < n && first + threadIdx.x < n ? a[y * n + first + threadIdx.x] : 0;
    right[threadIdx.y][threadIdx.x] = x < n && first + threadIdx.y < n ? b[(first + threadIdx.y) * n + x] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; k++)
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  if (x < n && y < n)
    c[y * n + x] = sum;
}

template <class T> static void try_type(double slack) {
  const int n = 50;
  std::vector<T> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; i++) {
    a[i] = (T)(i % 17) / 17;
    b[i] = (T)(i % 23) / 23 - (T)0.5;
  }
  T *da, *db, *dc;
  size_t bytes = n * n * sizeof(T);
  GOOD(cudaMalloc(&da, bytes));
  GOOD(cudaMalloc(&db, bytes));
  GOOD(cudaMalloc(&dc, bytes));
  GOOD(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
  GOOD(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
  dim3 grid((n + tile - 1) / tile, (n + tile - 1) / tile), block(tile, tile);
  multiply<<<grid, block>>>(da, db, dc, n);
  GOOD(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += (double)a[y * n + k] * (double)b[k * n + x];
      CHECK(fabs(sum - c[y * n + x]) < slack);
    }
  GOOD(cudaFree(da));
  GOOD(cudaFree(db));
  GOOD(cudaFree(dc));
}

int main() {
  try_type<float>(1e-4);
  try_type<double>(1e-12);
  PASS();
}
