//! Verilog as a tree, on the way from one net for each signal to vectors and loops.
//!
//! | file | what it does |
//! |---|---|
//! | `tree.rs` | the tree: modules, items, expressions |
//! | `description.rs` | what a block says of itself |
//! | `register.rs` | registers, which share `always` blocks |
//! | `functions.rs` | functions, which are text within |
//! | `rules.rs` | rules of pins, whose conditions are text |
//! | `names.rs` | names, and which words Verilog reserves |
//! | `dialect.rs` | registers are `x_q`, what they take next is `x_d` |
//! | `family.rs`, `graph.rs` | `x_0`, `x_1`, ... become one vector, unless it would depend on itself |
//! | `fold.rs` | slices and copies side by side, `case` over elements as a function |
//! | `roll.rs` | equal items become loops, loops over whole vectors one assignment |
//! | `readable.rs` | a module as an engineer would write it |
//! | `print.rs` | the text |

#![forbid(unsafe_code)]

pub mod description;
mod dialect;
mod family;
pub mod fold;
pub mod functions;
mod graph;
mod interface;
pub mod names;
pub mod print;
pub mod readable;
pub mod register;
mod roll;
pub mod rules;
pub mod tree;

use interface::Interface;
use std::collections::BTreeMap;
use tree::{Item, Module};

/// The modules so far: children stand before their parents.
#[derive(Default)]
pub struct Rewriter {
    below: BTreeMap<String, Interface>,
}

impl Rewriter {
    /// The module with vectors and loops. One with a memory stays as it is.
    pub fn module(&mut self, mut module: Module) -> Module {
        let is_memory = module.items.iter().any(|item| matches!(item, Item::Memory(..)));
        let interface = if is_memory {
            Interface { ports: module.ports.clone(), ..Interface::default() }
        } else {
            dialect::name_registers(&mut module);
            family::pack(&mut module, &self.below)
        };
        self.below.insert(module.name.clone(), interface);
        if !is_memory {
            fold::fold(&mut module);
            roll::roll(&mut module);
        }
        module
    }
}
