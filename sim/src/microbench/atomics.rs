//! Atomic additions by many warps: on one word, and on words of their own.

use super::bench::{cycles_a_step, Bench, BLOCK, UNROLL};
use super::compare;
use crate::workload::{Params, Result};

/// Atomics an L2 cycle. So few threads that they are not long about it, and so many that they hide its latency.
pub fn one_word(bench: &mut Bench) -> Result<f64> {
    let ctas = (bench.config().core.count as u32).div_ceil(2);
    rate(bench, ctas, 0, 4 * UNROLL)
}

/// Atomics an L2 cycle.
pub fn own_words(bench: &mut Bench) -> Result<f64> {
    let ctas = bench.resident_ctas(0);
    rate(bench, ctas, 1, UNROLL)
}

/// `stride`: words from that of a thread to that of the next one.
fn rate(bench: &mut Bench, ctas: u32, stride: u32, steps: u32) -> Result<f64> {
    let kernel = bench.kernel("atomic_rate")?;
    let threads = ctas * BLOCK;
    let mut expected = vec![0u32; (stride * (threads - 1) + 1) as usize];
    let words = bench.upload(&expected)?;
    let cycles = cycles_a_step(steps, |steps| {
        let params = Params::default().u64(words).u32(stride).u32(steps);
        let cycles = bench.launch(&kernel, ctas, BLOCK, params)?;
        for number in 0..threads {
            let word = &mut expected[(number * stride) as usize];
            *word = word.wrapping_add(number.wrapping_mul(steps));
        }
        compare("words of the atomics", &bench.read(words, expected.len() as u32)?, &expected)?;
        Ok(cycles)
    })?;
    Ok(f64::from(threads) / bench.l2_cycles(cycles))
}
