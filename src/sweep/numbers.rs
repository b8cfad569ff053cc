//! The counters of a run that figures are made of.

use crate::simulate::Simulated;
use serde::{Deserialize, Serialize};
use sim::attach::hwwl::timeline::ActiveThreads;
use sim::workload::Step;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// What a figure needs of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Numbers {
    pub cycles: u64,
    pub warp_instructions: u64,
    pub thread_instructions: u64,
    pub ids_pulled: u64,
    /// Answers to pulls, in lanes, that told to wait.
    pub waits: u64,
    /// Lines to and from the overflow buffers.
    pub spills: u64,
    pub refills: u64,
    /// Issue slots lost to an operand from memory, or to a full load-store unit.
    pub memory_stall_slots: u64,
    pub requests_per_access: f64,
    pub l1_accesses: u64,
    /// In sectors, and those of them that reorder units asked for.
    pub l2_accesses: u64,
    pub l2_prefetches: u64,
    /// Bytes from cores to memory partitions and back.
    pub network_bytes: u64,
    pub dram_accesses: u64,
    /// Elements that the IRU was given; `merged`: elements that it merged into equal ones.
    pub elements: u64,
    pub merged: u64,
    /// Elements whose index one before them in the same launch has.
    pub repeated: u64,
    pub l2_misses: u64,
    pub memory_requests: u64,
    pub fetches: u64,
    pub decodes: u64,
    /// Warp instructions that are scalar.
    pub scalar_instructions: u64,
    /// What was issued by its active lanes: 1 to 4, 5 to 8, 9 to 16, 17 to 24, 25 to 32.
    pub active_lanes: [u64; 5],
    /// Of Graph-Waving's front end, as in [`sim::stats::CoreStats`].
    pub issuable_warps: [u64; 6],
    pub issuable_scalars: [u64; 6],
    /// Waves by their members: 1, 2 to 4, 5 to 8, 9 to 16.
    pub wave_members: [u64; 4],
    /// Pairs, halves, waves.
    pub issued_as: [u64; 3],
    /// Of each kernel, all launches together.
    pub warp_times: BTreeMap<String, WarpTime>,
    pub active_threads: Option<ActiveThreads>,
}

/// Of warps that load something: cycles from start to end, and from start until the first load was served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarpTime {
    pub warps: u64,
    pub cycles: u64,
    pub cycles_to_first_load: u64,
}

impl AddAssign for WarpTime {
    fn add_assign(&mut self, other: WarpTime) {
        self.warps += other.warps;
        self.cycles += other.cycles;
        self.cycles_to_first_load += other.cycles_to_first_load;
    }
}

impl Numbers {
    pub fn new(run: Simulated) -> Self {
        let Simulated { outcome, statistics: stats, active_threads } = run;
        let mut warp_times: BTreeMap<String, WarpTime> = BTreeMap::new();
        for Step { kernel, stats, .. } in outcome.steps {
            *warp_times.entry(kernel).or_default() += WarpTime {
                warps: stats.core.loading_warps,
                cycles: stats.core.loading_warp_cycles,
                cycles_to_first_load: stats.core.cycles_to_first_load,
            };
        }
        let waves = &stats.core.waves_by_members;
        Numbers {
            cycles: stats.cycles,
            warp_instructions: stats.core.warp_instructions,
            thread_instructions: stats.core.thread_instructions,
            ids_pulled: stats.worklist.ids_pulled,
            waits: stats.worklist.waits,
            spills: stats.worklist.spill_stores,
            refills: stats.worklist.refill_loads,
            memory_stall_slots: stats.core.issue.scoreboard_memory + stats.core.issue.pipeline_memory,
            requests_per_access: stats.requests_per_access(),
            l1_accesses: stats.l1d.accesses,
            l2_accesses: stats.l2.cache.accesses,
            l2_prefetches: stats.l2.prefetches,
            network_bytes: stats.requests.bytes + stats.replies.bytes,
            dram_accesses: stats.dram.reads + stats.dram.writes,
            elements: stats.reorder.elements,
            merged: stats.reorder.merged,
            repeated: stats.reorder.repeated,
            l2_misses: stats.l2.cache.misses,
            memory_requests: stats.core.memory_requests,
            fetches: stats.core.fetches,
            decodes: stats.core.decodes,
            scalar_instructions: stats.core.scalar_instructions,
            active_lanes: [0..4, 4..8, 8..16, 16..24, 24..32]
                .map(|lanes| stats.core.issued_by_active_lanes[lanes].iter().sum()),
            issuable_warps: stats.core.issuable_warps,
            issuable_scalars: stats.core.issuable_scalars,
            wave_members: [1..=1, 2..=4, 5..=8, 9..=16].map(|members| waves[members].iter().sum()),
            issued_as: [stats.core.pairs_issued, stats.core.halves_issued, waves.iter().sum()],
            warp_times,
            active_threads,
        }
    }

    /// Of these kernels together.
    pub fn warp_time(&self, kernels: &[String]) -> WarpTime {
        let mut sum = WarpTime::default();
        kernels.iter().filter_map(|kernel| self.warp_times.get(kernel)).for_each(|time| sum += *time);
        sum
    }
}
