//! Random records of instructions, with few registers so that they depend on each other.

use crate::traffic::Rng;
use sim::units::gw::record::{list, pack, Path, READS, WRITES};

/// Where an instruction may go.
pub const PATHS: [Path; 4] = [Path::Sp, Path::Sfu, Path::Dp, Path::Memory];

/// The registers of a record and what else it says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Instruction {
    /// A bit for each register.
    pub writes: u64,
    pub reads: u64,
    /// As a list of 4.
    pub write_list: u32,
    pub path: u8,
    pub scalar: bool,
    /// As it is on the pins.
    pub record: u128,
}

impl Instruction {
    /// Registers below `registers`; on a list perhaps twice.
    pub fn any(rng: &mut Rng, registers: u32, scalar: bool) -> Self {
        let writes = [0, 1, 1, rng.below(WRITES as u32 + 1)][rng.below(4) as usize];
        let reads = rng.below(READS as u32 + 1) / if rng.one_in(4) { 1 } else { 2 };
        let mut some = |count: u32| (0..count).map(|_| rng.below(registers) as u8).collect::<Vec<_>>();
        let (writes, reads) = (some(writes), some(reads));
        let path = PATHS[rng.below(4) as usize];
        let mask = |numbers: &[u8]| numbers.iter().fold(0, |mask, number| mask | 1 << number);
        Instruction {
            writes: mask(&writes),
            reads: mask(&reads),
            write_list: list(&writes) as u32,
            path: path as u8,
            scalar,
            record: pack(&writes, &reads, path, scalar),
        }
    }
}
