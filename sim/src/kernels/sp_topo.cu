// Survey propagation, topology-driven, as LonestarGPU does it: threads walk over all edges in every round, in two launches.
// The first finds what variables tell clauses, the second what clauses tell variables.
#include "sp.h"

// By edge: what the variable is asked for by its other clauses.
struct Messages {
  float *other, *own, *none;
};

DEVICE bool is_live(const Formula &formula, unsigned edge) {
  return !formula.off[edge / LITERALS] && formula.value[formula.literal[edge] >> 1] == FREE;
}

extern "C" __global__ void sp_ask(Formula formula, Messages messages, unsigned edges) {
#pragma unroll 1
  for (unsigned e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x) {
    if (!is_live(formula, e))
      continue;
    Wishes all = wishes(leave(formula, formula.literal[e], e / LITERALS));
    messages.other[e] = all.other;
    messages.own[e] = all.own;
    messages.none[e] = all.none;
  }
}

// The host clears *largest before each launch: the bits of the largest change, whose order is that of the floats.
extern "C" __global__ void sp_tell(Formula formula, Messages messages, unsigned *largest, unsigned edges) {
  float most = 0;
#pragma unroll 1
  for (unsigned e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x) {
    if (!is_live(formula, e))
      continue;
    unsigned first = e / LITERALS * LITERALS;
    float survey = 1.0f;
#pragma unroll 1
    for (unsigned f = first; f < first + LITERALS; f++) {
      if (f == e || !is_live(formula, f))
        continue;
      Wishes all = {messages.other[f], messages.own[f], messages.none[f]};
      survey = __fmul_rn(survey, part(all.other, all));
    }
    most = fmaxf(most, fabsf(__fsub_rn(survey, formula.survey[e])));
    formula.survey[e] = survey;
  }
  if (most > 0)
    atomicMax(largest, __float_as_uint(most));
}
