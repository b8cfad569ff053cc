// Breadth-first search that expands and contracts (Merrill, Garland and Grimshaw, PPoPP 2012). No atomic claims a node: four
// culls drop most of the edges that lead to a node once more, and what comes through twice is expanded twice. label is the
// distance from the source, 0xffffffff if unknown. CTAs have TILE threads and take tiles in turns.
#include "frontier.h"

#define TILE 128
#define WARPS (TILE / 32)
#define NONE 0xffffffffu

// Shared words are volatile: clang reads one that only another thread has written before the barrier, not behind it.

// ---- Sums over a CTA

// The sum of the values of the threads before this one; `total`: of all. All threads of the CTA must be here.
DEVICE unsigned exclusive_sum(unsigned value, volatile unsigned *sums, unsigned &total) {
  unsigned lane = lane_number(), warp = threadIdx.x / 32, upto = value;
#pragma unroll
  for (unsigned by = 1; by < 32; by *= 2) {
    unsigned before = __shfl_up_sync(0xffffffffu, upto, by);
    if (lane >= by)
      upto += before;
  }
  if (lane == 31)
    sums[warp] = upto;
  __syncthreads();
  unsigned first = 0;
  total = 0;
#pragma unroll
  for (unsigned w = 0; w < WARPS; w++) {
    if (w < warp)
      first += sums[w];
    total += sums[w];
  }
  __syncthreads();
  return first + upto - value;
}

// ---- Expansion

// The neighbours of a node: where they begin, how many they are, where they go in the edge frontier.
struct List {
  unsigned begin, edges, at;
};

// Copies a list with `threads` threads, of which this is number `thread`.
DEVICE void gather(const List &list, const unsigned *col, unsigned *edges, unsigned thread, unsigned threads) {
#pragma unroll 1
  for (unsigned i = thread; i < list.edges; i += threads)
    edges[list.at + i] = col[list.begin + i];
}

// From so many edges on the whole CTA copies a list, from so many on a warp.
#define BY_CTA 512
#define BY_WARP 32
// Shorter lists are copied together, so many edges at a time.
#define PIECE 512

// What all threads of the CTA know of the list that they copy.
struct SharedList {
  volatile unsigned owner, begin, edges, at;
};

// Lists of BY_CTA edges and more, one after the other: whoever wrote its number last has its turn.
DEVICE void gather_by_cta(List mine, const unsigned *col, unsigned *edges, SharedList &shared) {
  bool has = mine.edges >= BY_CTA;
  while (__syncthreads_or(has)) {
    if (has)
      shared.owner = threadIdx.x;
    __syncthreads();
    if (has && shared.owner == threadIdx.x) {
      shared.begin = mine.begin;
      shared.edges = mine.edges;
      shared.at = mine.at;
      has = false;
    }
    __syncthreads();
    List list = {shared.begin, shared.edges, shared.at};
    gather(list, col, edges, threadIdx.x, TILE);
    __syncthreads();
  }
}

// Lists of BY_WARP edges and more, one after the other in the order of the lanes.
DEVICE void gather_by_warp(List mine, const unsigned *col, unsigned *edges) {
  unsigned waiting = __ballot(mine.edges >= BY_WARP && mine.edges < BY_CTA);
#pragma unroll 1
  for (; waiting != 0; waiting &= waiting - 1) {
    int lane = __ffs((int)waiting) - 1;
    List list = {__shfl_sync(0xffffffffu, mine.begin, lane), __shfl_sync(0xffffffffu, mine.edges, lane),
                 __shfl_sync(0xffffffffu, mine.at, lane)};
    gather(list, col, edges, lane_number(), 32);
  }
}

// All others: threads write down which edges they have, then all of them copy those. `rank`: of this thread's first edge among
// these; `total`: of all.
DEVICE void gather_by_scan(List mine, unsigned rank, unsigned total, unsigned at, const unsigned *col, unsigned *edges,
                           volatile unsigned *piece) {
  unsigned left = mine.edges < BY_WARP ? mine.edges : 0, edge = mine.begin;
#pragma unroll 1
  for (unsigned done = 0; done < total; done += PIECE) {
#pragma unroll 1
    for (; left > 0 && rank < done + PIECE; left--)
      piece[rank++ - done] = edge++;
    __syncthreads();
    unsigned here = total - done < PIECE ? total - done : PIECE;
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < here; i += TILE)
      edges[at + done + i] = col[piece[i]];
    __syncthreads();
  }
}

// All edges of the nodes, with one atomic a tile: first those of long lists, then those of short ones.
extern "C" __global__ void bfs_expand(const unsigned *row, const unsigned *col, const unsigned *nodes, unsigned count,
                                      Frontier edge_frontier) {
  __shared__ volatile unsigned sums[WARPS], base, piece[PIECE];
  __shared__ SharedList list;
#pragma unroll 1
  for (unsigned tile = blockIdx.x * TILE; tile < count; tile += gridDim.x * TILE) {
    List mine = {0, 0, 0};
    if (tile + threadIdx.x < count) {
      unsigned node = nodes[tile + threadIdx.x];
      mine.begin = row[node];
      mine.edges = row[node + 1] - mine.begin;
    }
    bool is_long = mine.edges >= BY_WARP;
    unsigned all_long, all_short;
    unsigned at = exclusive_sum(is_long ? mine.edges : 0, sums, all_long);
    unsigned rank = exclusive_sum(is_long ? 0 : mine.edges, sums, all_short);
    if (threadIdx.x == 0)
      base = atomicAdd(edge_frontier.count, all_long + all_short);
    __syncthreads();
    mine.at = base + at;
    gather_by_cta(mine, col, edge_frontier.items, list);
    gather_by_warp(mine, col, edge_frontier.items);
    gather_by_scan(mine, rank, all_short, base + all_long, col, edge_frontier.items, piece);
    __syncthreads();
  }
}

// ---- Contraction

// Items that a thread takes from a tile of edges.
#define ITEMS 2
// Entries of a warp's table, and of the CTA's.
#define WARP_TABLE 128
#define HISTORY 1024

// Bits of visited nodes. Stores of a byte that meet may lose a bit: the label tells then.
DEVICE bool culled_by_bitmask(unsigned node, unsigned char *visited) {
  unsigned char *byte = &visited[node / 8], bit = (unsigned char)(1u << node % 8);
  if (*byte & bit)
    return true;
  unsigned char now = *(volatile unsigned char *)byte;
  if (now & bit)
    return true;
  *byte = now | bit;
  return false;
}

DEVICE bool culled_by_label(unsigned node, unsigned *label, unsigned distance) {
  if (label[node] != NONE)
    return true;
  label[node] = distance;
  return false;
}

// Of the lanes with one node, the one that wrote last stays. All lanes must be here, those without a node as not `alive`.
DEVICE bool culled_by_warp(bool alive, unsigned node, volatile unsigned *table) {
  volatile unsigned *entry = &table[node % WARP_TABLE];
  if (alive)
    *entry = node;
  bool met = alive && *entry == node;
  if (met)
    *entry = threadIdx.x;
  return met && *entry != threadIdx.x;
}

// Nodes that came through this CTA.
DEVICE bool culled_by_history(unsigned node, volatile unsigned *history) {
  volatile unsigned *entry = &history[node % HISTORY];
  if (*entry == node)
    return true;
  *entry = node;
  return false;
}

// The nodes without a distance that the edges lead to get one; they are the next node frontier, some more than once.
extern "C" __global__ void bfs_contract(const unsigned *edge_frontier, unsigned number_elements, unsigned *label,
                                        unsigned distance, Frontier node_frontier, unsigned char *visited) {
  __shared__ volatile unsigned sums[WARPS], base, tables[WARPS][WARP_TABLE], history[HISTORY];
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < HISTORY; i += TILE)
    history[i] = NONE;
  __syncthreads();
#pragma unroll 1
  for (unsigned tile = blockIdx.x * TILE * ITEMS; tile < number_elements; tile += gridDim.x * TILE * ITEMS) {
    unsigned found[ITEMS], stays = 0;
#pragma unroll
    for (unsigned item = 0; item < ITEMS; item++) {
      unsigned pos = tile + item * TILE + threadIdx.x, node = 0;
      bool alive = pos < number_elements;
      if (alive) {
#ifdef USE_FILTER // Lanes whose edge the filter dropped are not served.
        alive = load_iru(node);
#elif defined USE_IRU
        load_iru(node);
#else
        node = edge_frontier[pos];
#endif
        alive = alive && !culled_by_bitmask(node, visited) && !culled_by_label(node, label, distance);
      }
      bool again = culled_by_warp(alive, node, tables[threadIdx.x / 32]);
      alive = alive && !again && !culled_by_history(node, history);
      found[item] = node;
      stays |= (unsigned)alive << item;
    }
    unsigned total, at = exclusive_sum((unsigned)__popc(stays), sums, total);
    if (threadIdx.x == 0)
      base = atomicAdd(node_frontier.count, total);
    __syncthreads();
    at += base;
#pragma unroll
    for (unsigned item = 0; item < ITEMS; item++)
      if (stays >> item & 1)
        node_frontier.items[at++] = found[item];
    __syncthreads();
  }
}
