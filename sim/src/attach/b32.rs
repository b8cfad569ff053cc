//! The core's side of the baseline's front end as hardware (`core.front_end = "b32"`): drives the pins of `b32_front_end`,
//! fetches and decodes for its instruction buffers, and tells it what is over.
//!
//! What issues is on the unit's pins in this cycle; the core executes it and answers in the same cycle, then the unit is
//! clocked. Two instructions a cycle and scheduler can be told over; others wait for their turn.

use super::gw::fetches::Fetches;
use super::gw::records::Records;
use super::gw::turns::{self, Turns};
use super::system::{Descriptor, Start, System};
use crate::config::{Config, FrontEndKind, MAX_SCHEDULERS, WARPS_PER_SCHEDULER};
use crate::core::back_end::{BackEnd, Notice, World};
use crate::core::front_end::FrontEnd;
use crate::core::in_flight::InFlight;
use crate::core::issue_outcome::IssueOutcome;
use crate::core::residents::Residents;
use crate::core::warp_set::WarpId;
use crate::core::{Core, Kernel};
use crate::launch::RunError;
use crate::stats::{CacheStats, CoreStats};
use crate::unit::{Fault, Unit};
use crate::units::gw::pins::next::GOES_ON;
use crate::units::gw::pins::{B32Done, B32Fill, B32In, B32Out, Offer};
use crate::units::gw::B32FrontEnd;
use std::collections::VecDeque;
use std::rc::Rc;

/// An implementation of `b32_front_end`.
pub type B32Unit = Box<dyn Unit<In = B32In, Out = B32Out>>;

/// The baseline's front end as hardware, as a system that a configuration can have.
pub static SYSTEM: Descriptor = Descriptor {
    name: "b32",
    is_in: |config| config.core.front_end == FrontEndKind::B32,
    instructions: None,
    counters: |_| {},
    is_ideal: |_| false,
    found: "with core.front_end=b32",
    models: |config| {
        let model = B32FrontEnd::new(&config.core.b32_parameters())?;
        let units = (0..config.core.count).map(|_| Box::new(model.clone()) as B32Unit).collect();
        Ok(Box::new(B32System::new(config, units)))
    },
};

/// The front ends of all cores.
pub struct B32System {
    config: Config,
    /// For the cores in turn.
    units: std::vec::IntoIter<B32Unit>,
}

impl B32System {
    /// `units`: one for each core.
    pub fn new(config: &Config, units: Vec<B32Unit>) -> Self {
        B32System { config: config.clone(), units: units.into_iter() }
    }
}

impl System for B32System {
    fn name(&self) -> &'static str {
        "front end"
    }

    fn is_front_end(&self) -> bool {
        true
    }

    fn front_end(&mut self, core: usize) -> Option<Box<dyn FrontEnd>> {
        Some(Box::new(B32Front::new(core, &self.config, self.units.next()?)))
    }

    fn start(&mut self, start: &mut Start) -> Result<(), RunError> {
        let records = Rc::new(Records::of_baseline(start.kernel)?);
        start.cores.iter_mut().for_each(|core| core.front_end::<B32Front>().records = records.clone());
        Ok(())
    }

    fn fault(&self, cores: &[Core]) -> Option<String> {
        cores.iter().find_map(|core| Some(format!("core {}: {}", core.index, core.front_end_fault()?)))
    }
}

pub struct B32Front {
    unit: B32Unit,
    inputs: B32In,
    outputs: B32Out,
    fetches: Fetches,
    /// Over, and not told yet, for each scheduler.
    retired: [VecDeque<InFlight>; MAX_SCHEDULERS],
    turns: Turns,
    /// Of the kernel that runs.
    records: Rc<Records>,
    schedulers: usize,
}

impl B32Front {
    fn new(core: usize, config: &Config, unit: B32Unit) -> Self {
        B32Front {
            outputs: unit.outputs(),
            unit,
            inputs: B32In::default(),
            fetches: Fetches::new(core, config),
            retired: std::array::from_fn(|_| VecDeque::with_capacity(64)),
            turns: Turns::default(),
            records: Rc::default(),
            schedulers: config.core.schedulers,
        }
    }

    /// One cycle of all schedulers. True if anything issued.
    fn issue(&mut self, now: u64, back: &mut BackEnd, kernel: &Kernel, world: &mut World) -> bool {
        let mut moved = false;
        for s in 0..self.schedulers {
            let pins = self.outputs.slices[s];
            let Some(place) = pins.issue.get() else {
                back.set_outcome(s, turns::stall_reason(back, s, pins.ready, kernel));
                continue;
            };
            let (id, pc) = (WarpId::at(s, place as usize), pins.issue_pc);
            let answer = self.issue_warp(now, id, pc.into(), back, kernel, world).unwrap_or_else(|text| {
                back.notices.push(Notice::FrontEnd { text: format!("scheduler {s}: {text}") });
                None
            });
            let slice = &mut self.inputs.slices[s];
            // A warp that is at fault goes on as if nothing were: the launch ends.
            (slice.next, slice.pc) = answer.unwrap_or((GOES_ON, pc.wrapping_add(1)));
            back.set_outcome(s, IssueOutcome::Issued);
            moved = true;
        }
        moved
    }

    /// Executes an instruction and sends it on its way. Gives what follows for its warp; `None`: the instruction went wrong.
    fn issue_warp(
        &mut self,
        now: u64,
        id: WarpId,
        pc: u32,
        back: &mut BackEnd,
        kernel: &Kernel,
        world: &mut World,
    ) -> Result<Option<(u8, u16)>, String> {
        let lanes = turns::lanes(back, id, pc, kernel)?;
        match back.execute_warp(id, pc, lanes, now, kernel, world) {
            Ok(effect) => {
                back.count_issue(id, pc, lanes, &effect, kernel);
                back.dispatch(id, pc, effect, kernel);
                Ok(Some(self.turns.answer(back, id)))
            }
            Err(fault) => {
                back.notices.push(Notice::Fault(fault));
                Ok(None)
            }
        }
    }

    /// Decode and fetch. True if anything moved.
    fn fetch(&mut self, stats: &mut CoreStats) -> bool {
        if let Some(fetch) = self.outputs.fetch.get() {
            let entry = usize::from(fetch.scheduler) * WARPS_PER_SCHEDULER + usize::from(fetch.place);
            self.fetches.ask(entry as u16, fetch.line);
        }
        let decoded = self.fetches.decode(&self.records, stats);
        let fill = decoded.map(|(entry, records)| {
            let (scheduler, place) =
                (usize::from(entry) / WARPS_PER_SCHEDULER, usize::from(entry) % WARPS_PER_SCHEDULER);
            B32Fill { scheduler: scheduler as u8, place: place as u8, records }
        });
        self.inputs.fill = fill.into();
        let fetched = self.fetches.fetch(stats);
        self.inputs.fetch_room = self.fetches.have_room();
        decoded.is_some() | fetched
    }

    /// Drives what the core tells of its own accord: warps that start or go on, instructions that are over, and `room`: how many
    /// instructions each path takes in the next cycle, dealt out to the schedulers round robin. Then the rising edge. True if
    /// the unit has to be sampled in the next cycle.
    fn clock(&mut self, now: u64, room: [usize; 4], residents: &mut Residents) -> Result<bool, Fault> {
        for op in residents.retired.iter_mut().flat_map(|retired| retired.drain(..)) {
            self.retired[op.warp.scheduler()].push_back(op);
        }
        let mut told = self.outputs.fetch.valid || self.inputs.fill.valid;
        for s in 0..self.schedulers {
            told |= self.tell(s, residents);
            let slice = &mut self.inputs.slices[s];
            slice.room = turns::room((s + now as usize) % self.schedulers, room);
            told |= self.turns.tell(s, residents, &mut slice.start, &mut slice.wake);
        }
        let issued = self.outputs.slices.iter().any(|slice| slice.issue.valid);
        self.unit.clock(&self.inputs)?;
        Ok(told || issued || !self.fetches.are_quiet() || !self.unit.is_quiet())
    }

    /// Tells a scheduler what is over. Instructions that write nothing are not waited for.
    fn tell(&mut self, s: usize, residents: &mut Residents) -> bool {
        let done = &mut self.inputs.slices[s].done;
        let mut told = 0;
        while told < done.len() {
            let Some(op) = self.retired[s].pop_front() else { break };
            residents.drop_in_flight(op);
            let writes = self.records.writes(op.pc);
            if writes != 0 {
                done[told] = Offer::some(B32Done { place: op.warp.place() as u8, writes });
                told += 1;
            }
        }
        told != 0 || !self.retired[s].is_empty()
    }
}

impl FrontEnd for B32Front {
    fn is_unit(&self) -> bool {
        true
    }

    fn clear(&mut self) {
        self.unit.reset();
        self.fetches.clear();
    }

    fn start(&mut self, warp: WarpId) {
        self.turns.start(warp);
    }

    fn fill(&mut self, address: u64) {
        self.fetches.fill(address);
    }

    /// Issue, decode, fetch, and the unit's rising edge.
    fn step(&mut self, now: u64, kernel: &Kernel, back: &mut BackEnd, world: &mut World) -> bool {
        back.residents.open_fences();
        self.unit.sample(&mut self.outputs);
        self.inputs = B32In::default();
        let mut moved = self.issue(now, back, kernel, world);
        moved |= self.fetch(&mut back.stats);
        moved |= self.fetches.send(world.mem);
        let room = std::array::from_fn(|path| back.collector.room_next(path));
        moved |= self.clock(now, room, &mut back.residents).unwrap_or_else(|fault| {
            back.notices.push(Notice::FrontEnd { text: fault.to_string() });
            true
        });
        moved
    }

    fn count_cycles(&mut self, cycles: u64, _active: bool, _stats: &mut CoreStats) {
        self.fetches.count_cycles(cycles);
    }

    fn is_sending(&self) -> bool {
        self.fetches.are_sending()
    }

    fn is_idle(&self) -> bool {
        self.fetches.are_idle()
    }

    fn cache_stats(&self) -> &CacheStats {
        self.fetches.cache_stats()
    }

    fn fault(&self) -> Option<String> {
        self.unit.fault()
    }
}
