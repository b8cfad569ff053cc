//! Chases by one thread: from a load or an atomic to the next, which needs its result.

use super::bench::{cycles_a_step, Bench, UNROLL};
use super::ring::{self, Ring};
use super::{bandwidth, compare};
use crate::workload::{Params, Result};

/// Steps of a chase.
const STEPS: u32 = 256;
/// Steps in shared memory, where a chase comes round in 16: a step that is lost in every time round of the kernel's
/// loop is missed at its end.
const SHARED_STEPS: u32 = 240;

pub fn shared(bench: &mut Bench) -> Result<f64> {
    cycles_a_step(SHARED_STEPS, |steps| bandwidth::chase_shared(bench, 1, 1, steps))
}

/// Every launch begins with the same misses, those of one time round.
pub fn l1(bench: &mut Bench) -> Result<f64> {
    let mut ring = Ring::new(bench, bench.l1_bytes() / 2, ring::in_order)?;
    let steps = STEPS.max(ring.lines().next_multiple_of(UNROLL));
    cycles_a_step(steps, |steps| ring.chase(bench, steps))
}

pub fn l2(bench: &mut Bench) -> Result<f64> {
    let mut ring = Ring::new(bench, bench.l2_bytes() / 2, ring::scattered)?;
    let (address, words) = ring.words();
    bandwidth::fetch(bench, address, words)?;
    cycles_a_step(STEPS, |steps| ring.chase(bench, steps))
}

/// The chase never comes to a line a second time.
pub fn dram(bench: &mut Bench, order: fn(u32) -> Vec<u32>) -> Result<f64> {
    let bytes = (4 * bench.l2_bytes()).max(u64::from(8 * STEPS) * 128);
    let mut ring = Ring::new(bench, bytes, order)?;
    bench.flush_l2()?;
    cycles_a_step(STEPS, |steps| ring.chase(bench, steps))
}

pub fn atomic(bench: &mut Bench) -> Result<f64> {
    let kernel = bench.kernel("atomic_chase")?;
    let (address, end) = (bench.upload(&[0])?, bench.alloc(1));
    let mut word = 0u32;
    cycles_a_step(STEPS, |steps| {
        let params = Params::default().u64(address).u32(steps).u64(end);
        let cycles = bench.launch(&kernel, 1, 1, params)?;
        let step = |(given, word): (u32, u32), _| (word, word.wrapping_add(given));
        let (given, after) = (0..steps).fold((1, word), step);
        word = after;
        compare(
            "values of the chase, the one given back and the word",
            &[bench.read(end, 1)?, bench.read(address, 1)?].concat(),
            &[given, word],
        )?;
        Ok(cycles)
    })
}
