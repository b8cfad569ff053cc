//! Implementations of the hardware units in the GPU: which of them run, and what the lock-step compared. Every command that simulates
//! takes its systems from here.

use anyhow::{ensure, Result};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use sim::attach::system::{Descriptor, Systems};
use sim::attach::{models, Uses, SYSTEMS};
use sim::config::Config;
use std::path::Path;
use std::sync::Arc;
use testbench::in_gpu::{Choice, Handle, Implementation, NotEqual};
use testbench::lockstep::Tally;
use testbench::systems::{used, PlugIn};

/// Implementations as `--units` takes them.
const NAMES: [(&str, Implementation, &str); 3] = [
    ("behavioural", Implementation::Behavioural, "The behavioural model alone: fast"),
    ("rtl", Implementation::Rtl, "The verilated RTL alone"),
    ("lockstep", Implementation::Lockstep, "Model and RTL together, compared at every pin in every cycle"),
];

/// Reads the value of `--units`.
pub fn parser() -> impl TypedValueParser<Value = Implementation> {
    let values = NAMES.map(|(name, _, help)| PossibleValue::new(name).help(help));
    let implementation = |given: String| NAMES.iter().find(|(name, ..)| *name == given).map(|(_, found, _)| *found);
    PossibleValuesParser::new(values).map(move |given| implementation(given).expect("one of the possible values"))
}

fn name(implementation: Implementation) -> &'static str {
    NAMES.iter().find(|(_, other, _)| *other == implementation).map(|(name, ..)| *name).expect("each has a name")
}

/// The comparisons of RTL and behavioural model in lock-step, in all cores.
#[derive(Serialize)]
pub struct LockstepInfo {
    pub cycles: u64,
    pub comparisons: u64,
    pub mismatches: u64,
}

impl LockstepInfo {
    /// The sum over these units.
    pub fn of(tallies: &[Arc<Tally>]) -> Self {
        let sum = |count: fn(&Tally) -> u64| tallies.iter().map(|tally| count(tally)).sum();
        let mismatches = tallies.iter().filter(|tally| tally.difference().is_some()).count() as u64;
        LockstepInfo { cycles: sum(Tally::cycles), comparisons: sum(Tally::comparisons), mismatches }
    }

    pub fn print(&self) {
        println!("{}", self.line());
    }

    /// The comparisons, in words.
    pub fn line(&self) -> String {
        format!(
            "lock-step of RTL and behavioural model: {} unit cycles, {} pin comparisons, {} mismatches",
            self.cycles, self.comparisons, self.mismatches
        )
    }
}

/// The lock-steps of a run, for a report when it has ended.
#[derive(Default)]
pub struct Handles(Vec<Handle>);

impl Handles {
    /// `None`: the units were not in lock-step.
    ///
    /// # Errors
    /// A lock-step with a difference, or one that compared nothing: there is no other way to what it compared.
    pub fn lockstep(&self, implementation: Implementation) -> Result<Option<LockstepInfo>, NotEqual> {
        if implementation != Implementation::Lockstep {
            return Ok(None);
        }
        self.0.iter().try_for_each(Handle::check)?;
        let sum = |count: fn(&Handle) -> u64| self.0.iter().map(count).sum();
        Ok(Some(LockstepInfo {
            cycles: sum(Handle::cycles),
            comparisons: sum(Handle::comparisons),
            mismatches: sum(Handle::mismatches),
        }))
    }
}

/// The systems that the kernels of `who` use, in the implementation that the user chose, and those of extensions. The seed fills the RTL's
/// registers before reset. A difference leaves its files in `evidence`.
///
/// # Errors
/// RTL of nothing, or of what has none; what building the RTL may fail with.
pub fn chosen(
    config: &Config,
    uses: impl Into<Uses>,
    (implementation, seed): (Implementation, u64),
    attached: &[&PlugIn],
    evidence: &Path,
    who: &str,
) -> Result<(Systems, Handles)> {
    let uses = uses.into();
    let is_behavioural = implementation == Implementation::Behavioural;
    ensure!(
        is_behavioural || uses.any_on(config) || !attached.is_empty(),
        "--units {}: {who} uses no hardware unit on {}, so there is no RTL to run; leave out --units, or take {}",
        name(implementation),
        config.name,
        what_uses_one()
    );
    let choice = Choice::new(implementation, evidence).seeded(seed);
    let mut systems = if is_behavioural { models(config, uses)? } else { Vec::new() };
    let of_papers = used(uses, config).map(|(_, place)| place).filter(|_| !is_behavioural);
    let places = of_papers.chain(attached.iter().filter_map(|plug_in| plug_in.in_gpu.as_ref()));
    let mut handles = Vec::new();
    for place in places {
        let (system, handle) = (place.attach)(config, &choice)?;
        systems.push(system);
        handles.push(handle);
    }
    Ok((systems, Handles(handles)))
}

/// Kernels and configurations with a hardware unit, in words.
fn what_uses_one() -> String {
    let found = |is_kernel: bool, or: &str| {
        let of = |system: &&&Descriptor| system.instructions.is_some() == is_kernel;
        SYSTEMS.iter().filter(of).map(|system| system.found).collect::<Vec<_>>().join(or)
    };
    format!("a kernel {}, or a configuration {}", found(true, " or "), found(false, ", or "))
}
