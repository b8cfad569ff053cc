//! A unit of the user's own at each memory partition: it sees what the slices do, and prefetches into them (docs/own-unit.md).
//!
//! The system drives the pins of every partition's unit, has its requests served by the partition's slices, and holds the unit to the
//! rules of its pins. A unit's clock stands still while there is nothing for it to do.

use super::own_unit::add_counters;
use super::system::{Cycle, System};
use crate::core::Core;
use crate::launch::RunError;
use crate::mem::system::MemorySystem;
use crate::unit::Unit;
use pins::{PartitionIn, PartitionOut};
use serde::Serialize;
use unit::PartitionUnit;

pub mod pins;
mod unit;

/// A body of a unit.
pub type Body = Box<dyn Unit<In = PartitionIn, Out = PartitionOut>>;

/// What has gone over the pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PartitionTraffic {
    /// Cycles of its clock.
    pub cycles: u64,
    /// Accesses of the slices that the unit has taken, and those that came while 16 were waiting.
    pub watched: u64,
    pub watches_lost: u64,
    /// Cycles in which an access waited for `watch_ready`.
    pub watch_wait_cycles: u64,
    /// Sectors that the slices were asked for, and those that are in no allocation or in another partition.
    pub prefetches: u64,
    pub prefetches_dropped: u64,
    pub reads: u64,
    /// Cycles in which a request waited for `memory_ready`.
    pub memory_wait_cycles: u64,
    /// Cycles in which data waited for `reply_ready`.
    pub reply_wait_cycles: u64,
}

impl PartitionTraffic {
    /// Adds that of other units.
    pub fn add(&mut self, other: &PartitionTraffic) {
        self.cycles += other.cycles;
        self.watched += other.watched;
        self.watches_lost += other.watches_lost;
        self.watch_wait_cycles += other.watch_wait_cycles;
        self.prefetches += other.prefetches;
        self.prefetches_dropped += other.prefetches_dropped;
        self.reads += other.reads;
        self.memory_wait_cycles += other.memory_wait_cycles;
        self.reply_wait_cycles += other.reply_wait_cycles;
    }
}

/// The units of all partitions.
pub struct PartitionSystem {
    name: String,
    units: Vec<PartitionUnit>,
}

impl PartitionSystem {
    /// The unit called `name`: a body for each partition, after reset.
    pub fn new(name: &str, bodies: Vec<Body>) -> Self {
        let units = bodies.into_iter().enumerate().map(|(channel, body)| PartitionUnit::new(body, channel)).collect();
        PartitionSystem { name: name.into(), units }
    }

    /// What has gone over the pins of all partitions.
    pub fn traffic(&self) -> PartitionTraffic {
        let mut sum = PartitionTraffic::default();
        self.units.iter().for_each(|unit| sum.add(&unit.traffic));
        sum
    }

    /// The unit's own counters, in the order of their pins: the sums over all partitions.
    pub fn counters(&self) -> Vec<u64> {
        let mut sum = Vec::new();
        self.units.iter().for_each(|unit| add_counters(&mut sum, &unit.outputs.counters));
        sum
    }
}

impl System for PartitionSystem {
    fn name(&self) -> &'static str {
        "own unit"
    }

    fn watches_slices(&self) -> bool {
        true
    }

    fn step(&mut self, cycle: &mut Cycle) -> Result<(), RunError> {
        for (channel, unit) in self.units.iter_mut().enumerate() {
            let beside = cycle.mem.beside(channel);
            unit.traffic.watches_lost += std::mem::take(&mut beside.accesses_lost);
            if beside.accesses.is_empty() && beside.sectors.is_empty() && !unit.is_active() {
                continue;
            }
            unit.step(cycle).map_err(|rule| {
                let text = format!("{} of partition {channel}: {rule}", self.name);
                RunError::Unit { unit: "own unit", cycle: cycle.now, text }
            })?;
        }
        Ok(())
    }

    fn needs_step(&self, mem: &MemorySystem) -> bool {
        !self.is_idle() || mem.has_news_beside()
    }

    fn is_idle(&self) -> bool {
        self.units.iter().all(|unit| !unit.is_active())
    }

    fn is_at_rest(&self) -> bool {
        self.units.iter().all(PartitionUnit::is_at_rest)
    }

    fn fault(&self, _: &[Core]) -> Option<String> {
        self.units.iter().enumerate().find_map(|(channel, unit)| {
            let fault = unit.body.fault()?;
            Some(format!("{} of partition {channel}: {fault}", self.name))
        })
    }
}
