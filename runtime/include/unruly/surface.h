/* Surfaces: functions that read and write arrays. The first coordinate counts bytes. An element is moved as one, two or four words. */
#ifndef UNRULY_SURFACE_H
#define UNRULY_SURFACE_H

/* The 64 bits by which instructions know a surface reference. */
template <class Surface> static __device__ __forceinline__ cudaSurfaceObject_t unruly_surface(Surface reference) {
  cudaSurfaceObject_t object;
  asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
  return object;
}
static __device__ __forceinline__ cudaSurfaceObject_t unruly_surface(cudaSurfaceObject_t object) { return object; }

template <int bytes> struct unruly_element;

template <> struct unruly_element<1> {
  unsigned short v[1];
  __device__ __forceinline__ void read1D(cudaSurfaceObject_t surf, int x, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.1d.b8.zero {%0}, [%1, {%2}];" : "=h"(v[0]) : "l"(surf), "r"(x) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.1d.b8.clamp {%0}, [%1, {%2}];" : "=h"(v[0]) : "l"(surf), "r"(x) : "memory");
    else
      asm volatile("suld.b.1d.b8.trap {%0}, [%1, {%2}];" : "=h"(v[0]) : "l"(surf), "r"(x) : "memory");
  }
  __device__ __forceinline__ void write1D(cudaSurfaceObject_t surf, int x, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.1d.b8.zero [%0, {%1}], {%2};" : : "l"(surf), "r"(x), "h"(v[0]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.1d.b8.clamp [%0, {%1}], {%2};" : : "l"(surf), "r"(x), "h"(v[0]) : "memory");
    else
      asm volatile("sust.b.1d.b8.trap [%0, {%1}], {%2};" : : "l"(surf), "r"(x), "h"(v[0]) : "memory");
  }
  __device__ __forceinline__ void read2D(cudaSurfaceObject_t surf, int x, int y, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.2d.b8.zero {%0}, [%1, {%2, %3}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.2d.b8.clamp {%0}, [%1, {%2, %3}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y) : "memory");
    else
      asm volatile("suld.b.2d.b8.trap {%0}, [%1, {%2, %3}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y) : "memory");
  }
  __device__ __forceinline__ void write2D(cudaSurfaceObject_t surf, int x, int y, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.2d.b8.zero [%0, {%1, %2}], {%3};" : : "l"(surf), "r"(x), "r"(y), "h"(v[0]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.2d.b8.clamp [%0, {%1, %2}], {%3};" : : "l"(surf), "r"(x), "r"(y), "h"(v[0]) : "memory");
    else
      asm volatile("sust.b.2d.b8.trap [%0, {%1, %2}], {%3};" : : "l"(surf), "r"(x), "r"(y), "h"(v[0]) : "memory");
  }
  __device__ __forceinline__ void read3D(cudaSurfaceObject_t surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.3d.b8.zero {%0}, [%1, {%2, %3, %4, %4}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.3d.b8.clamp {%0}, [%1, {%2, %3, %4, %4}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
    else
      asm volatile("suld.b.3d.b8.trap {%0}, [%1, {%2, %3, %4, %4}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
  }
  __device__ __forceinline__ void write3D(cudaSurfaceObject_t surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.3d.b8.zero [%0, {%1, %2, %3, %3}], {%4};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "h"(v[0]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.3d.b8.clamp [%0, {%1, %2, %3, %3}], {%4};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "h"(v[0]) : "memory");
    else
      asm volatile("sust.b.3d.b8.trap [%0, {%1, %2, %3, %3}], {%4};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "h"(v[0]) : "memory");
  }
};
template <> struct unruly_element<2> {
  unsigned short v[1];
  __device__ __forceinline__ void read1D(cudaSurfaceObject_t surf, int x, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.1d.b16.zero {%0}, [%1, {%2}];" : "=h"(v[0]) : "l"(surf), "r"(x) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.1d.b16.clamp {%0}, [%1, {%2}];" : "=h"(v[0]) : "l"(surf), "r"(x) : "memory");
    else
      asm volatile("suld.b.1d.b16.trap {%0}, [%1, {%2}];" : "=h"(v[0]) : "l"(surf), "r"(x) : "memory");
  }
  __device__ __forceinline__ void write1D(cudaSurfaceObject_t surf, int x, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.1d.b16.zero [%0, {%1}], {%2};" : : "l"(surf), "r"(x), "h"(v[0]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.1d.b16.clamp [%0, {%1}], {%2};" : : "l"(surf), "r"(x), "h"(v[0]) : "memory");
    else
      asm volatile("sust.b.1d.b16.trap [%0, {%1}], {%2};" : : "l"(surf), "r"(x), "h"(v[0]) : "memory");
  }
  __device__ __forceinline__ void read2D(cudaSurfaceObject_t surf, int x, int y, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.2d.b16.zero {%0}, [%1, {%2, %3}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.2d.b16.clamp {%0}, [%1, {%2, %3}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y) : "memory");
    else
      asm volatile("suld.b.2d.b16.trap {%0}, [%1, {%2, %3}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y) : "memory");
  }
  __device__ __forceinline__ void write2D(cudaSurfaceObject_t surf, int x, int y, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.2d.b16.zero [%0, {%1, %2}], {%3};" : : "l"(surf), "r"(x), "r"(y), "h"(v[0]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.2d.b16.clamp [%0, {%1, %2}], {%3};" : : "l"(surf), "r"(x), "r"(y), "h"(v[0]) : "memory");
    else
      asm volatile("sust.b.2d.b16.trap [%0, {%1, %2}], {%3};" : : "l"(surf), "r"(x), "r"(y), "h"(v[0]) : "memory");
  }
  __device__ __forceinline__ void read3D(cudaSurfaceObject_t surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.3d.b16.zero {%0}, [%1, {%2, %3, %4, %4}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.3d.b16.clamp {%0}, [%1, {%2, %3, %4, %4}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
    else
      asm volatile("suld.b.3d.b16.trap {%0}, [%1, {%2, %3, %4, %4}];" : "=h"(v[0]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
  }
  __device__ __forceinline__ void write3D(cudaSurfaceObject_t surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.3d.b16.zero [%0, {%1, %2, %3, %3}], {%4};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "h"(v[0]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.3d.b16.clamp [%0, {%1, %2, %3, %3}], {%4};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "h"(v[0]) : "memory");
    else
      asm volatile("sust.b.3d.b16.trap [%0, {%1, %2, %3, %3}], {%4};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "h"(v[0]) : "memory");
  }
};
template <> struct unruly_element<4> {
  unsigned int v[1];
  __device__ __forceinline__ void read1D(cudaSurfaceObject_t surf, int x, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.1d.b32.zero {%0}, [%1, {%2}];" : "=r"(v[0]) : "l"(surf), "r"(x) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.1d.b32.clamp {%0}, [%1, {%2}];" : "=r"(v[0]) : "l"(surf), "r"(x) : "memory");
    else
      asm volatile("suld.b.1d.b32.trap {%0}, [%1, {%2}];" : "=r"(v[0]) : "l"(surf), "r"(x) : "memory");
  }
  __device__ __forceinline__ void write1D(cudaSurfaceObject_t surf, int x, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.1d.b32.zero [%0, {%1}], {%2};" : : "l"(surf), "r"(x), "r"(v[0]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.1d.b32.clamp [%0, {%1}], {%2};" : : "l"(surf), "r"(x), "r"(v[0]) : "memory");
    else
      asm volatile("sust.b.1d.b32.trap [%0, {%1}], {%2};" : : "l"(surf), "r"(x), "r"(v[0]) : "memory");
  }
  __device__ __forceinline__ void read2D(cudaSurfaceObject_t surf, int x, int y, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.2d.b32.zero {%0}, [%1, {%2, %3}];" : "=r"(v[0]) : "l"(surf), "r"(x), "r"(y) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.2d.b32.clamp {%0}, [%1, {%2, %3}];" : "=r"(v[0]) : "l"(surf), "r"(x), "r"(y) : "memory");
    else
      asm volatile("suld.b.2d.b32.trap {%0}, [%1, {%2, %3}];" : "=r"(v[0]) : "l"(surf), "r"(x), "r"(y) : "memory");
  }
  __device__ __forceinline__ void write2D(cudaSurfaceObject_t surf, int x, int y, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.2d.b32.zero [%0, {%1, %2}], {%3};" : : "l"(surf), "r"(x), "r"(y), "r"(v[0]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.2d.b32.clamp [%0, {%1, %2}], {%3};" : : "l"(surf), "r"(x), "r"(y), "r"(v[0]) : "memory");
    else
      asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};" : : "l"(surf), "r"(x), "r"(y), "r"(v[0]) : "memory");
  }
  __device__ __forceinline__ void read3D(cudaSurfaceObject_t surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.3d.b32.zero {%0}, [%1, {%2, %3, %4, %4}];" : "=r"(v[0]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.3d.b32.clamp {%0}, [%1, {%2, %3, %4, %4}];" : "=r"(v[0]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
    else
      asm volatile("suld.b.3d.b32.trap {%0}, [%1, {%2, %3, %4, %4}];" : "=r"(v[0]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
  }
  __device__ __forceinline__ void write3D(cudaSurfaceObject_t surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.3d.b32.zero [%0, {%1, %2, %3, %3}], {%4};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "r"(v[0]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.3d.b32.clamp [%0, {%1, %2, %3, %3}], {%4};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "r"(v[0]) : "memory");
    else
      asm volatile("sust.b.3d.b32.trap [%0, {%1, %2, %3, %3}], {%4};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "r"(v[0]) : "memory");
  }
};
template <> struct unruly_element<8> {
  unsigned int v[2];
  __device__ __forceinline__ void read1D(cudaSurfaceObject_t surf, int x, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.1d.v2.b32.zero {%0, %1}, [%2, {%3}];" : "=r"(v[0]), "=r"(v[1]) : "l"(surf), "r"(x) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.1d.v2.b32.clamp {%0, %1}, [%2, {%3}];" : "=r"(v[0]), "=r"(v[1]) : "l"(surf), "r"(x) : "memory");
    else
      asm volatile("suld.b.1d.v2.b32.trap {%0, %1}, [%2, {%3}];" : "=r"(v[0]), "=r"(v[1]) : "l"(surf), "r"(x) : "memory");
  }
  __device__ __forceinline__ void write1D(cudaSurfaceObject_t surf, int x, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.1d.v2.b32.zero [%0, {%1}], {%2, %3};" : : "l"(surf), "r"(x), "r"(v[0]), "r"(v[1]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.1d.v2.b32.clamp [%0, {%1}], {%2, %3};" : : "l"(surf), "r"(x), "r"(v[0]), "r"(v[1]) : "memory");
    else
      asm volatile("sust.b.1d.v2.b32.trap [%0, {%1}], {%2, %3};" : : "l"(surf), "r"(x), "r"(v[0]), "r"(v[1]) : "memory");
  }
  __device__ __forceinline__ void read2D(cudaSurfaceObject_t surf, int x, int y, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.2d.v2.b32.zero {%0, %1}, [%2, {%3, %4}];" : "=r"(v[0]), "=r"(v[1]) : "l"(surf), "r"(x), "r"(y) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.2d.v2.b32.clamp {%0, %1}, [%2, {%3, %4}];" : "=r"(v[0]), "=r"(v[1]) : "l"(surf), "r"(x), "r"(y) : "memory");
    else
      asm volatile("suld.b.2d.v2.b32.trap {%0, %1}, [%2, {%3, %4}];" : "=r"(v[0]), "=r"(v[1]) : "l"(surf), "r"(x), "r"(y) : "memory");
  }
  __device__ __forceinline__ void write2D(cudaSurfaceObject_t surf, int x, int y, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.2d.v2.b32.zero [%0, {%1, %2}], {%3, %4};" : : "l"(surf), "r"(x), "r"(y), "r"(v[0]), "r"(v[1]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.2d.v2.b32.clamp [%0, {%1, %2}], {%3, %4};" : : "l"(surf), "r"(x), "r"(y), "r"(v[0]), "r"(v[1]) : "memory");
    else
      asm volatile("sust.b.2d.v2.b32.trap [%0, {%1, %2}], {%3, %4};" : : "l"(surf), "r"(x), "r"(y), "r"(v[0]), "r"(v[1]) : "memory");
  }
  __device__ __forceinline__ void read3D(cudaSurfaceObject_t surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.3d.v2.b32.zero {%0, %1}, [%2, {%3, %4, %5, %5}];" : "=r"(v[0]), "=r"(v[1]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.3d.v2.b32.clamp {%0, %1}, [%2, {%3, %4, %5, %5}];" : "=r"(v[0]), "=r"(v[1]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
    else
      asm volatile("suld.b.3d.v2.b32.trap {%0, %1}, [%2, {%3, %4, %5, %5}];" : "=r"(v[0]), "=r"(v[1]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
  }
  __device__ __forceinline__ void write3D(cudaSurfaceObject_t surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.3d.v2.b32.zero [%0, {%1, %2, %3, %3}], {%4, %5};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "r"(v[0]), "r"(v[1]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.3d.v2.b32.clamp [%0, {%1, %2, %3, %3}], {%4, %5};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "r"(v[0]), "r"(v[1]) : "memory");
    else
      asm volatile("sust.b.3d.v2.b32.trap [%0, {%1, %2, %3, %3}], {%4, %5};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "r"(v[0]), "r"(v[1]) : "memory");
  }
};
template <> struct unruly_element<16> {
  unsigned int v[4];
  __device__ __forceinline__ void read1D(cudaSurfaceObject_t surf, int x, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.1d.v4.b32.zero {%0, %1, %2, %3}, [%4, {%5}];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(surf), "r"(x) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.1d.v4.b32.clamp {%0, %1, %2, %3}, [%4, {%5}];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(surf), "r"(x) : "memory");
    else
      asm volatile("suld.b.1d.v4.b32.trap {%0, %1, %2, %3}, [%4, {%5}];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(surf), "r"(x) : "memory");
  }
  __device__ __forceinline__ void write1D(cudaSurfaceObject_t surf, int x, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.1d.v4.b32.zero [%0, {%1}], {%2, %3, %4, %5};" : : "l"(surf), "r"(x), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.1d.v4.b32.clamp [%0, {%1}], {%2, %3, %4, %5};" : : "l"(surf), "r"(x), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
    else
      asm volatile("sust.b.1d.v4.b32.trap [%0, {%1}], {%2, %3, %4, %5};" : : "l"(surf), "r"(x), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
  }
  __device__ __forceinline__ void read2D(cudaSurfaceObject_t surf, int x, int y, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.2d.v4.b32.zero {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(surf), "r"(x), "r"(y) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.2d.v4.b32.clamp {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(surf), "r"(x), "r"(y) : "memory");
    else
      asm volatile("suld.b.2d.v4.b32.trap {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(surf), "r"(x), "r"(y) : "memory");
  }
  __device__ __forceinline__ void write2D(cudaSurfaceObject_t surf, int x, int y, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.2d.v4.b32.zero [%0, {%1, %2}], {%3, %4, %5, %6};" : : "l"(surf), "r"(x), "r"(y), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.2d.v4.b32.clamp [%0, {%1, %2}], {%3, %4, %5, %6};" : : "l"(surf), "r"(x), "r"(y), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
    else
      asm volatile("sust.b.2d.v4.b32.trap [%0, {%1, %2}], {%3, %4, %5, %6};" : : "l"(surf), "r"(x), "r"(y), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
  }
  __device__ __forceinline__ void read3D(cudaSurfaceObject_t surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode) {
    if (mode == cudaBoundaryModeZero)
      asm volatile("suld.b.3d.v4.b32.zero {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("suld.b.3d.v4.b32.clamp {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
    else
      asm volatile("suld.b.3d.v4.b32.trap {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(surf), "r"(x), "r"(y), "r"(z) : "memory");
  }
  __device__ __forceinline__ void write3D(cudaSurfaceObject_t surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode) const {
    if (mode == cudaBoundaryModeZero)
      asm volatile("sust.b.3d.v4.b32.zero [%0, {%1, %2, %3, %3}], {%4, %5, %6, %7};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
    else if (mode == cudaBoundaryModeClamp)
      asm volatile("sust.b.3d.v4.b32.clamp [%0, {%1, %2, %3, %3}], {%4, %5, %6, %7};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
    else
      asm volatile("sust.b.3d.v4.b32.trap [%0, {%1, %2, %3, %3}], {%4, %5, %6, %7};" : : "l"(surf), "r"(x), "r"(y), "r"(z), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
  }
};

/* The bits of a value in words, and back. */
template <class T> static __device__ __forceinline__ void unruly_move(void *to, const void *from) {
  if (sizeof(T) == 1)
    *(unsigned char *)to = *(const unsigned char *)from;
  else
    __builtin_memcpy(to, from, sizeof(T));
}

template <class T, class Surface>
static __device__ __forceinline__ void surf1Dread(T *value, Surface surf, int x,
                                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  element.read1D(unruly_surface(surf), x, mode);
  unruly_move<T>(value, element.v);
}
template <class T, class Surface>
static __device__ __forceinline__ T surf1Dread(Surface surf, int x, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  T value;
  surf1Dread(&value, surf, x, mode);
  return value;
}
template <class T, class Surface>
static __device__ __forceinline__ void surf1Dwrite(T value, Surface surf, int x,
                                                enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  unruly_move<T>(element.v, &value);
  element.write1D(unruly_surface(surf), x, mode);
}
template <class T, class Surface>
static __device__ __forceinline__ void surf2Dread(T *value, Surface surf, int x, int y,
                                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  element.read2D(unruly_surface(surf), x, y, mode);
  unruly_move<T>(value, element.v);
}
template <class T, class Surface>
static __device__ __forceinline__ T surf2Dread(Surface surf, int x, int y, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  T value;
  surf2Dread(&value, surf, x, y, mode);
  return value;
}
template <class T, class Surface>
static __device__ __forceinline__ void surf2Dwrite(T value, Surface surf, int x, int y,
                                                enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  unruly_move<T>(element.v, &value);
  element.write2D(unruly_surface(surf), x, y, mode);
}
template <class T, class Surface>
static __device__ __forceinline__ void surf3Dread(T *value, Surface surf, int x, int y, int z,
                                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  element.read3D(unruly_surface(surf), x, y, z, mode);
  unruly_move<T>(value, element.v);
}
template <class T, class Surface>
static __device__ __forceinline__ T surf3Dread(Surface surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  T value;
  surf3Dread(&value, surf, x, y, z, mode);
  return value;
}
template <class T, class Surface>
static __device__ __forceinline__ void surf3Dwrite(T value, Surface surf, int x, int y, int z,
                                                enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  unruly_move<T>(element.v, &value);
  element.write3D(unruly_surface(surf), x, y, z, mode);
}

#endif
