/* Cooperative groups: a block, tiles of a power of two threads, the threads that are active together, and the grid. */
#ifndef UNRULY_COOPERATIVE_GROUPS_H
#define UNRULY_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_
#include "unruly/aside.h"

#include "cuda_runtime.h"

#if defined(__CUDA__)
#pragma push_macro("UNRULY_DEVICE")
#define UNRULY_DEVICE __device__ __forceinline__

namespace cooperative_groups {

namespace details {
UNRULY_DEVICE unsigned int lane() {
  unsigned int value;
  asm("mov.u32 %0, %%laneid;" : "=r"(value));
  return value;
}
UNRULY_DEVICE unsigned int lanes_below() {
  unsigned int value;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(value));
  return value;
}
UNRULY_DEVICE unsigned int rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
UNRULY_DEVICE unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
UNRULY_DEVICE unsigned int active() {
  unsigned int value;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, 1, 0; vote.ballot.b32 %0, p; }" : "=r"(value));
  return value;
}
/* One counter for each grid barrier that programs can have at a time: one. */
__device__ inline unsigned int arrived[2];
} // namespace details

/* What all groups have. */
class thread_group {
public:
  UNRULY_DEVICE unsigned int size() const { return count; }
  UNRULY_DEVICE unsigned int num_threads() const { return count; }
  UNRULY_DEVICE unsigned int thread_rank() const { return rank; }
  UNRULY_DEVICE bool is_valid() const { return true; }
  UNRULY_DEVICE void sync() const {
    if (mask == 0)
      __syncthreads();
    else
      __syncwarp(mask);
  }

protected:
  UNRULY_DEVICE thread_group(unsigned int count_, unsigned int rank_, unsigned int mask_)
      : count(count_), rank(rank_), mask(mask_) {}
  unsigned int count, rank, mask; /* mask 0: the whole block */
  friend UNRULY_DEVICE thread_group tiled_partition(const thread_group &parent, unsigned int size);
};

class thread_block : public thread_group {
public:
  UNRULY_DEVICE thread_block() : thread_group(details::block_size(), details::rank_in_block(), 0) {}
  UNRULY_DEVICE static void sync() { __syncthreads(); }
  UNRULY_DEVICE static unsigned int size() { return details::block_size(); }
  UNRULY_DEVICE static unsigned int num_threads() { return details::block_size(); }
  UNRULY_DEVICE static unsigned int thread_rank() { return details::rank_in_block(); }
  UNRULY_DEVICE static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  UNRULY_DEVICE static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  UNRULY_DEVICE static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  UNRULY_DEVICE static dim3 dim_threads() { return group_dim(); }
};
UNRULY_DEVICE thread_block this_thread_block() { return thread_block(); }

/* Votes and exchanges of the lanes in `mask`, which begin at `first`. */
class lanes : public thread_group {
public:
  UNRULY_DEVICE int any(int predicate) const { return __any_sync(mask, predicate); }
  UNRULY_DEVICE int all(int predicate) const { return __all_sync(mask, predicate); }
  UNRULY_DEVICE void sync() const { __syncwarp(mask); }

protected:
  UNRULY_DEVICE lanes(unsigned int count_, unsigned int rank_, unsigned int mask_) : thread_group(count_, rank_, mask_) {}
};

template <unsigned int Size, class Parent = void> class thread_block_tile : public lanes {
public:
  UNRULY_DEVICE thread_block_tile()
      : lanes(Size, details::rank_in_block() % Size, (Size == 32 ? 0xffffffffu : (1u << Size % 32) - 1) << (details::lane() / Size * Size)) {}
  template <class P>
  UNRULY_DEVICE thread_block_tile(const thread_block_tile<Size, P> &) : thread_block_tile() {}
  UNRULY_DEVICE static constexpr unsigned int size() { return Size; }
  UNRULY_DEVICE static constexpr unsigned int num_threads() { return Size; }
  UNRULY_DEVICE unsigned int meta_group_rank() const { return details::rank_in_block() / Size; }
  UNRULY_DEVICE unsigned int meta_group_size() const { return (details::block_size() + Size - 1) / Size; }
  template <class T> UNRULY_DEVICE T shfl(T v, int lane) const { return __shfl_sync(this->mask, v, lane, Size); }
  template <class T> UNRULY_DEVICE T shfl_up(T v, unsigned int by) const { return __shfl_up_sync(this->mask, v, by, Size); }
  template <class T> UNRULY_DEVICE T shfl_down(T v, unsigned int by) const { return __shfl_down_sync(this->mask, v, by, Size); }
  template <class T> UNRULY_DEVICE T shfl_xor(T v, unsigned int by) const { return __shfl_xor_sync(this->mask, v, by, Size); }
  UNRULY_DEVICE unsigned int ballot(int predicate) const {
    return (__ballot_sync(this->mask, predicate) & this->mask) >> (details::lane() / Size * Size);
  }
};

template <unsigned int Size> UNRULY_DEVICE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
  return thread_block_tile<Size, thread_block>();
}
template <unsigned int Size, unsigned int Of, class P>
UNRULY_DEVICE thread_block_tile<Size, thread_block_tile<Of, P> > tiled_partition(const thread_block_tile<Of, P> &) {
  return thread_block_tile<Size, thread_block_tile<Of, P> >();
}
/* The size is known when the kernel runs. */
UNRULY_DEVICE thread_group tiled_partition(const thread_group &, unsigned int size) {
  unsigned int rank = details::rank_in_block() % size, all = size == 32 ? 0xffffffffu : (1u << size) - 1;
  return thread_group(size, rank, all << (details::lane() / size * size));
}

/* The threads of a warp that run together at this place. */
class coalesced_group : public lanes {
public:
  UNRULY_DEVICE explicit coalesced_group(unsigned int mask_)
      : lanes((unsigned int)__popc((int)mask_), (unsigned int)__popc((int)(mask_ & details::lanes_below())), mask_) {}
  template <class T> UNRULY_DEVICE T shfl(T v, unsigned int rank_) const { return __shfl_sync(mask, v, lane_of(rank_)); }
  template <class T> UNRULY_DEVICE T shfl_up(T v, unsigned int by) const {
    T other = __shfl_sync(mask, v, lane_of(rank < by ? rank : rank - by));
    return rank < by ? v : other;
  }
  template <class T> UNRULY_DEVICE T shfl_down(T v, unsigned int by) const {
    T other = __shfl_sync(mask, v, lane_of(rank + by < count ? rank + by : rank));
    return rank + by < count ? other : v;
  }
  UNRULY_DEVICE unsigned int ballot(int predicate) const {
    unsigned int found = __ballot_sync(mask, predicate) & mask, packed = 0;
    for (unsigned int i = 0, rest = mask; rest != 0; i++, rest &= rest - 1)
      packed |= (found >> (__ffs((int)rest) - 1) & 1) << i;
    return packed;
  }

private:
  /* The lane of the thread with this rank. */
  UNRULY_DEVICE int lane_of(unsigned int rank_) const {
    unsigned int rest = mask;
    for (unsigned int i = 0; i < rank_; i++)
      rest &= rest - 1;
    return __ffs((int)rest) - 1;
  }
};
UNRULY_DEVICE coalesced_group coalesced_threads() { return coalesced_group(details::active()); }

/* All blocks. They must be on the device at once, as cudaLaunchCooperativeKernel promises. */
class grid_group {
public:
  UNRULY_DEVICE bool is_valid() const { return true; }
  UNRULY_DEVICE unsigned long long size() const {
    return (unsigned long long)details::block_size() * gridDim.x * gridDim.y * gridDim.z;
  }
  UNRULY_DEVICE unsigned long long num_threads() const { return size(); }
  UNRULY_DEVICE unsigned long long thread_rank() const {
    unsigned long long block = ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return block * details::block_size() + details::rank_in_block();
  }
  UNRULY_DEVICE dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  UNRULY_DEVICE void sync() const {
    __syncthreads();
    if (details::rank_in_block() == 0) {
      unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
      volatile unsigned int *round = &details::arrived[1];
      unsigned int before = *round;
      __threadfence();
      if (atomicAdd(&details::arrived[0], 1u) == blocks - 1) {
        details::arrived[0] = 0;
        __threadfence();
        atomicAdd(&details::arrived[1], 1u);
      } else
        while (*round == before) {
        }
      __threadfence();
    }
    __syncthreads();
  }
};
UNRULY_DEVICE grid_group this_grid() { return grid_group(); }

template <class Group> UNRULY_DEVICE void sync(const Group &group) { group.sync(); }

/* ---- Reductions of the lanes of a tile */

template <class T> struct plus {
  UNRULY_DEVICE T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  UNRULY_DEVICE T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  UNRULY_DEVICE T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  UNRULY_DEVICE T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  UNRULY_DEVICE T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  UNRULY_DEVICE T operator()(T a, T b) const { return a ^ b; }
};
template <unsigned int Size, class P, class T, class F>
UNRULY_DEVICE T reduce(const thread_block_tile<Size, P> &tile, T v, F f) {
  for (unsigned int by = Size / 2; by > 0; by /= 2)
    v = f(v, tile.shfl_xor(v, by));
  return v;
}

} // namespace cooperative_groups

#pragma pop_macro("UNRULY_DEVICE")
#endif

#include "unruly/back.h"

#endif
