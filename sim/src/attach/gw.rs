//! The pins of Graph-Waving's front end (6.1 to 6.3), `gw_front_end`. Of each scheduler two instructions of warps and one wave a cycle can
//! be told over.

use super::front_ends::records::Records;
use super::front_ends::{Filled, FrontEnds, FrontPins, UnitFront};
use super::system::Descriptor;
use crate::config::{Config, MAX_SCHEDULERS};
use crate::core::back_end::{BackEnd, World};
use crate::core::in_flight::{InFlight, Members};
use crate::core::residents::Residents;
use crate::core::Kernel;
use crate::launch::RunError;
use crate::stats::CoreStats;
use crate::units::gw::pins::{Done, Fill, GwIn, GwOut, Offer};
use crate::units::gw::GwFrontEnd;
use issue::Merged;
use std::collections::VecDeque;

mod issue;

/// Graph-Waving's front end, as a system that a configuration can have.
pub static SYSTEM: Descriptor = Descriptor {
    name: "gw",
    is_in: |config| config.gw.is_some(),
    instructions: None,
    counters: |_| {},
    is_ideal: |config| config.gw.as_ref().is_some_and(|gw| gw.ideal_front_end),
    found: "with a [gw] table, as gw-fermi-gw8",
    models: |config| {
        let gw = config.gw.as_ref().expect("the configuration has a [gw] table");
        Ok(Box::new(GwSystem::of_model(config, GwFrontEnd::new(&gw.parameters(config))?)))
    },
};

pub type GwSystem = FrontEnds<GwPins>;

pub struct GwPins {
    /// Waves that have retired and are not told yet, for each scheduler.
    retired_waves: [VecDeque<InFlight>; MAX_SCHEDULERS],
    merged: Merged,
    /// Warps of a scalar wave.
    wave_lanes: usize,
    pairs_on: bool,
    waves_on: bool,
}

impl FrontPins for GwPins {
    type In = GwIn;
    type Out = GwOut;

    fn new(config: &Config) -> Self {
        let gw = config.gw.as_ref().expect("the configuration has a [gw] table");
        GwPins {
            retired_waves: std::array::from_fn(|_| VecDeque::with_capacity(64)),
            merged: Merged::new(),
            wave_lanes: gw.wave,
            pairs_on: gw.pairs,
            waves_on: gw.waves,
        }
    }

    fn records(kernel: &Kernel) -> Result<Records, RunError> {
        Records::of_graph_waving(kernel)
    }

    fn undriven(&self) -> GwIn {
        GwIn { pairs_on: self.pairs_on, waves_on: self.waves_on, ..GwIn::default() }
    }

    fn issue(front: &mut UnitFront<Self>, _: u64, back: &mut BackEnd, kernel: &Kernel, world: &mut World) -> bool {
        front.issue(back, kernel, world)
    }

    fn answer(front: &mut UnitFront<Self>, s: usize, places: u64, back: &BackEnd) {
        front.answer_halves(s, places, back);
    }

    /// An ideal front end knows at once.
    fn answer_latency(config: &Config) -> u64 {
        match (SYSTEM.is_ideal)(config) {
            true => 0,
            false => config.core.answer_latency,
        }
    }

    fn fetch(outputs: &GwOut) -> Option<(u16, u16)> {
        outputs.fetch.get().map(|fetch| (fetch.entry, fetch.line))
    }

    fn drive_fetch(inputs: &mut GwIn, filled: Option<Filled>, room: bool) {
        inputs.fill = filled.map(|(entry, records)| Fill { entry, records }).into();
        inputs.fetch_room = room;
    }

    fn slice(inputs: &mut GwIn, scheduler: usize) -> (&mut u8, &mut u64, &mut u64) {
        let slice = &mut inputs.slices[scheduler];
        (&mut slice.room, &mut slice.start, &mut slice.wake)
    }

    fn has_issued(outputs: &GwOut) -> bool {
        outputs.slices.iter().any(|slice| slice.halves.even || slice.halves.odd || slice.wave.valid)
    }

    fn retire(&mut self, op: InFlight) -> Option<InFlight> {
        let Members::Set(_) = op.members else { return Some(op) };
        self.retired_waves[op.warp.scheduler()].push_back(op);
        None
    }

    fn tell(front: &mut UnitFront<Self>, s: usize, residents: &mut Residents) -> bool {
        let slice = &mut front.inputs.slices[s];
        let mut told = 0;
        while told < slice.done.len() {
            let Some(op) = front.retired[s].pop_front() else { break };
            residents.drop_in_flight(op);
            if front.records.writes(op.pc) != 0 {
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
        if let Some(op) = front.pins.retired_waves[s].pop_front() {
            residents.drop_in_flight(op);
            if let Members::Set(number) = op.members {
                slice.done_wave = Offer::some(number);
            }
            told += 1;
        }
        told != 0 || !front.retired[s].is_empty() || !front.pins.retired_waves[s].is_empty()
    }

    fn count(outputs: &GwOut, stats: &mut CoreStats) {
        stats.storage_full += u64::from(outputs.full);
        stats.wave_table_full += outputs.slices.iter().map(|slice| u64::from(slice.table_full)).sum::<u64>();
    }

    /// Warps and scalars that the schedulers of a core could have issued.
    fn count_cycles(outputs: &GwOut, schedulers: usize, cycles: u64, stats: &mut CoreStats) {
        let slices = &outputs.slices[..schedulers];
        let warps = slices.iter().map(|slice| slice.ready.count_ones()).sum();
        let scalars = slices.iter().map(|slice| (slice.ready & slice.scalar).count_ones()).sum();
        stats.issuable_warps[issuable_bin(warps)] += cycles;
        stats.issuable_scalars[issuable_bin(scalars)] += cycles;
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
