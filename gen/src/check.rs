//! Checks on the statements of a kernel that RustHDL does not make: latches, and reads of a value that changes later.

use crate::error::{Error, Result};
use crate::logic::bits;
use std::collections::{BTreeMap, BTreeSet};
use verilog::tree::{Expr, Item, Shapes};

/// A bit of a net.
type Bits<'a> = BTreeSet<(&'a str, usize)>;

/// Every net that the group drives is driven on every path, bit by bit.
pub fn no_latch(block: &str, group: &[Item], shapes: &Shapes) -> Result<()> {
    let driven = assigned(group, shapes);
    let mut missing = None;
    for statement in group {
        statement.targets(&mut |target| {
            let (Expr::Net(net) | Expr::Part { net, .. }) = target else { return };
            let all = Expr::Net(net.clone());
            let kept = match bits(target, shapes).or_else(|| bits(&all, shapes)) {
                Some(mut bits) => !bits.all(|bit| driven.contains(&bit)),
                None => false,
            };
            if missing.is_none() && kept {
                missing = Some(net.clone());
            }
        });
    }
    match missing {
        Some(net) => {
            Err(Error::design(block, format!("{net} keeps its value on some path (a latch): assign it first")))
        }
        None => Ok(()),
    }
}

/// Bits that are assigned whichever way the branches go.
fn assigned<'a>(statements: &'a [Item], shapes: &Shapes) -> Bits<'a> {
    let mut driven = Bits::new();
    for statement in statements {
        match statement {
            Item::Blocking(target, _) => driven.extend(bits(target, shapes).into_iter().flatten()),
            Item::If(_, then, otherwise) => {
                let other = assigned(otherwise, shapes);
                driven.extend(assigned(then, shapes).into_iter().filter(|bit| other.contains(bit)));
            }
            Item::Case(subject, arms) => {
                let width = subject.width(shapes).unwrap_or(usize::MAX);
                let has_default = arms.iter().any(|(label, _)| label.is_none());
                if has_default || (width < 16 && arms.len() == 1 << width) {
                    let mut bodies = arms.iter().map(|(_, body)| assigned(body, shapes));
                    let first = bodies.next().unwrap_or_default();
                    driven.extend(bodies.fold(first, |all, body| all.intersection(&body).copied().collect()));
                }
            }
            _ => {}
        }
    }
    driven
}

/// No net is read before its last assignment: RustHDL's simulator would see the last value, Verilog the one so far.
pub fn no_early_read(block: &str, statements: &[Item]) -> Result<()> {
    let (mut events, mut last_write) = (vec![], BTreeMap::new());
    collect(statements, &mut events);
    for (time, event) in events.iter().enumerate() {
        if let Event::Write(net) = event {
            last_write.insert(net.clone(), time);
        }
    }
    for (time, event) in events.iter().enumerate() {
        if let Event::Read(net) = event {
            if last_write.get(net).is_some_and(|&write| write > time) {
                return Err(Error::design(block, format!("{net} is read before its last assignment")));
            }
        }
    }
    Ok(())
}

enum Event {
    Read(String),
    Write(String),
}

fn collect(statements: &[Item], events: &mut Vec<Event>) {
    for statement in statements {
        match statement {
            Item::Blocking(Expr::Net(net) | Expr::Part { net, .. }, _) => {
                statement.reads(&mut |net| events.push(Event::Read(net.into())));
                events.push(Event::Write(net.clone()));
            }
            Item::Case(subject, _) | Item::If(subject, ..) => {
                subject.nets(&mut |net| events.push(Event::Read(net.into())));
            }
            _ => {}
        }
        statement.lists().into_iter().for_each(|list| collect(list, events));
    }
}
