// out[i] = in[i] + i, with LATE by way of the unit of late.v.
extern "C" __global__ void add(const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef LATE
  out[i] = unit_call<0>(in[i], i);
#else
  out[i] = in[i] + i;
#endif
}
