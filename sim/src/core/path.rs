//! Paths of instructions through a core: where each goes, how long it takes, and which banks it reads and writes.

use crate::config::Timing;
use crate::ptx::isa::MOST_REGISTERS;

/// Where an instruction goes after issue. The first [`PIPELINES`] go by way of the operand collector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Single precision and integers.
    Sp,
    /// Special functions.
    Sfu,
    /// Double precision, if it has pipelines of its own.
    Dp,
    /// Load-store unit; also instructions of a [port](super::port) that take their operands the same way.
    Memory,
    /// Straight from issue to the [port](super::port) of this number.
    Port(u8),
}

impl Path {
    /// The place of the path in sets of paths.
    #[inline(always)]
    pub const fn index(self) -> usize {
        match self {
            Path::Sp => 0,
            Path::Sfu => 1,
            Path::Dp => 2,
            Path::Memory => 3,
            Path::Port(number) => PIPELINES + number as usize,
        }
    }
}

pub const PIPELINES: usize = 4;
/// Most ports of a core.
pub const PORTS: usize = 4;
pub const PATHS: usize = PIPELINES + PORTS;

pub const NO_PORT: u8 = u8::MAX;

/// The way of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Issue {
    pub path: Path,
    pub timing: Timing,
    /// Banks of its operands.
    pub reads: Reads,
    /// Banks of its results, for warp slot 0, one bit each.
    pub writes: u32,
    /// The port that takes it; [`NO_PORT`]: none.
    pub port: u8,
}

/// Registers that an instruction reads from one bank, as sets of banks for warp slot 0: a bank that is asked for n times is in the
/// first n sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    first: u32,
    /// Further reads of banks in `first`, one by one.
    again: [u8; MOST_REGISTERS - 1],
    agains: u8,
}

impl Reads {
    pub fn new(registers: &[u16], banks: usize) -> Self {
        let mut reads = Reads::default();
        for register in registers {
            let bank = *register as usize % banks;
            if reads.first >> bank & 1 == 0 {
                reads.first |= 1 << bank;
            } else {
                reads.again[reads.agains as usize] = bank as u8;
                reads.agains += 1;
            }
        }
        reads
    }

    pub fn is_empty(&self) -> bool {
        self.first == 0
    }

    pub fn of_warp(mut self, slot: usize, banks: usize) -> Self {
        self.first = rotate(self.first, slot, banks);
        self.again[..self.agains as usize].iter_mut().for_each(|b| *b = ((*b as usize + slot) % banks) as u8);
        self
    }

    /// Takes what is asked for and free; gives the banks taken.
    pub fn take(&mut self, free: u32) -> u32 {
        let taken = self.first & free;
        self.first &= !taken;
        let mut left = taken;
        let mut i = 0;
        while i < self.agains as usize && left != 0 {
            let bank = 1u32 << self.again[i];
            if left & bank == 0 {
                i += 1;
                continue;
            }
            left &= !bank;
            self.first |= bank;
            self.agains -= 1;
            self.again[i] = self.again[self.agains as usize];
        }
        taken
    }

    pub fn left(&self) -> u32 {
        self.first.count_ones() + self.agains as u32
    }
}

/// Banks (one bit each) as warp slot `slot` sees them, given those of slot 0. `banks` is a power of two.
#[inline(always)]
pub fn rotate(set: u32, slot: usize, banks: usize) -> u32 {
    let turn = slot & (banks - 1);
    let wide = (set as u64) << turn;
    (wide | wide >> banks) as u32 & (u64::MAX >> (64 - banks)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_turn_with_the_warp() {
        assert_eq!(rotate(0b1, 17, 16), 0b10);
        assert_eq!(rotate(1 << 15, 1, 16), 1);
        assert_eq!(rotate(1 << 31, 3, 32), 0b100);
        assert_eq!(rotate(1, 7, 1), 1);
        let reads = Reads::new(&[3, 19], 16).of_warp(14, 16);
        assert_eq!((reads.first, reads.again[0]), (0b10, 1));
    }
}
