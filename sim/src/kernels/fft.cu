// Fourier transforms of 512 complex points each, after Volkov: a CTA of 64 threads has a transform, a thread 8 points of it in
// registers. Three times it transforms its 8 points; in between, the threads exchange their points through shared memory, the
// real parts and then the imaginary ones.
#include "unruly_cuda.h"

#define POINTS 8
#define THREADS 64 // of a CTA
#define ROW 72     // words of shared memory for 64 points: rows begin in different banks
#define HALF 0.70710678f // root of a half
#define TURN 6.28318531f

DEVICE float2 add(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
DEVICE float2 subtract(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
DEVICE float2 times(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
DEVICE float2 quarter_back(float2 a) { return {a.y, -a.x}; }

// Sums and differences of points that lie `half` apart.
DEVICE void butterflies(float2 *point, int half) {
#pragma unroll
  for (int i = 0; i < half; i++) {
    float2 a = point[i], b = point[i + half];
    point[i] = add(a, b);
    point[i + half] = subtract(a, b);
  }
}

DEVICE void transform_4(float2 *point) {
  butterflies(point, 2);
  point[3] = quarter_back(point[3]);
  butterflies(point, 1);
  butterflies(point + 2, 1);
}

// Leaves frequency f in place FREQUENCY(f): the bits of f, turned round.
#define FREQUENCY(f) (((f)&1) << 2 | ((f)&2) | (f) >> 2)
DEVICE void transform_8(float2 *point) {
  butterflies(point, 4);
  float2 eighth = point[5], three = point[7];
  point[5] = {(eighth.x + eighth.y) * HALF, (eighth.y - eighth.x) * HALF};
  point[6] = quarter_back(point[6]);
  point[7] = {(three.y - three.x) * HALF, (three.x + three.y) * -HALF};
  transform_4(point);
  transform_4(point + 4);
}

// Turns frequency f of this thread's points back by f times the thread's place, in parts of a turn.
DEVICE void twiddle(float2 *point, int place, int parts) {
#pragma unroll
  for (int f = 1; f < POINTS; f++) {
    float angle = (-TURN / (float)parts) * (float)(f * place);
    point[FREQUENCY(f)] = times(point[FREQUENCY(f)], {cosf(angle), sinf(angle)});
  }
}

// One of the two parts of all points: frequency f goes to f x ROW + to, and point k comes from from + k x apart.
template <float float2::*PART> DEVICE void exchange_part(float *shared, float2 *point, int to, int from, int apart) {
#pragma unroll
  for (int f = 0; f < POINTS; f++)
    shared[f * ROW + to] = point[FREQUENCY(f)].*PART;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < POINTS; k++)
    point[k].*PART = shared[from + k * apart];
  __syncthreads();
}

DEVICE void exchange(float *shared, float2 *point, int to, int from, int apart) {
  exchange_part<&float2::x>(shared, point, to, from, apart);
  exchange_part<&float2::y>(shared, point, to, from, apart);
}

// Point n = t + 64 k contributes to frequency f = f1 + 8 f2 + 64 f3. A thread has all k, then, for its f1, all t that differ by a
// multiple of 8, then, for its f1 and f2, the eight that are left.
extern "C" __global__ void fft_512(const float2 *from, float2 *to) {
  __shared__ float shared[POINTS * ROW];
  int t = threadIdx.x, high = t / POINTS, low = t % POINTS;
  float2 point[POINTS];
  from += blockIdx.x * POINTS * THREADS;
  to += blockIdx.x * POINTS * THREADS;
#pragma unroll
  for (int k = 0; k < POINTS; k++)
    point[k] = from[t + k * THREADS];
  transform_8(point);
  twiddle(point, t, POINTS * THREADS);
  exchange(shared, point, t, high * ROW + low, POINTS);
  transform_8(point);
  twiddle(point, low, THREADS);
  exchange(shared, point, low * (POINTS + 1) + high, high * ROW + low, POINTS + 1);
  transform_8(point);
#pragma unroll
  for (int f = 0; f < POINTS; f++)
    to[t + f * THREADS] = point[FREQUENCY(f)];
}
