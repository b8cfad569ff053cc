// One worklist, double-buffered, with two bodies (HWWL, III-A: a data-driven kernel is linked to either one):
// in software, two arrays in memory with an atomic tail; in hardware (HARDWARE_WORKLIST defined), the worklist units.
// What is pushed during a launch is pulled during the next. A kernel says, whichever body it gets:
//
//   WorklistThread work(worklist);
//   unsigned id;
//   do {
//     id = work.pull();
//     if (is_work(id)) { ... work.push(other); ... }
//   } while (work.goes_on(id));
//
// and the kernel that fills the worklist first calls work.configure() in all threads.
#pragma once
#include "unruly_cuda.h"

// Tells a work ID (24 bits) from the tokens WL_WAIT and WL_DONE.
DEVICE bool is_work(unsigned id) { return id < WL_WAIT; }

#define MEMBER __device__ __forceinline__

#ifdef HARDWARE_WORKLIST

// Kernel parameter: the overflow buffer.
struct Worklist {
  void *overflow;
  unsigned long long overflow_bytes;
};

class WorklistThread {
public:
  MEMBER WorklistThread(const Worklist &worklist) : list(worklist) {}

  // Each CTA sets up its core's worklist; a worklist that already holds work ignores it.
  MEMBER void configure() {
    if (threadIdx.x == 0) {
      __wlinit(list.overflow, list.overflow_bytes);
      __wlcfg(1);
    }
    __syncthreads();
  }

  MEMBER unsigned pull() { return __wlpull(); }
  MEMBER void push(unsigned id) { __wlpush(id); }

  // Lanes that were told to wait meet here with those that had work, and all pull again together. The empty assembly
  // hides from the compiler what it knows of id: otherwise it sends lanes with work straight back to the pull, and the
  // waiting lanes of their warp starve until the end.
  MEMBER bool goes_on(unsigned id) {
    asm volatile("" : "+r"(id));
    return id != WL_DONE;
  }

private:
  Worklist list;
};

#else

// Kernel parameter: the two arrays and how many IDs each of them holds.
struct Worklist {
  const unsigned *pull_ids;
  const unsigned *pull_count;
  unsigned *push_ids;
  unsigned *push_count;
};

class WorklistThread {
public:
  MEMBER WorklistThread(const Worklist &worklist)
      : list(worklist), next(blockIdx.x * blockDim.x + threadIdx.x), end(*worklist.pull_count) {}

  MEMBER void configure() {}

  // Every thread takes its share by its index: nobody waits, and pulls need no atomics.
  MEMBER unsigned pull() {
    unsigned at = next;
    next += gridDim.x * blockDim.x;
    return at < end ? list.pull_ids[at] : WL_DONE;
  }

  MEMBER void push(unsigned id) { list.push_ids[atomicAdd(list.push_count, 1)] = id; }
  MEMBER bool goes_on(unsigned id) { return id != WL_DONE; }

private:
  Worklist list;
  unsigned next, end;
};

#endif
