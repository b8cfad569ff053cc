// Reads of what nobody has written, races in shared memory, and what looks like them and is none. Each kernel runs with two warps of 32.
#include "device.h"
#define barrier() __syncthreads()
#define t threadIdx_x

// Every thread reads its neighbour's element, which another warp may write.
extern "C" __global__ void no_barrier(unsigned *out) {
  __shared__ volatile unsigned data[64];
  data[t] = t;
  out[thread] = data[63 - t];
}

extern "C" __global__ void with_barrier(unsigned *out) {
  __shared__ volatile unsigned data[64];
  for (int i = 0; i < 3; i++) {
    data[t] = t + i;
    barrier();
    unsigned other = data[63 - t];
    barrier();
    out[thread] = other;
  }
}

// The second barrier is missing: a warp may write what the other still reads.
extern "C" __global__ void write_after_read(unsigned *out) {
  __shared__ volatile unsigned data[64];
  data[t] = t;
  barrier();
  out[thread] = data[63 - t];
  data[t] = 2 * t + 1;
}

extern "C" __global__ void two_writers(unsigned *out, unsigned same) {
  __shared__ volatile unsigned data[1];
  data[0] = same ? 5 : t / 32;
  barrier();
  out[thread] = data[0];
}

// Bytes side by side are not the same byte, and within a warp nothing is a race.
extern "C" __global__ void bytes(unsigned *out) {
  __shared__ volatile unsigned char data[64];
  __shared__ volatile unsigned mine[64];
  data[t] = t;
  mine[t] = data[t];
  out[thread] = mine[t ^ 1];
}

extern "C" __global__ void histogram(unsigned *out) {
  __shared__ unsigned counts[8];
  if (t < 8)
    counts[t] = 0;
  barrier();
  __nvvm_atom_add_gen_i((int *)&counts[t % 8], 1);
  barrier();
  out[thread] = counts[t % 8];
}

// Nobody sets the counts to zero in time.
extern "C" __global__ void racing_histogram(unsigned *out) {
  __shared__ volatile unsigned counts[8];
  if (t >= 32 && t < 40)
    counts[t % 8] = 0;
  __nvvm_atom_add_gen_i((int *)&counts[t % 8], 1);
  barrier();
  out[thread] = counts[t % 8];
}

// One warp writes and does not wait for the other, which reads: bar.arrive and bar.sync.
extern "C" __global__ void producer(unsigned *out, unsigned right) {
  __shared__ volatile unsigned data[32];
  if (t < 32) {
    data[t] = t;
    if (right)
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    else
      asm volatile("bar.arrive 2, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, %0;" ::"r"(right ? 64 : 32) : "memory");
    out[thread] = data[t - 32];
  }
}

// The first warp ends before the barrier of the second.
extern "C" __global__ void early_end(unsigned *out) {
  __shared__ volatile unsigned data[32];
  if (t < 32) {
    data[t] = t;
    return;
  }
  barrier();
  out[thread] = data[t - 32];
}

extern "C" __global__ void copy(unsigned *out, const unsigned *in) { out[thread] = in[thread]; }

extern "C" __global__ void count(unsigned *out) { __nvvm_atom_add_gen_i((int *)out, 1); }

// A structure with a gap is copied whole.
struct Padded {
  unsigned char small;
  unsigned large;
};
extern "C" __global__ void fill(Padded *out) {
  out[thread].small = t;
  out[thread].large = t;
}
extern "C" __global__ void copy_words(unsigned long *out, const unsigned long *in) { out[thread] = in[thread]; }

// Half of the elements are written.
extern "C" __global__ void half_shared(unsigned *out) {
  __shared__ volatile unsigned data[64];
  if (t < 32)
    data[t] = t;
  barrier();
  out[thread] = data[t];
}

extern "C" __global__ void own(unsigned *out, unsigned first) {
  volatile unsigned data[8];
  for (unsigned i = first; i < 8; i++)
    data[i] = i;
  out[thread] = data[t % 8];
}

extern "C" __global__ void heap(unsigned *out, unsigned sets) {
  volatile unsigned *data = (volatile unsigned *)malloc(4);
  if (sets)
    *data = t;
  out[thread] = *data;
  free((void *)data);
}

__device__ unsigned zero[64];
__device__ __noinline__ unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }

// Variables of a module, a call stack, and what calls of the system give back.
extern "C" __global__ void quiet(unsigned *out) { out[thread] = zero[t] + sum(t % 5) + (printf("%u\n", t) > 0); }
