//! Divergence analysis: which registers hold the same value in all lanes that run together.
//!
//! After Coutinho et al., "Divergence Analysis and Optimizations", PACT 2011, as a forward data-flow analysis, as registers of
//! PTX are written more than once. The fact at an instruction is a set of *uniform* registers: whenever a warp comes to the
//! instruction, they are equal in all lanes that are active then. It starts with every register undefined, hence divergent,
//! and flows along the edges of the control flow; where several meet, a register is uniform if it is on each of them.
//!
//! That is right as long as lanes move together: a step to the next instruction, a branch that all take, and a side of a
//! divergent branch, whose lanes are some of those that were uniform before. What remains are the places where the SIMT stack
//! ([`crate::core::simt_stack`]) unites lanes that came different ways, and these are the immediate post-dominators of
//! divergent branches alone. There, only what was uniform at the branch and *is written nowhere between* is taken as uniform.
//! Between are the instructions that can be reached from the branch without passing the place where it reconverges: both
//! sides of an if, all of a loop that lanes leave in different iterations. So this one rule is control dependence as well as
//! temporal divergence, and it asks nothing of the shape of the graph: irreducible loops and branches by a table (which
//! indirect calls are) are nothing special, calls are branches to a copy of the function.

use super::control_flow::successors;
use super::instr::{BranchTable, Instr};
use super::isa::{Slot, Space, WARP_SIZE};
use super::op::{Load, MemorySpace, Op, Operand, ShuffleMode, SpecialRegister};

/// A set of registers, one bit a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform(Vec<u64>);

impl Uniform {
    fn none(slots: usize) -> Self {
        Uniform(vec![0; slots.div_ceil(64)])
    }

    fn contains(&self, slot: Slot) -> bool {
        self.0[slot as usize / 64] >> (slot % 64) & 1 == 1
    }

    pub fn covers(&self, slots: &[Slot]) -> bool {
        slots.iter().all(|slot| self.contains(*slot))
    }

    fn set(&mut self, slot: Slot, uniform: bool) {
        let (word, bit) = (&mut self.0[slot as usize / 64], 1 << (slot % 64));
        *word = if uniform { *word | bit } else { *word & !bit };
    }
}

/// Takes from a set what is not in the other one; `None` is a place that nothing leads to. Gives whether it has changed.
fn meet(at: &mut Option<Uniform>, with: &Uniform) -> bool {
    let Some(set) = at else {
        *at = Some(with.clone());
        return true;
    };
    let mut changed = false;
    for (a, b) in set.0.iter_mut().zip(&with.0) {
        changed |= *a & !b != 0;
        *a &= b;
    }
    changed
}

/// The parts of a kernel that the analysis needs.
pub struct Analysis<'a> {
    pub code: &'a [Instr],
    pub tables: &'a [BranchTable],
    pub immediates: &'a [[u64; WARP_SIZE]],
    /// Register slots of a thread.
    pub slots: usize,
    /// The kernel has local memory: a generic address may lead there.
    pub has_local: bool,
    /// Instructions whose results the programmer has promised to be uniform.
    pub claims: &'a [bool],
}

impl Analysis<'_> {
    /// For each instruction the registers that are uniform before it, or `None` if nothing leads there.
    pub fn run(&self) -> Vec<Option<Uniform>> {
        let end = self.code.len();
        let mut before = vec![None; end + 1];
        let mut written = vec![None; end];
        before[0] = Some(Uniform::none(self.slots));
        let mut changed = true;
        while changed {
            changed = false;
            for pc in 0..end {
                let Some(here) = before[pc].clone() else { continue };
                let after = self.after(pc, &here);
                for successor in successors(self.code, self.tables, pc) {
                    changed |= meet(&mut before[successor], &after);
                }
                if self.diverges(pc, &here) {
                    let written = written[pc].get_or_insert_with(|| self.written_between(pc));
                    changed |= meet(&mut before[self.code[pc].reconverge as usize], &without(here, written));
                }
            }
        }
        before.truncate(end);
        before
    }

    fn after(&self, pc: usize, before: &Uniform) -> Uniform {
        let instr = &self.code[pc];
        let mut after = before.clone();
        let value = (self.claims[pc] || self.gives_one_value(&instr.op, before)) && !self.guard_diverges(pc, before);
        for slot in instr.writes.as_slice() {
            // Where the guard is false the old value stays.
            let old = instr.guard.is_none() || before.contains(*slot);
            after.set(*slot, value && old);
        }
        after
    }

    fn guard_diverges(&self, pc: usize, before: &Uniform) -> bool {
        self.code[pc].guard.is_some_and(|guard| !before.contains(guard.slot))
    }

    /// Lanes may go different ways.
    fn diverges(&self, pc: usize, before: &Uniform) -> bool {
        match self.code[pc].op {
            Op::Branch { .. } | Op::BranchTable { .. } => !before.covers(self.code[pc].reads.as_slice()),
            _ => false,
        }
    }

    /// Registers that are written between a branch and the place where it reconverges.
    fn written_between(&self, branch: usize) -> Uniform {
        let mut written = Uniform::none(self.slots);
        let mut seen = vec![false; self.code.len() + 1];
        seen[self.code.len()] = true;
        seen[self.code[branch].reconverge as usize] = true;
        let mut open = vec![branch];
        while let Some(pc) = open.pop() {
            for slot in self.code[pc].writes.as_slice() {
                written.set(*slot, true);
            }
            for successor in successors(self.code, self.tables, pc) {
                if !std::mem::replace(&mut seen[successor], true) {
                    open.push(successor);
                }
            }
        }
        written
    }

    /// All lanes that execute the operation get the same result.
    fn gives_one_value(&self, op: &Op, before: &Uniform) -> bool {
        match op {
            Op::ReadSpecial { register, .. } => register.is_uniform(),
            // Lanes, or threads of the CTA, are counted together.
            Op::Vote { .. } | Op::Ballot { .. } | Op::ActiveMask { .. } | Op::Barrier { .. } => true,
            Op::VoteOfMembers { members, .. } | Op::Reduce { members, .. } => is_uniform(members, before),
            // Lanes that have different values get different masks.
            Op::Match { all, members, .. } => *all && is_uniform(members, before),
            // Each lane gets its own.
            Op::Atomic(_) | Op::System(_) => false,
            // Texels may change while lanes read them one after the other.
            Op::Surface(_) => false,
            Op::Shuffle { mode, b, c, .. } => {
                *mode == ShuffleMode::Index && is_uniform(b, before) && self.is_whole_warp(*c)
            }
            Op::Load(load) => self.reads_one_word(load) && before.covers(op.reads().as_slice()),
            _ => before.covers(op.reads().as_slice()),
        }
    }

    /// A load in which equal addresses are the same place. A warp reads it once, so that all get the same even if it changes.
    /// Local memory has as many places as lanes.
    pub fn reads_one_word(&self, load: &Load) -> bool {
        match load.address.space {
            MemorySpace::Known(Space::Local) => false,
            MemorySpace::Known(Space::Param | Space::Const | Space::Global | Space::Shared) => true,
            MemorySpace::Generic => !self.has_local,
        }
    }

    /// The last operand of a shuffle that lets every lane read every lane, on warps of any size.
    fn is_whole_warp(&self, c: Operand) -> bool {
        const CLAMP_AND_SEGMENT: u64 = 0x1F1F;
        const ALL_LANES: u64 = 0x1F;
        match c {
            Operand::Imm(index) => self.immediates[index as usize].iter().all(|c| c & CLAMP_AND_SEGMENT == ALL_LANES),
            Operand::Reg(_) => false,
        }
    }
}

fn is_uniform(operand: &Operand, before: &Uniform) -> bool {
    match operand {
        Operand::Reg(slot) => before.contains(*slot),
        Operand::Imm(_) => true,
    }
}

fn without(mut set: Uniform, other: &Uniform) -> Uniform {
    for (a, b) in set.0.iter_mut().zip(&other.0) {
        *a &= !b;
    }
    set
}

impl SpecialRegister {
    /// All lanes of a warp read the same. So they do `%clock`, which is read once for the warp. `%tid` is in none of its
    /// dimensions the same: how many threads a row of the CTA has is not known before the launch.
    pub fn is_uniform(self) -> bool {
        match self {
            SpecialRegister::Tid(_) | SpecialRegister::LaneId => false,
            SpecialRegister::LaneMaskEq | SpecialRegister::LaneMaskLe | SpecialRegister::LaneMaskLt => false,
            SpecialRegister::LaneMaskGe | SpecialRegister::LaneMaskGt => false,
            SpecialRegister::Ntid(_) | SpecialRegister::Ctaid(_) | SpecialRegister::Nctaid(_) => true,
            SpecialRegister::WarpId | SpecialRegister::NumWarpId | SpecialRegister::GridWarpId => true,
            SpecialRegister::SmId | SpecialRegister::NumSmId | SpecialRegister::GridId => true,
            SpecialRegister::Clock | SpecialRegister::ClockHigh | SpecialRegister::Clock64 => true,
            SpecialRegister::GlobalTimer | SpecialRegister::GlobalTimerLow | SpecialRegister::GlobalTimerHigh => true,
            SpecialRegister::DynamicSharedBytes | SpecialRegister::TotalSharedBytes => true,
        }
    }
}
