// What the unit of rogue.v can do, and each of its operations on its own.
#define LOW(p) ((unsigned)(unsigned long long)(p))
#define HIGH(p) ((unsigned)((unsigned long long)(p) >> 32))

extern "C" __global__ void sums(const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 3 != 0)
    out[i] = unit_call<0>(in[i], 1000 * i);
  unit_do<1>(i, i);
}

// Word blockIdx.x of `in`, by the unit, to all threads of a CTA.
extern "C" __global__ void reads(const unsigned *in, unsigned *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = unit_call<2>(LOW(in + blockIdx.x), HIGH(in + blockIdx.x));
}

// Copies 40 words. No other warp of the core may come between the two calls.
extern "C" __global__ void writes(const unsigned *in, unsigned *out) {
  for (unsigned i = blockIdx.x; i < 40; i += gridDim.x) {
    unit_do<4>(LOW(out + i), HIGH(out + i));
    unit_do<3>(in[i], 0);
  }
}

#ifndef OP
#define OP 0
#endif
extern "C" __global__ void calls(const unsigned *in, unsigned *out) {
  if (threadIdx.x < 20)
    out[threadIdx.x] = unit_call<OP>(LOW(in), HIGH(in));
}

extern "C" __global__ void does(const unsigned *in, unsigned *out) {
  unit_do<4>(LOW(out), HIGH(out));
  unit_do<OP>(LOW(in), HIGH(in));
#ifdef MORE
  for (int i = 0; i < 64; i++)
    unit_call<0>(i, i);
#endif
}

// The unit writes into a buffer that is only read.
extern "C" __global__ void inputs(const unsigned *in, unsigned *out) {
  unit_do<4>(LOW(in), HIGH(in));
  unit_do<3>(1, 0);
}
