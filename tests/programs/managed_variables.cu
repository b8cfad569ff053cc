// Variables that both sides have: initial values, stores of the host and of kernels, in a namespace and static, before and after a reset.
#include "check.h"

__managed__ int total;
__managed__ float table[4] = {1, 2, 3, 4};
namespace inner {
__device__ __managed__ int last = 5;
}
static __managed__ long long hidden = -1;

__global__ void change() {
  atomicAdd(&total, 1);
  table[threadIdx.x] *= 2;
  if (threadIdx.x == 3) {
    inner::last += 10;
    hidden *= 3;
  }
}

int main() {
  CHECK(table[2] == 3 && inner::last == 5 && hidden == -1);
  total = 10;
  change<<<1, 4>>>();
  GOOD(cudaDeviceSynchronize());
  CHECK(total == 14 && table[0] == 2 && table[3] == 8 && inner::last == 15 && hidden == -3);
  table[1] = 100;
  change<<<1, 4>>>();
  GOOD(cudaDeviceSynchronize());
  CHECK(total == 18 && table[0] == 4 && table[1] == 200 && inner::last == 25 && hidden == -9);

  // The device is as new.
  GOOD(cudaDeviceReset());
  CHECK(total == 0 && table[1] == 2 && inner::last == 5 && hidden == -1);
  total = 20;
  change<<<1, 4>>>();
  GOOD(cudaDeviceSynchronize());
  CHECK(total == 24 && table[0] == 2 && table[1] == 4 && inner::last == 15 && hidden == -3);
  PASS();
}
