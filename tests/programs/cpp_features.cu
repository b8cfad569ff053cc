// C++ in kernels: templates, classes with methods for both sides, lambdas, vector types, the standard library on the host.
// nvcc: -std=c++14 --expt-extended-lambda
#include "check.h"
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

template <class T, int Size> class Ring {
public:
  __host__ __device__ Ring() : first(0) {}
  __host__ __device__ void push(T value) { values[first++ % Size] = value; }
  __host__ __device__ T sum() const {
    T all = T();
    for (int i = 0; i < Size; i++)
      all += values[i];
    return all;
  }

private:
  T values[Size] = {};
  int first;
};

struct Base {
  __host__ __device__ int doubled(int x) const { return 2 * x; }
};
struct Derived : Base {
  int offset;
  __host__ __device__ explicit Derived(int offset_) : offset(offset_) {}
  __host__ __device__ int operator()(int x) const { return doubled(x) + offset; }
};

template <class F> __global__ void apply(int *data, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = f(i);
}

template <class T> __global__ void rings(T *out) {
  Ring<T, 4> ring;
  for (int i = 0; i <= (int)threadIdx.x; i++)
    ring.push((T)i);
  out[threadIdx.x] = ring.sum();
}

__device__ __noinline__ float4 blend(float4 a, float4 b, float t) {
  return make_float4(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z), a.w + t * (b.w - a.w));
}
__global__ void vectors(float4 *v, uchar4 *bytes, double2 *d) {
  v[2] = blend(v[0], v[1], 0.5f);
  bytes[1] = make_uchar4(bytes[0].w, bytes[0].z, bytes[0].y, bytes[0].x);
  d[1].x = max(d[0].x, d[0].y);
  d[1].y = min(d[0].x, 2.0);
}

int main() {
  const int n = 1000;
  int *data;
  GOOD(cudaMalloc(&data, n * sizeof(int)));
  std::vector<int> back(n);
  apply<<<4, 256>>>(data, n, Derived(7));
  GOOD(cudaMemcpy(back.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    CHECK(back[i] == Derived(7)(i));
  int factor = 3;
  apply<<<4, 256>>>(data, n, [factor] __device__(int i) { return factor * i * i; });
  GOOD(cudaMemcpy(back.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
  long long sum = std::accumulate(back.begin(), back.end(), 0ll), wanted = 0;
  for (int i = 0; i < n; i++)
    wanted += 3ll * i * i;
  CHECK(sum == wanted);

  auto shared = std::make_shared<std::map<std::string, double>>();
  double *numbers, host[16];
  GOOD(cudaMalloc(&numbers, sizeof host));
  rings<double><<<1, 16>>>(numbers);
  GOOD(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; i++) {
    Ring<double, 4> ring;
    for (int k = 0; k <= i; k++)
      ring.push(k);
    CHECK(host[i] == ring.sum());
    (*shared)[std::to_string(i)] = host[i];
  }
  CHECK(shared->size() == 16 && std::max(host[3], host[2]) == host[3]);

  float4 *v;
  uchar4 *bytes;
  double2 *d;
  GOOD(cudaMallocManaged(&v, 3 * sizeof *v));
  GOOD(cudaMallocManaged(&bytes, 2 * sizeof *bytes));
  GOOD(cudaMallocManaged(&d, 2 * sizeof *d));
  v[0] = make_float4(0, 1, 2, 3);
  v[1] = make_float4(4, 4, 4, 4);
  bytes[0] = make_uchar4(1, 2, 3, 250);
  d[0] = make_double2(-1, 5);
  vectors<<<1, 1>>>(v, bytes, d);
  GOOD(cudaDeviceSynchronize());
  CHECK(v[2].x == 2 && v[2].y == 2.5f && v[2].z == 3 && v[2].w == 3.5f);
  CHECK(bytes[1].x == 250 && bytes[1].w == 1 && d[1].x == 5 && d[1].y == -1);
  PASS();
}
