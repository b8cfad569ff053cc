//! Random programs: loops, jumps, barriers, runs of scalars. A part begins at pc 0, the rest is far away.

use super::records::{Instruction, MEETS, PLAIN};
use super::registers::Registers;
use crate::stimulus::Rng;

/// Slow units are not slow any more behind so many cycles without any issue.
pub const STUCK: u64 = 100;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Flow {
    Next,
    /// Taken or not, to an instruction.
    Branch(usize),
    Jump(usize),
    Halt,
    /// The warp ends, or not.
    Exit,
    End,
}

/// Next step of a warp after an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Then {
    GoesOn(u16),
    Halts(u16),
    Ends,
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    instructions: Vec<(Instruction, Flow)>,
    /// Instructions of the first part, and the pc at which the second one begins.
    near: usize,
    far: u16,
    salt: u64,
    writes_in_turn: bool,
}

/// Instructions of a program.
const SHORTEST: u32 = 16;
const LONGEST: u32 = 200;
/// Branches go so far at most.
const REACH: u32 = 24;

impl Program {
    pub fn any(rng: &mut Rng) -> Self {
        let length = match rng.below(3) {
            0 => SHORTEST + rng.below(16),
            1 => SHORTEST + rng.below(64),
            _ => LONGEST - rng.below(64),
        } as usize;
        let mut registers = Registers::any(rng);
        let writes_in_turn = registers.in_turn;
        let scalars = rng.any_of(&[0, 8, 20]);
        let (branches, halts) = (rng.any_of(&[6, 12, 40]), rng.any_of(&[16, 60, 400]));
        let near = length / 2;
        let mut run = 0;
        let one = |i: usize| {
            let flow = match () {
                () if i + 1 == length => Flow::End,
                () if i + 1 == near => Flow::Jump(near),
                () if rng.one_in(branches) => Flow::Branch(near_by(rng, i, length)),
                () if rng.one_in(halts) => Flow::Halt,
                () if rng.one_in(100) => Flow::Exit,
                () => Flow::Next,
            };
            run = if scalars > 0 && rng.one_in(8) { rng.below(scalars) } else { u32::saturating_sub(run, 1) };
            let (writes, reads) = registers.lists(rng);
            (Instruction::of(rng, &writes, &reads, run > 0 && flow == Flow::Next), flow)
        };
        let instructions = (0..length).map(one).collect();
        let far = rng.any_of(&[near as u16, 1024, 0x7ff8, 0xff00]);
        Program { instructions, near, far, salt: rng.draw(), writes_in_turn }
    }

    /// Many instructions of a warp can be under way.
    pub fn writes_in_turn(&self) -> bool {
        self.writes_in_turn
    }

    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    fn pc(&self, index: usize) -> u16 {
        match index.checked_sub(self.near) {
            None => index as u16,
            Some(behind) => self.far + behind as u16,
        }
    }

    /// The number of the instruction at a pc.
    pub fn index(&self, pc: u16) -> Option<usize> {
        if usize::from(pc) < self.near {
            return Some(pc.into());
        }
        let index = self.near + usize::from(pc.checked_sub(self.far)?);
        (index < self.instructions.len()).then_some(index)
    }

    pub fn instruction(&self, index: usize) -> &Instruction {
        &self.instructions[index].0
    }

    /// The next instruction does not always follow at once.
    pub fn turns(&self, index: usize) -> bool {
        self.instructions[index].1 != Flow::Next
    }

    /// The records of a line.
    pub fn line(&self, line: u16) -> [u128; 2] {
        let record = |index: usize| {
            let (plain, meets) = (u128::from(!self.turns(index)), u128::from(self.meets(index)));
            self.instructions[index].0.record | plain << PLAIN | meets << MEETS
        };
        [2 * line, 2 * line + 1].map(|pc| self.index(pc).map_or(0, record))
    }

    /// The records of a line, as the baseline has them: without where a warp goes on.
    pub fn line_of_baseline(&self, line: u16) -> [u128; 2] {
        let record = |pc| self.index(pc).map_or(0, |index| self.instructions[index].0.record);
        [record(2 * line), record(2 * line + 1)]
    }

    /// Behind the instruction a warp goes on at pc + 1 at once.
    pub fn is_plain(&self, index: usize, full: bool) -> bool {
        !self.turns(index) && (full || !self.meets(index))
    }

    /// Behind the instruction parted lanes may meet.
    fn meets(&self, index: usize) -> bool {
        Rng::new(self.salt.wrapping_add(index as u64)).one_in(4)
    }

    /// Next step of a warp after its `steps`-th instruction. Warps that came the same way mostly go the same way; one
    /// that is to come to its end goes forward.
    pub fn then(&self, rng: &mut Rng, index: usize, steps: u32, hurries: bool) -> Then {
        let key = self.salt ^ (index as u64) << 32 ^ u64::from(steps);
        let taken = if rng.one_in(32) { rng.one_in(2) } else { !Rng::new(key).one_in(3) };
        let next = |index| Then::GoesOn(self.pc(index));
        match self.instructions[index].1 {
            Flow::Branch(target) if taken && (!hurries || target > index) => next(target),
            Flow::Jump(target) => next(target),
            Flow::Halt => Then::Halts(self.pc(index + 1)),
            Flow::Exit if hurries || !taken => Then::Ends,
            Flow::End => Then::Ends,
            Flow::Next | Flow::Branch(_) | Flow::Exit => next(index + 1),
        }
    }
}

/// Where a branch goes.
fn near_by(rng: &mut Rng, from: usize, length: usize) -> usize {
    let first = from.saturating_sub(REACH as usize);
    (first + rng.below(2 * REACH) as usize).min(length - 1)
}
