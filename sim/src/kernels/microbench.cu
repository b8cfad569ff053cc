// Microbenchmarks of the memories: chases, in which each load takes its address from the one before, streams, and atomics.
// The host takes the time of so many steps from that of twice as many, so that all that happens once does not count.
#include "unruly_cuda.h"

#define BLOCK 256  // threads of a CTA, but for chases of a single thread
#define UNROLL 16  // steps between two looks at the count
#define WORDS 512  // of shared memory, in which a chase goes round
#define BANKS 32   // words from one step to the next: the bank stays
#define LOADS 8    // of a thread in a step of a stream, one after the other

// Steps from place to place, each of which holds the address of the next.
extern "C" __global__ void chase_global(unsigned long long place, unsigned steps, unsigned long long *end) {
#pragma unroll 1
  for (unsigned i = 0; i < steps; i += UNROLL) {
#pragma unroll
    for (unsigned k = 0; k < UNROLL; k++) {
      unsigned long long next;
      asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(place));
      place = next;
    }
  }
  *end = place;
}

// The same in shared memory, by all threads of each CTA from words of their own on. Gives the words in which they end.
extern "C" __global__ __launch_bounds__(BLOCK) void chase_shared(unsigned steps, unsigned *ends) {
  __shared__ unsigned words[WORDS];
  unsigned base = (unsigned)(size_t)(__attribute__((address_space(3))) unsigned *)words;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
    words[i] = base + sizeof(unsigned) * ((i + BANKS) % WORDS);
  __syncthreads();
  unsigned place = base + sizeof(unsigned) * threadIdx.x;
#pragma unroll 1
  for (unsigned i = 0; i < steps; i += UNROLL) {
#pragma unroll
    for (unsigned k = 0; k < UNROLL; k++) {
      unsigned next;
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(next) : "r"(place) : "memory");
      place = next;
    }
  }
  ends[blockIdx.x * blockDim.x + threadIdx.x] = (place - base) / sizeof(unsigned);
}

// Each CTA reads a row of words and goes on behind those of all CTAs, which read along together; behind the last row comes the
// first. Gives the sum of each thread.
extern "C" __global__ __launch_bounds__(BLOCK) void stream(const unsigned *words, unsigned rows, unsigned first, unsigned steps,
                                                           unsigned *sums) {
  const unsigned *place = words + (first + blockIdx.x) % rows * BLOCK + threadIdx.x;
  const unsigned *end = words + rows * BLOCK;
  size_t advance = gridDim.x % rows * BLOCK;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < steps; i++) {
    unsigned word[LOADS];
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) {
      word[k] = *place;
      place += advance;
      if (place >= end)
        place -= rows * BLOCK;
    }
    // No sum before the last load: instructions issue in their order.
    asm volatile("" : "+r"(word[0]), "+r"(word[1]), "+r"(word[2]), "+r"(word[3]), "+r"(word[4]), "+r"(word[5]),
                      "+r"(word[6]), "+r"(word[7]));
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
      sum += word[k];
  }
  sums[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

// Each atomic adds what the one before gave back: the word and what comes back are neighbours in Fibonacci's sequence.
extern "C" __global__ void atomic_chase(unsigned *word, unsigned steps, unsigned *end) {
  unsigned given = 1;
#pragma unroll 1
  for (unsigned i = 0; i < steps; i += UNROLL) {
#pragma unroll
    for (unsigned k = 0; k < UNROLL; k++)
      given = atomicAdd(word, given);
  }
  *end = given;
}

// Each thread adds its number, again and again, to a word: all to the same with a stride of 0, each to its own with a stride of 1.
extern "C" __global__ __launch_bounds__(BLOCK) void atomic_rate(unsigned *words, unsigned stride, unsigned steps) {
  unsigned number = blockIdx.x * BLOCK + threadIdx.x;
  unsigned *word = words + number * stride;
#pragma unroll 1
  for (unsigned i = 0; i < steps; i += UNROLL) {
#pragma unroll
    for (unsigned k = 0; k < UNROLL; k++)
      atomicAdd(word, number);
  }
}
