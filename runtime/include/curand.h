/* Random numbers for arrays, from the host: generators of the pseudo-random kind. They compute on the host and copy; the numbers are
 * not those of NVIDIA's library. */
#ifndef UNRULY_CURAND_H
#define UNRULY_CURAND_H
#define CURAND_H_
#include "unruly/aside.h"

#include "cuda_runtime.h"
#include <math.h>
#include <stdlib.h>

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200
} curandRngType_t;

typedef struct curandGenerator_st {
  unsigned long long counter;
  int onHost;
} *curandGenerator_t;

#pragma push_macro("UNRULY_CURAND")
#define UNRULY_CURAND static __inline__ __attribute__((unused))

/* The next number of a counter that is mixed (splitmix64). */
UNRULY_CURAND unsigned long long unruly_curand_next(curandGenerator_t generator) {
  unsigned long long z = generator->counter += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
UNRULY_CURAND curandStatus_t unruly_curand_create(curandGenerator_t *generator, curandRngType_t type, int onHost) {
  if (type >= CURAND_RNG_QUASI_DEFAULT)
    return CURAND_STATUS_TYPE_ERROR;
  *generator = (curandGenerator_t)calloc(1, sizeof **generator);
  if (*generator == NULL)
    return CURAND_STATUS_ALLOCATION_FAILED;
  (*generator)->onHost = onHost;
  return CURAND_STATUS_SUCCESS;
}
UNRULY_CURAND curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  return unruly_curand_create(generator, type, 0);
}
UNRULY_CURAND curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return unruly_curand_create(generator, type, 1);
}
UNRULY_CURAND curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  free(generator);
  return CURAND_STATUS_SUCCESS;
}
UNRULY_CURAND curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  generator->counter = seed;
  return CURAND_STATUS_SUCCESS;
}
UNRULY_CURAND curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  generator->counter += offset * 0x9e3779b97f4a7c15ull;
  return CURAND_STATUS_SUCCESS;
}
UNRULY_CURAND curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  (void)generator;
  (void)stream;
  return CURAND_STATUS_SUCCESS;
}
UNRULY_CURAND double unruly_curand_uniform(curandGenerator_t generator) {
  return (double)(unruly_curand_next(generator) >> 11) * 0x1p-53 + 0x1p-54;
}
UNRULY_CURAND double unruly_curand_normal(curandGenerator_t generator) {
  double u = unruly_curand_uniform(generator), v = unruly_curand_uniform(generator);
  return sqrt(-2.0 * log(u)) * sin(6.283185307179586 * v);
}

/* A function that fills an array. */
#define UNRULY_GENERATE(name, type, parameters, value)                                                                           \
  UNRULY_CURAND curandStatus_t name parameters {                                                                                 \
    type *numbers = generator->onHost ? output : (type *)malloc(n * sizeof(type));                                               \
    curandStatus_t status = CURAND_STATUS_SUCCESS;                                                                               \
    size_t i;                                                                                                                    \
    if (numbers == NULL)                                                                                                         \
      return CURAND_STATUS_ALLOCATION_FAILED;                                                                                    \
    for (i = 0; i < n; i++)                                                                                                      \
      numbers[i] = (type)(value);                                                                                                \
    if (!generator->onHost) {                                                                                                    \
      if (cudaMemcpy(output, numbers, n * sizeof(type), cudaMemcpyHostToDevice) != cudaSuccess)                                  \
        status = CURAND_STATUS_LAUNCH_FAILURE;                                                                                   \
      free(numbers);                                                                                                             \
    }                                                                                                                            \
    return status;                                                                                                               \
  }
UNRULY_GENERATE(curandGenerate, unsigned int, (curandGenerator_t generator, unsigned int *output, size_t n),
                unruly_curand_next(generator) >> 32)
UNRULY_GENERATE(curandGenerateUniform, float, (curandGenerator_t generator, float *output, size_t n),
                (float)(unruly_curand_next(generator) >> 40) * 0x1p-24f + 0x1p-25f)
UNRULY_GENERATE(curandGenerateUniformDouble, double, (curandGenerator_t generator, double *output, size_t n),
                unruly_curand_uniform(generator))
UNRULY_GENERATE(curandGenerateNormal, float, (curandGenerator_t generator, float *output, size_t n, float mean, float deviation),
                mean + deviation * unruly_curand_normal(generator))
UNRULY_GENERATE(curandGenerateNormalDouble, double,
                (curandGenerator_t generator, double *output, size_t n, double mean, double deviation),
                mean + deviation * unruly_curand_normal(generator))
#undef UNRULY_GENERATE
#pragma pop_macro("UNRULY_CURAND")

#include "unruly/back.h"

#endif
