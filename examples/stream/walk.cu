// Each warp adds up `words` words a lane: of a row of its own, one line after the other, or of lines in no order.
extern "C" __global__ void rows(const unsigned *data, unsigned *sums, unsigned words) {
  unsigned sum = 0;
  for (unsigned i = 0; i < words; i++)
    sum = sum * 3 + data[(blockIdx.x * words + i) * 32 + threadIdx.x];
  sums[blockIdx.x * 32 + threadIdx.x] = sum;
}

extern "C" __global__ void scattered(const unsigned *data, unsigned *sums, unsigned words) {
  unsigned sum = 0, line = blockIdx.x;
  for (unsigned i = 0; i < words; i++) {
    line = (line * 1103515245 + 12345) % (gridDim.x * words);
    sum = sum * 3 + data[line * 32 + threadIdx.x];
  }
  sums[blockIdx.x * 32 + threadIdx.x] = sum;
}
