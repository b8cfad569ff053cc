// bins[key]++ for the key of every thread: with atomics alone, or with COMBINE by way of the unit, which leaves one lane for each key.
extern "C" __global__ void histogram(const unsigned *keys, unsigned *bins, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
#ifdef COMBINE
  unsigned sum = unit_call<0>(keys[i], 1);
  if (sum != 0)
    atomicAdd(bins + keys[i], sum);
#else
  atomicAdd(bins + keys[i], 1);
#endif
}
