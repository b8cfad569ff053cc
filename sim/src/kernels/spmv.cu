// Sparse matrix times vector, y = A x, in compressed sparse rows: products, a thread for each entry of A, then sums, a warp for
// each row.
#include "frontier.h"
#include "mapping.h"

// `values` are bits of floats.
extern "C" __global__ void spmv_multiply(const unsigned *columns, const unsigned *values, unsigned number_elements,
                                         const float *x, float *products) {
  unsigned pos = thread_number();
  if (pos < number_elements) {
    unsigned column, value;
#ifdef USE_IRU
    load_iru(column, value, pos);
#else
    column = columns[pos];
    value = values[pos];
#endif
    products[pos] = __uint_as_float(value) * x[column];
  }
}

extern "C" __global__ void spmv_sum(const unsigned *row, const float *products, unsigned rows, float *y) {
  VertexThread me;
  if (me.vertex >= rows)
    return;
  float sum = 0;
#pragma unroll 1
  for (unsigned e = me.first(row[me.vertex]); e < row[me.vertex + 1]; e += me.stride())
    sum += products[e];
  sum = me.sum(sum);
  if (me.writes())
    y[me.vertex] = sum;
}
