/* Random numbers in kernels: XORWOW (Marsaglia) and Philox 4x32-10 (Salmon and others). A seed does not give the numbers that it gives
 * with NVIDIA's library, which does not document how it seeds. */
#ifndef UNRULY_CURAND_KERNEL_H
#define UNRULY_CURAND_KERNEL_H
#define CURAND_KERNEL_H_
#include "unruly/aside.h"

#include "cuda_runtime.h"

#if defined(__CUDA__)
#pragma push_macro("UNRULY_BOTH")
#define UNRULY_BOTH static __inline__ __host__ __device__ __attribute__((unused))

/* ---- XORWOW */

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/* The next number of a counter that is mixed (splitmix64). */
UNRULY_BOTH unsigned long long unruly_mixed(unsigned long long *counter) {
  unsigned long long z = *counter += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
UNRULY_BOTH unsigned int curand(curandStateXORWOW *state) {
  unsigned int t = state->v[0] ^ state->v[0] >> 2;
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = state->v[4];
  state->v[4] = (state->v[4] ^ state->v[4] << 4) ^ (t ^ t << 1);
  state->d += 362437;
  return state->v[4] + state->d;
}
UNRULY_BOTH void skipahead(unsigned long long n, curandStateXORWOW *state) {
  for (; n > 0; n--)
    curand(state);
}
UNRULY_BOTH void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW *state) {
  unsigned long long counter = seed;
  counter = unruly_mixed(&counter) ^ sequence * 0xda942042e4dd58b5ull;
  for (int i = 0; i < 5; i++)
    state->v[i] = (unsigned int)unruly_mixed(&counter) | (i == 0);
  state->d = (unsigned int)unruly_mixed(&counter);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  skipahead(offset, state);
}

/* ---- Philox: a counter that is encrypted */

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

UNRULY_BOTH uint4 curand_Philox4x32_10(uint4 c, uint2 key) {
  for (int round = 0; round < 10; round++) {
    unsigned long long a = (unsigned long long)0xd2511f53u * c.x, b = (unsigned long long)0xcd9e8d57u * c.z;
    c = make_uint4((unsigned int)(b >> 32) ^ c.y ^ key.x, (unsigned int)b, (unsigned int)(a >> 32) ^ c.w ^ key.y, (unsigned int)a);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}
UNRULY_BOTH void unruly_advance(curandStatePhilox4_32_10 *state, unsigned long long by) {
  unsigned long long low = ((unsigned long long)state->ctr.y << 32 | state->ctr.x) + by;
  if (low < by && ++state->ctr.z == 0)
    state->ctr.w++;
  state->ctr.x = (unsigned int)low;
  state->ctr.y = (unsigned int)(low >> 32);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}
UNRULY_BOTH void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state) {
  state->STATE += (unsigned int)(n & 3);
  unruly_advance(state, n / 4 + state->STATE / 4);
  state->STATE &= 3;
}
UNRULY_BOTH void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             curandStatePhilox4_32_10 *state) {
  state->ctr = make_uint4(0, 0, (unsigned int)sequence, (unsigned int)(sequence >> 32));
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  state->STATE = 0;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  skipahead(offset, state);
}
UNRULY_BOTH uint4 curand4(curandStatePhilox4_32_10 *state) {
  unsigned int now[8] = {state->output.x, state->output.y, state->output.z, state->output.w};
  unruly_advance(state, 1);
  now[4] = state->output.x;
  now[5] = state->output.y;
  now[6] = state->output.z;
  now[7] = state->output.w;
  unsigned int at = state->STATE;
  return make_uint4(now[at], now[at + 1], now[at + 2], now[at + 3]);
}
UNRULY_BOTH unsigned int curand(curandStatePhilox4_32_10 *state) {
  unsigned int at = state->STATE++;
  unsigned int value = at == 0 ? state->output.x : at == 1 ? state->output.y : at == 2 ? state->output.z : state->output.w;
  if (state->STATE == 4) {
    state->STATE = 0;
    unruly_advance(state, 1);
  }
  return value;
}

/* ---- Distributions */

/* In (0, 1]. */
UNRULY_BOTH float unruly_uniform(unsigned int x) { return (float)x * 0x1p-32f + 0x1p-33f; }
UNRULY_BOTH double unruly_uniform_double(unsigned int x, unsigned int y) {
  return (double)(((unsigned long long)x << 21 ^ y) & 0x1fffffffffffffull) * 0x1p-53 + 0x1p-54;
}
template <class State> UNRULY_BOTH float curand_uniform(State *state) { return unruly_uniform(curand(state)); }
template <class State> UNRULY_BOTH double curand_uniform_double(State *state) {
  unsigned int x = curand(state);
  return unruly_uniform_double(x, curand(state));
}
/* Two normal numbers from two uniform ones (Box and Muller). */
template <class State> UNRULY_BOTH float2 curand_normal2(State *state) {
  float u = curand_uniform(state), v = curand_uniform(state);
  float r = sqrtf(-2.0f * logf(u)), angle = 6.2831853f * v;
  return make_float2(r * sinf(angle), r * cosf(angle));
}
template <class State> UNRULY_BOTH double2 curand_normal2_double(State *state) {
  double u = curand_uniform_double(state), v = curand_uniform_double(state);
  double r = sqrt(-2.0 * log(u)), angle = 6.283185307179586 * v;
  return make_double2(r * sin(angle), r * cos(angle));
}
template <class State> UNRULY_BOTH float curand_normal(State *state) {
  if (state->boxmuller_flag) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  float2 two = curand_normal2(state);
  state->boxmuller_extra = two.y;
  state->boxmuller_flag = 1;
  return two.x;
}
template <class State> UNRULY_BOTH double curand_normal_double(State *state) {
  if (state->boxmuller_flag_double) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  double2 two = curand_normal2_double(state);
  state->boxmuller_extra_double = two.y;
  state->boxmuller_flag_double = 1;
  return two.x;
}
template <class State> UNRULY_BOTH float curand_log_normal(State *state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <class State> UNRULY_BOTH double curand_log_normal_double(State *state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
UNRULY_BOTH float4 curand_uniform4(curandStatePhilox4_32_10 *state) {
  uint4 x = curand4(state);
  return make_float4(unruly_uniform(x.x), unruly_uniform(x.y), unruly_uniform(x.z), unruly_uniform(x.w));
}

#pragma pop_macro("UNRULY_BOTH")
#endif

#include "unruly/back.h"

#endif
