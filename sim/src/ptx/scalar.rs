//! Scalar instructions (Graph-Waving, 5.2): those in which one lane's work stands for the warp's.
//!
//! An instruction is *scalar* if, whenever a warp executes it, all active lanes have equal operands, the guard among them, and
//! so get one result. That is known before the kernel runs, from the divergence analysis and from what the programmer
//! promises ([`super::promises`]). [`crate::exec::execute_checked`] finds out by executing
//! whether it is true.

use super::divergence::Analysis;
use super::instr::{BranchTable, Instr};
use super::isa::WARP_SIZE;
use super::op::Op;
use super::promises;
use std::ops::Range;

/// Flags of each instruction of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalars {
    scalar: Vec<bool>,
    claimed: Vec<bool>,
}

impl Scalars {
    /// One lane's work stands for the warp's: operands and results are equal in all active lanes.
    #[inline(always)]
    pub fn is_scalar(&self, pc: u32) -> bool {
        self.scalar[pc as usize]
    }

    /// The programmer's word: the results are equal in all lanes that execute it, whatever its operands are.
    #[inline(always)]
    pub fn is_claimed(&self, pc: u32) -> bool {
        self.claimed[pc as usize]
    }
}

/// Finds the scalar instructions. In `regions` the programmer promises uniform results; whether an instruction is scalar there
/// is asked of its operands like everywhere.
pub fn find(
    code: &[Instr],
    tables: &[BranchTable],
    immediates: &[[u64; WARP_SIZE]],
    slots: usize,
    has_local: bool,
    regions: &[Range<u32>],
) -> Scalars {
    let claimed = promises::claims(code, slots, regions);
    let analysis = Analysis { code, tables, immediates, slots, has_local, claims: &claimed };
    let before = analysis.run();
    let scalar = code.iter().zip(before).map(|(instr, before)| {
        before.is_some_and(|uniform| stands_for_warp(&analysis, &instr.op) && uniform.covers(instr.reads.as_slice()))
    });
    Scalars { scalar: scalar.collect(), claimed }
}

/// The operation can be scalar: it makes one value of equal operands, to be had by one lane and kept in one place, or
/// chooses one way for the warp. A front end may give it to one lane per warp.
fn stands_for_warp(analysis: &Analysis, op: &Op) -> bool {
    match op {
        // Arithmetic, comparisons, selections, conversions and moves.
        Op::Int { .. } | Op::IntUnary { .. } | Op::MulWide { .. } | Op::Mad { .. } | Op::Carry { .. } => true,
        Op::Sad { .. } | Op::Float { .. } | Op::FloatUnary { .. } | Op::Fma { .. } => true,
        Op::Lop3 { .. } | Op::Dot(_) => true,
        Op::Bfe { .. } | Op::Bfi { .. } | Op::Prmt { .. } | Op::Funnel { .. } => true,
        Op::Setp { .. } | Op::Set { .. } | Op::Testp { .. } | Op::IsSpace { .. } => true,
        Op::Selp { .. } | Op::Slct { .. } | Op::PredicateLogic { .. } | Op::PredicateMove { .. } => true,
        Op::Move { .. } | Op::Pack { .. } | Op::Unpack { .. } | Op::Convert { .. } => true,
        // The special register is its operand.
        Op::ReadSpecial { register, .. } => register.is_uniform(),
        // One request, one word, for all.
        Op::Load(load) => analysis.reads_one_word(load),
        // All lanes go the same way: the warp's next instruction is one lane's.
        Op::Branch { .. } | Op::BranchTable { .. } => true,
        // No value is saved by one lane: equal addresses are one request already, and the place of a store among those of
        // other warps is not for one instruction of all to choose.
        Op::Store(_) => false,
        // A fetch is a load of the lanes' own texels. One texel for all is what a load from memory is for.
        Op::Texture(_) | Op::TextureQuery(_) | Op::Surface(_) => false,
        // Each lane prints, or gets its own.
        Op::Builtin(_) => false,
        // Every lane's counts.
        Op::Atomic(_) => false,
        // The result depends on which lanes there are, or on what others of them hold.
        Op::Vote { .. } | Op::Ballot { .. } | Op::ActiveMask { .. } | Op::Shuffle { .. } => false,
        Op::VoteOfMembers { .. } | Op::Match { .. } | Op::Reduce { .. } => false,
        // They concern the warp, not a value: that it ends, waits, or has its memory accesses in order.
        Op::Exit | Op::Trap | Op::Barrier { .. } | Op::Fence | Op::SyncLanes { .. } => false,
        // Each lane gives or gets its own; the rest is done once for the core.
        Op::System(_) => false,
        // Nothing to compute.
        Op::Nop => false,
    }
}
