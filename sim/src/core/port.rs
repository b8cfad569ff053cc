//! The place of a system in a core: its instructions in, answers to registers out.
//!
//! [`Port`] is a system's side of one core. An instruction comes to it straight from issue ([`super::path::Path::Port`]), or by way of the
//! operand collector and the load-store unit. The core asks for answers at the start of a cycle, behind the results of arithmetic.

use super::in_flight::InFlight;
use super::kernel::Kernel;
use super::residents::Residents;
use crate::exec::{self, Access};
use crate::mem::request::Request;
use crate::mem::system::MemorySystem;
use crate::ptx::instr::Instr;
use crate::ptx::isa::{Class, WARP_SIZE};
use crate::ptx::op::Op;
use crate::stats::Stats;
use std::any::Any;
use std::collections::hash_map::DefaultHasher;

/// Parts of its core that a port reaches when it answers.
pub struct Answers<'a> {
    pub kernel: &'a Kernel<'a>,
    pub(super) residents: &'a mut Residents,
    pub(super) progress: &'a mut u64,
}

impl Answers<'_> {
    /// An instruction is over: its destinations are written in these lanes, each with a row of `values`.
    pub fn write(&mut self, op: InFlight, lanes: u32, values: &[[u64; WARP_SIZE]]) {
        let program = self.kernel.program;
        let Op::System(instr) = program.code[op.pc as usize].op else { return };
        for (warp, first) in op.warps(self.kernel.warp_size) {
            let lanes = self.of_warp(lanes, first);
            let registers = &mut self.residents.warps[warp].registers;
            for (dst, values) in instr.results.iter().zip(values) {
                if let Some(dst) = *dst {
                    exec::write_back(program, dst, lanes, &from_lane(values, first), registers);
                }
            }
        }
        self.complete(op);
    }

    /// The lanes of a warp whose first lane is this one of an instruction's.
    fn of_warp(&self, lanes: u32, first: usize) -> u32 {
        lanes >> first & (u32::MAX >> (WARP_SIZE - self.kernel.warp_size))
    }

    /// An instruction without destination is over.
    pub fn complete(&mut self, op: InFlight) {
        self.residents.complete(op, self.kernel);
    }

    /// Something has happened that other warps can notice.
    pub fn progress(&mut self) {
        *self.progress += 1;
    }
}

/// The values of the lanes from this one on.
fn from_lane(values: &[u64; WARP_SIZE], first: usize) -> [u64; WARP_SIZE] {
    std::array::from_fn(|lane| values.get(first + lane).copied().unwrap_or_default())
}

/// An instruction at the head of the load-store unit: of one warp, or of two neighbours, whose lanes lie side by side.
pub struct Head<'a> {
    pub op: InFlight,
    pub lanes: u32,
    /// Its destinations.
    pub results: u8,
    /// Its operands, by lane.
    pub operands: &'a [[u32; WARP_SIZE]; 2],
    /// The request that [`Port::request`] made at issue.
    pub request: Option<Request>,
}

/// A system's side of one core.
pub trait Port: Any {
    /// The system, as in "waits for an answer of NAME".
    fn name(&self) -> &'static str;

    /// One more instruction can come straight from issue.
    fn has_room(&self) -> bool {
        true
    }

    /// An instruction comes straight from issue; these lanes want an answer in so many registers, and there is at least one.
    fn issue(&mut self, _op: InFlight, _lanes: u32, _results: u8) {}

    /// The request that an instruction sends when it comes to the head of the load-store unit. Called at issue.
    fn request(&mut self, _op: InFlight, _instr: &Instr, _lanes: u32) -> Option<Request> {
        None
    }

    /// Takes the instruction at the head of the load-store unit; false: not in this cycle.
    fn take(&mut self, _head: &Head, _mem: &mut MemorySystem) -> bool {
        true
    }

    /// Changes an atomic on global memory before it is coalesced; false: not in this cycle. Other accesses have had their effect at
    /// issue.
    fn change(&mut self, _op: InFlight, _access: &mut Access) -> bool {
        true
    }

    /// A reply from the network has come: the tag of what the port read, or the text of a message.
    fn receive(&mut self, _tag: u32) {}

    /// The answers of this cycle. True if there were any.
    fn answer(&mut self, _answers: &mut Answers) -> bool {
        false
    }

    /// Drives the unit's pins at the end of a cycle of the core.
    fn drive(&mut self) {}

    /// These lanes of the warp have ended.
    fn end(&mut self, _warp: u16, _lanes: u32) {}

    /// The core may sleep.
    fn is_idle(&self) -> bool {
        true
    }

    /// Lanes of the warp that wait for an answer which depends on other warps.
    fn asking(&self, _warp: u16) -> u32 {
        0
    }

    /// Hint on a warp, `running` lanes of which go round a loop of instructions of these classes.
    fn hint(&self, _warp: u16, _running: u32, _body: &[Class]) -> Option<String> {
        None
    }

    /// Adds what other warps can notice of the port's state.
    fn trace(&self, _state: &mut DefaultHasher) {}

    /// Adds the port's counters.
    fn count(&self, _stats: &mut Stats) {}
}
