//! Lines of memory, each with the address of another one in its first word: a chase that comes past all of them.

use super::bench::Bench;
use super::compare;
use crate::graph::SplitMix64;
use crate::mem::request::LINE_BYTES;
use crate::workload::{Params, Result};

/// A chase through a ring, under way.
pub struct Ring {
    /// The line behind each line.
    next: Vec<u32>,
    base: u64,
    /// Where the chase stands.
    line: u32,
    /// Where the kernel writes the address at which it ends.
    end: u64,
}

impl Ring {
    /// Copies the ring to the device.
    pub fn new(bench: &mut Bench, bytes: u64, order: fn(u32) -> Vec<u32>) -> Result<Ring> {
        let next = order(((bytes / LINE_BYTES) as u32).max(2));
        let words_a_line = LINE_BYTES as usize / 4;
        let base = bench.alloc((next.len() * words_a_line) as u32);
        let mut words = vec![0; next.len() * words_a_line];
        for (line, &next) in next.iter().enumerate() {
            let address = base + u64::from(next) * LINE_BYTES;
            words[line * words_a_line] = address as u32;
            words[line * words_a_line + 1] = (address >> 32) as u32;
        }
        bench.write(base, &words)?;
        let end = bench.alloc(2);
        Ok(Ring { next, base, line: 0, end })
    }

    pub fn lines(&self) -> u32 {
        self.next.len() as u32
    }

    /// Address and words of all lines.
    pub fn words(&self) -> (u64, u32) {
        (self.base, self.lines() * LINE_BYTES as u32 / 4)
    }

    fn address(&self) -> u64 {
        self.base + u64::from(self.line) * LINE_BYTES
    }

    /// Goes on by so many steps, with one thread. Gives the core cycles.
    pub fn chase(&mut self, bench: &mut Bench, steps: u32) -> Result<u64> {
        let params = Params::default().u64(self.address()).u32(steps).u64(self.end);
        let kernel = bench.kernel("chase_global")?;
        let cycles = bench.launch(&kernel, 1, 1, params)?;
        self.line = (0..steps).fold(self.line, |line, _| self.next[line as usize]);
        let expected = [self.address() as u32, (self.address() >> 32) as u32];
        compare("halves of the address at which the chase ends", &bench.read(self.end, 2)?, &expected)?;
        Ok(cycles)
    }
}

/// Line after line.
pub fn in_order(lines: u32) -> Vec<u32> {
    (0..lines).map(|line| (line + 1) % lines).collect()
}

/// A random ring of all lines (Sattolo's algorithm).
pub fn scattered(lines: u32) -> Vec<u32> {
    let mut next: Vec<u32> = (0..lines).collect();
    let mut random = SplitMix64(1);
    for i in (1..next.len()).rev() {
        next.swap(i, random.below(i));
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_comes_past_all_lines() {
        for order in [in_order, scattered] {
            for lines in [2, 3, 64, 1000] {
                let next = order(lines);
                let mut seen = vec![false; lines as usize];
                let last = (0..lines).fold(0, |line, _| {
                    seen[line as usize] = true;
                    next[line as usize]
                });
                assert!(last == 0 && seen.iter().all(|seen| *seen), "{lines} lines");
            }
        }
        let neighbours = scattered(1000).iter().zip(0..).filter(|&(next, line)| *next == line + 1).count();
        assert!(neighbours < 10, "{neighbours} lines are followed by the one behind them");
    }
}
