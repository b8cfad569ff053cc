// Monte Carlo in the LIBOR market model, as in the benchmark LIB of Bakhoda et al. (Giles's LIBOR): a thread follows a path of the
// forward rates through the maturities and values a portfolio of swaptions at its end. The second kernel also goes back
// along the path, for the derivative of the value with respect to the last of the rates. Rates lie in local memory.
#include "unruly_cuda.h"

#define RATES 80 // all these also in libor.rs
#define STEPS 40
#define OPTIONS 15
#define INTERVAL 0.25f // years between maturities, and its root
#define INTERVAL_ROOT 0.5f
#define FIRST_RATE 0.05f
#define SHOCK 0.3f // a step's draw from the normal distribution: the same for all, as in the original
#define NOTIONAL 100.0f

__constant__ float volatility[RATES];
// An option is on a swap of `terms` payments at the rate `strike`.
__constant__ int terms[OPTIONS];
__constant__ float strike[OPTIONS];

DEVICE float discount(float rate) { return __fdividef(1.0f, 1.0f + INTERVAL * rate); }

DEVICE void begin(float *rate, float *shock) {
#pragma unroll 1
  for (int i = 0; i < STEPS; i++)
    shock[i] = SHOCK;
#pragma unroll 1
  for (int i = 0; i < RATES; i++)
    rate[i] = FIRST_RATE;
}

// Moves the rates that are still open after step n. KEEP: leaves them in `kept` as well.
template <bool KEEP> DEVICE void step(int n, float *rate, float shock, float *kept) {
  float drift = 0.0f, root_shock = INTERVAL_ROOT * shock;
#pragma unroll 1
  for (int i = n + 1; i < RATES; i++) {
    float sigma = volatility[i - n - 1], spread = INTERVAL * sigma, now = rate[i];
    drift += __fdividef(spread * now, 1.0f + INTERVAL * now);
    now = now * __expf(spread * drift + sigma * (root_shock - 0.5f * spread));
    rate[i] = now;
    if (KEEP)
      kept[i] = now;
  }
}

// After as many payments of a swap as its number says, from the second on.
struct Payments {
  float bond[STEPS], annuity[STEPS];
};

DEVICE void pay(const float *rate, Payments &payments) {
  float bond = 1.0f, annuity = 0.0f;
#pragma unroll 1
  for (int i = 0; i < STEPS; i++) {
    bond = bond * discount(rate[STEPS + i]);
    annuity += INTERVAL * bond;
    payments.bond[i] = bond;
    payments.annuity[i] = annuity;
  }
}

DEVICE float swap(int option, const Payments &payments) {
  int last = terms[option] - 1;
  return payments.bond[last] + strike[option] * payments.annuity[last] - 1.0f;
}

// What the portfolio is worth at the end of the path.
DEVICE float portfolio(const Payments &payments) {
  float value = 0.0f;
#pragma unroll 1
  for (int i = 0; i < OPTIONS; i++) {
    float worth = swap(i, payments);
    if (worth < 0.0f)
      value -= NOTIONAL * worth;
  }
  return value;
}

// The same today: `value` comes from the end of the path.
DEVICE float discounted(float value, const float *rate) {
#pragma unroll 1
  for (int i = 0; i < STEPS; i++)
    value = value * discount(rate[i]);
  return value;
}

// What the value today changes by with each rate at the end of the path, `today` being what 1 at the end is worth today.
DEVICE void portfolio_back(const float *rate, const Payments &payments, float value, float today, float *change) {
  float of_bond[STEPS], of_annuity[STEPS], bond = 0.0f, annuity = 0.0f;
#pragma unroll 1
  for (int i = 0; i < STEPS; i++) {
    of_bond[i] = of_annuity[i] = 0.0f;
    change[i] = -value * INTERVAL * discount(rate[i]);
  }
#pragma unroll 1
  for (int i = 0; i < OPTIONS; i++)
    if (swap(i, payments) < 0.0f) {
      of_bond[terms[i] - 1] -= NOTIONAL * today;
      of_annuity[terms[i] - 1] -= NOTIONAL * today * strike[i];
    }
#pragma unroll 1
  for (int i = STEPS - 1; i >= 0; i--) {
    float discounted = discount(rate[STEPS + i]);
    annuity += of_annuity[i];
    bond += of_bond[i] + INTERVAL * annuity;
    change[STEPS + i] = -bond * payments.bond[i] * INTERVAL * discounted;
    bond = bond * discounted;
  }
}

// The same with the rates before step n, from those after it.
DEVICE void step_back(int n, const float *before, const float *after, float *change) {
  float sum = 0.0f;
#pragma unroll 1
  for (int i = RATES - 1; i > n; i--) {
    float sigma = volatility[i - n - 1], moved = after[i] * change[i], slope = INTERVAL * discount(before[i]);
    sum += sigma * moved;
    change[i] = __fdividef(moved, before[i]) + sum * sigma * slope * slope;
  }
}

extern "C" __global__ void lib_value(float *value, unsigned paths) {
  float rate[RATES], shock[RATES];
  Payments payments;
  unsigned path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths)
    return;
  begin(rate, shock);
#pragma unroll 1
  for (int n = 0; n < STEPS; n++)
    step<false>(n, rate, shock[n], 0);
  pay(rate, payments);
  value[path] = discounted(portfolio(payments), rate);
}

extern "C" __global__ void lib_slope(float *value, float *slope, unsigned paths) {
  // Row n of `kept` has the rates before step n.
  float rate[RATES], shock[RATES], kept[(STEPS + 1) * RATES], change[RATES];
  Payments payments;
  unsigned path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths)
    return;
  begin(rate, shock);
  begin(kept, shock);
#pragma unroll 1
  for (int n = 0; n < STEPS; n++)
    step<true>(n, rate, shock[n], kept + (n + 1) * RATES);
  pay(rate, payments);
  float today = discounted(1.0f, rate), now = portfolio(payments) * today;
  portfolio_back(rate, payments, now, today, change);
#pragma unroll 1
  for (int n = STEPS - 1; n >= 0; n--)
    step_back(n, kept + n * RATES, kept + (n + 1) * RATES, change);
  value[path] = now;
  slope[path] = change[RATES - 1];
}
