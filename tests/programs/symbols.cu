// Variables on the device: copied by symbol, by address, and by name.
#include "check.h"
#include <string.h>

__constant__ float weights[8];
__constant__ int scale = 3;
__device__ int counter = 40;
__device__ float table[100];
static __device__ int hidden[4] = {1, 2, 3, 4};
namespace inner {
__device__ unsigned long long big = 0x123456789abcdefULL;
}

__global__ void use(float *out) {
  int i = threadIdx.x;
  table[i] = weights[i % 8] * scale;
  out[i] = table[i];
  if (i == 0)
    counter += 2;
  if (i < 4)
    hidden[i] += 10;
}

__global__ void read_through(const float *pointer, float *out) { out[threadIdx.x] = pointer[threadIdx.x]; }

int main() {
  float host[8], back[100], *out;
  for (int i = 0; i < 8; i++)
    host[i] = 0.5f * i + 1;
  GOOD(cudaMalloc(&out, sizeof back));
  GOOD(cudaMemcpyToSymbol(weights, host, sizeof host));
  use<<<1, 100>>>(out);
  GOOD(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; i++)
    CHECK(back[i] == host[i % 8] * 3);

  // Initial values, and what the kernel did to them.
  int number, four[4];
  GOOD(cudaMemcpyFromSymbol(&number, counter, sizeof number));
  CHECK(number == 42);
  GOOD(cudaMemcpyFromSymbol(four, hidden, sizeof four));
  CHECK(four[0] == 11 && four[3] == 14);
  unsigned long long big;
  GOOD(cudaMemcpyFromSymbol(&big, inner::big, sizeof big));
  CHECK(big == 0x123456789abcdefULL);

  // Constants change between launches; a part of one, too.
  number = 7;
  GOOD(cudaMemcpyToSymbol(scale, &number, sizeof number));
  float two[2] = {100, 200};
  GOOD(cudaMemcpyToSymbol(weights, two, sizeof two, 2 * sizeof(float), cudaMemcpyHostToDevice));
  host[2] = 100, host[3] = 200;
  use<<<1, 100>>>(out);
  GOOD(cudaMemcpyFromSymbol(back, table, sizeof back, 0, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; i++)
    CHECK(back[i] == host[i % 8] * 7);
  GOOD(cudaMemcpyFromSymbol(&back[0], weights, sizeof(float), 3 * sizeof(float)));
  CHECK(back[0] == 200);

  // From device memory to a symbol, and the addresses of symbols.
  GOOD(cudaMemset(out, 0, sizeof back));
  GOOD(cudaMemcpyToSymbol(table, out, 50 * sizeof(float), 0, cudaMemcpyDeviceToDevice));
  void *address;
  size_t bytes;
  GOOD(cudaGetSymbolAddress(&address, table));
  GOOD(cudaGetSymbolSize(&bytes, table));
  CHECK(bytes == sizeof table);
  GOOD(cudaMemcpy(back, address, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 0 && back[49] == 0 && back[50] == host[50 % 8] * 7);
  read_through<<<1, 100>>>((float *)address, out);
  GOOD(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(back[49] == 0 && back[51] == host[51 % 8] * 7);
  GOOD(cudaGetSymbolAddress(&address, weights));
  read_through<<<1, 8>>>((float *)address, out);
  GOOD(cudaMemcpy(back, out, 8 * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(memcmp(back, host, sizeof host) == 0);

  // By name, as programs before CUDA 5 do.
  number = 1000;
  GOOD(cudaMemcpyToSymbol((const void *)"counter", &number, sizeof number, 0, cudaMemcpyHostToDevice));
  use<<<1, 1>>>(out);
  GOOD(cudaMemcpyFromSymbol(&number, counter, sizeof number));
  CHECK(number == 1002);

  // What is wrong.
  static int not_a_symbol;
  GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol((const void *)&not_a_symbol, &number, 4, 0, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol((const void *)"nowhere", &number, 4, 0, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(counter, four, 8));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(counter, four, 4, 0, cudaMemcpyDeviceToHost));
  PASS();
}
