//! The units for the GPU: behavioural, RTL, or both in lock-step. The worklist of all cores, and the reorder units of all
//! partitions.

use crate::bridge::Model;
use crate::cosim::{subject, REFILLS, SCHEMES};
use crate::error::Result;
use crate::lockstep::{Difference, Lockstep, Tally};
use crate::rtl::Rtl;
use crate::verilate::Verilator;
use sim::unit::Unit;
use sim::units::hwwl::pins::{HwwlIn, HwwlOut};
use sim::units::hwwl::{Hwwl, Parameters};
use sim::units::iru::pins::{IruIn, IruOut};
use sim::units::iru::{self, Iru};
use std::path::Path;
use std::sync::Arc;

/// A body of `hwwl`, as the GPU takes it.
pub type Worklist = Box<dyn Unit<In = HwwlIn, Out = HwwlOut>>;

/// A body of `iru`, as the GPU takes it.
pub type ReorderUnit = Box<dyn Unit<In = IruIn, Out = IruOut>>;

/// Which body of a unit the GPU runs with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Behavioural,
    Rtl,
    Lockstep,
}

/// What the lock-step inside a GPU has compared: nothing with the other kinds.
#[derive(Clone, Debug, Default)]
pub struct Handle {
    tally: Arc<Tally>,
}

impl Handle {
    /// Cycles in which outputs were compared.
    pub fn cycles(&self) -> u64 {
        self.tally.cycles()
    }

    /// Pins compared, over all cycles.
    pub fn comparisons(&self) -> u64 {
        self.tally.comparisons()
    }

    /// 0 or 1: comparison ends with the first difference.
    pub fn mismatches(&self) -> u64 {
        u64::from(self.difference().is_some())
    }

    pub fn difference(&self) -> Option<&Difference> {
        self.tally.difference()
    }
}

/// The worklist of a GPU, after reset. A difference leaves its files in `directory`.
///
/// # Errors
/// Parameters out of range, or for which there is no RTL; for RTL and lock-step also what [`crate::cosim::cosim`] may
/// fail with.
pub fn hwwl_system(kind: Kind, parameters: &Parameters, directory: &Path) -> Result<(Worklist, Handle)> {
    hwwl_system_with_changed_verilog(kind, parameters, directory, |verilog| verilog)
}

/// As [`hwwl_system`], with the Verilog changed before it is built: for tests that break it on purpose.
///
/// # Errors
/// Those of [`hwwl_system`].
pub fn hwwl_system_with_changed_verilog(
    kind: Kind,
    parameters: &Parameters,
    directory: &Path,
    change: impl FnOnce(String) -> String,
) -> Result<(Worklist, Handle)> {
    body(kind, Hwwl::new(parameters)?, ("hwwl", &values(parameters)), directory, change)
}

/// The reorder units of a GPU, after reset. A difference leaves its files in `directory`.
///
/// # Errors
/// Those of [`hwwl_system`].
pub fn iru_system(kind: Kind, parameters: &iru::Parameters, directory: &Path) -> Result<(ReorderUnit, Handle)> {
    let iru::Parameters { partitions, sets, hash, timeout, requests, interleave } = *parameters;
    let values = [
        ("partitions", partitions as u64),
        ("sets", sets as u64),
        ("hash", hash as u64),
        ("timeout", u64::from(timeout)),
        ("requests", requests as u64),
        ("interleave", interleave as u64),
    ];
    body(kind, Iru::new(parameters)?, ("iru", &values), directory, |verilog| verilog)
}

/// The body of a unit, by its name and its parameters in the catalogue.
fn body<U: Unit + 'static>(
    kind: Kind,
    behavioural: U,
    (unit, values): (&str, &[(&'static str, u64)]),
    directory: &Path,
    change: impl FnOnce(String) -> String,
) -> Result<(Box<dyn Unit<In = U::In, Out = U::Out>>, Handle)> {
    if kind == Kind::Behavioural {
        return Ok((Box::new(behavioural), Handle::default()));
    }
    let instance = hdl::catalog::find(unit, values)?;
    let verilog = change(gen::elaborate(&instance)?.verilog());
    let model = Model::load(&Verilator::find()?, &instance.module, &verilog, &behavioural.interface())?;
    let rtl = Rtl::<U::In, U::Out>::new(&model, SEED);
    if kind == Kind::Rtl {
        return Ok((Box::new(rtl), Handle::default()));
    }
    let lockstep = Lockstep::new(behavioural, rtl, subject(&instance, SEED), directory);
    let handle = Handle { tally: lockstep.tally() };
    Ok((Box::new(lockstep), handle))
}

/// Fills what reset leaves open in the RTL.
const SEED: u64 = 1;

/// Parameters by the names and numbers of the catalogue.
fn values(parameters: &Parameters) -> [(&'static str, u64); 8] {
    let Parameters { lanes, cores, entries, threshold, interval, scheme, refill, refill_interval } = *parameters;
    let number = |place: Option<usize>| place.expect("every choice has a number") as u64;
    [
        ("cores", cores as u64),
        ("lanes", lanes as u64),
        ("entries", entries as u64),
        ("scheme", number(SCHEMES.iter().position(|other| *other == scheme))),
        ("threshold", u64::from(threshold)),
        ("interval", u64::from(interval)),
        ("refill", number(REFILLS.iter().position(|other| *other == refill))),
        ("refill_interval", u64::from(refill_interval)),
    ]
}
