// The worklist in software, double-buffered: an array to pull from and one to push to, which the host exchanges between
// launches (HWWL, II-C, Fig 2). Part of worklist.h. How pushes find their places is one of three:
//
//   (nothing)        an atomic addition a push
//   WORK_CHUNKING    an atomic addition a chunk: a thread keeps its pushes until it has enough of them, or has finished
//   ATOMIC_REDUCED   an atomic addition a CTA: a prefix sum over the threads gives each its place behind the others. A
//                    thread that has more pushes than it can keep gives a chunk away by itself
#pragma once

// Kernel parameter: the two arrays, how many IDs each of them holds, and how many it has room for. What finds no room is
// counted and not stored: the host sees by the count that IDs are missing.
struct Worklist {
  const unsigned *pull_ids;
  const unsigned *pull_count;
  unsigned *push_ids;
  unsigned *push_count;
  unsigned room;

  MEMBER void store(unsigned at, unsigned id) const {
    if (at < room)
      push_ids[at] = id;
  }
};

#if defined(WORK_CHUNKING) || defined(ATOMIC_REDUCED)

// Pushes that a thread keeps. A node of most graphs adds fewer than that.
#define CHUNK 8u
// Most threads of a CTA.
#define MAX_THREADS 1024

// A thread's pushes on their way to the list.
class Pushes {
public:
  MEMBER Pushes(const Worklist &worklist) : list(worklist), held(0) {}

  MEMBER void push(unsigned id) {
    if (held == CHUNK)
      store(atomicAdd(list.push_count, held));
    ids[held++] = id;
  }

#ifdef WORK_CHUNKING
  MEMBER void finish() {
    if (held > 0)
      store(atomicAdd(list.push_count, held));
  }
#else
  MEMBER void finish() {
    __shared__ unsigned sums[MAX_THREADS];
    __shared__ unsigned base;
    unsigned me = threadIdx.x, sum = held;
    sums[me] = sum;
    __syncthreads();
#pragma unroll 1
    for (unsigned by = 1; by < blockDim.x; by *= 2) {
      unsigned before = me >= by ? sums[me - by] : 0;
      __syncthreads();
      sum += before;
      sums[me] = sum;
      __syncthreads();
    }
    if (me == blockDim.x - 1)
      base = sum > 0 ? atomicAdd(list.push_count, sum) : 0;
    __syncthreads();
    store(base + sum - held);
  }
#endif

private:
  Worklist list;
  unsigned held;
  unsigned ids[CHUNK];

  // Empties the chunk into the list from there on.
  MEMBER void store(unsigned at) {
#pragma unroll 1
    for (unsigned i = 0; i < held; i++)
      list.store(at + i, ids[i]);
    held = 0;
  }
};

#else

class Pushes {
public:
  MEMBER Pushes(const Worklist &worklist) : list(worklist) {}
  MEMBER void push(unsigned id) { list.store(atomicAdd(list.push_count, 1), id); }
  MEMBER void finish() {}

private:
  Worklist list;
};

#endif

#ifdef WORK_DONATING
#include "worklist_donating.h"
#else

class WorklistThread {
public:
  MEMBER WorklistThread(const Worklist &worklist)
      : list(worklist), pushes(worklist), next(blockIdx.x * blockDim.x + threadIdx.x), end(*worklist.pull_count) {}

  MEMBER void configure() {}
  MEMBER void expand(const unsigned *) {}
  MEMBER void balance(const unsigned *) {}

  // Every thread takes its share by its index: nobody waits, and pulls need no atomics.
  MEMBER unsigned pull() {
    unsigned at = next;
    next += gridDim.x * blockDim.x;
    return at < end ? list.pull_ids[at] : WL_DONE;
  }

  MEMBER void push(unsigned id) { pushes.push(id); }
  MEMBER void finish() { pushes.finish(); }
  MEMBER bool goes_on(unsigned id) { return id != WL_DONE; }

private:
  Worklist list;
  Pushes pushes;
  unsigned next, end;
};

#endif
