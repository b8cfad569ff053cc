//! Bodies of the hardware units in the GPU: which of them run, and what the lock-step compared. Every command that simulates
//! takes its units from here.

use anyhow::{ensure, Result};
use clap::ValueEnum;
use serde::Serialize;
use sim::attach::{self, hwwl, iru};
use sim::config::{Config, FrontEndKind, Ideal};
use sim::ptx::program::Program;
use sim::units::parameter::ParameterError;
use sim::workload::Variant;
use std::path::Path;
use std::sync::Arc;
use testbench::extension::Extension;
use testbench::in_gpu::{b32_front_ends, gw_front_ends, hwwl_system, iru_system, Handle, Kind, NotEqual};
use testbench::lockstep::Tally;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// The behavioural model alone: fast
    Behavioural,
    /// The verilated RTL alone
    Rtl,
    /// Model and RTL together, compared at every pin in every cycle
    Lockstep,
}

/// Units that kernels use by their instructions. A front end serves every kernel of a configuration that has one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Uses {
    pub hwwl: bool,
    pub iru: bool,
}

impl Uses {
    /// What either uses.
    pub fn or(self, other: Uses) -> Uses {
        Uses { hwwl: self.hwwl || other.hwwl, iru: self.iru || other.iru }
    }

    /// There is a unit whose body can be chosen, if the configuration has what the kernels use.
    pub fn any_on(self, config: &Config) -> bool {
        self.hwwl || self.iru || config.gw.is_some() || config.core.front_end == FrontEndKind::B32
    }
}

impl From<Variant> for Uses {
    fn from(variant: Variant) -> Self {
        Uses { hwwl: variant.needs_hwwl(), iru: variant.needs_iru() }
    }
}

impl<'a> FromIterator<&'a Program> for Uses {
    fn from_iter<T: IntoIterator<Item = &'a Program>>(programs: T) -> Self {
        let mut uses = Uses::default();
        for instr in programs.into_iter().flat_map(|program| &program.code) {
            uses.hwwl |= hwwl::takes(instr);
            uses.iru |= iru::takes(instr);
        }
        uses
    }
}

/// What the lock-step of RTL and behavioural model compared, over all cores.
#[derive(Serialize)]
pub struct LockstepInfo {
    pub cycles: u64,
    pub comparisons: u64,
    pub mismatches: u64,
}

impl LockstepInfo {
    /// Of these bodies.
    pub fn of(tallies: &[Arc<Tally>]) -> Self {
        let sum = |count: fn(&Tally) -> u64| tallies.iter().map(|tally| count(tally)).sum();
        let mismatches = tallies.iter().filter(|tally| tally.difference().is_some()).count() as u64;
        LockstepInfo { cycles: sum(Tally::cycles), comparisons: sum(Tally::comparisons), mismatches }
    }

    pub fn print(&self) {
        println!("{}", self.line());
    }

    /// What was compared, in words.
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
    /// `None`: the bodies were not in lock-step.
    ///
    /// # Errors
    /// A lock-step with a difference, or one that compared nothing: there is no other way to what it compared.
    pub fn lockstep(&self, units: Units) -> Result<Option<LockstepInfo>, NotEqual> {
        if units != Units::Lockstep {
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

/// The behavioural models of the units that the kernels use.
///
/// # Errors
/// A parameter that is out of range.
pub fn behavioural(config: &Config, uses: impl Into<Uses>) -> Result<attach::Units, ParameterError> {
    let uses = uses.into();
    Ok(attach::Units {
        hwwl: if uses.hwwl { hwwl::behavioural(config)? } else { None },
        iru: if uses.iru { iru::behavioural(config)? } else { None },
        ..Default::default()
    })
}

/// The bodies that the user chose, for the kernels of `who`, and the systems of extensions. The seed fills the RTL's registers before reset. A difference between two bodies leaves its files in `evidence`.
///
/// # Errors
/// RTL of nothing, or of what has none; what building the RTL may fail with.
pub fn chosen(
    config: &Config,
    uses: impl Into<Uses>,
    (units, seed): (Units, u64),
    attached: &[&Extension],
    evidence: &Path,
    who: &str,
) -> Result<(attach::Units, Handles)> {
    let (uses, cores) = (uses.into(), config.core.count);
    let kind = match units {
        Units::Behavioural => Kind::Behavioural,
        Units::Rtl => Kind::Rtl,
        Units::Lockstep => Kind::Lockstep,
    };
    ensure!(
        kind == Kind::Behavioural || uses.any_on(config) || !attached.is_empty(),
        "{}: {who} uses no hardware unit on {}, so there is no RTL to run; leave out --units, or take a kernel with the worklist \
         (wlpull, wlpush) or with load_iru, or a configuration with a [gw] table, as gw-fermi-gw8, or with core.front_end=b32",
        if kind == Kind::Rtl { "--units rtl" } else { "--units lockstep" },
        config.name
    );
    let (mut bodies, mut handles) = (attach::Units::default(), Vec::new());
    for extension in attached {
        let (system, handle) = (extension.attach)(config, kind.seeded(seed), evidence)?;
        bodies.others.push(system);
        handles.push(handle);
    }
    if kind == Kind::Behavioural {
        return Ok((attach::Units { others: bodies.others, ..behavioural(config, uses)? }, Handles(handles)));
    }
    if let Some(hwwl) = config.hwwl.as_ref().filter(|_| uses.hwwl) {
        let ideal = hwwl.ideal;
        ensure!(ideal == Ideal::No, "hwwl.ideal = {ideal:?}: no hardware could be that; use --units behavioural");
        let (unit, handle) = hwwl_system(kind.seeded(seed), &hwwl.parameters(cores), evidence)?;
        bodies.hwwl = Some(unit);
        handles.push(handle);
    }
    if let Some(iru) = config.iru.as_ref().filter(|_| uses.iru) {
        let (unit, handle) = iru_system(kind.seeded(seed), &iru.parameters(config), evidence)?;
        bodies.iru = Some(unit);
        handles.push(handle);
    }
    if let Some(gw) = &config.gw {
        let (units, handle) = gw_front_ends(kind.seeded(seed), &gw.parameters(config), cores, evidence)?;
        bodies.gw = units;
        handles.push(handle);
    }
    if config.core.front_end == FrontEndKind::B32 {
        let (units, handle) = b32_front_ends(kind.seeded(seed), &config.core.b32_parameters(), cores, evidence)?;
        bodies.b32 = units;
        handles.push(handle);
    }
    Ok((bodies, Handles(handles)))
}
