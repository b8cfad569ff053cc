// Atomic functions of all types, against sums, extremes and exchanges on the CPU.
// nvcc: -arch=sm_60
#include "check.h"

const int threads = 512;

struct Cells {
  int add, sub, least, most, exchanged, swapped;
  unsigned uadd, uleast, umost, all, any, odd, up, down;
  unsigned long long wide, wide_most;
  long long signed_least;
  float sum;
  double precise;
};

__global__ void all(Cells *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&c->add, i);
  atomicSub(&c->sub, 2);
  atomicMin(&c->least, 100 - i);
  atomicMax(&c->most, i - 100);
  atomicExch(&c->exchanged, 77);
  atomicAdd(&c->uadd, 3u);
  atomicMin(&c->uleast, 1000u - i);
  atomicMax(&c->umost, (unsigned)i);
  atomicAnd(&c->all, ~(1u << i % 16));
  atomicOr(&c->any, 1u << i % 20);
  atomicXor(&c->odd, i);
  atomicInc(&c->up, 99);
  atomicDec(&c->down, 99);
  atomicAdd(&c->wide, 1ull << 33);
  atomicMax(&c->wide_most, (unsigned long long)i << 40);
  atomicMin(&c->signed_least, -(long long)i * (1ll << 40));
  atomicAdd(&c->sum, 0.5f);
  atomicAdd(&c->precise, 0.25);
  int old = c->swapped, seen;
  do {
    seen = old;
    old = atomicCAS(&c->swapped, seen, seen + 5);
  } while (old != seen);
}

int main() {
  Cells *c;
  GOOD(cudaMallocManaged(&c, sizeof *c));
  *c = Cells();
  c->uleast = 5000;
  c->all = 0xffffffff;
  c->down = 3;
  all<<<4, threads / 4>>>(c);
  GOOD(cudaDeviceSynchronize());
  int sum = 0;
  unsigned odd = 0;
  for (int i = 0; i < threads; i++) {
    sum += i;
    odd ^= i;
  }
  CHECK(c->add == sum && c->sub == -2 * threads && c->least == 100 - (threads - 1) && c->most == threads - 101);
  CHECK(c->exchanged == 77 && c->swapped == 5 * threads);
  CHECK(c->uadd == 3u * threads && c->uleast == 1000u - (threads - 1) && c->umost == threads - 1u);
  CHECK(c->all == 0xffff0000u && c->any == (1u << 20) - 1 && c->odd == odd);
  CHECK(c->up == threads % 100);
  // 3, 2, 1, 0, then from 99 down again.
  int down = 3;
  for (int i = 0; i < threads; i++)
    down = down == 0 ? 99 : down - 1;
  CHECK((int)c->down == down);
  CHECK(c->wide == (unsigned long long)threads << 33 && c->wide_most == (unsigned long long)(threads - 1) << 40);
  CHECK(c->signed_least == -(long long)(threads - 1) * (1ll << 40));
  CHECK(c->sum == 0.5f * threads && c->precise == 0.25 * threads);
  PASS();
}
