//! Random records of instructions, with few registers so that they depend on each other.

use crate::stimulus::Rng;

/// Registers on the lists of a record.
pub const WRITES: u32 = 4;
pub const READS: u32 = 6;
/// Fields of a record from bit 0 up, by docs/graph-waving.md: the lists, then these.
const PATH: u32 = 7 * (WRITES + READS);
const SCALAR: u32 = PATH + 2;
pub const PLAIN: u32 = SCALAR + 1;
pub const MEETS: u32 = PLAIN + 1;

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
        let (writes, reads) = lengths(rng);
        let mut some = |count: u32| (0..count).map(|_| rng.below(registers) as u8).collect::<Vec<_>>();
        let (writes, reads) = (some(writes), some(reads));
        Instruction::of(rng, &writes, &reads, scalar)
    }

    /// With these registers on its lists.
    pub fn of(rng: &mut Rng, writes: &[u8], reads: &[u8], scalar: bool) -> Self {
        let path = rng.below(4) as u8;
        let mask = |numbers: &[u8]| numbers.iter().fold(0, |mask, number| mask | 1 << number);
        Instruction {
            writes: mask(writes),
            reads: mask(reads),
            write_list: list(writes) as u32,
            path,
            scalar,
            record: list(writes)
                | list(reads) << (7 * WRITES)
                | u128::from(path) << PATH
                | u128::from(scalar) << SCALAR,
        }
    }
}

/// Numbers of registers that an instruction writes and reads.
pub fn lengths(rng: &mut Rng) -> (u32, u32) {
    let writes = [0, 1, 1, rng.below(WRITES + 1)][rng.below(4) as usize];
    let reads = rng.below(READS + 1) / if rng.one_in(4) { 1 } else { 2 };
    (writes, reads)
}

/// Lists whose places without a register have any number.
pub fn with_any_number_elsewhere(rng: &mut Rng, lists: u128, places: u32) -> u128 {
    let is_there = |place: u32| lists >> (7 * place + 6) & 1 == 1;
    let free = (0..places).filter(|place| !is_there(*place));
    lists | free.map(|place| u128::from(rng.below(64)) << (7 * place)).fold(0, |all, number| all | number)
}

/// Seven bits a register: its number, and above it that it is there.
fn list(numbers: &[u8]) -> u128 {
    numbers.iter().rev().fold(0, |list, number| list << 7 | 1 << 6 | u128::from(*number))
}
