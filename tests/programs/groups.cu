// Cooperative groups: blocks, tiles, the active threads, and the whole grid.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void tiles(int *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int i = block.thread_rank();
  int sum = cg::reduce(tile, i, cg::plus<int>());
  out[i] = sum;
  out[64 + i] = tile.thread_rank();
  out[128 + i] = tile.shfl(i, 3);
  out[192 + i] = tile.ballot(i % 2);
  if (i % 4 == 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    out[256 + i] = 100 * active.size() + active.thread_rank();
  } else {
    out[256 + i] = -1;
  }
  cg::sync(block);
}

__global__ void relay(int *values, int rounds) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank(), n = grid.size();
  for (int round = 0; round < rounds; round++) {
    int next = values[(i + 1) % n];
    grid.sync();
    values[i] = next + 1;
    grid.sync();
  }
}

// One lane adds for all and tells them the old value; before that, the others' variable has none.
__global__ void added_by_one(int *counters, int *taken) {
  int lane = threadIdx.x % 32, place;
  if (lane == 0)
    place = atomicAdd(&counters[0], 32);
  place = __shfl_sync(~0u, place, 0);
  taken[place + lane]++;

  unsigned mask = __activemask();
  double wide;
  if (lane == 31)
    wide = atomicAdd(&counters[1], __popc(mask));
  wide = __shfl_sync(mask, wide, 31);
  taken[64 + int(wide) + lane]++;

  cg::coalesced_group active = cg::coalesced_threads();
  int next;
  if (active.thread_rank() == 0)
    next = atomicAdd(&counters[2], active.size());
  taken[128 + active.shfl(next, 0) + active.thread_rank()]++;

  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
  int last;
  if (tile.thread_rank() == 5)
    last = atomicAdd(&counters[3], 16);
  taken[192 + tile.shfl(last, 5) + tile.thread_rank()]++;
}

int main() {
  int *out, back[320];
  GOOD(cudaMalloc(&out, sizeof back));
  tiles<<<1, 64>>>(out);
  GOOD(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) {
    int first = i / 16 * 16;
    CHECK(back[i] == 16 * first + 120 && back[64 + i] == i % 16 && back[128 + i] == first + 3);
    CHECK(back[192 + i] == 0xaaaa);
    CHECK(back[256 + i] == (i % 4 == 1 ? 800 + i % 32 / 4 : -1));
  }

  int *counters;
  GOOD(cudaMalloc(&counters, 16));
  GOOD(cudaMemset(counters, 0, 16));
  GOOD(cudaMemset(out, 0, sizeof back));
  added_by_one<<<1, 64>>>(counters, out);
  GOOD(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; i++)
    CHECK(back[i] == 1);

  const int blocks = 4, threads = 64, n = blocks * threads;
  int rounds = 3, host[n];
  int *values;
  for (int i = 0; i < n; i++)
    host[i] = i * i;
  GOOD(cudaMalloc(&values, sizeof host));
  GOOD(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  void *arguments[] = {&values, &rounds};
  GOOD(cudaLaunchCooperativeKernel(relay, blocks, threads, arguments));
  GOOD(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    CHECK(host[i] == (i + rounds) % n * ((i + rounds) % n) + rounds);
  PASS();
}
