// Which edges of which vertex a thread walks, in topology-driven kernels. A kernel is compiled with one of two mappings:
// a vertex to a thread, which walks all its edges, or (WARP_MAPPED defined) a vertex to a warp, whose lanes walk its edges
// side by side (Hong et al., "Accelerating CUDA graph algorithms at maximum warp", PPoPP 2011). A kernel says:
//
//   VertexThread me;
//   for (unsigned e = me.first(begin); e < end; e += me.stride()) ...
//
// CTAs are one-dimensional and whole warps, so that the lanes of a warp have one vertex.
#pragma once
#include "warp.h"

#define MEMBER __device__ __forceinline__

#ifdef WARP_MAPPED

struct VertexThread {
  unsigned vertex;
  MEMBER VertexThread() : vertex((blockIdx.x * blockDim.x + threadIdx.x) / warp_width()) {}
  MEMBER unsigned first(unsigned begin) const { return begin + __lane_id(); }
  MEMBER unsigned stride() const { return warp_width(); }
  // The sum over the threads of a vertex, in all of them; all must be here.
  MEMBER float sum(float value) const { return warp_sum(value); }
  // One thread writes the result of a vertex.
  MEMBER bool writes() const { return __lane_id() == 0; }
};

#else

struct VertexThread {
  unsigned vertex;
  MEMBER VertexThread() : vertex(blockIdx.x * blockDim.x + threadIdx.x) {}
  MEMBER unsigned first(unsigned begin) const { return begin; }
  MEMBER unsigned stride() const { return 1; }
  MEMBER float sum(float value) const { return value; }
  MEMBER bool writes() const { return true; }
};

#endif
