//! Monte Carlo in the LIBOR market model: a thread follows a path of 80 forward rates through 40 maturities and values 15
//! swaptions at its end; a second launch also finds the derivative of that value, going back along the path. As in the
//! original all paths draw the same shocks, so that all have the same value.

use super::check::{self, Bounded};
use super::session::{kernels_with, Session};
use super::{inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;
use std::f64::consts::LOG2_E;

pub const SIZE: Size = Size { meaning: "paths", default: 4096, max: 1 << 20 };

/// Threads of a CTA, a path each.
const BLOCK: u32 = 64;
/// All these as in the kernels: forward rates, those that become known along the path, years between two, the first value of all,
/// what each step draws, and the size of a swap.
const RATES: usize = 80;
const STEPS: usize = 40;
const INTERVAL: f32 = 0.25;
const FIRST_RATE: f32 = 0.05;
const SHOCK: f32 = 0.3;
const NOTIONAL: f32 = 100.0;
/// Payments of the swaps, three options each, and their fixed rates.
const TERMS: [u32; 5] = [4, 8, 20, 28, 40];
const STRIKES: [f32; 3] = [0.045, 0.05, 0.055];

/// The rates before each step and those at the end, and what each step multiplies them by.
struct Path {
    rows: Vec<Vec<Bounded>>,
    growth: Vec<Vec<Bounded>>,
}

/// Data that all paths share.
struct Market {
    volatility: Vec<f32>,
    options: Vec<(u32, f32)>,
}

/// Gives the value of each path as the first launch found it, then as the second did, and then its derivative.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let market = Market::new(inputs::floats(RATES, 1, 0.15, 0.25));
    let [value, slope] = kernels_with(kernels::LIBOR, ["lib_value", "lib_slope"], &market.constants())?;
    let mut session = Session::new(gpu, watch);
    let paths = size as usize;
    let out = session.alloc(3 * paths);
    let [first, second, slopes] = [0, 1, 2].map(|part| out + 4 * part * u64::from(size));
    let (grid, block) = ([size.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1]);
    let start = |level| Start { level, work: u64::from(size) };
    session.launch(&value, start(0), grid, block, Params::default().u64(first).u32(size))?;
    session.launch(&slope, start(1), grid, block, Params::default().u64(second).u64(slopes).u32(size))?;
    session.finish_with(out, 3 * paths, |found| compare(found, &market))
}

fn compare(found: &[u32], market: &Market) -> Result<String> {
    let paths = found.len() / 3;
    let expected = market.value_and_slope();
    let all: Vec<_> = (0..found.len()).map(|i| expected[usize::from(i >= 2 * paths)]).collect();
    let place = |i: usize| format!("{} of path {}", ["value", "second value", "derivative"][i / paths], i % paths);
    let worst = check::within("values and derivatives".into(), place, found, &all)?;
    let [value, slope] = expected.map(|x| x.value);
    Ok(format!("value {value:.4} and derivative {slope:.4} of each path within {worst:.0} % of what rounding may do"))
}

fn exact(value: f32) -> Bounded {
    Bounded::exact(value)
}

/// Part of 1 that a year's payments at this rate leave after an interval.
fn discount(rate: Bounded) -> Bounded {
    exact(1.0) / (exact(1.0) + exact(INTERVAL) * rate)
}

/// The kernels' `__expf`.
fn exp(x: Bounded) -> Bounded {
    (x * Bounded::nearest(LOG2_E)).exp2()
}

impl Market {
    fn new(volatility: Vec<f32>) -> Market {
        let options = TERMS.iter().flat_map(|&terms| STRIKES.map(|strike| (terms, strike))).collect();
        Market { volatility, options }
    }

    fn constants(&self) -> [(&'static str, Vec<u32>); 3] {
        let (terms, strikes) = self.options.iter().map(|&(terms, strike)| (terms, strike.to_bits())).unzip();
        let volatility = self.volatility.iter().map(|sigma| sigma.to_bits()).collect();
        [("volatility", volatility), ("terms", terms), ("strike", strikes)]
    }

    /// The rates before each step and those at the end, from these first ones.
    ///
    /// In step n each rate i > n is multiplied by exp(d s_i + v_i (z - s_i / 2)). Here v_i is the rate's volatility, s_i = interval x v_i,
    /// z the shock times the root of the interval, and d the sum of s_j x rate_j / (1 + interval x rate_j) over n < j <= i.
    fn path(&self, first: Vec<Bounded>) -> Path {
        let shock = exact(INTERVAL).sqrt() * exact(SHOCK);
        let (mut rows, mut growth) = (vec![first], Vec::new());
        for n in 0..STEPS {
            let (mut row, mut factors, mut drift) = (rows[n].clone(), vec![exact(1.0); RATES], exact(0.0));
            for i in n + 1..RATES {
                let sigma = exact(self.volatility[i - n - 1]);
                let spread = exact(INTERVAL) * sigma;
                drift = drift + spread * row[i] * discount(row[i]);
                factors[i] = exp(spread * drift + sigma * (shock - exact(0.5) * spread));
                row[i] = row[i] * factors[i];
            }
            rows.push(row);
            growth.push(factors);
        }
        Path { rows, growth }
    }

    /// Worth at the end of the path of 1, and of 1 in each interval up to then, for each payment.
    fn payments(rates: &[Bounded]) -> Vec<[Bounded; 2]> {
        let next = |sums: &mut [Bounded; 2], &rate: &Bounded| {
            let bond = sums[0] * discount(rate);
            *sums = [bond, sums[1] + exact(INTERVAL) * bond];
            Some(*sums)
        };
        rates[STEPS..].iter().scan([exact(1.0), exact(0.0)], next).collect()
    }

    /// Worth of each option's swap at the end of the path; below 0 the option pays what is missing.
    fn swaps<'a>(&'a self, payments: &'a [[Bounded; 2]]) -> impl Iterator<Item = Bounded> + 'a {
        self.options.iter().map(|&(terms, strike)| {
            let [bond, annuity] = payments[terms as usize - 1];
            bond + exact(strike) * annuity - exact(1.0)
        })
    }

    /// Worth of all options, today.
    fn value(&self, rates: &[Bounded]) -> Bounded {
        let payments = Market::payments(rates);
        let paying = self.swaps(&payments).filter(|swap| swap.value < 0.0);
        let at_end = paying.fold(exact(0.0), |sum, swap| sum - exact(NOTIONAL) * swap);
        rates[..STEPS].iter().fold(at_end, |value, &rate| value * discount(rate))
    }

    /// Derivative of the value with respect to each rate at the end of the path: a chain rule, from the last payment on.
    fn slopes(&self, rates: &[Bounded]) -> Vec<Bounded> {
        let payments = Market::payments(rates);
        let today = rates[..STEPS].iter().fold(exact(1.0), |value, &rate| value * discount(rate));
        let value = self.value(rates);
        let mut slopes: Vec<_> = rates[..STEPS].iter().map(|&rate| -value * exact(INTERVAL) * discount(rate)).collect();
        slopes.resize(RATES, exact(0.0));
        let mut of = vec![[exact(0.0); 2]; STEPS];
        for ((terms, strike), swap) in self.options.iter().zip(self.swaps(&payments)) {
            if swap.value < 0.0 {
                let [bond, annuity] = &mut of[*terms as usize - 1];
                *bond = *bond - exact(NOTIONAL) * today;
                *annuity = *annuity - exact(NOTIONAL) * today * exact(*strike);
            }
        }
        let (mut bond, mut annuity) = (exact(0.0), exact(0.0));
        for i in (0..STEPS).rev() {
            annuity = annuity + of[i][1];
            bond = bond + (of[i][0] + exact(INTERVAL) * annuity);
            let discount = discount(rates[STEPS + i]);
            slopes[STEPS + i] = -bond * payments[i][0] * exact(INTERVAL) * discount;
            bond = bond * discount;
        }
        slopes
    }

    /// The value of a path, and its derivative with respect to the first value of the last rate: back through the steps.
    ///
    /// The kernel has not kept what a step multiplied a rate by, and divides the rate after the step by the one before: this is
    /// the factor, rounded when it was applied and twice more, however far both rates may be from the exact ones.
    fn value_and_slope(&self) -> [Bounded; 2] {
        let Path { rows, growth } = self.path(vec![exact(FIRST_RATE); RATES]);
        let mut slopes = self.slopes(&rows[STEPS]);
        for n in (0..STEPS).rev() {
            let mut sum = exact(0.0);
            for i in (n + 1..RATES).rev() {
                let sigma = exact(self.volatility[i - n - 1]);
                sum = sum + sigma * (rows[n + 1][i] * slopes[i]);
                let slope = exact(INTERVAL) * discount(rows[n][i]);
                let moved = slopes[i] * growth[n][i];
                let moved = Bounded::rounded(moved.value, Bounded::rounded(moved.value, moved.tolerance).tolerance);
                slopes[i] = moved + sum * sigma * slope * slope;
            }
        }
        [self.value(&rows[STEPS]), slopes[RATES - 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn market() -> Market {
        Market::new(inputs::floats(RATES, 1, 0.15, 0.25))
    }

    /// Other values of the last rate lead to other values of the path.
    #[test]
    fn derivative_is_the_slope_of_the_value() {
        let market = market();
        let [value, slope] = market.value_and_slope();
        let with = |last: f64| {
            let mut first = vec![exact(FIRST_RATE); RATES];
            first[RATES - 1].value = last;
            market.value(&market.path(first).rows[STEPS]).value
        };
        let (rate, apart) = (f64::from(FIRST_RATE), 1e-6);
        assert_eq!(with(rate), value.value);
        let expected = (with(rate + apart) - with(rate - apart)) / (2.0 * apart);
        assert!((slope.value - expected).abs() < 1e-6 * expected.abs(), "{} {expected}", slope.value);
        assert!(value.tolerance < 1e-4 * value.value && slope.tolerance < 1e-4 * slope.value.abs());
    }

    /// Rounding decides for no option whether it pays: else its derivative would have no bound. All pay.
    #[test]
    fn every_option_is_clear() {
        let market = market();
        let rows = market.path(vec![exact(FIRST_RATE); RATES]).rows;
        let payments = Market::payments(&rows[STEPS]);
        let swaps: Vec<_> = market.swaps(&payments).collect();
        assert!(swaps.iter().all(|swap| swap.value < -10.0 * swap.tolerance), "{swaps:?}");
    }

    /// Without volatility rates stay where they are, and a swap at their own rate is worth nothing.
    #[test]
    fn rates_without_volatility_stay() {
        let market = Market::new(vec![0.0; RATES]);
        let rows = market.path(vec![exact(FIRST_RATE); RATES]).rows;
        assert!(rows[STEPS].iter().all(|rate| (rate.value - f64::from(FIRST_RATE)).abs() < 1e-12));
        let payments = Market::payments(&rows[STEPS]);
        let at_par = market.swaps(&payments).nth(1).unwrap().value;
        assert!(at_par.abs() < 1e-12, "{at_par}");
    }

    #[test]
    fn an_error_above_the_tolerance_is_found() {
        let market = market();
        let [value, slope] = market.value_and_slope().map(|x| (x.value as f32).to_bits());
        let mut found = vec![value, value, value, value, slope, slope];
        assert!(compare(&found, &market).is_ok());
        found[5] ^= 1 << 15;
        let message = compare(&found, &market).unwrap_err().to_string();
        assert!(message.contains("1 of 6 values and derivatives; the first is derivative of path 1"), "{message}");
    }
}
