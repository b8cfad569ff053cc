//! A unit of the user's own at each core: calls from warps in, answers and requests to memory out (docs/own-unit.md).
//!
//! The system drives the pins of every core's unit, has its requests to memory served, and holds the unit to the rules of its pins. A
//! unit's clock stands still while there is nothing for it to do.

use super::system::{Cycle, Instructions, Start, System};
use crate::core::port::{Answers, Head, Port};
use crate::core::Core;
use crate::launch::RunError;
use crate::mem::system::MemorySystem;
use crate::ptx::instr::Instr;
use crate::ptx::op::Op;
use crate::ptx::system_op::{SystemCode, SystemOp};
use crate::unit::Unit;
use pins::{OwnIn, OwnOut};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hash;
use std::rc::Rc;
use unit::CoreUnit;

mod calls;
pub(super) mod memory;
pub mod pins;
pub(super) mod rules;
mod unit;

/// A body of a unit.
pub type Body = Box<dyn Unit<In = OwnIn, Out = OwnOut>>;

/// What has gone over the pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Calls that the unit has taken, and their lanes.
    pub calls: u64,
    pub lanes: u64,
    /// Answers, each for some lanes of a call.
    pub answers: u64,
    /// Cycles of its clock.
    pub cycles: u64,
    /// Cycles in which a call waited for `request_ready`.
    pub request_wait_cycles: u64,
    pub memory_reads: u64,
    pub memory_writes: u64,
    /// Cycles in which a request waited for `memory_ready`.
    pub memory_wait_cycles: u64,
    /// Cycles in which data waited for `reply_ready`.
    pub reply_wait_cycles: u64,
}

impl Traffic {
    /// Adds that of other units.
    pub fn add(&mut self, other: &Traffic) {
        self.calls += other.calls;
        self.lanes += other.lanes;
        self.answers += other.answers;
        self.cycles += other.cycles;
        self.request_wait_cycles += other.request_wait_cycles;
        self.memory_reads += other.memory_reads;
        self.memory_writes += other.memory_writes;
        self.memory_wait_cycles += other.memory_wait_cycles;
        self.reply_wait_cycles += other.reply_wait_cycles;
    }
}

/// Adds the counters of one more unit.
pub fn add_counters(sum: &mut Vec<u64>, counters: &[u64]) {
    sum.resize(sum.len().max(counters.len()), 0);
    sum.iter_mut().zip(counters).for_each(|(sum, counter)| *sum = sum.wrapping_add(*counter));
}

/// Calls of a unit.
pub(super) static INSTRUCTIONS: Instructions = Instructions {
    takes,
    missing: |_| "calls a unit, and the cores have none; add one with --unit MODULE=FILE.v (docs/own-unit.md)",
};

fn takes(instr: &Instr) -> bool {
    operation(instr).is_some()
}

/// The operation that the instruction calls of a unit.
fn operation(instr: &Instr) -> Option<u8> {
    let Op::System(SystemOp { code: SystemCode::UnitCall { operation }, .. }) = instr.op else { return None };
    Some(operation)
}

/// The units of all cores.
pub struct OwnUnitSystem {
    name: String,
    units: Vec<Rc<RefCell<CoreUnit>>>,
    port: u8,
}

impl OwnUnitSystem {
    /// The unit called `name`, for warps of so many lanes: a body for each core, after reset.
    pub fn new(name: &str, lanes: usize, bodies: Vec<Body>) -> Self {
        let unit = |body| Rc::new(RefCell::new(CoreUnit::new(body, lanes)));
        OwnUnitSystem { name: name.into(), units: bodies.into_iter().map(unit).collect(), port: 0 }
    }

    /// What has gone over the pins of all cores.
    pub fn traffic(&self) -> Traffic {
        let mut sum = Traffic::default();
        self.units.iter().for_each(|unit| sum.add(&unit.borrow().traffic));
        sum
    }

    /// The unit's own counters, in the order of their pins: the sums over all cores.
    pub fn counters(&self) -> Vec<u64> {
        let mut sum = Vec::new();
        self.units.iter().for_each(|unit| add_counters(&mut sum, &unit.borrow().outputs.counters));
        sum
    }

    fn broken(&self, core: usize, cycle: u64, rule: &str) -> RunError {
        RunError::Unit { unit: "own unit", cycle, text: format!("{} of core {core}: {rule}", self.name) }
    }
}

struct OwnPort(Rc<RefCell<CoreUnit>>);

impl Port for OwnPort {
    fn name(&self) -> &'static str {
        "the unit"
    }

    fn take(&mut self, head: &Head, _: &mut MemorySystem) -> bool {
        self.0.borrow_mut().calls.push(head)
    }

    fn receive(&mut self, tag: u32) {
        self.0.borrow_mut().memory.arrive(tag as u8);
    }

    fn answer(&mut self, answers: &mut Answers) -> bool {
        let calls = &mut self.0.borrow_mut().calls;
        let any = !calls.over.is_empty();
        for call in calls.over.drain(..) {
            answers.progress();
            match call.answers {
                true => answers.write(call.op, call.lanes, &[call.values]),
                false => answers.complete(call.op),
            }
        }
        any
    }

    fn is_idle(&self) -> bool {
        !self.0.borrow().is_active()
    }

    fn asking(&self, warp: u16) -> u32 {
        self.0.borrow().calls.asking(warp)
    }

    fn trace(&self, state: &mut DefaultHasher) {
        let traffic = self.0.borrow().traffic;
        (traffic.calls, traffic.answers, traffic.memory_reads, traffic.memory_writes).hash(state);
    }
}

impl System for OwnUnitSystem {
    fn name(&self) -> &'static str {
        "own unit"
    }

    fn takes(&self, instr: &Instr) -> bool {
        takes(instr)
    }

    fn port_number(&self) -> Option<u8> {
        Some(self.port)
    }

    fn port(&mut self, core: usize, number: u8) -> Option<Box<dyn Port>> {
        self.port = number;
        Some(Box::new(OwnPort(self.units[core].clone())))
    }

    fn start(&mut self, start: &mut Start) -> Result<(), RunError> {
        let code = start.kernel.program.code.iter();
        let operations: Rc<[u8]> = code.map(|instr| operation(instr).unwrap_or_default()).collect();
        self.units.iter().for_each(|unit| unit.borrow_mut().calls.operations = operations.clone());
        Ok(())
    }

    fn step(&mut self, cycle: &mut Cycle) -> Result<(), RunError> {
        for (core, unit) in self.units.iter().enumerate().filter(|(_, unit)| unit.borrow().is_active()) {
            let stepped = unit.borrow_mut().step(cycle, core, self.port);
            stepped.map_err(|rule| self.broken(core, cycle.now, &rule))?;
        }
        Ok(())
    }

    fn needs_step(&self, _: &MemorySystem) -> bool {
        !self.is_idle()
    }

    fn is_idle(&self) -> bool {
        self.units.iter().all(|unit| !unit.borrow().is_active())
    }

    fn is_at_rest(&self) -> bool {
        self.is_idle()
    }

    fn fault(&self, _: &[Core]) -> Option<String> {
        self.units.iter().enumerate().find_map(|(core, unit)| {
            let fault = unit.borrow().body.fault()?;
            Some(format!("{} of core {core}: {fault}", self.name))
        })
    }
}
