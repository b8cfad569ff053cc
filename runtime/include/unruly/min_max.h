/* min and max of all numbers, for host and device. */
#ifndef UNRULY_MIN_MAX_H
#define UNRULY_MIN_MAX_H

#pragma push_macro("UNRULY_BOTH")
#define UNRULY_BOTH static __inline__ __host__ __device__ __attribute__((always_inline, nodebug, unused))

/* The device has these two from clang. */
static __inline__ __host__ __attribute__((always_inline, unused)) int min(int a, int b) { return a < b ? a : b; }
static __inline__ __host__ __attribute__((always_inline, unused)) int max(int a, int b) { return a > b ? a : b; }
UNRULY_BOTH unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }
UNRULY_BOTH unsigned int max(unsigned int a, unsigned int b) { return a > b ? a : b; }
UNRULY_BOTH long min(long a, long b) { return a < b ? a : b; }
UNRULY_BOTH long max(long a, long b) { return a > b ? a : b; }
UNRULY_BOTH unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
UNRULY_BOTH unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
UNRULY_BOTH long long min(long long a, long long b) { return a < b ? a : b; }
UNRULY_BOTH long long max(long long a, long long b) { return a > b ? a : b; }
UNRULY_BOTH unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
UNRULY_BOTH unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
/* An int becomes unsigned, as in an addition. */
UNRULY_BOTH unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
UNRULY_BOTH unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
UNRULY_BOTH unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
UNRULY_BOTH unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
UNRULY_BOTH unsigned long min(unsigned long a, long b) { return min(a, (unsigned long)b); }
UNRULY_BOTH unsigned long min(long a, unsigned long b) { return min((unsigned long)a, b); }
UNRULY_BOTH unsigned long max(unsigned long a, long b) { return max(a, (unsigned long)b); }
UNRULY_BOTH unsigned long max(long a, unsigned long b) { return max((unsigned long)a, b); }
UNRULY_BOTH unsigned long long min(unsigned long long a, long long b) { return min(a, (unsigned long long)b); }
UNRULY_BOTH unsigned long long min(long long a, unsigned long long b) { return min((unsigned long long)a, b); }
UNRULY_BOTH unsigned long long max(unsigned long long a, long long b) { return max(a, (unsigned long long)b); }
UNRULY_BOTH unsigned long long max(long long a, unsigned long long b) { return max((unsigned long long)a, b); }
/* The smaller or larger one that is a number. */
UNRULY_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
UNRULY_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
UNRULY_BOTH double min(float a, double b) { return __builtin_fmin(a, b); }
UNRULY_BOTH double min(double a, float b) { return __builtin_fmin(a, b); }
UNRULY_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
UNRULY_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
UNRULY_BOTH double max(float a, double b) { return __builtin_fmax(a, b); }
UNRULY_BOTH double max(double a, float b) { return __builtin_fmax(a, b); }

#pragma pop_macro("UNRULY_BOTH")

#endif
