/* The CUDA samples' helpers without images, and comparisons of arrays. */
#ifndef COMMON_HELPER_FUNCTIONS_H_
#define COMMON_HELPER_FUNCTIONS_H_
#include "unruly/aside.h"

#include "helper_string.h"
#include "helper_timer.h"
#include <algorithm>
#include <assert.h>
#include <fstream>
#include <iostream>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <vector>

/* The relative L2 distance, as cuBLAS examples compare. */
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int length, const float epsilon) {
  float error = 0, norm = 0;
  for (unsigned int i = 0; i < length; i++) {
    float difference = reference[i] - data[i];
    error += difference * difference;
    norm += reference[i] * reference[i];
  }
  return fabs(norm) >= 1e-7f && sqrtf(error) / sqrtf(norm) < epsilon;
}
template <class T, class S>
inline bool unrulyCompare(const T *reference, const T *data, const unsigned int length, const S epsilon, const float threshold) {
  unsigned int wrong = 0;
  for (unsigned int i = 0; i < length; i++)
    wrong += !(fabs((double)reference[i] - (double)data[i]) <= (double)epsilon);
  return threshold == 0.0f ? wrong == 0 : (float)wrong <= threshold * (float)length;
}
template <class T, class S>
inline bool compareData(const T *reference, const T *data, const unsigned int length, const S epsilon, const float threshold) {
  return unrulyCompare(reference, data, length, epsilon, threshold);
}

#include "unruly/back.h"

#endif
