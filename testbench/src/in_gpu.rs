//! Worklists for the GPU: behavioural, RTL, or both in lock-step.

use crate::bridge::Model;
use crate::cosim::subject;
use crate::error::Result;
use crate::lockstep::{Difference, Lockstep, Tally};
use crate::rtl::Rtl;
use crate::verilate::Verilator;
use sim::unit::Unit;
use sim::units::hwwl::pins::{CoreIn, CoreOut};
use sim::units::hwwl::{HwwlCore, Parameters};
use std::path::Path;
use std::sync::Arc;

/// A body of `hwwl_core`, as the GPU takes it.
pub type Worklist = Box<dyn Unit<In = CoreIn, Out = CoreOut>>;

/// Which bodies of a unit the GPU runs with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Behavioural,
    Rtl,
    Lockstep,
}

/// What the lock-steps of a GPU have compared: empty for the other kinds.
#[derive(Clone, Debug, Default)]
pub struct Handle {
    tallies: Vec<Arc<Tally>>,
}

impl Handle {
    /// Cycles in which outputs were compared, over all cores.
    pub fn cycles(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.cycles()).sum()
    }

    /// Pins compared, over all cores and cycles.
    pub fn comparisons(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.comparisons()).sum()
    }

    /// Cores whose bodies differed.
    pub fn mismatches(&self) -> u64 {
        self.differences().count() as u64
    }

    /// The first difference of each core that had one.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.tallies.iter().filter_map(|tally| tally.difference())
    }
}

/// One `hwwl_core` for each of `cores` cores, after reset. A difference leaves its files in `directory`.
///
/// # Errors
/// Parameters out of range, or for which there is no RTL; for RTL and lock-step also what [`crate::cosim::cosim`] may
/// fail with.
pub fn hwwl_units(
    kind: Kind,
    parameters: &Parameters,
    cores: usize,
    directory: &Path,
) -> Result<(Vec<Worklist>, Handle)> {
    hwwl_units_with_changed_verilog(kind, parameters, cores, directory, |verilog| verilog)
}

/// As [`hwwl_units`], with the Verilog changed before it is built: for tests that break it on purpose.
///
/// # Errors
/// Those of [`hwwl_units`].
pub fn hwwl_units_with_changed_verilog(
    kind: Kind,
    parameters: &Parameters,
    cores: usize,
    directory: &Path,
    change: impl FnOnce(String) -> String,
) -> Result<(Vec<Worklist>, Handle)> {
    let behavioural = HwwlCore::new(parameters)?;
    let mut handle = Handle::default();
    if kind == Kind::Behavioural {
        let units = (0..cores).map(|_| Box::new(behavioural.clone()) as Worklist).collect();
        return Ok((units, handle));
    }
    let Parameters { lanes, entries, threshold, interval } = *parameters;
    let values = [
        ("lanes", lanes as u64),
        ("entries", entries as u64),
        ("threshold", u64::from(threshold)),
        ("interval", u64::from(interval)),
    ];
    let instance = hdl::catalog::find("hwwl_core", &values)?;
    let verilog = change(gen::elaborate(&instance)?.verilog());
    let model = Model::load(&Verilator::find()?, &instance.module, &verilog, &behavioural.interface())?;
    let mut units: Vec<Worklist> = Vec::new();
    for core in 0..cores as u64 {
        let rtl = Rtl::<CoreIn, CoreOut>::new(&model, core);
        if kind == Kind::Rtl {
            units.push(Box::new(rtl));
        } else {
            let lockstep = Lockstep::new(behavioural.clone(), rtl, subject(&instance, core), directory);
            handle.tallies.push(lockstep.tally());
            units.push(Box::new(lockstep));
        }
    }
    Ok((units, handle))
}
