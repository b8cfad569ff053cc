//! The variant of each workload: a name, or a list of names of which a workload takes the first that it has.

use anyhow::{ensure, Result};
use serde::Deserialize;
use sim::workload::{Variant, Workload};

/// As in plans.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Names {
    One(String),
    FirstOf(Vec<String>),
}

/// Not empty.
#[derive(Clone, Debug)]
pub struct Choice(Vec<Variant>);

impl Names {
    pub fn shown(&self) -> String {
        match self {
            Names::One(name) => name.clone(),
            Names::FirstOf(names) => names.join(" or "),
        }
    }

    pub fn read(&self) -> Result<Choice> {
        let names = match self {
            Names::One(name) => std::slice::from_ref(name),
            Names::FirstOf(names) => names,
        };
        ensure!(!names.is_empty(), "is empty; name at least one variant");
        Ok(Choice(names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?))
    }
}

impl Choice {
    /// The first, of a workload that has none of them.
    pub fn of(&self, workload: &Workload) -> Variant {
        self.0.iter().copied().find(|variant| workload.variants.contains(variant)).unwrap_or(self.0[0])
    }

    pub fn all(&self) -> &[Variant] {
        &self.0
    }

    pub fn name(&self) -> String {
        self.0.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(" or ")
    }
}
