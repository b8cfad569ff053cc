// Integer intrinsics, bit casts, conversions that round, votes and exchanges, against plain C++.
#include "check.h"
#include <string.h>

struct Result {
  int popc, clz, ffs, mulhi, mul24, hadd, rhadd, sad;
  unsigned brev, umulhi, umul24, perm, funnel_l, funnel_r, bits;
  unsigned long long brevll, umul64hi;
  int popcll, clzll, ffsll, rn, rz, ru, rd;
  float up, down, as_float;
  long long llrn;
  int low, high;
};

__global__ void compute(int a, int b, float f, double d, Result *r) {
  unsigned long long wide = (unsigned long long)(unsigned)a << 32 | (unsigned)b;
  r->popc = __popc(a);
  r->clz = __clz(b);
  r->ffs = __ffs(b);
  r->mulhi = __mulhi(a, b);
  r->mul24 = __mul24(a, b);
  r->hadd = __hadd(a, b);
  r->rhadd = __rhadd(a, b);
  r->sad = __sad(a, b, 7);
  r->brev = __brev(a);
  r->umulhi = __umulhi(a, b);
  r->umul24 = __umul24(a, b);
  r->perm = __byte_perm(a, b, 0x6420);
  r->funnel_l = __funnelshift_l(a, b, 5);
  r->funnel_r = __funnelshift_r(a, b, 5);
  r->bits = __float_as_uint(f);
  r->brevll = __brevll(wide);
  r->umul64hi = __umul64hi(wide, wide);
  r->popcll = __popcll(wide);
  r->clzll = __clzll(wide);
  r->ffsll = __ffsll(wide);
  r->rn = __float2int_rn(f);
  r->rz = __float2int_rz(f);
  r->ru = __float2int_ru(f);
  r->rd = __float2int_rd(f);
  r->up = __fadd_ru(f, 1e-10f);
  r->down = __fadd_rd(f, -1e-10f);
  r->as_float = __int_as_float(0x40490fdb);
  r->llrn = __double2ll_rn(d);
  r->low = __double2loint(d);
  r->high = __double2hiint(d);
}

__global__ void lanes(unsigned *out) {
  unsigned lane = threadIdx.x;
  out[lane] = __ballot_sync(0xffffffff, lane % 3 == 0);
  out[32 + lane] = __shfl_down_sync(0xffffffff, lane, 4);
  out[64 + lane] = __shfl_xor_sync(0xffffffff, lane, 5);
  out[96 + lane] = __shfl_sync(0xffffffff, lane * lane, 7, 16);
  out[128 + lane] = __any_sync(0xffffffff, lane == 31) + 2 * __all_sync(0xffffffff, lane < 31);
  out[160 + lane] = __syncthreads_count(lane & 1);
  double sum = lane;
  for (int by = 16; by > 0; by /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, by);
  out[192 + lane] = (unsigned)sum;
}

static unsigned reversed(unsigned x) {
  unsigned y = 0;
  for (int i = 0; i < 32; i++)
    y |= (x >> i & 1) << (31 - i);
  return y;
}

int main() {
  const int a = (int)0xdeadbeef, b = 0x00123450;
  const float f = 1234.5f;
  const double d = -98765.5;
  Result *r;
  GOOD(cudaMallocManaged(&r, sizeof *r));
  compute<<<1, 1>>>(a, b, f, d, r);
  GOOD(cudaDeviceSynchronize());
  unsigned long long wide = (unsigned long long)(unsigned)a << 32 | (unsigned)b;
  CHECK(r->popc == __builtin_popcount(a) && r->clz == __builtin_clz(b) && r->ffs == __builtin_ffs(b));
  CHECK(r->mulhi == (int)((long long)a * b >> 32) && r->umulhi == (unsigned)((unsigned long long)(unsigned)a * (unsigned)b >> 32));
  CHECK(r->mul24 == (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)b));
  CHECK(r->umul24 == ((unsigned)a & 0xffffff) * ((unsigned)b & 0xffffff));
  CHECK(r->hadd == (int)(((long long)a + b) >> 1) && r->rhadd == (int)(((long long)a + b + 1) >> 1));
  CHECK(r->sad == (int)((unsigned)b - (unsigned)a + 7u));
  CHECK(r->brev == reversed(a) && r->brevll == ((unsigned long long)reversed(b) << 32 | reversed(a)));
  CHECK(r->perm == (((unsigned)b >> 16 & 0xff) << 24 | ((unsigned)b & 0xff) << 16 | ((unsigned)a >> 16 & 0xff) << 8 | ((unsigned)a & 0xff)));
  CHECK(r->funnel_l == ((unsigned)b << 5 | (unsigned)a >> 27) && r->funnel_r == ((unsigned)b << 27 | (unsigned)a >> 5));
  unsigned bits;
  memcpy(&bits, &f, 4);
  CHECK(r->bits == bits && r->as_float == 3.14159274f);
  CHECK(r->umul64hi == (unsigned long long)((unsigned __int128)wide * wide >> 64));
  CHECK(r->popcll == __builtin_popcountll(wide) && r->clzll == __builtin_clzll(wide) && r->ffsll == __builtin_ffsll(wide));
  CHECK(r->rn == 1234 && r->rz == 1234 && r->ru == 1235 && r->rd == 1234);
  CHECK(r->up > f && r->down < f && r->llrn == -98766);
  long long word;
  memcpy(&word, &d, 8);
  CHECK(r->low == (int)word && r->high == (int)(word >> 32));

  unsigned *out, back[224];
  GOOD(cudaMalloc(&out, sizeof back));
  lanes<<<1, 32>>>(out);
  GOOD(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  unsigned thirds = 0;
  for (int i = 0; i < 32; i += 3)
    thirds |= 1u << i;
  for (unsigned i = 0; i < 32; i++) {
    CHECK(back[i] == thirds);
    CHECK(back[32 + i] == (i + 4 < 32 ? i + 4 : i));
    CHECK(back[64 + i] == (i ^ 5));
    CHECK(back[96 + i] == (i / 16 * 16 + 7) * (i / 16 * 16 + 7));
    CHECK(back[128 + i] == 1 && back[160 + i] == 16 && back[192 + i] == 496);
  }
  PASS();
}
