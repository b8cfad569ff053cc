//! A unit: what can be chosen, and which sizes of it there are.

use crate::parameter::{Parameter, ParameterError, Relation, Values};
use crate::pin::Interface;

/// Some parameters by name; the others have their defaults.
pub type Size = &'static [(&'static str, u64)];

/// A unit as its page, its RTL, its model and its stimulus have it.
#[derive(Debug)]
pub struct Unit {
    pub name: &'static str,
    pub description: &'static str,
    /// Latency and throughput.
    pub timing: &'static str,
    /// Paper and section, `-` for a unit of no paper.
    pub paper: &'static str,
    pub parameters: &'static [Parameter],
    /// Rules between parameters, checked after those of the parameters alone.
    pub relations: &'static [Relation],
    /// The instances that ship: values in the order of the parameters.
    pub shipped: &'static [&'static [u64]],
    pub sizes: Sizes,
    /// The pins with these parameters; the Verilog has them as ports.
    pub pins: fn(&Values) -> Interface,
}

/// The sizes of a unit in what takes long.
#[derive(Debug)]
pub struct Sizes {
    /// Sizes that the long co-simulation runs besides the default one.
    pub campaign: &'static [Size],
    /// The size in which faults are planted: a build of a large one takes too long with so many.
    pub mutants: Size,
    /// Faults. Fewer in large units: a build with all takes too long, or the model checker does for those that stimulus leaves.
    pub mutant_count: u64,
    /// The size whose netlist is compared with its RTL: synthesis of a larger one takes minutes.
    pub gates: Size,
}

impl Sizes {
    /// The default size for everything.
    pub const DEFAULT: Sizes = Sizes { campaign: &[], mutants: &[], mutant_count: 1000, gates: &[] };
}

impl Unit {
    /// The unit with the parameters given and defaults for the rest.
    ///
    /// # Errors
    /// No such parameter, one that is given twice, or a value that its rule forbids.
    pub fn values(&self, given: &[(&str, u64)]) -> Result<Values, InstanceError> {
        self.check_names(given)?;
        Ok(self.checked(given)?)
    }

    /// The same among parameters of which some may be of other units.
    ///
    /// # Errors
    /// A value that its rule forbids.
    pub fn checked(&self, given: &[(&str, u64)]) -> Result<Values, ParameterError> {
        let value = |p: &Parameter| {
            let value = given.iter().find(|(name, _)| *name == p.name).map_or(p.default, |(_, value)| *value);
            p.check(self.name, value).map(|()| (p.name, value))
        };
        let values = Values(self.parameters.iter().map(value).collect::<Result<_, _>>()?);
        match self.relations.iter().find(|relation| !(relation.holds)(&values)) {
            None => Ok(values),
            Some(&Relation { parameter, rule, .. }) => {
                let value = values.get(parameter).to_string();
                Err(ParameterError { unit: self.name, parameter, value, rule })
            }
        }
    }

    /// Each shipped instance.
    pub fn shipped(&self) -> impl Iterator<Item = Values> + '_ {
        let names = || self.parameters.iter().map(|p| p.name);
        self.shipped.iter().map(move |values| Values(names().zip(values.iter().copied()).collect()))
    }

    /// Every name is a parameter's, and given once.
    fn check_names(&self, given: &[(&str, u64)]) -> Result<(), InstanceError> {
        let unit = self.name;
        for (i, (name, _)) in given.iter().enumerate() {
            let Some(known) = self.parameters.iter().find(|p| p.name == *name) else {
                let available = spelling::listed(name, self.parameters.iter().map(|p| p.name));
                return Err(InstanceError::Parameter { unit, parameter: name.to_string(), available });
            };
            if given[..i].iter().any(|(other, _)| other == name) {
                return Err(InstanceError::Twice { unit, parameter: known.name });
            }
        }
        Ok(())
    }
}

/// Why there is no instance with these parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstanceError {
    #[error("no unit {unit}: there are {available}")]
    Unit { unit: String, available: String },
    #[error("{unit} has no parameter {parameter}: it has {available}")]
    Parameter { unit: &'static str, parameter: String, available: String },
    #[error("{unit}: {parameter} is given twice")]
    Twice { unit: &'static str, parameter: &'static str },
    #[error(transparent)]
    Value(#[from] ParameterError),
    #[error("{unit}: no RTL for {wanted}; there is RTL for {available}")]
    Rtl { unit: &'static str, wanted: String, available: String },
}

impl InstanceError {
    /// `unit` is none of the units of these names.
    pub fn no_unit(unit: &str, names: impl IntoIterator<Item = &'static str>) -> Self {
        InstanceError::Unit { unit: unit.into(), available: spelling::listed(unit, names) }
    }
}
