//! The registers that a program names: few of them again and again, or all in turn.

use super::records::{lengths, WRITES};
use crate::stimulus::Rng;

/// Registers written last that may be read in turn.
const RECENT: u32 = 6;
/// Registers written longest ago that may be read in turn.
const OLD: u32 = 24;

/// The registers of a program.
pub struct Registers {
    /// Some of the 64, in any order.
    names: Vec<u8>,
    /// All of them are written, one after the other.
    pub in_turn: bool,
    /// Place of the next one in turn.
    next: usize,
}

impl Registers {
    pub fn any(rng: &mut Rng) -> Self {
        let mut names: Vec<u8> = (0..64).collect();
        for i in (1..64).rev() {
            names.swap(i, rng.below(i as u32 + 1) as usize);
        }
        let in_turn = rng.one_in(2);
        if !in_turn {
            names.truncate(rng.any_of(&[4, 8, 20, 64]));
        }
        Registers { names, in_turn, next: 64 }
    }

    /// Registers that an instruction writes and reads. In turn, it writes those written longest ago, and perhaps reads
    /// one that an instruction just before it writes: many can be under way, and some wait for a register of one.
    pub fn lists(&mut self, rng: &mut Rng) -> (Vec<u8>, Vec<u8>) {
        let (writes, reads) = lengths(rng);
        if !self.in_turn {
            let mut some = |count: u32| (0..count).map(|_| rng.any_of(&self.names)).collect::<Vec<_>>();
            return (some(writes), some(reads));
        }
        let behind = self.next + rng.below(WRITES + 1) as usize;
        let recent = rng.below(2 * reads.max(1));
        let name = |place: usize| self.names[place % 64];
        let mut read = |n: u32| {
            if n == recent {
                name(self.next - 1 - rng.below(RECENT) as usize)
            } else {
                name(behind + rng.below(OLD) as usize)
            }
        };
        let reads = (0..reads).map(&mut read).collect();
        let writes = (self.next..behind).map(name).collect();
        self.next = behind;
        (writes, reads)
    }
}
