//! Microbenchmarks: latency and rate of the simulated GPU's memories, measured by kernels as on silicon (`kernels/microbench.cu`).
//!
//! Memory after a kernel is checked whole. The time of so many steps is taken from that of twice as many, so that
//! launch, cold caches and the last answers do not count. The same configuration gives the same numbers.

mod atomics;
mod bandwidth;
mod bench;
mod latency;
mod ring;

use crate::config::Config;
use crate::kernels::MICROBENCH;
use crate::workload::{check, Result};
use bench::Bench;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use thiserror::Error;

spelling::named! {
    /// A measure of a microbenchmark; its description says how it is measured.
    pub enum Measure {
        SharedLatency = "shared-latency": "from a load of shared memory to the next, which needs its result; one thread",
        L1Latency = "l1-latency": "the same in global memory, half as much as the L1 holds",
        L2Latency = "l2-latency": "the same, half as much as the L2 holds, a line a step in random order, none of it in the L1",
        DramLatency = "dram-latency": "the same, four times what the L2 holds, a line a step, one after the other",
        DramScatteredLatency = "dram-latency-scattered": "the same, lines in random order",
        AtomicLatency = "atomic-latency": "from an atomic addition to the next on the same word, which needs its result; one thread",
        SharedBandwidth = "shared-bandwidth": "all threads load 32-bit words, each warp from all banks",
        L2Bandwidth = "l2-bandwidth": "all threads read half as much as the L2 holds, again and again, lines of 128 bytes, none in the L1",
        DramBandwidth = "dram-bandwidth": "all threads read what is in no cache, one after the other, lines of 128 bytes",
        AtomicsOneWord = "atomics-one-word": "all lanes of a CTA of 256 threads for every two cores add to one word and use no result",
        AtomicsOwnWords = "atomics-own-words": "all threads add, each to a word of its own, side by side, and use no result",
    }
}

/// No measure has this name.
#[derive(Debug, Error)]
#[error("unknown measure `{name}`; there is {known}")]
pub struct UnknownMeasure {
    name: String,
    known: String,
}

/// Caches for which a chase would take too long.
#[derive(Debug, Error)]
#[error("{config}: {field}: {bytes} bytes in all; microbenchmarks measure caches of up to {most}")]
pub struct TooLarge {
    config: String,
    field: &'static str,
    bytes: u64,
    most: u64,
}

/// # Errors
/// A configuration with caches that are too large.
pub fn check(config: &Config) -> Result<(), TooLarge> {
    let limits =
        [("l1d.sets, ways", bench::l1_bytes(config), 1 << 20), ("l2.sets, ways", bench::l2_bytes(config), 1 << 26)];
    match limits.into_iter().find(|(_, bytes, most)| bytes > most) {
        Some((field, bytes, most)) => Err(TooLarge { config: config.name.clone(), field, bytes, most }),
        None => Ok(()),
    }
}

impl Measure {
    pub fn unit(self) -> &'static str {
        match self {
            Measure::SharedLatency
            | Measure::L1Latency
            | Measure::L2Latency
            | Measure::DramLatency
            | Measure::DramScatteredLatency
            | Measure::AtomicLatency => "core cycles",
            Measure::SharedBandwidth => "bytes a core cycle and core",
            Measure::L2Bandwidth => "bytes an L2 cycle",
            Measure::DramBandwidth => "% of the DRAM's pins",
            Measure::AtomicsOneWord | Measure::AtomicsOwnWords => "atomics an L2 cycle",
        }
    }

    /// Measures it on a GPU of this configuration.
    ///
    /// # Errors
    /// A result that is wrong, or a launch that the configuration cannot do or that was interrupted.
    pub fn run(self, config: &Config, interrupt: Arc<AtomicBool>) -> Result<f64> {
        self.on(&mut Bench::new(config, interrupt, MICROBENCH.text)?)
    }

    fn on(self, bench: &mut Bench) -> Result<f64> {
        match self {
            Measure::SharedLatency => latency::shared(bench),
            Measure::L1Latency => latency::l1(bench),
            Measure::L2Latency => latency::l2(bench),
            Measure::DramLatency => latency::dram(bench, ring::in_order),
            Measure::DramScatteredLatency => latency::dram(bench, ring::scattered),
            Measure::AtomicLatency => latency::atomic(bench),
            Measure::SharedBandwidth => bandwidth::shared(bench),
            Measure::L2Bandwidth => bandwidth::l2(bench),
            Measure::DramBandwidth => bandwidth::dram(bench),
            Measure::AtomicsOneWord => atomics::one_word(bench),
            Measure::AtomicsOwnWords => atomics::own_words(bench),
        }
    }
}

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(name: &str) -> Result<Self, UnknownMeasure> {
        Measure::find(name).map_err(|known| UnknownMeasure { name: name.into(), known })
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Fails with the first word that is not as expected; `what` they are, in the plural.
fn compare(what: &str, found: &[u32], expected: &[u32]) -> Result<()> {
    check::listed(["number", what], found, expected, |word| word.to_string())
}

#[cfg(test)]
mod tests;
