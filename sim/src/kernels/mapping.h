// Which edges of which vertex a thread walks, in topology-driven kernels. A kernel is compiled with one of three mappings:
// a vertex to a thread, which walks all its edges; (WARP_MAPPED defined) a vertex to a warp, whose lanes walk its edges
// side by side (Hong et al., "Accelerating CUDA graph algorithms at maximum warp", PPoPP 2011); or (LANES_MAPPED defined) a
// vertex to a part of a warp, the threads of one threadIdx.y in CTAs of two dimensions. A kernel says:
//
//   VertexThread me;
//   for (unsigned e = me.first(begin); e < end; e += me.stride()) ...
//
// Otherwise CTAs are one-dimensional and whole warps, so that the lanes of a warp have one vertex. What is the same for all
// of them may stand between PER_VERTEX and PER_VERTEX_END: a GPU may compute it once for the warp (Graph-Waving, Listing 2).
// As there, the number of the vertex is part of it if the warp gives it, and no lane computes its own:
//
//   PER_VERTEX;
//   unsigned v = own_vertex(), begin = row[v] ...
//   PER_VERTEX_END;
//   VertexThread me(v);
#pragma once
#include "warp.h"

#define MEMBER __device__ __forceinline__

#ifdef WARP_MAPPED

#define PER_VERTEX SCALAR
#define PER_VERTEX_END SCALAR_END
DEVICE unsigned own_vertex() { return get_warp_id(); }
DEVICE unsigned vertex_of_lane() { return (blockIdx.x * blockDim.x + threadIdx.x) / warp_width(); }
DEVICE unsigned vertex_lane() { return __lane_id(); }
DEVICE unsigned vertex_lanes() { return warp_width(); }

#else

#define PER_VERTEX (void)0
#define PER_VERTEX_END (void)0
#ifdef LANES_MAPPED
DEVICE unsigned own_vertex() { return blockIdx.x * blockDim.y + threadIdx.y; }
DEVICE unsigned vertex_lane() { return threadIdx.x; }
DEVICE unsigned vertex_lanes() { return blockDim.x; }
#else
DEVICE unsigned own_vertex() { return blockIdx.x * blockDim.x + threadIdx.x; }
DEVICE unsigned vertex_lane() { return 0; }
DEVICE unsigned vertex_lanes() { return 1; }
#endif
DEVICE unsigned vertex_of_lane() { return own_vertex(); }

#endif

struct VertexThread {
  unsigned vertex;
  MEMBER VertexThread() : vertex(vertex_of_lane()) {}
  MEMBER explicit VertexThread(unsigned vertex) : vertex(vertex) {}
  MEMBER unsigned first(unsigned begin) const { return begin + vertex_lane(); }
  MEMBER unsigned stride() const { return vertex_lanes(); }
  // The sum over the threads of a vertex, in all of them; all must be here.
  MEMBER float sum(float value) const { return lanes_sum(value, vertex_lanes()); }
  // The largest over the threads of a vertex, in all of them; all must be here.
  MEMBER unsigned largest(unsigned value) const { return lanes_largest(value, vertex_lanes()); }
  // One thread writes the result of a vertex.
  MEMBER bool writes() const { return vertex_lane() == 0; }
};
