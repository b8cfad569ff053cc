//! A parameter of a unit, the rule for its value, and rules between parameters.

use std::fmt::Display;
use thiserror::Error;

/// A parameter and the rule for its value.
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// Its meaning, with its measure.
    pub description: &'static str,
    pub default: u64,
    /// The rule in words, after "it must be".
    pub rule: &'static str,
    pub holds: fn(u64) -> bool,
    /// Where it has its default, the unit is as it was before there was this parameter: its header does not name it.
    pub is_extra: bool,
}

impl Parameter {
    /// A parameter that takes any number.
    pub const fn new(name: &'static str, description: &'static str, default: u64) -> Self {
        Self { name, description, default, rule: "a number", holds: |_| true, is_extra: false }
    }

    /// The parameter with its rule, in words after "it must be" and as a test of a value.
    pub const fn must_be(self, rule: &'static str, holds: fn(u64) -> bool) -> Self {
        Self { rule, holds, ..self }
    }

    /// The parameter as one that headers name only where it has not its default.
    pub const fn extra(self) -> Self {
        Self { is_extra: true, ..self }
    }

    /// # Errors
    /// The value breaks the rule; the error names it in the name of `unit`.
    pub fn check(&self, unit: &'static str, value: u64) -> Result<(), ParameterError> {
        require((self.holds)(value), unit, self.name, value, self.rule)
    }
}

/// A rule between several parameters; the error names `parameter`.
#[derive(Debug)]
pub struct Relation {
    pub parameter: &'static str,
    /// The rule in words, after "it must be".
    pub rule: &'static str,
    pub holds: fn(&Values) -> bool,
}

/// A parameter that is out of range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{unit}: {parameter} = {value}, but it must be {rule}")]
pub struct ParameterError {
    pub unit: &'static str,
    pub parameter: &'static str,
    pub value: String,
    pub rule: &'static str,
}

/// `Ok` if `holds`, else the error that names the parameter, its value and the rule.
pub fn require(
    holds: bool,
    unit: &'static str,
    parameter: &'static str,
    value: impl Display,
    rule: &'static str,
) -> Result<(), ParameterError> {
    match holds {
        true => Ok(()),
        false => Err(ParameterError { unit, parameter, value: value.to_string(), rule }),
    }
}

/// Name and value of every parameter of a unit, in the order of the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values(pub Vec<(&'static str, u64)>);

impl Values {
    /// The value of the parameter `name`. `None`: the unit has no such parameter.
    pub fn find(&self, name: &str) -> Option<u64> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The value of the parameter `name`.
    ///
    /// # Panics
    /// If the unit has no such parameter.
    pub fn get(&self, name: &str) -> u64 {
        self.find(name).unwrap_or_else(|| panic!("the unit has no parameter {name}"))
    }

    /// The values of several parameters, as [`Self::get`] gives them.
    pub fn several(&self, names: &[&str]) -> Vec<u64> {
        names.iter().map(|name| self.get(name)).collect()
    }

    /// A part of a module's name: `_t3` for a value that is not the default, else nothing.
    pub fn suffix(&self, letter: char, parameter: &Parameter) -> String {
        match self.get(parameter.name) {
            value if value == parameter.default => String::new(),
            value => format!("_{letter}{value}"),
        }
    }
}
