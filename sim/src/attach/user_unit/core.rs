//! A user unit at a core: calls from warps in, answers and requests to memory out.

use super::wired::{check_stability, first_that_holds, Wired, PATIENCE};
use super::{operation, Findings, PlacedUnit};
use crate::attach::system::Cycle;
use crate::core::port::{Answers, Head, Port};
use crate::core::Kernel;
use crate::mem::system::MemorySystem;
use crate::stats::counters;
use crate::unit::Unit;
use calls::Calls;
use memory::MemoryPort;
use pins::{CoreIn, CoreOut};
use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hash;
use std::rc::Rc;

mod calls;
pub(super) mod memory;
pub mod pins;

counters! {
    /// Counts at the pins.
    CoreCounts {
        /// Calls that the unit has taken, and their lanes.
        calls: u64,
        lanes: u64,
        /// Answers, each for some lanes of a call.
        answers: u64,
        /// Cycles of its clock.
        cycles: u64,
        /// Cycles in which a call waited for `request_ready`.
        request_wait_cycles: u64,
        memory_reads: u64,
        memory_writes: u64,
        /// Cycles in which a request waited for `memory_ready`.
        memory_wait_cycles: u64,
        /// Cycles in which data waited for `reply_ready`.
        reply_wait_cycles: u64,
    }
}

pub struct CoreUnit {
    core: usize,
    wired: Wired<CoreIn, CoreOut>,
    calls: Calls,
    memory: MemoryPort,
    counts: CoreCounts,
}

impl CoreUnit {
    /// The unit of a core with warps of so many lanes, after reset.
    pub fn new(unit: Box<dyn Unit<In = CoreIn, Out = CoreOut>>, core: usize, lanes: usize) -> Self {
        let (inputs, outputs) = (CoreIn { lanes, ..CoreIn::default() }, CoreOut { lanes, ..CoreOut::default() });
        let wired = Wired::new(unit, inputs, outputs);
        CoreUnit { core, wired, calls: Calls::new(), memory: MemoryPort::default(), counts: CoreCounts::default() }
    }

    /// The core takes an answer in every cycle.
    fn answer(&mut self) -> Result<bool, String> {
        self.wired.inputs.answer_ready = true;
        if self.wired.outputs.answer_valid {
            self.calls.answer(&self.wired.outputs)?;
            self.counts.answers += 1;
        }
        Ok(self.wired.outputs.answer_valid)
    }

    /// The memory port.
    fn serve(&mut self, cycle: &mut Cycle, port: u8) -> Result<bool, String> {
        self.memory.drive(&mut self.wired.inputs, cycle.memory)?;
        self.wired.inputs.memory_ready = false;
        if self.wired.outputs.memory_valid {
            let core = &cycle.cores[self.core];
            self.wired.inputs.memory_ready =
                self.memory.send(&self.wired.outputs, core, port, cycle.mem, cycle.memory)?;
            match (self.wired.inputs.memory_ready, self.wired.outputs.memory_write) {
                (false, _) => self.counts.memory_wait_cycles += 1,
                (true, true) => self.counts.memory_writes += 1,
                (true, false) => self.counts.memory_reads += 1,
            }
        }
        let replied = self.wired.inputs.reply_valid && self.wired.outputs.reply_ready;
        self.counts.reply_wait_cycles += u64::from(self.wired.inputs.reply_valid && !replied);
        if replied {
            self.memory.replied();
        }
        Ok(self.wired.inputs.memory_ready || replied)
    }

    /// The first call that waits.
    fn offer(&mut self) -> bool {
        self.calls.drive(&mut self.wired.inputs);
        let taken = self.wired.inputs.request_valid && self.wired.outputs.request_ready;
        self.counts.request_wait_cycles += u64::from(self.wired.inputs.request_valid && !taken);
        if taken {
            self.counts.calls += 1;
            self.counts.lanes += self.calls.taken();
        }
        taken
    }

    /// A request to memory stays as it is until it has been taken.
    fn check_stability(&self) -> Result<(), String> {
        let Wired { before, outputs: after, .. } = &self.wired;
        if !before.memory_valid || self.wired.inputs.memory_ready {
            return Ok(());
        }
        check_stability(&[
            ("memory_valid", !after.memory_valid),
            ("memory_write", after.memory_write != before.memory_write),
            ("memory_tag", after.memory_tag != before.memory_tag),
            ("memory_size", after.memory_size != before.memory_size),
            ("memory_address", after.memory_address != before.memory_address),
            ("memory_data", after.memory_write && after.memory_data != before.memory_data),
        ])
    }

    /// Whoever has something to do is busy.
    fn check_busy(&self) -> Result<(), String> {
        if self.wired.outputs.busy {
            return Ok(());
        }
        let why = [
            ("a call is open", self.calls.are_open()),
            ("a read is under way", self.memory.is_reading()),
            ("answer_valid is high", self.wired.outputs.answer_valid),
            ("memory_valid is high", self.wired.outputs.memory_valid),
        ];
        first_that_holds(&why, |why| format!("pin busy: low, although {why}"))
    }

    fn check_patience(&self, has_warps: bool) -> Result<(), String> {
        if self.wired.still < PATIENCE {
            return Ok(());
        }
        if self.memory.has_reply() {
            return Err(format!("pin reply_ready: low for {PATIENCE} cycles, with data on the pins"));
        }
        if let Some(call) = self.calls.first_open() {
            return Err(format!("pin answer_valid: low for {PATIENCE} cycles, with a call open ({call})"));
        }
        if let Some(call) = self.calls.first_waiting() {
            return Err(format!("pin request_ready: low for {PATIENCE} cycles, with a call on the pins ({call})"));
        }
        match has_warps {
            true => Ok(()),
            false => Err(format!("pin busy: high for {PATIENCE} cycles with nothing on the pins, and no warp is left")),
        }
    }
}

impl PlacedUnit for CoreUnit {
    type Counts = CoreCounts;
    const PLACE: &'static str = "core";
    const IS_CALLED: bool = true;
    const WATCHES: bool = false;

    fn findings(&self) -> Findings<'_, CoreCounts> {
        Findings { counts: &self.counts, counters: &self.wired.outputs.counters, fault: self.wired.unit.fault() }
    }

    fn is_active(&self) -> bool {
        let CoreOut { busy, answer_valid, memory_valid, .. } = self.wired.outputs;
        busy || answer_valid || memory_valid || !self.calls.is_empty() || !self.memory.is_empty()
    }

    fn step(&mut self, cycle: &mut Cycle, port: u8) -> Result<(), String> {
        self.check_busy()?;
        let mut moved = self.answer()?;
        moved |= self.serve(cycle, port)?;
        moved |= self.offer();
        self.wired.moved(moved);
        let has_warps = cycle.cores[self.core].has_warps();
        self.check_patience(has_warps)?;
        self.wired.inputs.now = cycle.now;
        self.counts.cycles += 1;
        self.wired.clock(has_warps)?;
        self.check_stability()
    }

    fn start(&mut self, kernel: &Kernel) {
        let code = kernel.program.code.iter();
        self.calls.operations = code.map(|instr| operation(instr).unwrap_or_default()).collect();
    }

    fn port(unit: &Rc<RefCell<Self>>) -> Option<Box<dyn Port>> {
        Some(Box::new(CorePort(unit.clone())))
    }
}

struct CorePort(Rc<RefCell<CoreUnit>>);

impl Port for CorePort {
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
        let counts = &self.0.borrow().counts;
        (counts.calls, counts.answers, counts.memory_reads, counts.memory_writes).hash(state);
    }
}
