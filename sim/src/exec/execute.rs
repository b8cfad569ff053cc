//! Executes one warp instruction.

use super::effect::Effect;
use super::fault::Fault;
use super::registers::Registers;
use super::warp::{Scratch, Spaces, WarpInfo};
use crate::ptx::program::{Program, WARP_SIZE};

/// Executes the instruction at `pc` for the active `lanes`, its guard included.
///
/// Registers, loads and stores are done when this returns. Atomics on global memory are not: `scratch.access` has their
/// operands, [`super::atomic::apply`] does them and [`write_back`] writes what they found. `scratch.executed` says
/// which lanes took part.
pub fn execute(
    program: &Program,
    pc: u32,
    lanes: u32,
    warp: &WarpInfo,
    regs: &mut Registers,
    spaces: &mut Spaces,
    scratch: &mut Scratch,
) -> Result<Effect, Fault> {
    let _ = (program, pc, lanes, warp, regs, spaces, scratch);
    unimplemented!()
}

/// Writes the late results of the instruction at `pc` (an atomic or a `wlpull`) for `lanes`.
pub fn write_back(program: &Program, pc: u32, lanes: u32, values: &[u64; WARP_SIZE], regs: &mut Registers) {
    let _ = (program, pc, lanes, values, regs);
    unimplemented!()
}
