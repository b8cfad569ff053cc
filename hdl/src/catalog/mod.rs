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

pub use definition::Definition;
pub use rtl::{boxed, Rtl};

use rust_hdl::prelude::Block;
use spec::{InstanceError, Unit, Values};
use std::collections::BTreeMap;

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

/// Units that are found by name.
#[derive(Clone)]
pub struct Catalog {
    definitions: Vec<&'static Definition>,
}

impl Catalog {
    /// The units of this crate: those of no paper, then those of each paper.
    pub fn ours() -> Self {
        let none = Catalog { definitions: vec![] };
        [prim::UNITS, hwwl::UNITS, iru::UNITS, gw::UNITS].into_iter().fold(none, Catalog::with)
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
            let name = definition.unit.name;
            assert!(self.definition(name).is_none(), "two units are called {name}");
            self.definitions.push(definition);
        }
        self
    }

    /// Every unit.
    pub fn units(&self) -> Vec<&'static Unit> {
        self.definitions.iter().map(|definition| definition.unit).collect()
    }

    /// The instances that ship, in the order of the units.
    pub fn instances(&self) -> Vec<Instance> {
        self.definitions.iter().flat_map(|definition| definition.shipped()).collect()
    }

    /// The unit `unit` with the parameters given and defaults for the rest.
    ///
    /// # Errors
    /// No such unit or parameter, a value that its rule forbids, or a size that there is no RTL for.
    pub fn find(&self, unit: &str, parameters: &[(&str, u64)]) -> Result<Instance, InstanceError> {
        let names = self.definitions.iter().map(|definition| definition.unit.name);
        self.definition(unit).ok_or_else(|| InstanceError::no_unit(unit, names))?.find(parameters)
    }

    fn definition(&self, unit: &str) -> Option<&'static Definition> {
        self.definitions.iter().copied().find(|definition| definition.unit.name == unit)
    }
}

/// [`Catalog::units`] of ours.
pub fn units() -> Vec<&'static Unit> {
    Catalog::ours().units()
}

/// [`Catalog::instances`] of ours: `verilog-out/manifest.json` has the module and the values of each.
pub fn catalog() -> Vec<Instance> {
    Catalog::ours().instances()
}

/// [`Catalog::find`] among ours.
///
/// # Errors
/// Errors of [`Catalog::find`].
pub fn find(unit: &str, parameters: &[(&str, u64)]) -> Result<Instance, InstanceError> {
    Catalog::ours().find(unit, parameters)
}
