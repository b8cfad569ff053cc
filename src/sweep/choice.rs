//! The variant of each workload: a name, or a list of names of which a workload takes the first that it has.

use super::own::entry::Way;
use super::work::{Variant, Workload};
use anyhow::{ensure, Context, Result};
use serde::Deserialize;
use std::sync::Arc;

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

    /// `ways` are the variants of the plan's kernels, if it has kernels.
    pub fn read(&self, ways: &[Arc<Way>]) -> Result<Choice> {
        let names = match self {
            Names::One(name) => std::slice::from_ref(name),
            Names::FirstOf(names) => names,
        };
        ensure!(!names.is_empty(), "is empty; name at least one variant");
        Ok(Choice(names.iter().map(|name| variant(name, ways)).collect::<Result<_>>()?))
    }
}

fn variant(name: &str, ways: &[Arc<Way>]) -> Result<Variant> {
    if ways.is_empty() {
        return Ok(Variant::Ours(name.parse()?));
    }
    let known = || spelling::listed(name, ways.iter().map(|way| way.name.as_str()));
    let way = ways.iter().find(|way| way.name == name);
    Ok(Variant::Own(way.with_context(|| format!("no variant `{name}`; there are {}", known()))?.clone()))
}

impl Choice {
    /// The first, of a workload that has none of them.
    pub fn of(&self, workload: &Workload) -> &Variant {
        self.0.iter().find(|variant| workload.has(variant)).unwrap_or(&self.0[0])
    }

    pub fn all(&self) -> &[Variant] {
        &self.0
    }

    pub fn name(&self) -> String {
        self.0.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(" or ")
    }
}
