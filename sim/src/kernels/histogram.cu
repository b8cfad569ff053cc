// Histogram: counts the elements of each key, a thread for each element.
#include "frontier.h"

extern "C" __global__ void histogram_count(const unsigned *keys, unsigned number_elements, unsigned *bins) {
  unsigned pos = thread_number();
  if (pos < number_elements) {
    unsigned key;
#ifdef USE_IRU
    load_iru(key);
#else
    key = keys[pos];
#endif
    atomicAdd(&bins[key], 1u);
  }
}
