// Survey propagation, data-driven and double-buffered: a work ID is a clause, one of whose variables was told something new.
// A round is two launches, so that all its surveys come from those of the round before, whatever the order of the clauses:
// the first computes the surveys of the clauses in the list, the second stores them and finds the clauses of the next round.
// Compiled with every worklist: no line knows which.
#include "sp.h"
#include "worklist.h"

// After variables have been fixed: every clause that is not off.
extern "C" __global__ void sp_start(Worklist worklist, Formula formula, unsigned clauses) {
  WorklistThread work(worklist);
  work.configure();
  unsigned clause = blockIdx.x * blockDim.x + threadIdx.x;
  if (clause < clauses && !formula.off[clause])
    work.push(clause);
  work.finish();
}

// `edges` of the two halves: how many edges the variables of a clause have, summed up over the clauses before it.

// Each edge's next survey, from what the clause's other variables are asked for by their other clauses.
DEVICE void compute(const Formula &formula, unsigned clause, float *next) {
  float told[LITERALS];
#pragma unroll
  for (unsigned i = 0; i < LITERALS; i++) {
    unsigned literal = formula.literal[clause * LITERALS + i];
    told[i] = 1.0f;
    if (formula.value[literal >> 1] == FREE) {
      Wishes all = wishes(leave(formula, literal, clause));
      told[i] = part(all.other, all);
    }
  }
#pragma unroll
  for (unsigned i = 0; i < LITERALS; i++) {
    float survey = 1.0f;
#pragma unroll
    for (unsigned j = 0; j < LITERALS; j++)
      if (j != i)
        survey = __fmul_rn(survey, told[j]);
    next[clause * LITERALS + i] = survey;
  }
}

extern "C" __global__ void sp_compute(Worklist worklist, Formula formula, float *next, const unsigned *edges) {
  WorklistThread work(worklist);
  work.balance(edges);
  unsigned clause;
  do {
    clause = work.pull();
    if (is_work(clause)) {
      compute(formula, clause, next);
      work.push(clause);
    }
  } while (work.goes_on(clause));
  work.finish();
}

// A clause comes into the next round's list once, however many of its variables have news: whoever is the first to stamp it
// with the round pushes it.
DEVICE void tell(const Formula &formula, unsigned v, unsigned except, unsigned *stamp, unsigned round, WorklistThread &work) {
  unsigned end = formula.row[v + 1];
#pragma unroll 1
  for (unsigned p = formula.row[v]; p < end; p++) {
    unsigned clause = (formula.place[p] >> 1) / LITERALS;
    if (clause == except || formula.off[clause])
      continue;
    if (stamp[clause] != round && atomicExch(&stamp[clause], round) != round)
      work.push(clause);
  }
}

// Rounds count from 1, over all phases.
extern "C" __global__ void sp_store(Worklist worklist, Formula formula, const float *next, const unsigned *edges, unsigned *stamp,
                                    unsigned round) {
  WorklistThread work(worklist);
  work.balance(edges);
  unsigned clause;
  do {
    clause = work.pull();
    if (is_work(clause)) {
#pragma unroll 1
      for (unsigned e = clause * LITERALS; e < (clause + 1) * LITERALS; e++) {
        unsigned v = formula.literal[e] >> 1;
        if (formula.value[v] != FREE)
          continue;
        float survey = next[e], change = fabsf(__fsub_rn(survey, formula.survey[e]));
        formula.survey[e] = survey;
        if (change > EPSILON)
          tell(formula, v, clause, stamp, round, work);
      }
    }
  } while (work.goes_on(clause));
  work.finish();
}
