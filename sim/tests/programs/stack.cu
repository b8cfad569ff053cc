// Functions that call themselves, directly, by way of others and through pointers.
#include "device.h"

__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

extern "C" __global__ void fibonacci(unsigned *out) { out[thread] = fib(thread % 13); }

// Every frame has an array of its own, and a pointer into that of its caller.
struct Cell {
  char tag;
  short small;
  double value;
  int list[3];
};

__device__ __noinline__ double descend(Cell cell, double *above, int depth) {
  double mine[4];
  for (int i = 0; i < 4; i++)
    mine[i] = cell.value + i + *above;
  if (depth == 0)
    return mine[cell.small & 3] + cell.tag + cell.list[2];
  cell.tag += 1;
  cell.small += 3;
  cell.list[depth % 3] += depth;
  double below = descend(cell, &mine[depth & 3], depth - 1);
  return below + mine[1] * 0.5 + *above;
}

extern "C" __global__ void frames(unsigned *out) {
  double top = thread;
  Cell cell = {5, (short)thread, 0.25, {1, 2, 3}};
  out[thread] = (unsigned)descend(cell, &top, thread % 7);
}

// Mutual recursion; the lanes of a warp end at different depths.
__device__ __noinline__ bool odd(unsigned n);
__device__ __noinline__ bool even(unsigned n) { return n == 0 ? true : odd(n - 1); }
__device__ __noinline__ bool odd(unsigned n) { return n == 0 ? false : even(n - 1); }

extern "C" __global__ void parity(unsigned *out) { out[thread] = even(thread) * 2 + odd(thread * 3); }

// Functions by pointer, some of which call through pointers again.
typedef int (*Visit)(int, int);
__device__ __noinline__ int leaf(int a, int b) { return a * 10 + b; }
__device__ __noinline__ int twice(int a, int b);
__device__ __noinline__ int half(int a, int b);
__device__ Visit const visits[3] = {leaf, twice, half};
__device__ __noinline__ int twice(int a, int b) { return b > 20 ? a : visits[(a + b) % 3](a + 1, b + 3) * 2; }
__device__ __noinline__ int half(int a, int b) { return b > 20 ? b : visits[a % 3](a + 2, b + 5) / 2 - 1; }

extern "C" __global__ void pointers(unsigned *out) { out[thread] = visits[thread % 3](thread, thread % 5); }

// Quicksort of each thread's part.
__device__ __noinline__ void sort(int *data, int count) {
  if (count < 2)
    return;
  int pivot = data[count / 2], left = 0, right = count - 1;
  while (left <= right) {
    while (data[left] < pivot)
      left++;
    while (data[right] > pivot)
      right--;
    if (left <= right) {
      int t = data[left];
      data[left++] = data[right];
      data[right--] = t;
    }
  }
  sort(data, right + 1);
  sort(data + left, count - left);
}

extern "C" __global__ void quicksort(int *data, int each) { sort(data + thread * each, each); }

// A function that prints and allocates in each of its frames.
__device__ __noinline__ int chain(int n) {
  int *block = (int *)malloc(sizeof(int));
  *block = n;
  printf("%d ", n);
  int sum = n ? chain(n - 1) : 0;
  sum += *block;
  free(block);
  return sum;
}

extern "C" __global__ void chains(unsigned *out) { out[thread] = chain(thread); }

__device__ __noinline__ int deep(int n, int *seen) { return n == 0 ? 0 : 1 + deep(n - 1, seen) * *seen; }

extern "C" __global__ void depth(unsigned *out, int n) {
  int one = n > 0;
  out[thread] = deep(n, &one);
}
