// Survey propagation (HWWL, II-B), on a formula whose clauses have three literals each. A clause and a variable in it are an
// edge. Its survey is how probably the clause needs the variable, all others failing it; what it computes from the surveys
// of the variables' other clauses. Once surveys have converged, the variables with the largest bias are fixed, clauses that
// are true by that are off, and it starts again.
//
// Products are explicit roundings in a given order, so that every variant computes the same to the bit.
#pragma once
#include "unruly_cuda.h"

#define LITERALS 3       // of a clause; also in formula.rs
#define FREE 2u          // value of a variable that is not fixed: others are 0 and 1
#define EPSILON 0.01f    // a survey that changes by more has moved; also in replay.rs
#define NO_CLAUSE 0xffffffffu

// Kernel parameter. Edge e belongs to clause e / LITERALS.
struct Formula {
  const unsigned *row;     // by variable: where its edges begin in place
  const unsigned *place;   // edge << 1 | negated
  const unsigned *literal; // by edge: variable << 1 | negated
  unsigned *value;         // by variable
  unsigned *off;           // by clause: 1 if it is true already
  float *survey;           // by edge
};

// Of what the clauses of a variable that are not off leave to it: those where its sign is a given one, and the others.
struct Products {
  float same, opposite;
};

// Over all clauses of the literal's variable but `except`.
DEVICE Products leave(const Formula &formula, unsigned literal, unsigned except) {
  Products products = {1.0f, 1.0f};
  unsigned v = literal >> 1, end = formula.row[v + 1];
#pragma unroll 1
  for (unsigned p = formula.row[v]; p < end; p++) {
    unsigned place = formula.place[p], edge = place >> 1, clause = edge / LITERALS;
    if (clause == except || formula.off[clause])
      continue;
    float left = __fsub_rn(1.0f, formula.survey[edge]);
    if ((place ^ literal) & 1)
      products.opposite = __fmul_rn(products.opposite, left);
    else
      products.same = __fmul_rn(products.same, left);
  }
  return products;
}

// How probably a variable is asked for the other value, for its own one, for none.
struct Wishes {
  float other, own, none;
};

DEVICE Wishes wishes(Products products) {
  return {__fmul_rn(__fsub_rn(1.0f, products.opposite), products.same),
          __fmul_rn(__fsub_rn(1.0f, products.same), products.opposite), __fmul_rn(products.same, products.opposite)};
}

// A part of all wishes; 0 if they contradict each other.
DEVICE float part(float wish, Wishes all) {
  float sum = __fadd_rn(__fadd_rn(all.none, all.own), all.other);
  return sum == 0.0f ? 0.0f : __fdiv_rn(wish, sum);
}

// What the launch for the biases leaves to the host: the variables that are not fixed, in any order, and a sum a CTA.
struct Biases {
  unsigned *count;
  unsigned *variable;
  float *bias;    // above 0: rather true
  float *partial; // by CTA: sum of the larger part of each variable
};

#define BIAS_BLOCK 256 // also in mod.rs

// The first to half of the threads add up what all have.
DEVICE float block_sum(float value) {
  __shared__ float sums[BIAS_BLOCK];
  unsigned me = threadIdx.x;
  sums[me] = value;
  __syncthreads();
#pragma unroll 1
  for (unsigned half = BIAS_BLOCK / 2; half > 0; half /= 2) {
    if (me < half)
      sums[me] = __fadd_rn(sums[me], sums[me + half]);
    __syncthreads();
  }
  return sums[0];
}

// A thread a variable.
extern "C" __global__ void sp_bias(Formula formula, Biases biases, unsigned variables) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  float larger = 0;
  if (v < variables && formula.value[v] == FREE) {
    Wishes all = wishes(leave(formula, v << 1, NO_CLAUSE));
    float is_true = part(all.own, all), is_false = part(all.other, all);
    unsigned at = atomicAdd(biases.count, 1u);
    biases.variable[at] = v;
    biases.bias[at] = __fsub_rn(is_true, is_false);
    larger = fmaxf(is_true, is_false);
  }
  float sum = block_sum(larger);
  if (threadIdx.x == 0)
    biases.partial[blockIdx.x] = sum;
}

// A thread for each of the literals that the host chose to be true.
extern "C" __global__ void sp_fix(Formula formula, const unsigned *chosen, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  unsigned literal = chosen[i], v = literal >> 1, end = formula.row[v + 1];
  formula.value[v] = ~literal & 1;
#pragma unroll 1
  for (unsigned p = formula.row[v]; p < end; p++) {
    unsigned place = formula.place[p];
    if (((place ^ literal) & 1) == 0)
      formula.off[(place >> 1) / LITERALS] = 1;
  }
}
