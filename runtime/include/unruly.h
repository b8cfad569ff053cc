/* The units of the papers, for whole programs: worklist (HWWL), reorder unit (IRU), scalar regions of warps (Graph-Waving). The device
 * functions have the names that unruly_cuda.h has for single kernels. */
#ifndef UNRULY_H
#define UNRULY_H
#include "unruly/aside.h"

#include "cuda_runtime.h"

#if defined(__cplusplus)
extern "C" {
#endif
/* IDs that the hardware worklist holds. */
cudaError_t unrulyWorklistCount(unsigned long long *count);
/* The arrays of the next kernel that has a load_iru; `secondary` may be null. Filter: 0 none, 1 minimum, 2 addition. */
cudaError_t unrulyConfigureReorder(const void *target, size_t targetElementBytes, const void *indices, const void *secondary,
                                   size_t count, int filter);
#if defined(__cplusplus)
}
#endif

#define WL_WAIT 0xfffffffeu /* this bank is empty, but others are not: pull again */
#define WL_DONE 0xffffffffu /* no work is left */

#if defined(__CUDA__)
#pragma push_macro("UNRULY_DEVICE")
#define UNRULY_DEVICE static __device__ __forceinline__ __attribute__((nodebug))

/* Overflow buffer of this core's worklist: its address and size in bytes. */
UNRULY_DEVICE void __wlinit(void *base, unsigned long long bytes) {
  asm volatile("wlinit.u64 %0, %1;" : : "l"(base), "l"(bytes) : "memory");
}

/* Partition mode of this core's worklist: 0 single buffer, 1 double buffer. Ignored while the worklist holds work. */
UNRULY_DEVICE void __wlcfg(unsigned mode) { asm volatile("wlcfg.u32 %0;" : : "r"(mode) : "memory"); }

/* A work ID from this lane's bank, or one of the two tokens. */
UNRULY_DEVICE unsigned __wlpull() {
  unsigned id;
  asm volatile("wlpull.u32 %0;" : "=r"(id) : : "memory");
  return id;
}

/* Gives a work ID (24 bits) to this lane's bank. */
UNRULY_DEVICE void __wlpush(unsigned id) { asm volatile("wlpush.u32 %0;" : : "r"(id) : "memory"); }

/* Where the edges of each node begin, one word more than nodes: its address is a multiple of 128. */
UNRULY_DEVICE void __wlrows(const unsigned *row) { asm volatile("wlrows.u64 %0;" : : "l"(row) : "memory"); }

/* The place of an edge of a node in the worklist, and the node, or one of the two tokens. The lanes of a warp get edges that lie side by
   side. A node is out of the worklist when its first edge is handed out. */
UNRULY_DEVICE unsigned __wledge(unsigned &node) {
  unsigned edge;
  asm volatile("wledge.u32 %0, %1;" : "=r"(edge), "=r"(node) : : "memory");
  return edge;
}

/* A unit of your own, in Verilog, at each core (docs/own-unit.md): operation OP, 0 to 255, on two words of each thread. unit_call gives
 * the unit's answer, unit_do waits for none. */
template <unsigned __op> UNRULY_DEVICE unsigned unit_call(unsigned a, unsigned b) {
  unsigned answer;
  [[clang::nomerge]] { asm volatile("unit.call.u32 %0, %1, %2, %3;" : "=r"(answer) : "n"(__op), "r"(a), "r"(b) : "memory"); }
  return answer;
}
template <unsigned __op> UNRULY_DEVICE void unit_do(unsigned a, unsigned b) {
  [[clang::nomerge]] { asm volatile("unit.do.u32 %0, %1, %2;" : : "n"(__op), "r"(a), "r"(b) : "memory"); }
}

/* An element of the arrays that the host has named. False: it was merged into another one, and there is nothing to do. */
UNRULY_DEVICE bool load_iru(unsigned &index) {
  unsigned served;
  asm volatile("load_iru.u32 %0, %1;" : "=r"(served), "=r"(index) : : "memory");
  return served != 0;
}
UNRULY_DEVICE bool load_iru(unsigned &index, unsigned &secondary) {
  unsigned served;
  asm volatile("load_iru.u32 %0, %1, %2;" : "=r"(served), "=r"(index), "=r"(secondary) : : "memory");
  return served != 0;
}
UNRULY_DEVICE bool load_iru(unsigned &index, float &secondary) {
  unsigned bits;
  bool served = load_iru(index, bits);
  secondary = __uint_as_float(bits);
  return served;
}
UNRULY_DEVICE bool load_iru(unsigned &index, unsigned &secondary, unsigned &position) {
  unsigned served;
  asm volatile("load_iru.u32 %0, %1, %2, %3;"
               : "=r"(served), "=r"(index), "=r"(secondary), "=r"(position)
               :
               : "memory");
  return served != 0;
}

/* Number of this thread's warp in the grid. */
UNRULY_DEVICE unsigned get_warp_id() {
  unsigned number;
  asm("mov.u32 %0, %%gridwarpid;" : "=r"(number));
  return number;
}

/* Threads of a warp on the GPU that runs this, and the number of this one in its warp. */
UNRULY_DEVICE unsigned get_simd_width() {
  unsigned width;
  asm("mov.u32 %0, WARP_SZ;" : "=r"(width));
  return width;
}
UNRULY_DEVICE unsigned get_warp_local_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

/* What stands between these two is the same for all threads of a warp: the programmer's word for it. */
#define SCALAR asm volatile(".pragma \"scalar\";" : : : "memory")
#define SCALAR_END asm volatile(".pragma \"scalar end\";" : : : "memory")

#pragma pop_macro("UNRULY_DEVICE")
#endif

#include "unruly/back.h"

#endif
