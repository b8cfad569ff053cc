//! Every unit with its parameters, a one-line description, and how to elaborate it.
//!
//! A unit is a [`Definition`] in the list of its system. [`Catalog::ours`] has the units of this crate, and a crate with units
//! of its own adds them by [`Catalog::with`]. [`catalog`], [`units`] and [`find`] are about ours.

mod definition;
mod gw;
mod hwwl;
mod iru;
mod prim;
mod rtl;
pub mod rules;
mod values;

pub use definition::Definition;
pub use rtl::{boxed, Rtl};
pub use values::{Relation, Rule, Values};

use rust_hdl::prelude::Block;
use std::collections::BTreeMap;

/// A parameter of a unit.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// What it means, with its measure.
    pub description: &'static str,
    pub default: u64,
}

/// A unit and what can be chosen.
#[derive(Clone, Debug)]
pub struct Unit {
    pub name: &'static str,
    pub description: &'static str,
    /// Latency and throughput.
    pub timing: &'static str,
    /// Paper and section.
    pub paper: &'static str,
    pub parameters: Vec<Parameter>,
}

/// A unit with all its parameters.
#[derive(Clone, Debug)]
pub struct Instance {
    pub unit: &'static str,
    pub description: &'static str,
    /// Latency and throughput.
    pub timing: &'static str,
    /// Paper and section.
    pub paper: &'static str,
    /// In the order of the unit's parameter list.
    pub parameters: Vec<(&'static str, u64)>,
    /// Name of the Verilog module.
    pub module: String,
    build: fn(&Values) -> Option<Box<dyn Block>>,
}

impl Instance {
    /// Values by the names of the parameters, without the order of the list.
    pub fn parameters_by_name(&self) -> BTreeMap<String, u64> {
        self.parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect()
    }

    /// The elaborated block, connected and ready for simulation or emission.
    pub fn build(&self) -> Box<dyn Block> {
        let values = Values(self.parameters.clone());
        let mut block = (self.build)(&values).expect("an instance is made only of parameters that there is RTL for");
        block.connect_all();
        block
    }

    /// Value of a parameter by name.
    pub fn parameter(&self, name: &str) -> Option<u64> {
        self.parameters.iter().find(|(n, _)| *n == name).map(|(_, value)| *value)
    }
}

/// Why there is no instance with these parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    #[error("no unit {unit}: there are {available}")]
    Unit { unit: String, available: String },
    #[error("{unit} has no parameter {parameter}: it has {available}")]
    Unknown { unit: &'static str, parameter: String, available: String },
    #[error("{unit}: {parameter} is given twice")]
    Twice { unit: &'static str, parameter: &'static str },
    #[error("{unit}: {parameter} = {value}, but it must be {rule}")]
    Value { unit: &'static str, parameter: &'static str, value: u64, rule: &'static str },
    #[error("{unit}: no RTL for {wanted}; there is RTL for {available}")]
    Combination { unit: &'static str, wanted: String, available: String },
}

/// The units of this crate by their systems.
const SYSTEMS: [(&str, &[Definition]); 4] =
    [("prim", prim::UNITS), ("hwwl", hwwl::UNITS), ("iru", iru::UNITS), ("gw", gw::UNITS)];

/// Units that are found by name.
#[derive(Clone)]
pub struct Catalog {
    definitions: Vec<&'static Definition>,
}

impl Catalog {
    /// The units of this crate: those of no paper, then those of each paper.
    pub fn ours() -> Self {
        let none = Catalog { definitions: vec![] };
        SYSTEMS.into_iter().fold(none, |catalog, (_, units)| catalog.with(units))
    }

    /// Each unit as its crate declares it.
    pub fn definitions(&self) -> &[&'static Definition] {
        &self.definitions
    }

    /// These units and, behind them, those of `definitions`.
    ///
    /// # Panics
    /// If two units have one name.
    pub fn with(mut self, definitions: &'static [Definition]) -> Self {
        for definition in definitions {
            assert!(self.definition(definition.name).is_none(), "two units are called {}", definition.name);
            self.definitions.push(definition);
        }
        self
    }

    /// Every unit.
    pub fn units(&self) -> Vec<Unit> {
        self.definitions.iter().map(|definition| definition.unit()).collect()
    }

    /// The instances that ship, in the order of the units.
    pub fn instances(&self) -> Vec<Instance> {
        self.definitions.iter().flat_map(|definition| definition.shipped()).collect()
    }

    /// The unit `unit` with the parameters given and defaults for the rest.
    ///
    /// # Errors
    /// No such unit or parameter, a value that its rule forbids, or a size that there is no RTL for.
    pub fn find(&self, unit: &str, parameters: &[(&str, u64)]) -> Result<Instance, ParameterError> {
        let definition = self.definition(unit).ok_or_else(|| ParameterError::Unit {
            unit: unit.into(),
            available: spelling::listed(unit, self.definitions.iter().map(|d| d.name)),
        })?;
        definition.find(parameters)
    }

    fn definition(&self, unit: &str) -> Option<&'static Definition> {
        self.definitions.iter().copied().find(|definition| definition.name == unit)
    }
}

/// The system of one of our units, `prim` if it belongs to no paper: its files are in a folder of that name.
pub fn system(unit: &str) -> Option<&'static str> {
    let is_of = |units: &[Definition]| units.iter().any(|definition| definition.name == unit);
    SYSTEMS.into_iter().find(|(_, units)| is_of(units)).map(|(system, _)| system)
}

/// [`Catalog::units`] of ours.
pub fn units() -> Vec<Unit> {
    Catalog::ours().units()
}

/// [`Catalog::instances`] of ours: `verilog-out/manifest.json` has the module and the values of each.
pub fn catalog() -> Vec<Instance> {
    Catalog::ours().instances()
}

/// [`Catalog::find`] among ours.
///
/// # Errors
/// Those of [`Catalog::find`].
pub fn find(unit: &str, parameters: &[(&str, u64)]) -> Result<Instance, ParameterError> {
    Catalog::ours().find(unit, parameters)
}
