//! Descriptions of blocks without children. They go as JSON through RustHDL's probe, which hands on text alone.

use crate::tree::{Access, Direction, Item, Memory, Module, Port, Shape};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Description {
    /// A register with the pins `clock`, `d` and `q`, with `enable` where it has that pin, and with `reset` where it has a value
    /// for it, which is hexadecimal.
    Register {
        reset_value: Option<String>,
    },
    Body(Body),
}

/// A module without its ports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// Names and widths.
    pub nets: Vec<(String, usize)>,
    pub items: Vec<Item>,
}

impl Description {
    /// A memory and nothing else.
    pub fn memory(depth: usize, width: usize, access: Access) -> Self {
        let memory = Memory { name: "words".into(), depth, width };
        Description::Body(Body { nets: vec![], items: vec![Item::Memory(memory, access)] })
    }

    /// # Panics
    /// Never: all of it has a form in JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("it has a form in JSON")
    }

    /// # Errors
    /// For a text that is no description.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let mut reader = serde_json::Deserializer::from_str(text);
        // A sum of many terms is deep.
        reader.disable_recursion_limit();
        Self::deserialize(&mut reader).map_err(|error| format!("its text is no description: {error}"))
    }
}

impl Body {
    /// The module of that name with these ports.
    pub fn module(self, name: &str, ports: Vec<Port>) -> Module {
        let of_port = |p: &Port| (p.name.clone(), Shape::plain(p.width));
        let of_net = |(name, width): &(String, usize)| (name.clone(), Shape::plain(*width));
        Module {
            name: name.into(),
            nets: ports.iter().map(of_port).chain(self.nets.iter().map(of_net)).collect(),
            order: self.nets.into_iter().map(|(name, _)| name).collect(),
            ports,
            constants: vec![],
            items: self.items,
        }
    }
}

impl Port {
    pub fn input(name: &str, width: usize) -> Self {
        Port { name: name.into(), direction: Direction::Input, width }
    }

    pub fn output(name: &str, width: usize) -> Self {
        Port { name: name.into(), direction: Direction::Output, width }
    }
}
