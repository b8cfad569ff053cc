//! A unit's parameter that is out of range.

use std::fmt::Display;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{unit}: {parameter} is {value}; it must be {rule}")]
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
    if holds {
        Ok(())
    } else {
        Err(ParameterError { unit, parameter, value: value.to_string(), rule })
    }
}
