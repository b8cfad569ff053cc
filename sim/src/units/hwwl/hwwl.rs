//! `hwwl`: the worklist of all cores: `hwwl_core` for each, the ICRN between them, and with gsorting one `wru_global` (III-C).

use super::hwwl_core::worklist::CoreWorklist;
use super::pins::{BankRequests, CoreIn, FromIcrn, HwwlCoreOut, HwwlIn, HwwlOut, IcrnIn, IcrnOut, WruIn};
use super::{Icrn, Parameters, Scheme, WruGlobal};
use crate::unit::{Fault, Interface, Unit};
use crate::units::bits::bits;
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use ways::Ways;

mod ways;

/// Entries of a bank that never fills.
const INFINITE: u32 = 1 << 30;

/// The redistribution unit over the banks of all cores.
#[derive(Clone, Debug)]
struct Global {
    lanes: usize,
    wru: WruGlobal,
    /// With occupancies and sides of the cycle before.
    pins: WruIn,
    /// Occupancies changed in the cycle before.
    changed_before: bool,
    /// IDs between two banks.
    held: u32,
}

impl Global {
    /// Requests to core `c` in this cycle.
    fn ask(&self, c: usize, requests: &mut BankRequests) {
        let wru = self.wru.pins();
        let first = c * self.lanes;
        let mine = |mask: u64| (mask >> first) as u32 & (u32::MAX >> (32 - self.lanes));
        (requests.wru_pop, requests.wru_push) = (mine(wru.pop), mine(wru.push));
        (requests.wru_part, requests.wru_moving) = (wru.part, wru.moving);
        for lane in bits(requests.wru_push) {
            requests.wru_push_id[lane] = wru.push_id[first + lane];
        }
    }

    /// Its edge, with what the cores' banks answer in this cycle, and with their occupancies in the cycle before.
    fn clock(&mut self, cores: &[CoreWorklist]) {
        (self.pins.wru_valid, self.pins.wru_accepted) = (0, 0);
        for (c, core) in cores.iter().enumerate() {
            let first = c * self.lanes;
            let (answers, changed) = core.answers();
            self.pins.wru_valid |= answers.wru_valid << first;
            self.pins.wru_accepted |= answers.wru_accepted << first;
            if changed {
                self.pins.id[first..first + self.lanes].copy_from_slice(&answers.id[..self.lanes]);
            }
        }
        self.held += self.pins.wru_valid.count_ones();
        self.held -= self.pins.wru_accepted.count_ones();
        self.wru.step(&self.pins, self.changed_before);
        self.look_at(cores);
    }

    /// Keeps what the unit sees of the banks in the next cycle.
    fn look_at(&mut self, cores: &[CoreWorklist]) {
        (self.pins.double_buffer, self.pins.pull_part) = (cores[0].double_mode(), cores[0].pull_part());
        self.changed_before = false;
        for (c, core) in cores.iter().enumerate() {
            let (answers, changed) = core.answers();
            if changed {
                self.changed_before = true;
                let banks = c * self.lanes..(c + 1) * self.lanes;
                self.pins.pull_occupancy[banks.clone()].copy_from_slice(&answers.pull_occupancy[..self.lanes]);
                self.pins.push_occupancy[banks].copy_from_slice(&answers.push_occupancy[..self.lanes]);
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Hwwl {
    parameters: Parameters,
    cores: Vec<CoreWorklist>,
    core_in: Vec<CoreIn>,
    icrn: Icrn,
    icrn_in: IcrnIn,
    /// If they take a cycle or more.
    ways: Option<Box<Ways>>,
    global: Option<Box<Global>>,
    /// Cycles without inputs in which all cores were at rest, and nothing was between them.
    resting: usize,
}

/// After so many of them the ICRN shows what it will show until something happens, if its ways are wires.
const ICRN_AT_REST: usize = 4;

impl Hwwl {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::hwwl::HWWL)?;
        Ok(Self::of_any_size(parameters, parameters.entries as u32))
    }

    /// With banks that never fill, whatever `entries` says (IV-C). There is no such hardware.
    pub fn infinite(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::hwwl::HWWL)?;
        Ok(Self::of_any_size(parameters, INFINITE))
    }

    fn of_any_size(parameters: &Parameters, entries: u32) -> Self {
        let core = |_| CoreWorklist::of_any_size(parameters, entries);
        Self::over(parameters, (0..parameters.cores).map(core).collect())
    }

    /// With these cores, and nothing on its way between them.
    fn over(parameters: &Parameters, cores: Vec<CoreWorklist>) -> Self {
        let global = || Global {
            lanes: parameters.lanes,
            wru: WruGlobal::of_any_size(parameters),
            pins: WruIn::default(),
            changed_before: false,
            held: 0,
        };
        Hwwl {
            parameters: *parameters,
            core_in: vec![CoreIn::default(); cores.len()],
            cores,
            icrn: Icrn::between(parameters.cores),
            icrn_in: IcrnIn::default(),
            ways: (parameters.link > 0).then(|| Box::new(Ways::new(parameters.cores, parameters.link))),
            global: (parameters.scheme == Scheme::GlobalSorting).then(|| Box::new(global())),
            resting: 0,
        }
    }

    fn held(&self) -> u16 {
        let between = self.ways.as_ref().map_or(self.icrn.pins().held.into(), |ways| ways.held());
        (between + self.global.as_ref().map_or(0, |global| global.held)) as u16
    }

    /// Outputs of the cores to the ICRN in this cycle.
    fn show_cores_to_icrn(&mut self) {
        self.icrn_in.pull_part = self.cores[0].pull_part();
        for (c, core) in self.cores.iter().enumerate() {
            let pins = core.to_icrn();
            self.icrn_in.out_valid[c] = pins.out_valid;
            self.icrn_in.out_part[c] = pins.out_part;
            self.icrn_in.out_id[c] = pins.out_id;
            self.icrn_in.in_ready[c] = pins.in_ready;
            self.icrn_in.quiet[c] = pins.quiet;
            self.icrn_in.greedy[c] = pins.greedy;
        }
    }

    fn is_at_rest(&self) -> bool {
        let nothing_between = self.icrn.pins().held == 0 && self.ways.as_ref().is_none_or(|ways| ways.are_empty());
        nothing_between && self.cores.iter().all(CoreWorklist::is_at_rest)
    }
}

fn icrn_to_core(pins: &IcrnOut, c: usize) -> FromIcrn {
    FromIcrn {
        all_done: pins.all_done,
        send: pins.send[c],
        out_ready: pins.out_ready[c],
        in_valid: pins.in_valid[c],
        in_part: pins.in_part[c],
        in_id: pins.in_id[c],
    }
}

impl Unit for Hwwl {
    type In = HwwlIn;
    type Out = HwwlOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> HwwlOut {
        let core = |core: &CoreWorklist| HwwlCoreOut { memory: *core.memory(), id: *core.ids(), ..Default::default() };
        let mut pins = HwwlOut { held: 0, cores: self.cores.iter().map(core).collect() };
        self.sample(&mut pins);
        pins
    }

    /// IDs are copied only where there is an answer or a store.
    fn sample(&self, pins: &mut HwwlOut) {
        pins.held = self.held();
        for (core, pins) in self.cores.iter().zip(&mut pins.cores) {
            pins.status = core.status();
            pins.push_ready = core.push_ready();
            pins.overflow = core.overflow();
            pins.pending = core.pending();
            pins.count = core.count();
            pins.pull_part = core.pull_part();
            pins.double_mode = core.double_mode();
            if pins.status != 0 {
                pins.id = *core.ids();
            }
            let memory = core.memory();
            if memory.mem_valid {
                pins.memory = *memory;
            } else {
                (pins.memory.mem_valid, pins.memory.mem_write) = (false, false);
                pins.memory.line_ready = memory.line_ready;
            }
        }
    }

    fn clock(&mut self, pins: &HwwlIn) -> Result<(), Fault> {
        let rests = self.global.is_none() && !pins.asks() && self.is_at_rest();
        if rests && self.resting == ICRN_AT_REST + 2 * self.parameters.link {
            self.cores.iter_mut().for_each(CoreWorklist::rest);
            return Ok(());
        }
        self.resting = if rests { self.resting + 1 } else { 0 };
        assert!(pins.cores.len() == self.cores.len(), "hwwl: pins of another number of cores");
        self.show_cores_to_icrn();
        let mut to_cores = *self.icrn.pins();
        if let Some(ways) = &mut self.ways {
            ways.pass(&mut self.icrn_in, &mut to_cores, pins.configure);
        }
        if let Some(global) = &mut self.global {
            for (c, core) in self.cores.iter_mut().enumerate() {
                global.ask(c, core.requests());
            }
            global.clock(&self.cores);
        }
        for (c, (core, core_in)) in self.cores.iter_mut().zip(&mut self.core_in).enumerate() {
            core_in.take(pins, &pins.cores[c]);
            core_in.icrn = icrn_to_core(&to_cores, c);
            core.clock(core_in)?;
        }
        self.icrn.clock(&self.icrn_in)
    }

    fn reset(&mut self) {
        self.cores.iter_mut().for_each(CoreWorklist::reset);
        *self = Self::over(&self.parameters, std::mem::take(&mut self.cores));
    }
}

#[cfg(test)]
pub(super) mod tests;
