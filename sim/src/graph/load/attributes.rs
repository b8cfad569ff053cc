//! Attributes that a file has and nobody uses.

use crate::graph::shown::shown;
use std::collections::BTreeSet;

/// No more are told.
const TOLD: usize = 8;

#[derive(Default)]
pub struct Attributes {
    names: BTreeSet<String>,
}

impl Attributes {
    pub fn add(&mut self, name: &str) {
        if self.names.len() < TOLD && !self.names.contains(name) {
            self.names.insert(name.into());
        }
    }

    /// For people to read.
    pub fn told(&self) -> Vec<String> {
        self.names.iter().map(|name| format!("`{}`", shown(name))).collect()
    }
}
