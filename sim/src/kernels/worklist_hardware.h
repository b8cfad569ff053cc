// The worklist in hardware: the instructions of HWWL (Table III). Part of worklist.h.
#pragma once

// Value for wlcfg.
#ifdef SINGLE_BUFFER
#define PARTITION_MODE 0
#else
#define PARTITION_MODE 1
#endif

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
      __wlcfg(PARTITION_MODE);
    }
    __syncthreads();
  }

  // Says where the edges of each ID begin, for pull_edge().
  MEMBER void expand(const unsigned *row) {
#ifdef HAND_OUT_EDGES
    if (threadIdx.x == 0)
      __wlrows(row);
    __syncthreads();
#else
    (void)row;
#endif
  }

  MEMBER void balance(const unsigned *) {}
  MEMBER unsigned pull() { return __wlpull(); }
  MEMBER unsigned pull_edge(unsigned &id) { return __wledge(id); }
  MEMBER void push(unsigned id) { __wlpush(id); }
  MEMBER void finish() {}

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
