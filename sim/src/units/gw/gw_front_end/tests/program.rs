//! Random programs whose control flow depends on the warp and on how often it has been somewhere, never on time.

use crate::graph::SplitMix64;
use crate::units::gw::gw_record::pack;
use crate::units::gw::record::{self, Path};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Plain,
    /// Back to this pc, a few times.
    Loop(u16),
    /// On to this pc, or not; some lanes may part.
    Skip(u16),
    /// The warp halts and goes on behind it.
    Halt,
    End,
}

#[derive(Clone, Debug)]
pub struct Instruction {
    pub record: u128,
    pub writes: Vec<u8>,
    pub reads: Vec<u8>,
    pub path: u8,
    pub scalar: bool,
    pub kind: Kind,
}

impl Instruction {
    pub fn written(&self) -> u64 {
        self.writes.iter().map(|r| 1 << r).fold(0, |all, bit: u64| all | bit)
    }

    pub fn read(&self) -> u64 {
        self.reads.iter().map(|r| 1 << r).fold(0, |all, bit: u64| all | bit)
    }
}

pub struct Program {
    pub instructions: Vec<Instruction>,
    seed: u64,
}

impl Program {
    pub fn random(seed: u64, length: usize) -> Self {
        let mut random = SplitMix64(seed);
        let length = length / 2 + random.below(length);
        let mut instructions: Vec<_> = (0..length).map(|pc| instruction(&mut random, pc, length)).collect();
        instructions[length - 1].kind = Kind::End;
        instructions[length - 1].scalar = false;
        for (pc, instruction) in instructions.iter_mut().enumerate() {
            let Instruction { writes, reads, path, scalar, kind, .. } = instruction;
            let registers = record::pack(writes, reads, PATHS[*path as usize], *scalar);
            instruction.record = pack(registers, *kind == Kind::Plain, pc % 5 == 0);
        }
        Program { instructions, seed }
    }

    /// Anything, but always the same.
    fn fate(&self, warp: usize, pc: u16, visit: u32) -> u64 {
        SplitMix64(self.seed ^ (warp as u64) << 40 ^ (pc as u64) << 20 ^ visit as u64).draw()
    }

    /// The pc behind that of `warp` at `pc`, where it has been `visit` times before, and whether all its lanes go there.
    pub fn next(&self, warp: usize, pc: u16, visit: u32, full: bool) -> (u16, bool) {
        match self.instructions[pc as usize].kind {
            Kind::Loop(to) if (visit as u64) < self.fate(warp, pc, 0) % 4 => (to, full),
            // Half of the time all warps go the same way.
            Kind::Skip(to) => {
                let fate = self.fate(if pc.is_multiple_of(2) { 0 } else { warp }, pc, visit);
                (if fate & 1 == 1 { to } else { pc + 1 }, fate & 6 != 0)
            }
            _ => (pc + 1, full),
        }
    }
}

const PATHS: [Path; 4] = [Path::Sp, Path::Sfu, Path::Dp, Path::Memory];

fn instruction(random: &mut SplitMix64, pc: usize, length: usize) -> Instruction {
    let kind = match random.below(12) {
        0 if pc > 0 => Kind::Loop((pc - 1 - random.below(pc.min(6))) as u16),
        1 => Kind::Skip((pc + 1 + random.below((length - pc - 1).clamp(1, 8))).min(length - 1) as u16),
        2 if random.below(3) == 0 => Kind::Halt,
        _ => Kind::Plain,
    };
    let mut registers = |most: usize| (0..random.below(most + 1)).map(|_| random.below(12) as u8).collect::<Vec<_>>();
    let (writes, reads) = (registers(2), registers(2));
    let path = if random.below(2) == 0 { 0 } else { random.below(4) as u8 };
    let scalar = kind == Kind::Plain && random.below(2) == 0;
    // A scalar that reads nothing brings registers into scalar form.
    let reads = if scalar && random.below(2) == 0 { Vec::new() } else { reads };
    Instruction { record: 0, writes, reads, path, scalar, kind }
}
