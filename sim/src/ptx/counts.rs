//! Comparisons with what votes give in a warp of 32 lanes alone.

use super::op::{Compare, Comparison, IntUnaryOp, Op, Operand};
use super::program::Program;

/// The first comparison of the lanes that a vote gives, or of their number, with a value that a warp of so many lanes never gives; and
/// that value.
pub fn impossible(program: &Program, lanes: u32) -> Option<(u32, u32)> {
    let votes = written_only_by(program, |op| match op {
        Op::Ballot { .. } | Op::ActiveMask { .. } | Op::Match { .. } => true,
        Op::VoteOfMembers { op, .. } => op.is_none(),
        _ => false,
    });
    let counts = written_only_by(program, |op| match op {
        Op::IntUnary { op: IntUnaryOp::Popc, a: Operand::Reg(a), .. } => votes[usize::from(*a)],
        _ => false,
    });
    program.code.iter().enumerate().find_map(|(pc, instr)| {
        let (Op::Setp { compare, .. } | Op::Set { compare, .. }) = &instr.op else { return None };
        let Compare { comparison: Comparison::Eq | Comparison::Ne, a: Operand::Reg(a), b: Operand::Imm(b), .. } =
            compare
        else {
            return None;
        };
        let (slot, value) = (usize::from(*a), program.immediates[usize::from(*b)][0] as u32);
        let never = votes[slot] && value >> lanes != 0 || counts[slot] && value > lanes;
        never.then_some((pc as u32, value))
    })
}

/// For each register, whether it is written, and by such instructions alone.
fn written_only_by(program: &Program, wanted: impl Fn(&Op) -> bool) -> Vec<bool> {
    let (mut by_wanted, mut by_others) = (vec![false; program.slots], vec![false; program.slots]);
    for instr in &program.code {
        let by = if wanted(&instr.op) { &mut by_wanted } else { &mut by_others };
        instr.writes.as_slice().iter().for_each(|slot| by[usize::from(*slot)] = true);
    }
    by_wanted.iter().zip(by_others).map(|(wanted, others)| *wanted && !others).collect()
}
