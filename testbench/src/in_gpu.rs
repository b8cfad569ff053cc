//! The units for the GPU, behavioural, RTL, or both in lock-step: `hwwl` for all cores, `iru` for all partitions, and a
//! `gw_front_end` or `b32_front_end` for each core.

use crate::bridge::Model;
use crate::cosim::subject;
use crate::error::Result;
use crate::lockstep::Difference;
use crate::resting::Resting;
use crate::rtl::Rtl;
use crate::trailing::{Group, Trailing};
use crate::verilate::Verilator;
use hdl::catalog::Instance;
use sim::attach;
use sim::unit::Unit;
use sim::units::gw::{self, B32FrontEnd, B32Parameters, GwFrontEnd};
use sim::units::hwwl::{Hwwl, Parameters};
use sim::units::iru::{self, Iru};
use sim::units::parameter::require;
use std::path::Path;

/// Which body of a unit the GPU runs with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Behavioural,
    Rtl,
    Lockstep,
}

/// A body, and the seed of what fills the registers and memories of the RTL before reset. Without a seed it is 1.
#[derive(Clone, Copy, Debug)]
pub struct Seeded {
    kind: Kind,
    seed: u64,
}

impl Kind {
    /// Of several units, the first has this seed, and each other one has the next.
    pub fn seeded(self, seed: u64) -> Seeded {
        Seeded { kind: self, seed }
    }
}

impl From<Kind> for Seeded {
    fn from(kind: Kind) -> Self {
        kind.seeded(1)
    }
}

/// What the lock-step inside a GPU has compared: nothing with the other kinds. The RTL of all units is waited for before anything is
/// told.
#[derive(Clone, Debug, Default)]
pub struct Handle {
    group: Group,
}

/// Why a lock-step has not shown that RTL and model are equal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotEqual {
    /// A difference, or inputs that break a rule: the line of [`Tally::fault`].
    #[error("{0}")]
    Fault(String),
    #[error("the lock-step of RTL and model compared nothing")]
    NothingCompared,
}

impl Handle {
    /// Of these units.
    pub fn of(group: Group) -> Self {
        Handle { group }
    }

    /// RTL and model were compared and are equal. Whoever reports a lock-step as passed asks here first.
    ///
    /// # Errors
    /// See [`NotEqual`].
    pub fn check(&self) -> std::result::Result<(), NotEqual> {
        if let Some(fault) = self.group.first_fault().and_then(|tally| tally.fault()) {
            return Err(NotEqual::Fault(fault));
        }
        if self.comparisons() == 0 {
            return Err(NotEqual::NothingCompared);
        }
        Ok(())
    }

    /// Cycles in which outputs of each unit were compared.
    pub fn cycles_of_units(&self) -> Vec<u64> {
        self.group.tallies().iter().map(|tally| tally.cycles()).collect()
    }

    /// Cycles in which outputs were compared.
    pub fn cycles(&self) -> u64 {
        self.cycles_of_units().iter().sum()
    }

    /// Pins compared, over all cycles.
    pub fn comparisons(&self) -> u64 {
        self.group.tallies().iter().map(|tally| tally.comparisons()).sum()
    }

    /// At most one a unit: its comparison ends with the first difference.
    pub fn mismatches(&self) -> u64 {
        self.group.tallies().iter().filter(|tally| tally.difference().is_some()).count() as u64
    }

    /// Cycles that the unit at fault compared, that of the fault among them; 0 without a fault.
    pub fn cycles_to_fault(&self) -> u64 {
        self.group.first_fault().map_or(0, |tally| tally.cycles())
    }

    /// That of the lowest cycle.
    pub fn difference(&self) -> Option<Difference> {
        self.group.first_fault().and_then(|tally| tally.difference().cloned())
    }
}

/// The `hwwl` of a GPU, after reset. A difference leaves its files in `directory`.
///
/// # Errors
/// Parameters out of range, or for which there is no RTL; for RTL and lock-step also what [`crate::cosim::cosim`] may
/// fail with.
pub fn hwwl_system(
    kind: impl Into<Seeded>,
    parameters: &Parameters,
    directory: &Path,
) -> Result<(attach::hwwl::Body, Handle)> {
    hwwl_system_with_changed_verilog(kind, parameters, directory, |verilog| verilog)
}

/// As [`hwwl_system`], with the Verilog changed before it is built: for tests that break it on purpose.
///
/// # Errors
/// Those of [`hwwl_system`].
pub fn hwwl_system_with_changed_verilog(
    kind: impl Into<Seeded>,
    parameters: &Parameters,
    directory: &Path,
    change: impl FnOnce(String) -> String,
) -> Result<(attach::hwwl::Body, Handle)> {
    body(kind, Hwwl::new(parameters)?, || hwwl_instance(parameters), directory, change)
}

/// What is in the catalogue with these parameters.
///
/// # Errors
/// Parameters for which there is no RTL.
pub fn hwwl_instance(parameters: &Parameters) -> Result<Instance> {
    Ok(hdl::catalog::find("hwwl", &parameters.values())?)
}

/// The `iru` of a GPU, after reset. A difference leaves its files in `directory`.
///
/// # Errors
/// Those of [`hwwl_system`].
pub fn iru_system(
    kind: impl Into<Seeded>,
    parameters: &iru::Parameters,
    directory: &Path,
) -> Result<(attach::iru::Body, Handle)> {
    body(kind, Iru::new(parameters)?, || iru_instance(parameters), directory, |verilog| verilog)
}

/// As [`hwwl_instance`].
///
/// # Errors
/// Parameters for which there is no RTL.
pub fn iru_instance(parameters: &iru::Parameters) -> Result<Instance> {
    Ok(hdl::catalog::find("iru", &parameters.values())?)
}

/// The front ends of a GPU's cores, one for each, after reset. A difference leaves its files in `directory`.
///
/// # Errors
/// Those of [`hwwl_system`]; without instruction reuse there is no RTL.
pub fn gw_front_ends(
    kind: impl Into<Seeded>,
    parameters: &gw::Parameters,
    cores: usize,
    directory: &Path,
) -> Result<(Vec<attach::gw::Body>, Handle)> {
    gw_front_ends_with_changed_verilog(kind, parameters, cores, directory, |verilog| verilog)
}

/// As [`gw_front_ends`], with the Verilog changed before it is built: for tests that break it on purpose.
///
/// # Errors
/// Those of [`gw_front_ends`].
pub fn gw_front_ends_with_changed_verilog(
    kind: impl Into<Seeded>,
    parameters: &gw::Parameters,
    cores: usize,
    directory: &Path,
    change: impl FnOnce(String) -> String,
) -> Result<(Vec<attach::gw::Body>, Handle)> {
    let behavioural = GwFrontEnd::new(parameters)?;
    bodies(kind, vec![behavioural; cores], || gw_instance(parameters), directory, change)
}

/// As [`hwwl_instance`].
///
/// # Errors
/// Parameters for which there is no RTL: an ideal front end, and one without instruction reuse.
pub fn gw_instance(parameters: &gw::Parameters) -> Result<Instance> {
    let rule = "true: without reuse each warp has an entry of its own, which only the model has";
    require(parameters.reuse, "gw_front_end", "reuse", false, rule)?;
    let rule = "false: look-up, check and issue in one cycle is a limit that only the model has";
    require(!parameters.ideal, "gw_front_end", "ideal", true, rule)?;
    Ok(hdl::catalog::find("gw_front_end", &parameters.values())?)
}

/// The front ends of the cores of a GPU like B32, one for each, after reset. A difference leaves its files in `directory`.
///
/// # Errors
/// Those of [`hwwl_system`].
pub fn b32_front_ends(
    kind: impl Into<Seeded>,
    parameters: &B32Parameters,
    cores: usize,
    directory: &Path,
) -> Result<(Vec<attach::b32::Body>, Handle)> {
    b32_front_ends_with_changed_verilog(kind, parameters, cores, directory, |verilog| verilog)
}

/// As [`b32_front_ends`], with the Verilog changed before it is built: for tests that break it on purpose.
///
/// # Errors
/// Those of [`b32_front_ends`].
pub fn b32_front_ends_with_changed_verilog(
    kind: impl Into<Seeded>,
    parameters: &B32Parameters,
    cores: usize,
    directory: &Path,
    change: impl FnOnce(String) -> String,
) -> Result<(Vec<attach::b32::Body>, Handle)> {
    let behavioural = B32FrontEnd::new(parameters)?;
    bodies(kind, vec![behavioural; cores], || b32_instance(parameters), directory, change)
}

/// As [`hwwl_instance`].
///
/// # Errors
/// Parameters for which there is no RTL.
pub fn b32_instance(parameters: &B32Parameters) -> Result<Instance> {
    Ok(hdl::catalog::find("b32_front_end", &parameters.values())?)
}

/// The body of a unit.
fn body<U: Unit + 'static>(
    kind: impl Into<Seeded>,
    behavioural: U,
    instance: impl FnOnce() -> Result<Instance>,
    directory: &Path,
    change: impl FnOnce(String) -> String,
) -> Result<(Body<U>, Handle)> {
    let (mut bodies, handle) = bodies(kind, vec![behavioural], instance, directory, change)?;
    Ok((bodies.remove(0), handle))
}

/// A unit in any body.
pub type Body<U> = Box<dyn Unit<In = <U as Unit>::In, Out = <U as Unit>::Out>>;

/// Bodies of several units alike, after reset, given their models and the `instance` that they are. A difference leaves its files in
/// `directory`. `change` makes other Verilog of the unit's, for tests that break it on purpose; that is built in haste.
///
/// # Errors
/// Those of `instance`; for RTL and lock-step also what [`crate::cosim::cosim`] may fail with.
pub fn bodies<U: Unit + 'static>(
    kind: impl Into<Seeded>,
    behavioural: Vec<U>,
    instance: impl FnOnce() -> Result<Instance>,
    directory: &Path,
    change: impl FnOnce(String) -> String,
) -> Result<(Vec<Body<U>>, Handle)> {
    let Seeded { kind, seed: first_seed } = kind.into();
    let boxed = |unit: U| -> Body<U> { Box::new(unit) };
    if kind == Kind::Behavioural {
        return Ok((behavioural.into_iter().map(boxed).collect(), Handle::default()));
    }
    let instance = instance()?;
    let ours = gen::elaborate(&instance)?.verilog();
    let verilog = change(ours.clone());
    let verilator = Verilator::find()?;
    let verilator = if verilog == ours { verilator } else { verilator.in_haste() };
    let interface = behavioural.first().map(Unit::interface).unwrap_or_default();
    let model = Model::load(&verilator, &instance.module, verilog.as_str(), &interface)?;
    let handle = Handle::default();
    let body = |(behavioural, seed): (U, u64)| -> Body<U> {
        let rtl = Rtl::<U::In, U::Out>::new(&model, seed);
        if kind == Kind::Rtl {
            return Box::new(rtl);
        }
        let rtl = Resting::new(rtl);
        Box::new(Trailing::new(behavioural, rtl, subject(&instance, seed), directory, &handle.group))
    };
    let bodies = behavioural.into_iter().zip(first_seed..).map(body).collect();
    Ok((bodies, handle))
}
