//! Turns short `if`s that choose the value of one net into a continuous assignment: `assign full = side ? full_1 : full_0;`

use crate::connect::continuous;
use crate::ir::{Body, Expr, Module, Statement};

/// Most choices in one assignment; beyond that an `always` block is easier to read.
const MOST: usize = 3;

pub fn select(module: &mut Module) {
    let Body::Logic(groups) = &mut module.body else { return };
    for group in groups {
        if continuous(group).is_some() {
            continue;
        }
        if let Some(chosen) = chosen(group) {
            group.retain(|s| matches!(s, Statement::Comment(_)));
            group.push(chosen);
        }
    }
}

/// The group as one assignment, if it drives one whole net by few choices.
fn chosen(group: &[Statement]) -> Option<Statement> {
    let mut targets = vec![];
    group.iter().for_each(|s| s.for_each_assignment(&mut |t, _| targets.push(t)));
    let target = *targets.first()?;
    if !target.is_whole() || targets.iter().any(|t| *t != target) {
        return None;
    }
    let value = value(group, None)?;
    (choices(&value) <= MOST).then(|| Statement::Assign { target: target.clone(), value })
}

/// What the net holds after `statements`, having held `before`.
fn value(statements: &[Statement], before: Option<Expr>) -> Option<Expr> {
    let mut now = before;
    for statement in statements {
        now = match statement {
            Statement::Assign { value, .. } => Some(value.clone()),
            Statement::If { test, then, otherwise } => {
                let then = value(then, now.clone())?;
                let otherwise = value(otherwise, now)?;
                let width = then.width();
                let select = Box::new(test.clone());
                Some(Expr::Select { select, then: Box::new(then), otherwise: Box::new(otherwise), width })
            }
            Statement::Case { .. } => return None,
            Statement::Comment(_) => now,
        };
    }
    now
}

fn choices(e: &Expr) -> usize {
    match e {
        Expr::Select { then, otherwise, .. } => 1 + choices(then) + choices(otherwise),
        _ => 0,
    }
}
