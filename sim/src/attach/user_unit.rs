//! A unit of the user at each core or at each memory partition (docs/own-unit.md).
//!
//! The system drives the pins of every unit and holds the unit to the rules of its pins. The pins, and what goes over them, are those of
//! a place. A unit's clock stands still while there is nothing for it to do.

use super::system::{Cycle, Instructions, Start, System};
use crate::core::port::Port;
use crate::core::{Core, Kernel};
use crate::launch::RunError;
use crate::mem::system::MemorySystem;
use crate::ptx::instr::Instr;
use crate::ptx::op::Op;
use crate::ptx::system_op::{SystemCode, SystemOp};
use crate::stats::Counters;
use std::cell::RefCell;
use std::rc::Rc;

pub mod core;
pub mod partition;
mod pins;
mod wired;

/// Calls of a unit.
pub(super) static INSTRUCTIONS: Instructions = Instructions {
    takes,
    missing: |_, _| "calls a unit, and the cores have none; add one with --unit MODULE=FILE.v (docs/own-unit.md)",
};

fn takes(instr: &Instr) -> bool {
    operation(instr).is_some()
}

/// The operation that the instruction calls of a unit.
fn operation(instr: &Instr) -> Option<u8> {
    let Op::System(SystemOp { code: SystemCode::UnitCall { operation }, .. }) = instr.op else { return None };
    Some(operation)
}

/// Findings about a unit.
pub struct Findings<'a, C> {
    /// Counts at the pins.
    counts: &'a C,
    /// The unit's own counters, in the order of their pins.
    counters: &'a [u64],
    /// Why the unit can no longer be trusted.
    fault: Option<String>,
}

/// A unit with the pins of its place.
pub trait PlacedUnit: Sized + 'static {
    /// Counts at the pins.
    type Counts: Counters + Default;

    /// Each unit is at one of these.
    const PLACE: &'static str;
    /// Kernels call units here.
    const IS_CALLED: bool;
    /// Units here see what the slices do.
    const WATCHES: bool;

    fn findings(&self) -> Findings<'_, Self::Counts>;

    /// It has something to do or to say.
    fn is_active(&self) -> bool;

    /// It changes nothing by itself that warps could notice.
    fn is_at_rest(&self) -> bool {
        !self.is_active()
    }

    /// Something has come for it.
    fn has_news(&mut self, _mem: &mut MemorySystem) -> bool {
        false
    }

    /// A cycle, the part of which that cores and slices have has been.
    ///
    /// # Errors
    /// The rule that the unit breaks.
    fn step(&mut self, cycle: &mut Cycle, port: u8) -> Result<(), String>;

    /// A launch begins.
    fn start(&mut self, _kernel: &Kernel) {}

    /// The port through which kernels call it.
    fn port(_unit: &Rc<RefCell<Self>>) -> Option<Box<dyn Port>> {
        None
    }
}

/// Adds the counters of one more unit.
pub fn add_counters(sum: &mut Vec<u64>, counters: &[u64]) {
    sum.resize(sum.len().max(counters.len()), 0);
    sum.iter_mut().zip(counters).for_each(|(sum, counter)| *sum = sum.wrapping_add(*counter));
}

/// The units of all cores or partitions.
pub struct UserUnits<U> {
    name: String,
    units: Vec<Rc<RefCell<U>>>,
    port: u8,
}

impl<U: PlacedUnit> UserUnits<U> {
    /// The units called `name`, one for each place, after reset.
    pub fn new(name: &str, units: impl Iterator<Item = U>) -> Self {
        UserUnits { name: name.into(), units: units.map(|unit| Rc::new(RefCell::new(unit))).collect(), port: 0 }
    }

    /// Counts at the pins of all units.
    pub fn counts(&self) -> U::Counts {
        let mut sum = U::Counts::default();
        self.units.iter().for_each(|unit| sum.add(unit.borrow().findings().counts));
        sum
    }

    /// The unit's own counters, in the order of their pins: the sums over all units.
    pub fn counters(&self) -> Vec<u64> {
        let mut sum = Vec::new();
        self.units.iter().for_each(|unit| add_counters(&mut sum, unit.borrow().findings().counters));
        sum
    }

    fn placed(&self, number: usize, what: &str) -> String {
        format!("{} of {} {number}: {what}", self.name, U::PLACE)
    }
}

impl<U: PlacedUnit> System for UserUnits<U> {
    fn name(&self) -> &'static str {
        "user unit"
    }

    fn takes(&self, instr: &Instr) -> bool {
        U::IS_CALLED && takes(instr)
    }

    fn port_number(&self) -> Option<u8> {
        U::IS_CALLED.then_some(self.port)
    }

    fn port(&mut self, core: usize, number: u8) -> Option<Box<dyn Port>> {
        let unit = self.units.get(core).filter(|_| U::IS_CALLED)?;
        self.port = number;
        U::port(unit)
    }

    fn watches_slices(&self) -> bool {
        U::WATCHES
    }

    fn start(&mut self, start: &mut Start) -> Result<(), RunError> {
        self.units.iter().for_each(|unit| unit.borrow_mut().start(start.kernel));
        Ok(())
    }

    fn step(&mut self, cycle: &mut Cycle) -> Result<(), RunError> {
        for (number, unit) in self.units.iter().enumerate() {
            let mut unit = unit.borrow_mut();
            if unit.has_news(cycle.mem) || unit.is_active() {
                unit.step(cycle, self.port).map_err(|rule| {
                    let text = self.placed(number, &rule);
                    RunError::Unit { unit: self.name(), cycle: cycle.now, text }
                })?;
            }
        }
        Ok(())
    }

    fn needs_step(&self, mem: &MemorySystem) -> bool {
        !self.is_idle() || U::WATCHES && mem.has_news_beside()
    }

    fn is_idle(&self) -> bool {
        self.units.iter().all(|unit| !unit.borrow().is_active())
    }

    fn is_at_rest(&self) -> bool {
        self.units.iter().all(|unit| unit.borrow().is_at_rest())
    }

    fn fault(&self, _: &[Core]) -> Option<String> {
        let fault =
            |(number, unit): (usize, &Rc<RefCell<U>>)| Some(self.placed(number, &unit.borrow().findings().fault?));
        self.units.iter().enumerate().find_map(fault)
    }
}
