//! Finished runs on disk, one file each, so that a sweep goes on where it was stopped.
//!
//! A file is named by a fingerprint of everything that determines the result: workload, variant, the whole configuration, what
//! its input holds, and the program itself. What any of them changes is another file, so no stale result is ever taken.

use super::inputs::Given;
use super::points::Run;
use crate::output;
use crate::simulate::Simulated;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sim::config::Config;
use sim::graph::Graph;
use sim::stats::Stats;
use sim::timeline::ActiveThreads;
use sim::workload::Step;
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::AddAssign;
use std::path::PathBuf;

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
    /// Both ways.
    pub network_bytes: u64,
    pub dram_accesses: u64,
    /// Of the reorder units, and those of them that were merged into equal ones.
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

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The result was checked.
    Verified(Numbers),
    /// Why there is no result, or a wrong one.
    Failed(String),
}

/// The file of a run.
#[derive(Serialize, Deserialize)]
pub struct Finished {
    fingerprint: String,
    workload: String,
    graph: String,
    variant: String,
    config: Value,
    /// What it took on this machine.
    pub host_seconds: f64,
    pub ending: Ending,
    /// All counters of all launches; null if the run failed.
    statistics: Value,
}

pub struct Store {
    directory: PathBuf,
    program: String,
}

/// A run's place.
pub struct Key {
    fingerprint: String,
    path: PathBuf,
}

#[derive(Serialize)]
struct Determines<'a> {
    program: &'a str,
    workload: &'a str,
    variant: &'a str,
    graph: &'a str,
    config: &'a Config,
}

impl Store {
    pub fn open(directory: PathBuf) -> Result<Store> {
        let cannot = || format!("--out: cannot write to {}", directory.display());
        std::fs::create_dir_all(&directory).with_context(cannot)?;
        output::temporary(&directory.join("run")).with_context(cannot)?;
        Ok(Store { program: program()?, directory })
    }

    /// `contents` is [`contents`] of the run's input, `input` what the plan calls it.
    pub fn key(&self, run: &Run, input: &str, contents: &str) -> Result<Key> {
        let (workload, variant) = (run.workload.name, run.variant.name());
        let all = Determines { program: &self.program, workload, variant, graph: contents, config: &run.config };
        let fingerprint = hex(&Sha256::digest(serde_json::to_vec(&all)?));
        let file = format!("{workload}-{}-{variant}-{}.json", slug(input), &fingerprint[..16]);
        Ok(Key { path: self.directory.join(file), fingerprint })
    }

    /// A run that is finished already; a file that cannot be read is as good as none.
    pub fn load(&self, key: &Key) -> Option<Finished> {
        let finished: Finished = serde_json::from_slice(&std::fs::read(&key.path).ok()?).ok()?;
        (finished.fingerprint == key.fingerprint).then_some(finished)
    }

    /// Writes the run's file in one step and gives back what it says.
    pub fn save(
        &self,
        key: &Key,
        run: &Run,
        input: &str,
        host_seconds: f64,
        ending: Ending,
        statistics: Option<&Stats>,
    ) -> Result<Finished> {
        let finished = Finished {
            fingerprint: key.fingerprint.clone(),
            workload: run.workload.name.into(),
            graph: input.into(),
            variant: run.variant.name().into(),
            config: serde_json::to_value(&run.config)?,
            host_seconds,
            ending,
            statistics: serde_json::to_value(statistics)?,
        };
        let bytes = serde_json::to_vec_pretty(&finished)?;
        output::replace(&key.path, &bytes).with_context(|| format!("{}: cannot write", key.path.display()))?;
        // Not the values themselves: a number that was read is the same in every later sweep.
        Ok(serde_json::from_slice(&bytes)?)
    }
}

/// Of the program that runs.
fn program() -> Result<String> {
    let path = std::env::current_exe().context("the program's own file")?;
    let mut hash = Sha256::new();
    let copied = File::open(&path).and_then(|mut file| std::io::copy(&mut file, &mut hash));
    copied.with_context(|| format!("{}: cannot read the program's own file", path.display()))?;
    Ok(hex(&hash.finalize()))
}

/// Fingerprint of what a workload works on.
pub fn contents(given: &Given) -> String {
    match given {
        Given::Graph(graph) => of_graph(graph),
        Given::Size(size) => format!("size {size}"),
    }
}

fn of_graph(graph: &Graph) -> String {
    let mut hash = Sha256::new();
    let mut add = |words: &[u32]| {
        hash.update((words.len() as u64).to_le_bytes());
        words.iter().for_each(|word| hash.update(word.to_le_bytes()));
    };
    add(&graph.row);
    add(&graph.col);
    add(&[graph.source]);
    // A length that cannot be used is what a run of this graph may fail of.
    match graph.edge_weights() {
        Ok(weights) => add(&weights),
        Err(error) => hash.update(error.to_string()),
    }
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// As part of a file's name.
pub fn slug(text: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' };
    text.rsplit('/').next().unwrap_or_default().chars().map(keep).collect()
}
