// Textures and surfaces, by names and by handles.
#include "device.h"

struct float4 {
  float x, y, z, w;
};
struct int4 {
  int x, y, z, w;
};
typedef unsigned long Handle;


static __device__ int4 fetch_int(Handle t, int x) {
  int4 r;
  asm("tex.1d.v4.s32.s32 {%0, %1, %2, %3}, [%4, {%5}];" : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w) : "l"(t), "r"(x));
  return r;
}

static __device__ float4 fetch(Handle t, int x) {
  float4 r;
  asm("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];" : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w) : "l"(t), "r"(x));
  return r;
}

static __device__ float4 tex1d(Handle t, float x) {
  float4 r;
  asm("tex.1d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5}];" : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w) : "l"(t), "f"(x));
  return r;
}

static __device__ float4 tex2d(Handle t, float x, float y) {
  float4 r;
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
      : "l"(t), "f"(x), "f"(y));
  return r;
}

static __device__ float4 tex3d(Handle t, float x, float y, float z) {
  float4 r;
  asm("tex.3d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
      : "l"(t), "f"(x), "f"(y), "f"(z));
  return r;
}

static __device__ float4 layered(Handle t, int layer, float x, float y) {
  float4 r;
  asm("tex.a2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
      : "l"(t), "r"(layer), "f"(x), "f"(y));
  return r;
}

static __device__ float4 gather(Handle t, float x, float y) {
  float4 r;
  asm("tld4.g.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
      : "l"(t), "f"(x), "f"(y));
  return r;
}

extern "C" __global__ void ints(int4 *out, Handle t, int first) { out[thread] = fetch_int(t, first + (int)thread); }
extern "C" __global__ void floats(float4 *out, Handle t, int first) { out[thread] = fetch(t, first + (int)thread); }
extern "C" __global__ void along(float *out, Handle t, float first, float step) { out[thread] = tex1d(t, first + step * thread).x; }
extern "C" __global__ void plane(float *out, Handle t, const float *x, const float *y) { out[thread] = tex2d(t, x[thread], y[thread]).x; }
extern "C" __global__ void space(float *out, Handle t, const float *x, const float *y) { out[thread] = tex3d(t, x[thread], y[thread], 1.25f).x; }
extern "C" __global__ void layers(float *out, Handle t, const float *x, const float *y) { out[thread] = layered(t, thread % 4, x[thread], y[thread]).x; }
extern "C" __global__ void gathered(float4 *out, Handle t, float x, float y) { out[thread] = gather(t, x, y); }

// Moves a surface of 32-bit texels one place to the right and one row down.
extern "C" __global__ void shift(Handle from, Handle to) {
  int x = threadIdx_x, y = blockIdx_x, v;
  asm volatile("suld.b.2d.b32.zero {%0}, [%1, {%2, %3}];" : "=r"(v) : "l"(from), "r"((x - 1) * 4), "r"(y - 1));
  asm volatile("sust.b.2d.b32.clamp [%0, {%1, %2}], {%3};" ::"l"(to), "r"(x * 4), "r"(y), "r"(v) : "memory");
}

extern "C" __global__ void past_the_end(Handle to) {
  asm volatile("sust.b.1d.b32.trap [%0, {%1}], {%2};" ::"l"(to), "r"(thread * 4), "r"(1) : "memory");
}

extern "C" __global__ void sizes(int *out, Handle t) {
  int w, h;
  asm("txq.width.b32 %0, [%1];" : "=r"(w) : "l"(t));
  asm("suq.height.b32 %0, [%1];" : "=r"(h) : "l"(t));
  out[thread] = w * 1000 + h;
}
