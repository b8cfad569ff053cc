//! `.pragma "scalar"` to `.pragma "scalar end"` (Graph-Waving, 5.2.1: `#pragma SCALAR`): what is computed there is the same for
//! all lanes of a warp, the programmer says.
//!
//! Between stands what the PTX has between, whatever the flow of control; regions may nest, each in one function. Every result
//! there counts as uniform, but for those that are a lane's *own* by definition: its number, what it got and no other did (the
//! old value of an atomic, the answer of a system), and what sums and products make of these. So in
//! `(%ctaid.x * %ntid.x + %tid.x) / WARP_SZ` the quotient is what is promised, and addresses of single lanes that a compiler
//! moves in between are no lies. Nor does a promise help where a guard lets only some lanes write.

use super::instr::{Instr, Pragma};
use super::op::{FloatOp, FloatUnaryOp, IntOp, IntUnaryOp, Op, Operand};
use std::ops::Range;

const BEGIN: &str = "scalar";
const END: &str = "scalar end";

/// Instructions between the pragmas of a function, outermost pairs only.
///
/// # Errors
/// Line and message, if one of a pair is missing.
pub fn regions(pragmas: &[Pragma]) -> Result<Vec<Range<u32>>, (u32, String)> {
    let (mut regions, mut open) = (Vec::new(), Vec::new());
    for pragma in pragmas {
        match pragma.text.as_str() {
            BEGIN => open.push(pragma),
            END => {
                let Some(begin) = open.pop() else {
                    let message = format!("`.pragma \"{END}\"` ends nothing: no `.pragma \"{BEGIN}\"` is open here");
                    return Err((pragma.line, message));
                };
                if open.is_empty() {
                    regions.push(begin.pc..pragma.pc);
                }
            }
            _ => {}
        }
    }
    match open.pop() {
        Some(begin) => {
            let message = format!("`.pragma \"{BEGIN}\"` has no `.pragma \"{END}\"` in this function");
            Err((begin.line, message))
        }
        None => Ok(regions),
    }
}

/// For each instruction whether its results are promised to be uniform.
pub fn claims(code: &[Instr], slots: usize, regions: &[Range<u32>]) -> Vec<bool> {
    if regions.is_empty() {
        return vec![false; code.len()];
    }
    let own = own_registers(code, slots);
    let promised = |pc: usize| regions.iter().any(|region| region.contains(&(pc as u32)));
    let claimed = |(pc, instr): (usize, &Instr)| {
        // A reduction at a barrier comes later, and needs no promise.
        let gives = !instr.writes.as_slice().is_empty() && !matches!(instr.op, Op::Barrier { .. });
        promised(pc) && gives && !is_own(&instr.op, &own)
    };
    code.iter().enumerate().map(claimed).collect()
}

/// Registers that hold a lane's own value somewhere in the kernel. That they may hold another elsewhere does not matter: a
/// promise less is never wrong.
fn own_registers(code: &[Instr], slots: usize) -> Vec<bool> {
    let mut own = vec![false; slots];
    let mut changed = true;
    while changed {
        changed = false;
        for instr in code {
            if is_own(&instr.op, &own) {
                for slot in instr.writes.as_slice() {
                    changed |= !std::mem::replace(&mut own[*slot as usize], true);
                }
            }
        }
    }
    own
}

/// The operation gives each lane its own value: by itself, or by computing something else for each from such a value.
fn is_own(op: &Op, own: &[bool]) -> bool {
    let is = |operand: Operand| matches!(operand, Operand::Reg(slot) if own[slot as usize]);
    match *op {
        Op::ReadSpecial { register, .. } => !register.is_uniform(),
        Op::Atomic(_) => true,
        Op::System(ref op) => op.code.gives_own_values(),
        // The difference of two such values may be the same for all, as with a thread's number and its lane's.
        Op::Int { op: IntOp::Sub | IntOp::Xor, a, b, .. } => is(a) != is(b),
        Op::Float { op: FloatOp::Sub, a, b, .. } => is(a) != is(b),
        Op::Int { op: IntOp::Add | IntOp::MulLo | IntOp::Shl | IntOp::Or, a, b, .. } => is(a) || is(b),
        Op::Float { op: FloatOp::Add | FloatOp::Mul, a, b, .. } | Op::MulWide { a, b, .. } => is(a) || is(b),
        Op::Mad { a, b, c, .. } | Op::Fma { a, b, c, .. } => is(a) || is(b) || is(c),
        Op::IntUnary { op: IntUnaryOp::Neg | IntUnaryOp::Not, a, .. } => is(a),
        Op::FloatUnary { op: FloatUnaryOp::Neg, a, .. } => is(a),
        Op::Move { a, .. } | Op::Convert { a, .. } | Op::Unpack { a, .. } => is(a),
        Op::Pack { ref parts, count, .. } => parts[..count as usize].iter().any(|part| is(*part)),
        _ => false,
    }
}
