//! Finished runs on disk, one file each, so that a sweep goes on where it was stopped.
//!
//! A file is named by a fingerprint of everything that determines the result: workload, variant, the whole configuration, what
//! its input holds, and the program itself. What any of them changes is another file, so no stale result is ever taken.

use super::inputs::Given;
use super::numbers::Numbers;
use super::points::Run;
use super::setting::Setting;
use crate::digest;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sim::config::Config;
use sim::graph::Graph;
use sim::stats::Stats;
use std::fmt;
use std::path::{Path, PathBuf};
use testbench::user_verilog::Parameters;

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
    /// Parameters of the unit of the user's own.
    #[serde(default, skip_serializing_if = "Parameters::is_empty")]
    parameters: Parameters,
    /// The time of the run on this machine.
    pub host_seconds: f64,
    pub ending: Ending,
    /// All counters of all launches; null if the run failed.
    statistics: Value,
}

impl Finished {
    /// # Errors
    /// A file that is not of a run.
    pub fn read(path: &Path) -> Result<Finished> {
        let finished: Finished = serde_json::from_slice(&std::fs::read(path)?)?;
        if let Ending::Verified(numbers) = &finished.ending {
            numbers.check()?;
        }
        Ok(finished)
    }
}

impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} on {}", self.workload, self.variant, self.graph)?;
        match &self.ending {
            Ending::Verified(_) => Ok(()),
            Ending::Failed(why) => write!(f, ": {why}"),
        }
    }
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
    /// The source of a kernel of the user's own: its code and the unit's, and the unit's parameters.
    source: Option<String>,
    parameters: &'a Parameters,
}

impl Store {
    pub fn open(directory: PathBuf) -> Result<Store> {
        let cannot = || format!("--out: cannot write to {}", directory.display());
        output::make_folder(&directory).with_context(cannot)?;
        output::Place::find(&directory.join("run")).with_context(cannot)?;
        Ok(Store { program: digest::Program::open()?.digest()?, directory })
    }

    /// `contents` is [`contents`] of the run's input, `input` what the plan calls it, `source` [`Given::source`] of its variant.
    pub fn key(&self, run: &Run, input: &str, contents: &str, source: Option<String>) -> Result<Key> {
        let (workload, variant) = (run.workload.name(), run.variant.name());
        let Setting { config, parameters } = &run.setting;
        let program = &self.program;
        let all = Determines { program, workload, variant, graph: contents, config, source, parameters };
        let fingerprint = digest::sha256(&serde_json::to_vec(&all)?);
        let [workload, input, variant] = [workload, input, variant].map(slug);
        let file = format!("{workload}-{input}-{variant}-{}.json", &fingerprint[..16]);
        Ok(Key { path: self.directory.join(file), fingerprint })
    }

    /// A run that is finished already; a file that cannot be read is as good as none.
    pub fn load(&self, key: &Key) -> Option<Finished> {
        let finished = Finished::read(&key.path).ok()?;
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
            workload: run.workload.name().into(),
            graph: input.into(),
            variant: run.variant.name().into(),
            config: serde_json::to_value(&run.setting.config)?,
            parameters: run.setting.parameters.clone(),
            host_seconds,
            ending,
            statistics: serde_json::to_value(statistics)?,
        };
        let bytes = serde_json::to_vec_pretty(&finished)?;
        output::replace(&key.path, &bytes).with_context(|| format!("{}: cannot write", key.path.display()))?;
        Ok(finished)
    }
}

/// Fingerprint of what a workload works on.
pub fn contents(given: &Given) -> Result<String> {
    Ok(match given {
        Given::Graph(graph) => of_graph(graph),
        Given::Size(size) => format!("size {size}"),
        Given::Kernel(kernel) => kernel.contents()?,
    })
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
    digest::hex(hash.finalize())
}

/// As part of a file's name.
pub fn slug(text: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || "-.".contains(c) { c } else { '_' };
    text.rsplit('/').next().unwrap_or_default().chars().map(keep).collect()
}
