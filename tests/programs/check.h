// What the programs check with: a wrong result is a line that says where, and the exit code 1.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

// The call gives this error.
#define GIVES(error, call)                                                                                   \
  do {                                                                                                       \
    cudaError_t given = (call);                                                                              \
    if (given != (error)) {                                                                                  \
      printf("FAIL %s:%d: %s gives %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(given));               \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

#define GOOD(call) GIVES(cudaSuccess, call)

#define PASS()                                                                                               \
  do {                                                                                                       \
    printf("PASS\n");                                                                                        \
    return 0;                                                                                                \
  } while (0)

#endif
