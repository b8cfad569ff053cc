//! A module as an engineer would write it: the same registers, with the same values.
//!
//! | file | what it does |
//! |---|---|
//! | `hold.rs` | a register that keeps its value is one with an enable |
//! | `carry.rs` | a count that spells out its carries is `x + 1` |
//! | `column.rs` | an operator over many terms that differ evenly is a loop |
//! | `stride.rs` | every second bit of a vector is a vector of its own |
//! | `descending.rs` | numbers that fall from step to step have names |
//! | `comment.rs` | a comment stands once |
//! | `unread.rs` | nets that nobody reads any more go |
//! | `simple.rs` | operands that change nothing |

mod carry;
mod column;
mod comment;
mod descending;
mod hold;
mod simple;
mod stride;
mod unread;

use crate::names;
use crate::tree::{Expr, Item, Module, Operator, Shape, Shapes};
use std::collections::BTreeSet;

/// The module in its readable form.
pub fn readable(module: &Module) -> Module {
    let mut module = module.clone();
    if module.items.iter().any(|item| matches!(item, Item::Memory(..))) {
        return module;
    }
    let mut items = std::mem::take(&mut module.items);
    let definitions = carry::Definitions::of(&items);
    let simpler = |e: &mut Expr| {
        carry::count(e, &definitions, &module.nets);
        simple::simplify(e, &module.nets);
    };
    items.iter_mut().for_each(|item| item.expressions_mut(&mut |e| e.rewrite(&mut |e| simpler(e))));
    let items = items.into_iter().map(|item| hold::with_enables(item, &module.nets)).collect();
    let ports = module.ports.iter().map(|port| port.name.clone()).collect();
    let (items, gone) = unread::without(comment::once(items), &ports);
    module.order.retain(|net| !gone.contains(net));
    let mut nets = Nets::of(&module);
    let items = descending::named(column::looped(stride::split(items, &mut nets), &mut nets), &mut nets);
    module.nets.extend(nets.shapes);
    module.order.extend(nets.added);
    module.items = items;
    module
}

/// The nets of a module, and those that its readable form adds.
struct Nets {
    shapes: Shapes,
    taken: BTreeSet<String>,
    added: Vec<String>,
}

impl Nets {
    fn of(module: &Module) -> Self {
        let instances = module.items.iter().filter_map(|item| match item {
            Item::Instance { name, .. } => Some(name.clone()),
            _ => None,
        });
        let constants = module.constants.iter().map(|(_, name, _)| name.clone());
        let taken = module.nets.keys().cloned().chain(constants).chain(instances).collect();
        Nets { shapes: module.nets.clone(), taken, added: vec![] }
    }

    /// A new net.
    fn add(&mut self, wanted: &str, shape: Shape) -> String {
        let name = names::reserve(wanted, &mut self.taken);
        self.shapes.insert(name.clone(), shape);
        self.added.push(name.clone());
        name
    }
}

/// The operands of `e`, if it is an operator over them in any order; else `e` itself.
fn terms<'a>(e: &'a Expr, wanted: &str, found: &mut Vec<&'a Expr>) {
    match e {
        Expr::Binary(op, left, right) if *op == wanted => {
            terms(left, wanted, found);
            terms(right, wanted, found);
        }
        _ => found.push(e),
    }
}

/// The terms with that operator between them.
fn joined(op: Operator, terms: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    terms.into_iter().reduce(|left, right| Expr::binary(op, left, right))
}
