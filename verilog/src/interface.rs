//! Facts of a module that its parents must know.

use crate::tree::Port;
use std::collections::{BTreeMap, BTreeSet};

/// Its ports, and how outputs depend on inputs.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    pub ports: Vec<Port>,
    /// Old name of an element of a packed port: new name and place.
    pub packed: BTreeMap<String, (String, usize)>,
    /// Ports that an output depends on within a cycle, all by their new names.
    pub through: BTreeMap<String, BTreeSet<String>>,
}

impl Interface {
    pub fn new_name<'a>(&'a self, port: &'a str) -> &'a str {
        self.packed.get(port).map_or(port, |(name, _)| name)
    }
}
