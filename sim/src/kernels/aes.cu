// AES with a key of 128 bits, each block of 16 bytes by itself, as in the benchmark AES of Bakhoda et al.: a thread for each column of
// four bytes. The tables that join the substitution of bytes with the mixing of columns are copied from constant to
// shared memory.
#include "unruly_cuda.h"

#define THREADS 256 // of a CTA, also in aes.rs
#define ROUNDS 10

// For the byte in each row of a column: what it adds to the new column.
__constant__ unsigned tables[4][256];
// Which byte of a block comes to each place when the rows are shifted.
__constant__ unsigned shifted[16] = {0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11};

// text, out: four words a block. key: four words a round, from that before the first one on.
extern "C" __global__ void aes_encrypt(const unsigned *text, const unsigned *key, unsigned *out) {
  __shared__ unsigned table[4][256], stage[2][THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t, column = t % 4;
#pragma unroll
  for (int row = 0; row < 4; row++)
    table[row][t] = tables[row][t];
  stage[0][t] = text[i] ^ key[column];
  __syncthreads();
#pragma unroll 1
  for (int round = 1; round < ROUNDS; round++) {
    const unsigned char *block = (const unsigned char *)&stage[(round + 1) % 2][t - column];
    unsigned mixed = key[4 * round + column];
#pragma unroll
    for (int row = 0; row < 4; row++)
      mixed ^= table[row][block[shifted[4 * column + row]]];
    stage[round % 2][t] = mixed;
    __syncthreads();
  }
  // The last round does not mix: one of the tables has the substituted byte alone where it belongs.
  const unsigned char *block = (const unsigned char *)&stage[(ROUNDS + 1) % 2][t - column];
  unsigned last = 0;
#pragma unroll
  for (int row = 0; row < 4; row++)
    last |= table[(row + 2) % 4][block[shifted[4 * column + row]]] & 0xffu << 8 * row;
  out[i] = last ^ key[4 * ROUNDS + column];
}
