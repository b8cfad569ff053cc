//! From the emitter's plain text, one net for each signal, to text with vectors and loops.
//!
//! | file | what it does |
//! |---|---|
//! | `parse.rs` | reads exactly what `print.rs` of this crate and the blocks' own texts say |
//! | `dialect.rs` | registers are `x_q`, what they take next is `x_d` |
//! | `family.rs`, `graph.rs` | `x_0`, `x_1`, ... become one vector, unless it would depend on itself |
//! | `fold.rs` | slices and copies side by side, `case` over elements as a function |
//! | `roll.rs` | equal items become loops, loops over whole vectors one assignment |
//! | `print.rs` | the text |

#![forbid(unsafe_code)]

mod dialect;
mod family;
mod fold;
mod graph;
mod interface;
mod parse;
mod print;
mod roll;
pub mod tree;

use interface::Interface;
use std::collections::BTreeMap;
use tree::Port;

/// The modules so far: children stand before their parents.
#[derive(Default)]
pub struct Rewriter {
    below: BTreeMap<String, Interface>,
}

impl Rewriter {
    /// Text and ports of a module with vectors and loops. One with a memory, or with text of its own that is not the
    /// emitter's, stays as it is.
    pub fn module(&mut self, text: String, ports: &[Port], is_memory: bool) -> (String, Vec<Port>) {
        let name = text.split_whitespace().nth(1).unwrap_or_default().to_string();
        let mut module = match parse::module(&text) {
            Ok(module) if !is_memory => module,
            _ => {
                self.below.insert(name, Interface { ports: ports.to_vec(), ..Interface::default() });
                return (text, ports.to_vec());
            }
        };
        dialect::name_registers(&mut module);
        let interface = family::pack(&mut module, &self.below);
        self.below.insert(name, interface);
        fold::fold(&mut module);
        roll::roll(&mut module);
        (print::module(&module), module.ports)
    }
}
