// places[i]: where keys[i] is in the hash table of `mask` + 1 buckets of eight, or 2^32 - 1. Each thread looks for itself, or with PROBE asks
// the unit.
extern "C" __global__ void lookup(const unsigned *table, const unsigned *keys, unsigned *places, unsigned mask) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned key = keys[i];
#ifdef PROBE
  unit_do<0>((unsigned)(unsigned long long)table, (unsigned)((unsigned long long)table >> 32));
  places[i] = unit_call<1>(key, mask);
#else
  unsigned bucket = (key ^ key >> 7 ^ key >> 15) & mask, place = 0xffffffff;
  const uint4 *words = (const uint4 *)table + 2 * bucket;
  uint4 low = words[0], high = words[1];
  unsigned have[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
  for (int p = 7; p >= 0; p--)
    if (have[p] == key)
      place = 8 * bucket + p;
  places[i] = place;
#endif
}
