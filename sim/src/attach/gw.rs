//! The core's side of Graph-Waving's front end (6.1 to 6.3): drives the pins of `gw_front_end`, fetches and decodes for its
//! instruction storage, and tells it what is over.
//!
//! What issues is on the unit's pins in this cycle; the core executes it and answers in the same cycle, then the unit is
//! clocked. Of each scheduler two instructions of warps and one wave a cycle can be told over; others wait for their turn.

use super::system::{Descriptor, Start, System};
use crate::config::{Config, MAX_SCHEDULERS};
use crate::core::back_end::{BackEnd, Notice, World};
use crate::core::front_end::FrontEnd;
use crate::core::in_flight::{InFlight, Members};
use crate::core::residents::Residents;
use crate::core::warp_set::WarpId;
use crate::core::{Core, Kernel};
use crate::launch::RunError;
use crate::stats::{CacheStats, CoreStats};
use crate::unit::{Fault, Unit};
use crate::units::gw::pins::{Done, Fill, GwIn, GwOut, Offer};
use crate::units::gw::GwFrontEnd;
use fetches::Fetches;
use issue::Merged;
use records::Records;
use std::collections::VecDeque;
use std::rc::Rc;
use turns::Turns;

pub(super) mod fetches;
mod issue;
pub(super) mod records;
pub(super) mod turns;

/// An implementation of `gw_front_end`.
pub type GwUnit = Box<dyn Unit<In = GwIn, Out = GwOut>>;

/// Graph-Waving's front end, as a system that a configuration can have.
pub static SYSTEM: Descriptor = Descriptor {
    name: "gw",
    is_in: |config| config.gw.is_some(),
    instructions: None,
    counters: |_| {},
    is_ideal: |config| config.gw.as_ref().is_some_and(|gw| gw.ideal_front_end),
    found: "with a [gw] table, as gw-fermi-gw8",
    models: |config| {
        let model =
            GwFrontEnd::new(&config.gw.as_ref().expect("the configuration has a [gw] table").parameters(config))?;
        let units = (0..config.core.count).map(|_| Box::new(model.clone()) as GwUnit).collect();
        Ok(Box::new(GwSystem::new(config, units)))
    },
};

/// The front ends of all cores.
pub struct GwSystem {
    config: Config,
    /// For the cores in turn.
    units: std::vec::IntoIter<GwUnit>,
}

impl GwSystem {
    /// `units`: one for each core. The configuration has a [gw] table.
    pub fn new(config: &Config, units: Vec<GwUnit>) -> Self {
        GwSystem { config: config.clone(), units: units.into_iter() }
    }
}

impl System for GwSystem {
    fn name(&self) -> &'static str {
        "front end"
    }

    fn is_front_end(&self) -> bool {
        true
    }

    fn front_end(&mut self, core: usize) -> Option<Box<dyn FrontEnd>> {
        Some(Box::new(GwFront::new(core, &self.config, self.units.next()?)))
    }

    fn start(&mut self, start: &mut Start) -> Result<(), RunError> {
        let records = Rc::new(Records::of_graph_waving(start.kernel)?);
        start.cores.iter_mut().for_each(|core| core.front_end::<GwFront>().records = records.clone());
        Ok(())
    }

    fn fault(&self, cores: &[Core]) -> Option<String> {
        cores.iter().find_map(|core| Some(format!("core {}: {}", core.index, core.front_end_fault()?)))
    }
}

/// What the schedulers could have issued in a cycle, over the whole core.
#[derive(Clone, Copy, Debug, Default)]
pub struct Issuable {
    pub warps: u32,
    pub scalars: u32,
}

pub struct GwFront {
    unit: GwUnit,
    inputs: GwIn,
    outputs: GwOut,
    fetches: Fetches,
    /// Over, and not told yet, for each scheduler: of warps and pairs, and of waves.
    retired: [VecDeque<InFlight>; MAX_SCHEDULERS],
    retired_waves: [VecDeque<InFlight>; MAX_SCHEDULERS],
    turns: Turns,
    issuable: Issuable,
    /// Of the kernel that runs.
    records: Rc<Records>,
    merged: Merged,
    /// Warps of a scalar wave.
    wave_lanes: usize,
    pairs_on: bool,
    waves_on: bool,
    schedulers: usize,
}

impl GwFront {
    fn new(core: usize, config: &Config, unit: GwUnit) -> Self {
        let gw = config.gw.as_ref().expect("the configuration has a [gw] table");
        let mut outputs = GwOut::default();
        unit.sample(&mut outputs);
        let queues = || std::array::from_fn(|_| VecDeque::with_capacity(64));
        GwFront {
            unit,
            inputs: GwIn::default(),
            outputs,
            fetches: Fetches::new(core, config),
            retired: queues(),
            retired_waves: queues(),
            turns: Turns::default(),
            issuable: Issuable::default(),
            records: Rc::default(),
            merged: Merged::new(),
            wave_lanes: gw.wave,
            pairs_on: gw.pairs,
            waves_on: gw.waves,
            schedulers: config.core.schedulers,
        }
    }

    /// Samples this cycle's outputs; inputs are low until they are driven.
    fn sample(&mut self) {
        self.unit.sample(&mut self.outputs);
        self.inputs = GwIn { pairs_on: self.pairs_on, waves_on: self.waves_on, ..GwIn::default() };
        self.issuable = Issuable::default();
        for slice in &self.outputs.slices[..self.schedulers] {
            self.issuable.warps += slice.ready.count_ones();
            self.issuable.scalars += (slice.ready & slice.scalar).count_ones();
        }
    }

    /// Decode and fetch. True if anything moved.
    fn fetch(&mut self, stats: &mut CoreStats) -> bool {
        if let Some(fetch) = self.outputs.fetch.get() {
            self.fetches.ask(fetch.entry, fetch.line);
        }
        let decoded = self.fetches.decode(&self.records, stats);
        self.inputs.fill = decoded.map(|(entry, records)| Fill { entry, records }).into();
        let fetched = self.fetches.fetch(stats);
        self.inputs.fetch_room = self.fetches.have_room();
        decoded.is_some() | fetched
    }

    /// Drives what the core tells of its own accord: warps that start or go on, instructions that are over, and `room`: how many
    /// instructions each path takes in the next cycle, dealt out to the schedulers round robin. Then the rising edge. True if
    /// the unit has to be sampled in the next cycle.
    fn clock(&mut self, now: u64, room: [usize; 4], residents: &mut Residents) -> Result<bool, Fault> {
        for op in residents.retired.iter_mut().flat_map(|retired| retired.drain(..)) {
            let queues = if let Members::Set(_) = op.members { &mut self.retired_waves } else { &mut self.retired };
            queues[op.warp.scheduler()].push_back(op);
        }
        let mut told = self.outputs.fetch.valid || self.inputs.fill.valid;
        for s in 0..self.schedulers {
            told |= self.tell(s, residents);
            let slice = &mut self.inputs.slices[s];
            slice.room = turns::room((s + now as usize) % self.schedulers, room);
            told |= self.turns.tell(s, residents, &mut slice.start, &mut slice.wake);
        }
        let issued = self.outputs.slices.iter().any(|s| s.halves.even || s.halves.odd || s.wave.valid);
        self.unit.clock(&self.inputs)?;
        Ok(told || issued || !self.fetches.are_quiet() || !self.unit.is_quiet())
    }

    /// Tells a scheduler what is over. Instructions that write nothing are not waited for.
    fn tell(&mut self, s: usize, residents: &mut Residents) -> bool {
        let slice = &mut self.inputs.slices[s];
        let mut told = 0;
        while told < slice.done.len() {
            let Some(op) = self.retired[s].pop_front() else { break };
            residents.drop_in_flight(op);
            if self.records.writes(op.pc) != 0 {
                let halves = residents.members(op) >> op.warp.neighbour(0).place();
                slice.done[told] = Done {
                    even: halves & 1 != 0,
                    odd: halves & 2 != 0,
                    pair: op.warp.place() as u8 / 2,
                    even_slot: op.tag & 0xf,
                    odd_slot: op.tag >> 4,
                };
                told += 1;
            }
        }
        if let Some(op) = self.retired_waves[s].pop_front() {
            residents.drop_in_flight(op);
            if let Members::Set(number) = op.members {
                slice.done_wave = Offer::some(number);
            }
            told += 1;
        }
        told != 0 || !self.retired[s].is_empty() || !self.retired_waves[s].is_empty()
    }
}

impl FrontEnd for GwFront {
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
        self.sample();
        let mut moved = self.issue(back, kernel, world);
        moved |= self.fetch(&mut back.stats);
        moved |= self.fetches.send(world.mem);
        back.stats.storage_full += u64::from(self.outputs.full);
        back.stats.wave_table_full += self.outputs.slices.iter().map(|slice| u64::from(slice.table_full)).sum::<u64>();
        let room = std::array::from_fn(|path| back.collector.room_next(path));
        moved |= self.clock(now, room, &mut back.residents).unwrap_or_else(|fault| {
            back.notices.push(Notice::FrontEnd { text: fault.to_string() });
            true
        });
        moved
    }

    fn count_cycles(&mut self, cycles: u64, active: bool, stats: &mut CoreStats) {
        self.fetches.count_cycles(cycles);
        if active {
            let Issuable { warps, scalars } = self.issuable;
            stats.issuable_warps[issuable_bin(warps)] += cycles;
            stats.issuable_scalars[issuable_bin(scalars)] += cycles;
        }
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

/// The place of a number of warps in [`CoreStats::issuable_warps`] and [`CoreStats::issuable_scalars`].
fn issuable_bin(count: u32) -> usize {
    match count {
        0 => 0,
        1 => 1,
        2..=4 => 2,
        5..=8 => 3,
        9..=16 => 4,
        _ => 5,
    }
}
