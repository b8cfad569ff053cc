//! Execution with a check: in an instruction that is marked scalar all active lanes must have equal operands.

use super::effect::Effect;
use super::fault::{Cause, Fault};
use super::lanes::each;
use super::registers::Registers;
use super::spaces::Spaces;
use super::warp::{Scratch, WarpInfo};
use crate::ptx::isa::Slot;
use crate::ptx::program::Program;

/// As [`super::execute`], but where an instruction is scalar ([`crate::ptx::scalar`]) all active lanes must have equal
/// operands and results, and where the programmer claims that it gives one value, all executing lanes must have equal results.
///
/// # Errors
/// [`Cause::NotScalar`] and [`Cause::FalseClaim`], besides those of [`super::execute`].
pub fn execute_checked<'s>(
    program: &Program,
    pc: u32,
    lanes: u32,
    warp: &WarpInfo,
    regs: &mut Registers,
    spaces: &mut Spaces,
    scratch: &'s mut Scratch,
) -> Result<Effect<'s>, Fault> {
    let instr = &program.code[pc as usize];
    let (scalar, claimed) = (program.scalars.is_scalar(pc), program.scalars.is_claimed(pc));
    let fault = |difference: Difference, role| {
        let Difference { lanes, values, .. } = difference;
        let instruction = format!("{:?}", instr.op);
        let cause = match scalar {
            true => Cause::NotScalar { instruction, role, lanes, values },
            false => Cause::FalseClaim { instruction, lanes, values },
        };
        Fault::new(program, pc, warp, lanes[1], cause)
    };
    if scalar {
        if let Some(difference) = difference(regs, instr.reads.as_slice(), lanes) {
            return Err(fault(difference, "an operand"));
        }
    }
    let effect = super::execute(program, pc, lanes, warp, regs, spaces, scratch)?;
    if scalar || claimed {
        if let Some(difference) = difference(regs, instr.writes.as_slice(), effect.lanes) {
            return Err(fault(difference, "the result"));
        }
    }
    Ok(effect)
}

/// Two lanes that hold different values in a register.
struct Difference {
    lanes: [u32; 2],
    values: [u64; 2],
}

fn difference(regs: &Registers, slots: &[Slot], lanes: u32) -> Option<Difference> {
    let first = each(lanes).next()?;
    slots.iter().find_map(|slot| {
        // A slot is a value or a predicate; as the other it is zero.
        let value = |lane: usize| regs.get(*slot, lane) | u64::from(regs.predicate(*slot) >> lane & 1);
        let other = each(lanes).find(|lane| value(*lane) != value(first))?;
        Some(Difference { lanes: [first, other].map(|lane| lane as u32), values: [value(first), value(other)] })
    })
}
