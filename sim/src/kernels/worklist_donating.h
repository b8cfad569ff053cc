// A thread's side of the worklist in software with work donating (HWWL, II-C): before it begins, a thread estimates the work
// of its share, and what is above the mean of its CTA it gives to a list in shared memory. Threads that are done take from
// there. Part of worklist_software.h.
#pragma once
#include "cta_scan.h"

// Room of a CTA's list of donations, in IDs.
#define DONATIONS 1024

struct Donations {
  unsigned given, taken; // `given` counts those that found no room, too
  unsigned ids[DONATIONS];
};
static __shared__ Donations donations;

class WorklistThread {
public:
  MEMBER WorklistThread(const Worklist &worklist)
      : list(worklist), pushes(worklist), next(blockIdx.x * blockDim.x + threadIdx.x), end(*worklist.pull_count) {}

  MEMBER void configure() {}
  MEMBER void expand(const unsigned *) {}

  // `before`: the estimated work of all IDs before each, as the edges of vertices in a CSR graph. A thread keeps at least one
  // ID, and as many as make up the mean.
  MEMBER void balance(const unsigned *before) {
    if (threadIdx.x == 0)
      donations.given = donations.taken = 0;
    unsigned work = 0, last = next, total;
#pragma unroll 1
    for (unsigned at = next; at < end; at += threads()) {
      work += estimate(before, at);
      last = at;
    }
    cta_sum_before(work, total);
    unsigned mean = total / blockDim.x;
#pragma unroll 1
    while (last > next) {
      work -= estimate(before, last);
      if (work < mean || !give(list.pull_ids[last]))
        break;
      last -= threads();
    }
    end = min(end, last + 1);
    __syncthreads();
  }

  // Own IDs first, then donated ones. The empty assembly keeps the compiler from making one generic load of both.
  MEMBER unsigned pull() {
    unsigned at = next, id;
    if (at < end) {
      next += threads();
      id = list.pull_ids[at];
      asm volatile("" : "+r"(id));
    } else {
      at = atomicAdd(&donations.taken, 1u);
      id = at < min(donations.given, DONATIONS) ? donations.ids[at] : WL_DONE;
    }
    return id;
  }

  MEMBER void push(unsigned id) { pushes.push(id); }
  MEMBER void finish() { pushes.finish(); }
  MEMBER bool goes_on(unsigned id) { return id != WL_DONE; }

private:
  Worklist list;
  Pushes pushes;
  unsigned next, end;

  MEMBER unsigned threads() { return gridDim.x * blockDim.x; }

  MEMBER unsigned estimate(const unsigned *before, unsigned at) {
    unsigned id = list.pull_ids[at];
    return before[id + 1] - before[id];
  }

  // False if the list is full.
  MEMBER bool give(unsigned id) {
    unsigned at = atomicAdd(&donations.given, 1u);
    if (at < DONATIONS)
      donations.ids[at] = id;
    return at < DONATIONS;
  }
};
