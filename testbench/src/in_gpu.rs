//! The units of a GPU as behavioural models, as RTL, or as both in lock-step.

use crate::bridge::Model;
use crate::error::Result;
use crate::lockstep::{Difference, Lockstep};
use crate::resting::Resting;
use crate::rtl::Rtl;
use crate::trace::Subject;
use crate::trailing::Group;
use crate::verilate::Verilator;
use hdl::catalog::Instance;
use serde::Serialize;
use sim::attach::system::System;
use sim::config::Config;
use sim::unit::Unit;
use std::path::Path;

/// Implementation of its units with which a GPU runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Implementation {
    Behavioural,
    Rtl,
    Lockstep,
}

/// A unit in any implementation.
pub type AnyUnit<U> = Box<dyn Unit<In = <U as Unit>::In, Out = <U as Unit>::Out>>;

/// A unit, by its model, that a system puts into a GPU.
pub trait GpuUnit: Unit + Clone + 'static {
    /// Its name in the catalogue.
    const NAME: &'static str;
    type Parameters;

    /// # Errors
    /// Parameters out of range.
    fn model(parameters: &Self::Parameters) -> Result<Self>;

    /// The unit in the catalogue.
    ///
    /// # Errors
    /// Parameters for which there is no RTL.
    fn instance(parameters: &Self::Parameters) -> Result<Instance>;
}

/// The unit of a system, or the first of its units.
pub trait SystemUnit: GpuUnit {
    /// The parameters on a GPU that has the system, and the number of units.
    ///
    /// # Errors
    /// No hardware could be what the configuration asks for.
    fn on(config: &Config) -> Result<(Self::Parameters, usize)>;

    /// The system with these units.
    fn system(config: &Config, units: Vec<AnyUnit<Self>>) -> Box<dyn System>;
}

/// The implementation of the units of a GPU, and how it is made.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    implementation: Implementation,
    seed: u64,
    evidence: &'a Path,
    change: &'a dyn Fn(String) -> String,
}

impl<'a> Choice<'a> {
    /// A difference leaves its files in the folder `evidence`.
    pub fn new(implementation: Implementation, evidence: &'a Path) -> Self {
        Choice { implementation, seed: 1, evidence, change: &|verilog| verilog }
    }

    /// The same, with this seed of the values of registers and memories of the RTL before reset; it is 1 otherwise. The first of several
    /// units has this seed, and each other one has the next.
    pub fn seeded(self, seed: u64) -> Self {
        Choice { seed, ..self }
    }

    /// The same, with other Verilog, for tests that break it on purpose; that is built in haste.
    pub fn changed(self, change: &'a dyn Fn(String) -> String) -> Self {
        Choice { change, ..self }
    }

    /// A system on a GPU that has it.
    ///
    /// # Errors
    /// Errors of [`Self::of_parameters`]; a configuration that no hardware could be.
    pub fn attach<U: SystemUnit>(&self, config: &Config) -> Result<(Box<dyn System>, Handle)> {
        let (parameters, count) = U::on(config)?;
        let (units, handle) = self.of_parameters::<U>(&parameters, count)?;
        Ok((U::system(config, units), handle))
    }

    /// So many units with these parameters, after reset.
    ///
    /// # Errors
    /// Parameters out of range, or for which there is no RTL; for RTL and lock-step also those of [`crate::by_name::cosim`].
    pub fn of_parameters<U: GpuUnit>(
        &self,
        parameters: &U::Parameters,
        count: usize,
    ) -> Result<(Vec<AnyUnit<U>>, Handle)> {
        let handle = Handle::default();
        Ok((self.beside::<U>(&handle, parameters, count)?, handle))
    }

    /// The same, with the units of a handle that is there.
    ///
    /// # Errors
    /// Errors of [`Self::of_parameters`].
    pub fn beside<U: GpuUnit>(
        &self,
        handle: &Handle,
        parameters: &U::Parameters,
        count: usize,
    ) -> Result<Vec<AnyUnit<U>>> {
        let models = vec![U::model(parameters)?; count];
        if self.implementation == Implementation::Behavioural {
            return Ok(models.into_iter().map(|unit| Box::new(unit) as AnyUnit<U>).collect());
        }
        let instance = U::instance(parameters)?;
        let ours = gen::elaborate(&instance)?.verilog();
        let verilog = (self.change)(ours.clone());
        let verilator = Verilator::find()?;
        let verilator = if verilog == ours { verilator } else { verilator.in_haste() };
        let interface = models.first().map(Unit::interface).unwrap_or_default();
        let model = Model::load(&verilator, &instance.module, verilog.as_str(), &interface)?;
        let unit = |(behavioural, seed): (U, u64)| -> AnyUnit<U> {
            let rtl = Rtl::<U::In, U::Out>::new(&model, seed);
            if self.implementation == Implementation::Rtl {
                return Box::new(rtl);
            }
            let (rtl, subject) = (Resting::new(rtl), Subject::of(&instance, seed));
            Box::new(Lockstep::trailing(behavioural, rtl, subject, self.evidence, &handle.group))
        };
        Ok(models.into_iter().zip(self.seed..).map(unit).collect())
    }
}

/// Comparisons of the lock-step inside a GPU: none with the other implementations. The RTL of all units is waited for
/// before anything is told.
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
    /// Handle of these units.
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
