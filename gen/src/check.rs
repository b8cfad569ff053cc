//! Checks on the statements of a kernel that RustHDL does not make: latches, and reads of a value that changes later.

use crate::error::{Error, Result};
use crate::ir::{Statement, Target};
use std::collections::{BTreeMap, BTreeSet};

/// A bit of a net.
type Bits<'a> = BTreeSet<(&'a str, usize)>;

/// Every net that the group drives is driven on every path, bit by bit.
pub fn no_latch(block: &str, group: &[Statement]) -> Result<()> {
    let driven = assigned(group);
    let mut missing = None;
    for statement in group {
        statement.for_each_assignment(&mut |target, _| {
            if missing.is_none() && !written(target).all(|b| driven.contains(&b)) {
                missing = Some(target.net.clone());
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

fn written(target: &Target) -> impl Iterator<Item = (&str, usize)> {
    let range = match target.index {
        Some(_) => 0..target.net_width,
        None => target.offset..target.offset + target.width,
    };
    range.map(|bit| (target.net.as_str(), bit))
}

/// Bits that are assigned whichever way the branches go.
fn assigned(statements: &[Statement]) -> Bits<'_> {
    let mut bits = Bits::new();
    for statement in statements {
        match statement {
            Statement::Assign { target, .. } if target.index.is_none() => bits.extend(written(target)),
            Statement::Assign { .. } | Statement::Comment(_) => {}
            Statement::If { then, otherwise, .. } => {
                let other = assigned(otherwise);
                bits.extend(assigned(then).into_iter().filter(|b| other.contains(b)));
            }
            Statement::Case { subject, arms, default } => {
                let exhaustive = default.is_some() || (subject.width() < 16 && arms.len() == 1 << subject.width());
                if exhaustive {
                    let mut bodies = arms.iter().map(|(_, body)| body).chain(default).map(|body| assigned(body));
                    let first = bodies.next().unwrap_or_default();
                    bits.extend(bodies.fold(first, |all, body| all.intersection(&body).copied().collect()));
                }
            }
        }
    }
    bits
}

/// No net is read before its last assignment: RustHDL's simulator would see the last value, Verilog the one so far.
pub fn no_early_read(block: &str, statements: &[Statement]) -> Result<()> {
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

fn collect(statements: &[Statement], events: &mut Vec<Event>) {
    for statement in statements {
        match statement {
            Statement::Assign { target, .. } => {
                statement.for_each_read(&mut |net| events.push(Event::Read(net.into())));
                events.push(Event::Write(target.net.clone()));
            }
            Statement::If { test, then, otherwise } => {
                test.for_each_net(&mut |net| events.push(Event::Read(net.into())));
                collect(then, events);
                collect(otherwise, events);
            }
            Statement::Case { subject, arms, default } => {
                subject.for_each_net(&mut |net| events.push(Event::Read(net.into())));
                arms.iter().map(|(_, body)| body).chain(default).for_each(|body| collect(body, events));
            }
            Statement::Comment(_) => {}
        }
    }
}
