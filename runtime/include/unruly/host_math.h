/* Mathematical functions that CUDA has on the host, too, and the C library lacks. */
#ifndef UNRULY_HOST_MATH_H
#define UNRULY_HOST_MATH_H

#pragma push_macro("UNRULY_HOST")
#define UNRULY_HOST static __inline__ __host__ __attribute__((unused))

UNRULY_HOST double rsqrt(double x) { return 1.0 / ::sqrt(x); }
UNRULY_HOST float rsqrtf(float x) { return (float)(1.0 / ::sqrt((double)x)); }
UNRULY_HOST float rsqrt(float x) { return rsqrtf(x); }
UNRULY_HOST double rcbrt(double x) { return 1.0 / ::cbrt(x); }
UNRULY_HOST float rcbrtf(float x) { return (float)(1.0 / ::cbrt((double)x)); }
UNRULY_HOST double sinpi(double x) { return ::sin(3.14159265358979323846 * ::remainder(x, 2.0)); }
UNRULY_HOST double cospi(double x) { return ::cos(3.14159265358979323846 * ::remainder(x, 2.0)); }
UNRULY_HOST float sinpif(float x) { return (float)sinpi((double)x); }
UNRULY_HOST float cospif(float x) { return (float)cospi((double)x); }
UNRULY_HOST double fdivide(double x, double y) { return x / y; }
UNRULY_HOST float fdividef(float x, float y) { return x / y; }
UNRULY_HOST double norm3d(double a, double b, double c) { return ::hypot(::hypot(a, b), c); }
UNRULY_HOST float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
UNRULY_HOST double rhypot(double x, double y) { return 1.0 / ::hypot(x, y); }
UNRULY_HOST float rhypotf(float x, float y) { return (float)rhypot((double)x, (double)y); }

#pragma pop_macro("UNRULY_HOST")

#endif
