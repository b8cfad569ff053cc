//! Lanes that come to a barrier while others of their warp are elsewhere.
//!
//! A barrier is for the whole warp but for the lanes that have ended. So the others go first, one side of a branch after the other,
//! where nothing lies before them but their end: a thread that returns early may still have something to do. Afterwards the
//! barrier has its turn again.

use super::simt_stack::{SimtStack, Waiting};
use crate::exec::fault::{Cause, LaneMask};
use crate::exec::{Arrival, Fault, Flow, Memory, WarpInfo};
use crate::ptx::control_flow::{is_of_warp, reaches};
use crate::ptx::op::Op;
use crate::ptx::program::Program;

/// The way on of a warp whose running lanes have executed the barrier at `pc`.
///
/// # Errors
/// [`Cause::BarrierDiverged`] where other lanes of the warp do not end without it.
pub fn gather(
    program: &Program,
    pc: u32,
    arrival: Arrival,
    warp: &WarpInfo,
    stack: &SimtStack,
    memory: &mut Memory,
) -> Result<Flow, Fault> {
    let here = arrival.lanes;
    let elsewhere = stack.live() & !here;
    if elsewhere == 0 {
        if let Some(checker) = &mut memory.checker {
            checker.arrive(warp, arrival);
        }
        return Ok(Flow::Barrier(arrival));
    }
    // Lanes in which the guard of the barrier is false.
    let pass = Waiting { pc: pc + 1, lanes: elsewhere & !waiting_lanes(stack), meet: pc + 1 };
    let mut others = stack.waiting().chain((pass.lanes != 0).then_some(pass));
    match others.next() {
        Some(first) if ends_alone(program, first) && others.all(|other| ends_alone(program, other)) => {
            Ok(Flow::OthersEnd { lanes: first.lanes, pc: first.pc })
        }
        _ => {
            let cause = Cause::BarrierDiverged { id: arrival.id, here: LaneMask(here), elsewhere: LaneMask(elsewhere) };
            Err(Fault::new(program, pc, warp, here.trailing_zeros(), cause))
        }
    }
}

fn waiting_lanes(stack: &SimtStack) -> u32 {
    stack.waiting().fold(0, |lanes, waiting| lanes | waiting.lanes)
}

/// Lanes that are at no barrier, and come to nothing that they would have to execute together with those that are.
fn ends_alone(program: &Program, lanes: Waiting) -> bool {
    let at_barrier = program.code.get(lanes.pc as usize).is_none_or(|instr| matches!(instr.op, Op::Barrier { .. }));
    !at_barrier && !reaches(&program.code, &program.tables, lanes.meet as usize, is_of_warp)
}
