// Hash join, the probe side: for each key of the larger table the row of the smaller one that has it. The host has put the rows
// of the smaller table into a hash table with linear probing; a key of 0 is a free place.
#include "frontier.h"

struct HashTable {
  const unsigned *keys, *rows;
  unsigned mask;
};

struct Matches {
  unsigned *probes, *rows, *count;
};

// The place of the calling thread's match. Threads of a warp that come together take theirs with one atomic.
DEVICE unsigned place(unsigned *count) {
  unsigned together = __activemask(), before = together & ((1u << __lane_id()) - 1), at = 0;
  if (before == 0)
    at = atomicAdd(count, (unsigned)__popc(together));
  return __shfl_sync(together, at, __ffs((int)together) - 1) + __popc(before);
}

// Where the search for each key begins: the upper bits of its product with 2^32 over the golden ratio.
extern "C" __global__ void join_hash(const unsigned *keys, unsigned number_elements, unsigned shift, unsigned *slots) {
  unsigned pos = thread_number();
  if (pos < number_elements)
    slots[pos] = keys[pos] * 2654435769u >> shift;
}

extern "C" __global__ void join_probe(const unsigned *slots, const unsigned *keys, unsigned number_elements,
                                      HashTable table, Matches matches) {
  unsigned pos = thread_number();
  if (pos < number_elements) {
    unsigned slot, key;
#ifdef USE_IRU
    load_iru(slot, key, pos);
#else
    slot = slots[pos];
    key = keys[pos];
#endif
    unsigned found = table.keys[slot];
#pragma unroll 1
    while (found != key && found != 0) {
      slot = (slot + 1) & table.mask;
      found = table.keys[slot];
    }
    if (found == key) {
      unsigned at = place(matches.count);
      matches.probes[at] = pos;
      matches.rows[at] = table.rows[slot];
    }
  }
}
