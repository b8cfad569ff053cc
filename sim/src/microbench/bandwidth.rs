//! Reads by all threads: shared memory, the L2, and DRAM.

use super::bench::{cycles_a_step, Bench, BLOCK};
use super::compare;
use crate::graph::SplitMix64;
use crate::workload::{Params, Result};

/// Words of shared memory that a chase goes round in, and from one step to the next.
const SHARED_WORDS: u32 = 512;
const BANKS: u32 = 32;
/// Words of a row of a stream, which a CTA reads at once, and rows that it reads in a step.
const ROW: u32 = BLOCK;
const LOADS: u32 = 8;
/// Steps of a stream.
const STEPS: u32 = 4;

/// Bytes a core cycle and core.
pub fn shared(bench: &mut Bench) -> Result<f64> {
    let ctas = bench.resident_ctas(4 * SHARED_WORDS);
    let cycles = cycles_a_step(128, |steps| chase_shared(bench, ctas, BLOCK, steps))?;
    Ok(4.0 * f64::from(ctas * BLOCK) / cycles / bench.config().core.count as f64)
}

/// Each thread goes round in shared memory. Gives the core cycles.
pub fn chase_shared(bench: &mut Bench, ctas: u32, threads: u32, steps: u32) -> Result<u64> {
    let kernel = bench.kernel("chase_shared")?;
    let ends = bench.alloc(ctas * threads);
    let cycles = bench.launch(&kernel, ctas, threads, Params::default().u32(steps).u64(ends))?;
    let expected: Vec<_> = (0..ctas * threads).map(|i| (i % threads + BANKS * steps) % SHARED_WORDS).collect();
    compare("words of shared memory in which a chase ends", &bench.read(ends, ctas * threads)?, &expected)?;
    Ok(cycles)
}

/// Bytes an L2 cycle.
pub fn l2(bench: &mut Bench) -> Result<f64> {
    let most = (bench.l2_bytes() / 2) as u32 / (4 * ROW);
    let rows = rows_for(bench.config().core.count as u32, most);
    let mut stream = Stream::new(bench, rows)?;
    fetch(bench, stream.address, rows * ROW)?;
    let cycles = cycles_a_step(STEPS, |steps| stream.run(bench, steps))?;
    Ok(stream.bytes_a_step() / bench.l2_cycles(cycles))
}

/// A core, one of so many, reads every so many-th row: without a common factor it comes past all of them before the first again, which
/// its L1 has then lost.
fn rows_for(cores: u32, most: u32) -> u32 {
    let common = |rows: &u32| (2..=cores).any(|factor| cores % factor == 0 && rows % factor == 0);
    (1..=most).rev().find(|rows| !common(rows)).unwrap_or(1)
}

/// Per cent of what the pins of all channels carry. Each launch reads what none has read before.
pub fn dram(bench: &mut Bench) -> Result<f64> {
    let launches = 1 + 1 + 2;
    let rows = bench.resident_ctas(0) * LOADS * STEPS * launches;
    let mut stream = Stream::new(bench, rows)?;
    bench.flush_l2()?;
    let cycles = cycles_a_step(STEPS, |steps| stream.run(bench, steps))?;
    let (core, dram) = (&bench.config().core, &bench.config().dram);
    let pins = dram.channels as f64 * f64::from(dram.bus_bytes) * f64::from(dram.beats_per_clock);
    let bytes_a_core_cycle = pins * dram.clock_mhz as f64 / core.clock_mhz as f64;
    Ok(100.0 * stream.bytes_a_step() / cycles / bytes_a_core_cycle)
}

/// A stream through an array of random words, under way.
struct Stream {
    words: Vec<u32>,
    address: u64,
    ctas: u32,
    /// The row that the first CTA reads next.
    first: u32,
    sums: u64,
}

impl Stream {
    /// Copies the array to the device.
    fn new(bench: &mut Bench, rows: u32) -> Result<Stream> {
        let mut random = SplitMix64(2);
        let words: Vec<_> = (0..rows * ROW).map(|_| random.draw() as u32).collect();
        let address = bench.upload(&words)?;
        let ctas = bench.resident_ctas(0);
        let sums = bench.alloc(ctas * BLOCK);
        Ok(Stream { words, address, ctas, first: 0, sums })
    }

    fn bytes_a_step(&self) -> f64 {
        f64::from(4 * ROW * LOADS * self.ctas)
    }

    /// Goes on by so many steps. Gives the core cycles.
    fn run(&mut self, bench: &mut Bench, steps: u32) -> Result<u64> {
        let kernel = bench.kernel("stream")?;
        let rows = self.words.len() as u32 / ROW;
        let params = Params::default().u64(self.address).u32(rows).u32(self.first).u32(steps).u64(self.sums);
        let cycles = bench.launch(&kernel, self.ctas, BLOCK, params)?;
        let expected: Vec<_> = (0..self.ctas * BLOCK).map(|i| self.sum(i / BLOCK, i % BLOCK, steps)).collect();
        compare("sums of a stream", &bench.read(self.sums, self.ctas * BLOCK)?, &expected)?;
        self.first = (self.first + self.ctas * LOADS * steps) % rows;
        Ok(cycles)
    }

    /// Sum of the words that a thread of a CTA reads in so many steps.
    fn sum(&self, cta: u32, thread: u32, steps: u32) -> u32 {
        let rows = self.words.len() as u32 / ROW;
        let word = |load: u32| self.words[((self.first + cta + load * self.ctas) % rows * ROW + thread) as usize];
        (0..steps * LOADS).fold(0, |sum, load| sum.wrapping_add(word(load)))
    }
}

/// Reads an array once, so that it is in the L2 if it fits.
pub fn fetch(bench: &mut Bench, address: u64, words: u32) -> Result<()> {
    let kernel = bench.kernel("stream")?;
    let rows = words / ROW;
    let ctas = rows.div_ceil(LOADS);
    let sums = bench.alloc(ctas * BLOCK);
    let params = Params::default().u64(address).u32(rows).u32(0).u32(1).u64(sums);
    bench.launch(&kernel, ctas, BLOCK, params).map(drop)
}

#[cfg(test)]
mod tests {
    use super::rows_for;

    #[test]
    fn a_core_comes_past_all_rows() {
        let cases = [(15, 384), (14, 384), (4, 384), (16, 1024), (1, 8)];
        assert_eq!(cases.map(|(cores, most)| rows_for(cores, most)), [383, 383, 383, 1023, 8]);
    }
}
