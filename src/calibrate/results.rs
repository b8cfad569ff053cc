//! `results.json` of a calibration folder: what a reference simulator did, counted and timed.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
pub struct Results {
    pub reference: Reference,
    pub runs: Vec<Run>,
}

#[derive(Deserialize)]
pub struct Reference {
    pub simulator: String,
    pub version: String,
}

/// One program run from a fresh simulator.
#[derive(Deserialize)]
pub struct Run {
    pub run: String,
    /// CUDA source; its file name is the name of the kernel.
    pub source: String,
    /// The PTX file that was executed.
    pub ptx: String,
    pub compiler: String,
    /// GPU; ours is the preset `calibration-` and this name.
    pub config: String,
    /// Copies from the host leave their lines in the L2.
    pub l2_filled_by_host_copy: bool,
    pub resources: BTreeMap<String, Resources>,
    pub host_events: Vec<Event>,
    pub total: Counts,
}

#[derive(Deserialize)]
pub struct Resources {
    pub registers_per_thread: u32,
}

/// Actions of the host, in order.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Event {
    /// A buffer named `alloc` was allocated.
    Alloc { alloc: String, address: u64, bytes: u64 },
    /// The host copied to the buffer of this name.
    Copy { copy_to_device: String, bytes: u64 },
    /// `args`: with commas; the name of a buffer stands for its address.
    Launch { launch: String, grid: [u32; 3], block: [u32; 3], args: String },
}

/// Counters over all launches, as far as the model has the same.
#[derive(Deserialize)]
pub struct Counts {
    pub cycles_total: u64,
    pub thread_instructions: u64,
    pub warp_instructions: u64,
    pub l1d: Cache,
    pub l2: Cache,
    pub dram: Dram,
}

#[derive(Deserialize)]
pub struct Cache {
    pub accesses: u64,
    pub misses: u64,
}

#[derive(Deserialize)]
pub struct Dram {
    pub reads: u64,
    pub writes: u64,
    pub writes_l2_writeback: u64,
}

impl Results {
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("results.json");
        let text = std::fs::read_to_string(&path).with_context(|| {
            format!("{}: cannot read; name a folder of the form that docs/fidelity.md describes", path.display())
        })?;
        serde_json::from_str(&text)
            .with_context(|| format!("{}: not of the form that docs/fidelity.md describes", path.display()))
    }

    /// The reference itself counts different instructions for this program on different GPUs: what it executes depends on timing.
    pub fn is_timing_dependent(&self, run: &Run) -> bool {
        let counts = |r: &Run| (r.total.thread_instructions, r.total.warp_instructions);
        let same_program = self.runs.iter().filter(|r| (&r.run, &r.compiler) == (&run.run, &run.compiler));
        same_program.map(counts).any(|c| c != counts(run))
    }
}

impl Run {
    pub fn kernel(&self) -> &str {
        Path::new(&self.source).file_stem().and_then(|s| s.to_str()).unwrap_or(&self.source)
    }
}
