//! Counters of the model: one struct per component, all serialisable, all of them sums over cores, slices or channels.

use crate::config::Config;
use serde::{Serialize, Serializer};

/// Adds the fields of another struct of counters, and takes them away again.
macro_rules! counters {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, ::serde::Serialize)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl $crate::stats::Counters for $name {
            fn add(&mut self, other: &Self) {
                $($crate::stats::Counters::add(&mut self.$field, &other.$field);)*
            }
            fn subtract(&mut self, other: &Self) {
                $($crate::stats::Counters::subtract(&mut self.$field, &other.$field);)*
            }
        }
    };
}

pub(crate) use counters;

/// Declares the counters of a system, and their key in JSON.
macro_rules! system_counters {
    ($key:literal $(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident,)* }) => {
        $crate::stats::counters! { $(#[$meta])* $name { $($(#[$field_meta])* $field: u64,)* } }

        impl $crate::stats::SystemCounters for $name {
            const KEY: &'static str = $key;

            fn named(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($field), self.$field)),*]
            }

            fn of(named: &[(&'static str, u64)]) -> Self {
                let mut values = named.iter().map(|(_, value)| *value);
                $name { $($field: values.next().unwrap_or_default()),* }
            }
        }
    };
}
pub(crate) use system_counters;

/// A set of counters that only grow.
pub trait Counters {
    fn add(&mut self, other: &Self);
    fn subtract(&mut self, other: &Self);
}

impl Counters for u64 {
    fn add(&mut self, other: &Self) {
        *self += other;
    }
    fn subtract(&mut self, other: &Self) {
        *self -= other;
    }
}

impl<const N: usize> Counters for [u64; N] {
    fn add(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(a, b)| *a += b);
    }
    fn subtract(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(a, b)| *a -= b);
    }
}

/// Element n counts what happened to n lanes of a warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneHistogram([u64; 33]);

impl LaneHistogram {
    pub fn count(&mut self, lanes: u32) {
        self.0[lanes as usize] += 1;
    }

    /// From no lane to all of them.
    pub fn bins(&self) -> &[u64] {
        &self.0
    }
}

impl Default for LaneHistogram {
    fn default() -> Self {
        LaneHistogram([0; 33])
    }
}

impl Serialize for LaneHistogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl Counters for LaneHistogram {
    fn add(&mut self, other: &Self) {
        self.0.add(&other.0);
    }
    fn subtract(&mut self, other: &Self) {
        self.0.subtract(&other.0);
    }
}

counters! {
    /// Outcome of each scheduler in each cycle in which its core had a warp. The fields add up to schedulers x
    /// [`CoreStats::active_cycles`].
    IssueStats {
        /// One instruction, or two.
        issued: u64,
        /// A warp could have issued, but the way to its pipeline was full: arithmetic.
        pipeline_arithmetic: u64,
        /// The same: load-store unit or a port.
        pipeline_memory: u64,
        /// A valid instruction waited for an operand that arithmetic computes.
        scoreboard_arithmetic: u64,
        /// A valid instruction waited for an operand from memory.
        scoreboard_memory: u64,
        /// A valid instruction waited for an answer of a port: the worklist has the only one of this kind.
        #[serde(rename = "scoreboard_worklist")]
        scoreboard_port: u64,
        /// All warps with an instruction waited at a barrier or for their atomics.
        synchronisation: u64,
        /// No warp had a valid instruction: fetch, or nothing resident.
        idle: u64,
    }
}

impl IssueStats {
    pub fn total(&self) -> u64 {
        self.issued
            + self.pipeline_arithmetic
            + self.pipeline_memory
            + self.scoreboard_arithmetic
            + self.scoreboard_memory
            + self.scoreboard_port
            + self.synchronisation
            + self.idle
    }
}

counters! {
    CoreStats {
        /// Cycles summed over cores in which the core had a warp.
        active_cycles: u64,
        /// Resident warps, and warp slots, summed over those cycles.
        resident_warp_cycles: u64,
        warp_slot_cycles: u64,
        warp_instructions: u64,
        /// Those that are scalar: one lane could do the work of the warp ([`crate::ptx::scalar`]).
        scalar_instructions: u64,
        /// Second instructions of a warp in a cycle. Without pairs and waves, warp_instructions = issue.issued + dual_issues.
        dual_issues: u64,
        /// Graph-Waving: what a scheduler issued, both halves of a pair or one. With the waves they add up to `issue.issued`.
        pairs_issued: u64,
        halves_issued: u64,
        /// Element n: scalar waves issued with n members.
        waves_by_members: [u64; 17],
        /// Cycles by the warps that could issue, and by those of them that wait for a scalar wave, over all schedulers of a core:
        /// 0, 1, 2 to 4, 5 to 8, 9 to 16, more.
        issuable_warps: [u64; 6],
        issuable_scalars: [u64; 6],
        /// Scalars that found the scalar-wave status table full, and fetches that found no entry to replace: cycles of it.
        wave_table_full: u64,
        storage_full: u64,
        /// Fetches (accesses to the instruction cache), and instructions decoded.
        fetches: u64,
        decodes: u64,
        /// Lanes with a true guard, summed over warp instructions.
        thread_instructions: u64,
        ctas: u64,
        /// Warps that have ended and had a first load: one from global memory, or from a port. Others count in none of
        /// these three.
        loading_warps: u64,
        /// Cycles from the start of such a warp's CTA until nothing of the warp is on its way, over all of them.
        loading_warp_cycles: u64,
        /// Part of them: until the first load, in the order of issue, has been written back.
        cycles_to_first_load: u64,
        issue: IssueStats,
        /// Element n - 1: warp instructions issued with n active lanes (before the guard).
        issued_by_active_lanes: [u64; 32],
        /// Warp instructions by lanes with a true guard, from 0.
        lane_utilisation: LaneHistogram,
        /// Cycles that operands have waited for their bank of the register file, each.
        register_bank_conflicts: u64,
        loads: u64,
        stores: u64,
        atomics: u64,
        /// Warp instructions on global or local memory, and the 128-byte (atomics: 32-byte) requests they became.
        memory_accesses: u64,
        memory_requests: u64,
        shared_accesses: u64,
        /// Extra cycles for bank conflicts of shared memory.
        shared_conflict_cycles: u64,
        /// Cycles in which the head of the load-store unit waited: more segments to send.
        coalescing_stall_cycles: u64,
        /// The same: the L1 pipeline or the network was blocked.
        resource_stall_cycles: u64,
    }
}

counters! {
    CacheStats {
        /// Look-ups; those that had to wait are counted once. accesses = hits + mshr_merges + misses.
        accesses: u64,
        hits: u64,
        /// Pending hits: the data is on its way already, and the request joined those that wait in the MSHR.
        mshr_merges: u64,
        misses: u64,
        /// Part of `misses`: the line is there, the sector is not.
        sector_misses: u64,
        /// Part of `accesses`.
        write_accesses: u64,
        /// Part of `misses`.
        write_misses: u64,
        evictions: u64,
        write_backs: u64,
        /// Cycles in which a look-up had to wait, by reason.
        fail_line: u64,
        fail_mshr: u64,
        fail_merge: u64,
        fail_queue: u64,
    }
}

counters! {
    NetworkStats {
        packets: u64,
        flits: u64,
        bytes: u64,
    }
}

counters! {
    L2Stats {
        /// In sectors, like all fields of `cache`.
        cache: CacheStats,
        reads: u64,
        writes: u64,
        atomics: u64,
        /// Sectors that came from the L1s as write-backs of local memory.
        l1_write_backs: u64,
        /// Sectors that ports write and read.
        spills: u64,
        refills: u64,
        /// Sectors that units beside the partition asked for.
        prefetches: u64,
        /// Lanes whose atomic was done.
        atomic_lanes: u64,
        /// Cycles in which a slice could not take a request from the network.
        input_stall_cycles: u64,
    }
}

counters! {
    DramStats {
        reads: u64,
        writes: u64,
        row_hits: u64,
        activates: u64,
        precharges: u64,
        /// Bytes on the data buses, padding of short transfers included.
        bytes: u64,
        /// Command cycles with data on a bus, summed over channels.
        busy_cycles: u64,
        /// Command cycles, summed over channels.
        cycles: u64,
    }
}

/// Counters of one system.
pub trait SystemCounters: Default {
    /// Their key in JSON.
    const KEY: &'static str;

    /// The counters by name, always in the same order.
    fn named(&self) -> Vec<(&'static str, u64)>;

    /// The counters with the values of [`Self::named`].
    fn of(named: &[(&'static str, u64)]) -> Self;
}

/// Counters of all systems by key, in the order in which the systems count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemStats(Vec<(&'static str, Vec<(&'static str, u64)>)>);

impl SystemStats {
    pub fn count<C: SystemCounters>(&mut self, counters: &C) {
        self.change(C::KEY, &counters.named(), |sum, value| sum + value);
    }

    fn change(&mut self, key: &'static str, values: &[(&'static str, u64)], change: fn(u64, u64) -> u64) {
        let place = self.0.iter().position(|(other, _)| *other == key).unwrap_or_else(|| {
            self.0.push((key, values.iter().map(|(name, _)| (*name, 0)).collect()));
            self.0.len() - 1
        });
        self.0[place].1.iter_mut().zip(values).for_each(|((_, sum), (_, value))| *sum = change(*sum, *value));
    }
}

impl Counters for SystemStats {
    fn add(&mut self, other: &Self) {
        other.0.iter().for_each(|(key, values)| self.change(key, values, |sum, value| sum + value));
    }
    fn subtract(&mut self, other: &Self) {
        other.0.iter().for_each(|(key, values)| self.change(key, values, |sum, value| sum - value));
    }
}

impl Serialize for SystemStats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Named<'a>(&'a [(&'static str, u64)]);
        impl Serialize for Named<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().copied())
            }
        }
        serializer.collect_map(self.0.iter().map(|(key, values)| (key, Named(values))))
    }
}

counters! {
    /// Counters of a launch, or of all launches of a GPU.
    Stats {
        /// Core cycles.
        cycles: u64,
        launches: u64,
        core: CoreStats,
        l1d: CacheStats,
        l1i: CacheStats,
        l1c: CacheStats,
        /// All zero on a GPU whose fetches go through the L1.
        texture: CacheStats,
        requests: NetworkStats,
        replies: NetworkStats,
        l2: L2Stats,
        dram: DramStats,
        #[serde(flatten)]
        systems: SystemStats,
    }
}

/// Counters of one launch.
pub type LaunchStats = Stats;

fn ratio(a: u64, b: u64) -> f64 {
    if b == 0 {
        0.0
    } else {
        a as f64 / b as f64
    }
}

impl Stats {
    /// The counters of a system.
    pub fn of<C: SystemCounters>(&self) -> C {
        let found = self.systems.0.iter().find(|(key, _)| *key == C::KEY);
        found.map_or_else(C::default, |(_, named)| C::of(named))
    }

    /// Thread instructions a cycle, whole GPU.
    pub fn ipc(&self) -> f64 {
        ratio(self.core.thread_instructions, self.cycles)
    }

    /// Warp instructions a cycle, whole GPU.
    pub fn warp_ipc(&self) -> f64 {
        ratio(self.core.warp_instructions, self.cycles)
    }

    /// Resident warps a warp slot, averaged over the cycles in which a core had a warp.
    pub fn occupancy(&self) -> f64 {
        ratio(self.core.resident_warp_cycles, self.core.warp_slot_cycles)
    }

    /// Bytes a second on the data buses of DRAM; [`crate::config::Dram::peak_bandwidth`] is the most there can be.
    pub fn dram_bandwidth(&self, config: &Config) -> f64 {
        ratio(self.dram.bytes, self.cycles) * config.core.clock_mhz as f64 * 1e6
    }

    /// Requests to memory a warp access.
    pub fn requests_per_access(&self) -> f64 {
        ratio(self.core.memory_requests, self.core.memory_accesses)
    }
}
