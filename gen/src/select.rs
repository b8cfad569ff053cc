//! Turns short `if`s that choose the value of one net into a continuous assignment: `assign full = side ? full_1 : full_0;`

use crate::logic::{continuous, Logic};
use verilog::tree::{Expr, Item};

/// Most choices in one assignment; beyond that an `always` block is easier to read.
const MOST: usize = 3;

pub fn select(logic: &mut Logic) {
    for group in &mut logic.groups {
        if continuous(group).is_some() {
            continue;
        }
        if let Some(chosen) = chosen(group) {
            group.retain(|item| matches!(item, Item::Comment(_)));
            group.push(chosen);
        }
    }
}

/// The group as one assignment, if it drives one whole net by few choices.
fn chosen(group: &[Item]) -> Option<Item> {
    let mut targets = vec![];
    group.iter().for_each(|item| item.targets(&mut |target| targets.push(target.clone())));
    let target = targets.first()?;
    if !matches!(target, Expr::Net(_)) || targets.iter().any(|other| other != target) {
        return None;
    }
    let value = value(group, None)?;
    (choices(&value) <= MOST).then(|| Item::Blocking(target.clone(), value))
}

/// The value of the net after `statements`, having held `before`.
fn value(statements: &[Item], before: Option<Expr>) -> Option<Expr> {
    let mut now = before;
    for statement in statements {
        now = match statement {
            Item::Blocking(_, value) => Some(value.clone()),
            Item::If(test, then, otherwise) => {
                let then = value(then, now.clone())?;
                Some(Expr::Select(Box::new([test.clone(), then, value(otherwise, now)?])))
            }
            Item::Comment(_) => now,
            _ => return None,
        };
    }
    now
}

fn choices(e: &Expr) -> usize {
    match e {
        Expr::Select(parts) => 1 + choices(&parts[1]) + choices(&parts[2]),
        _ => 0,
    }
}
