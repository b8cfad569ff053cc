//! The unit of one core: a cycle of its pins, and the rules that the unit has to keep.

use super::calls::Calls;
use super::memory::MemoryPort;
use super::pins::{OwnIn, OwnOut};
use super::rules::{first_that_holds, Lingering, PATIENCE};
use super::{Body, Traffic};
use crate::attach::system::Cycle;

pub struct CoreUnit {
    pub body: Body,
    inputs: OwnIn,
    /// Of this cycle.
    pub outputs: OwnOut,
    /// Of the cycle before.
    before: OwnOut,
    pub calls: Calls,
    pub memory: MemoryPort,
    pub traffic: Traffic,
    /// Cycles since something was handed over at the pins.
    still: u64,
    lingering: Lingering,
}

impl CoreUnit {
    pub fn new(body: Body, lanes: usize) -> Self {
        let mut outputs = OwnOut { lanes, ..OwnOut::default() };
        body.sample(&mut outputs);
        CoreUnit {
            body,
            inputs: OwnIn { lanes, ..OwnIn::default() },
            before: outputs.clone(),
            outputs,
            calls: Calls::new(),
            memory: MemoryPort::default(),
            traffic: Traffic::default(),
            still: 0,
            lingering: Lingering::default(),
        }
    }

    /// There is something to do for the unit, or it has something to say.
    pub fn is_active(&self) -> bool {
        let OwnOut { busy, answer_valid, memory_valid, .. } = self.outputs;
        busy || answer_valid || memory_valid || !self.calls.is_empty() || !self.memory.is_empty()
    }

    /// A cycle, the core's part of which has been.
    ///
    /// # Errors
    /// The rule that the unit breaks.
    pub fn step(&mut self, cycle: &mut Cycle, core: usize, port: u8) -> Result<(), String> {
        self.check_busy()?;
        let mut moved = self.answer()?;
        moved |= self.serve(cycle, core, port)?;
        moved |= self.offer();
        self.still = if moved { 0 } else { self.still + 1 };
        let has_warps = cycle.cores[core].has_warps();
        self.check_patience(has_warps)?;
        self.lingering.check(has_warps)?;
        self.clock(cycle.now)
    }

    /// The core takes an answer in every cycle.
    fn answer(&mut self) -> Result<bool, String> {
        self.inputs.answer_ready = true;
        if self.outputs.answer_valid {
            self.calls.answer(&self.outputs)?;
            self.traffic.answers += 1;
        }
        Ok(self.outputs.answer_valid)
    }

    /// The memory port.
    fn serve(&mut self, cycle: &mut Cycle, core: usize, port: u8) -> Result<bool, String> {
        self.memory.drive(&mut self.inputs, cycle.memory)?;
        self.inputs.memory_ready = false;
        if self.outputs.memory_valid {
            let core = &cycle.cores[core];
            self.inputs.memory_ready = self.memory.send(&self.outputs, core, port, cycle.mem, cycle.memory)?;
            match (self.inputs.memory_ready, self.outputs.memory_write) {
                (false, _) => self.traffic.memory_wait_cycles += 1,
                (true, true) => self.traffic.memory_writes += 1,
                (true, false) => self.traffic.memory_reads += 1,
            }
        }
        let replied = self.inputs.reply_valid && self.outputs.reply_ready;
        self.traffic.reply_wait_cycles += u64::from(self.inputs.reply_valid && !replied);
        if replied {
            self.memory.replied();
        }
        Ok(self.inputs.memory_ready || replied)
    }

    /// The first call that waits.
    fn offer(&mut self) -> bool {
        self.calls.drive(&mut self.inputs);
        let taken = self.inputs.request_valid && self.outputs.request_ready;
        self.traffic.request_wait_cycles += u64::from(self.inputs.request_valid && !taken);
        if taken {
            self.traffic.calls += 1;
            self.traffic.lanes += self.calls.taken();
        }
        taken
    }

    /// The rising edge.
    fn clock(&mut self, now: u64) -> Result<(), String> {
        self.inputs.now = now;
        self.traffic.cycles += 1;
        self.body.clock(&self.inputs);
        std::mem::swap(&mut self.before, &mut self.outputs);
        self.body.sample(&mut self.outputs);
        match self.body.fault() {
            Some(fault) => Err(fault),
            None => self.check_stability(),
        }
    }

    /// A request to memory stays as it is until it has been taken.
    fn check_stability(&self) -> Result<(), String> {
        let (before, after) = (&self.before, &self.outputs);
        if !before.memory_valid || self.inputs.memory_ready {
            return Ok(());
        }
        let pins = [
            ("memory_valid", !after.memory_valid),
            ("memory_write", after.memory_write != before.memory_write),
            ("memory_tag", after.memory_tag != before.memory_tag),
            ("memory_size", after.memory_size != before.memory_size),
            ("memory_address", after.memory_address != before.memory_address),
            ("memory_data", after.memory_write && after.memory_data != before.memory_data),
        ];
        first_that_holds(&pins, |pin| format!("pin {pin}: it changes before memory_ready has taken the request"))
    }

    /// Whoever has something to do is busy.
    fn check_busy(&self) -> Result<(), String> {
        if self.outputs.busy {
            return Ok(());
        }
        let why = [
            ("a call is open", self.calls.are_open()),
            ("a read is under way", self.memory.is_reading()),
            ("answer_valid is high", self.outputs.answer_valid),
            ("memory_valid is high", self.outputs.memory_valid),
        ];
        first_that_holds(&why, |why| format!("pin busy: low, although {why}"))
    }

    fn check_patience(&self, has_warps: bool) -> Result<(), String> {
        if self.still < PATIENCE {
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
