//! Nodes that a file calls by names.

use super::length::Place;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;
use crate::graph::limits::MAX_NODES;
use crate::graph::shown::{escaped, shown};
use std::collections::HashMap;

/// The longest name of a node in bytes: names are shown to people.
const LONGEST: usize = 256;

/// Names in the order in which they are first seen, each once, without control characters.
#[derive(Default)]
pub struct Names {
    names: Vec<String>,
    nodes: HashMap<String, u32>,
}

impl Names {
    /// The node of this name, new or not.
    pub fn node(&mut self, place: Place, name: &str) -> Result<u32, GraphError> {
        match self.get(name) {
            Some(node) => Ok(node),
            None => self.add(place, name),
        }
    }

    /// A new node.
    pub fn add(&mut self, place: Place, name: &str) -> Result<u32, GraphError> {
        if name.len() > LONGEST {
            return Err(
                place.error(format!("the name of a node is long: `{}`", shown(name)), "give it 256 bytes at most")
            );
        }
        let nodes = self.names.len() as u64 + 1;
        if nodes > MAX_NODES {
            return Err(GraphError::TooManyNodes { place: place.path.into(), nodes });
        }
        let name = escaped(name);
        if self.nodes.contains_key(&name) {
            return Err(place.error(format!("a second node `{}`", shown(&name)), "give each node a name of its own"));
        }
        self.nodes.insert(name.clone(), nodes as u32 - 1);
        self.names.push(name);
        Ok(nodes as u32 - 1)
    }

    pub fn get(&self, name: &str) -> Option<u32> {
        self.nodes.get(name).or_else(|| self.nodes.get(&escaped(name))).copied()
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn labels(self) -> Labels {
        Labels::Names(self.names)
    }
}
