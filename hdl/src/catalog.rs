//! Every unit with its parameters, a one-line description, and how to elaborate it.
//!
//! [`catalog`] is the list that Verilog output, co-simulation and reports go through; [`find`] makes one instance with
//! parameters of the caller's choice.

use crate::hwwl::bank::Bank;
use crate::hwwl::{address_bits, count_bits, ID_BITS};
use crate::prim::sram_1rw::Sram1rw;
use rust_hdl::prelude::Block;

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
    /// Paper and section.
    pub paper: &'static str,
    pub parameters: Vec<Parameter>,
}

/// A unit with all its parameters.
#[derive(Clone, Debug)]
pub struct Instance {
    pub unit: &'static str,
    pub description: &'static str,
    /// Paper and section.
    pub paper: &'static str,
    /// In the order of the unit's parameter list.
    pub parameters: Vec<(&'static str, u64)>,
    /// Name of the Verilog module.
    pub module: String,
    build: fn(&Values) -> Option<Box<dyn Block>>,
}

/// Why [`find`] makes no instance.
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

impl Instance {
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

/// Every unit, in the order of the pages in `docs/`.
pub fn units() -> Vec<Unit> {
    DEFINITIONS.iter().map(Definition::unit).collect()
}

/// The instances that ship: their Verilog is in `verilog-out/`.
pub fn catalog() -> Vec<Instance> {
    DEFINITIONS.iter().flat_map(|d| d.shipped.iter().map(|values| d.instance(values))).collect()
}

/// The unit `unit` with the parameters given and defaults for the rest.
pub fn find(unit: &str, parameters: &[(&str, u64)]) -> Result<Instance, ParameterError> {
    let definition = DEFINITIONS.iter().find(|d| d.name == unit).ok_or_else(|| ParameterError::Unit {
        unit: unit.into(),
        available: DEFINITIONS.iter().map(|d| d.name).collect::<Vec<_>>().join(", "),
    })?;
    let values = definition.complete(parameters)?;
    let instance = definition.instance(&values);
    if (definition.build)(&Values(instance.parameters.clone())).is_none() {
        return Err(definition.no_combination(&instance));
    }
    Ok(instance)
}

/// Name and value of every parameter of an instance.
struct Values(Vec<(&'static str, u64)>);

impl Values {
    fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, v)| *v).expect("complete by construction")
    }
}

/// A value and the parameters' rule for it.
struct Rule {
    parameter: Parameter,
    rule: &'static str,
    holds: fn(u64) -> bool,
}

struct Definition {
    name: &'static str,
    description: &'static str,
    paper: &'static str,
    parameters: &'static [Rule],
    /// Values in the order of the parameters.
    shipped: &'static [&'static [u64]],
    module: fn(&Values) -> String,
    /// `None` where no RTL was instantiated for these (valid) values.
    build: fn(&Values) -> Option<Box<dyn Block>>,
    available: fn() -> String,
}

impl Definition {
    fn unit(&self) -> Unit {
        Unit {
            name: self.name,
            description: self.description,
            paper: self.paper,
            parameters: self.parameters.iter().map(|p| p.parameter.clone()).collect(),
        }
    }

    fn instance(&self, values: &[u64]) -> Instance {
        let parameters: Vec<_> = self.parameters.iter().map(|p| p.parameter.name).zip(values.iter().copied()).collect();
        Instance {
            unit: self.name,
            description: self.description,
            paper: self.paper,
            module: (self.module)(&Values(parameters.clone())),
            parameters,
            build: self.build,
        }
    }

    /// All values, checked against the rules one by one.
    fn complete(&self, given: &[(&str, u64)]) -> Result<Vec<u64>, ParameterError> {
        let unit = self.name;
        for (i, (name, _)) in given.iter().enumerate() {
            let Some(known) = self.parameters.iter().find(|p| p.parameter.name == *name) else {
                let available = self.parameters.iter().map(|p| p.parameter.name).collect::<Vec<_>>().join(", ");
                return Err(ParameterError::Unknown { unit, parameter: name.to_string(), available });
            };
            if given[..i].iter().any(|(other, _)| other == name) {
                return Err(ParameterError::Twice { unit, parameter: known.parameter.name });
            }
        }
        let value = |p: &Rule| {
            let value = given.iter().find(|(n, _)| *n == p.parameter.name).map_or(p.parameter.default, |(_, v)| *v);
            match (p.holds)(value) {
                true => Ok(value),
                false => Err(ParameterError::Value { unit, parameter: p.parameter.name, value, rule: p.rule }),
            }
        };
        self.parameters.iter().map(value).collect()
    }

    fn no_combination(&self, instance: &Instance) -> ParameterError {
        let wanted: Vec<_> = instance.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        ParameterError::Combination { unit: self.name, wanted: wanted.join(", "), available: (self.available)() }
    }
}

/// `$value` as a list of numbers for messages, and as a constant for const generics in each arm.
macro_rules! sizes {
    ($($size:literal)*) => { [$($size),*].map(|s: u64| s.to_string()).join(", ") };
}

macro_rules! bank_sizes {
    ($then:ident $($rest:tt)*) => { $then!($($rest)* 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536) };
}

fn build_sram_1rw(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! by_words {
        ($($words:literal)*) => {
            match p.get("words") {
                $($words => Some(Box::new(Sram1rw::<ID_BITS, { address_bits($words) }>::default()) as Box<dyn Block>),)*
                _ => None,
            }
        };
    }
    if p.get("width") != ID_BITS as u64 {
        return None;
    }
    bank_sizes!(by_words)
}

fn build_bank(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! by_entries {
        ($($e:literal)*) => {
            match p.get("entries") {
                $($e => Some(Box::new(Bank::<{ address_bits($e) }, { count_bits($e) }>::default()) as Box<dyn Block>),)*
                _ => None,
            }
        };
    }
    bank_sizes!(by_entries)
}

const HWWL: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014";

const ENTRIES: Rule = Rule {
    parameter: Parameter { name: "entries", description: "work IDs that a bank holds", default: 32 },
    rule: "a power of two from 4 to 65536",
    holds: |v| v.is_power_of_two() && (4..=65536).contains(&v),
};

static DEFINITIONS: &[Definition] = &[
    Definition {
        name: "sram_1rw",
        description: "single-port SRAM",
        paper: "-",
        parameters: &[
            Rule {
                parameter: Parameter { name: "words", description: "words", default: 32 },
                rule: "a power of two from 4 to 65536",
                holds: |v| v.is_power_of_two() && (4..=65536).contains(&v),
            },
            Rule {
                parameter: Parameter { name: "width", description: "bits of a word", default: 24 },
                rule: "at least 1",
                holds: |v| v >= 1,
            },
        ],
        shipped: &[&[4, 24], &[8, 24], &[32, 24], &[128, 24], &[1024, 24], &[2048, 24], &[4096, 24], &[8192, 24]],
        module: |p| format!("sram_1rw_{}x{}", p.get("words"), p.get("width")),
        build: build_sram_1rw,
        available: || format!("width = 24 with words = {}", bank_sizes!(sizes)),
    },
    Definition {
        name: "bank",
        description: "a lane's worklist: FIFO of work IDs, single- or double-buffered",
        paper: HWWL,
        parameters: &[ENTRIES],
        shipped: &[&[4], &[8], &[32], &[128], &[1024], &[2048], &[4096], &[8192]],
        module: |p| format!("hwwl_bank_e{}", p.get("entries")),
        build: build_bank,
        available: || format!("entries = {}", bank_sizes!(sizes)),
    },
];
