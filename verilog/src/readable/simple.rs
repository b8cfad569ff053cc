//! Operands that change nothing go; an element of a vector is a part of it.

use super::{joined, terms};
use crate::fold::slice;
use crate::functions::Function;
use crate::tree::{Expr, Linear, Shapes};

/// Simplifies one expression, whose operands are simple.
pub fn simplify(e: &mut Expr, shapes: &Shapes) {
    if let Expr::Call(function, operands) = e {
        if let Some(plain) = called(*function, operands, shapes) {
            *e = plain;
        }
        return;
    }
    if let Expr::Binary(op @ ("&" | "|"), ..) = e {
        let op = *op;
        let width = e.width(shapes);
        let mut found = vec![];
        terms(e, op, &mut found);
        if width.is_none() || found.iter().any(|term| term.width(shapes) != width) {
            return;
        }
        let (mut kept, count): (Vec<Expr>, usize) = (found.iter().map(|t| (*t).clone()).collect(), found.len());
        kept.retain(|term| !is_neutral(term, op));
        let shorter = op == "|" && shorten(&mut kept);
        if kept.len() < count || shorter {
            let neutral = found[0].clone();
            *e = joined(op, kept).unwrap_or(neutral);
        }
    }
}

/// An operator of Verilog in place of a function that spells it out.
fn called(function: Function, operands: &[Expr], shapes: &Shapes) -> Option<Expr> {
    match (function, operands) {
        (Function::Select { width, .. }, [from, place]) => {
            let (net, at, _) = slice(from, shapes)?;
            Some(Expr::Part { net: net.into(), at, index: Some((Box::new(place.clone()), width as i64)), width })
        }
        (Function::Less(_), [x, y]) => Some(Expr::binary("<", x.clone(), y.clone())),
        (Function::Sum(_), [x, y]) => Some(Expr::binary("+", x.clone(), y.clone())),
        _ => None,
    }
}

/// A term that changes nothing beside others: zeros in an OR, ones in an AND.
fn is_neutral(term: &Expr, op: &str) -> bool {
    let Expr::Number { width: Some(width), value } = term else { return false };
    let ones = if *width < 62 { (1 << width) - 1 } else { return false };
    *value == Linear::new(if op == "|" { 0 } else { ones })
}

/// `~a | (a & b)` is `~a | b`: of the other terms, the factor goes. Whether one did.
fn shorten(or: &mut [Expr]) -> bool {
    let absent: Vec<Expr> = or
        .iter()
        .filter_map(|term| match term {
            Expr::Unary("~", inner) => Some((**inner).clone()),
            _ => None,
        })
        .collect();
    let mut changed = false;
    for term in or.iter_mut() {
        let mut factors = vec![];
        terms(term, "&", &mut factors);
        let kept: Vec<Expr> = factors.iter().filter(|f| !absent.contains(f)).map(|f| (*f).clone()).collect();
        if kept.len() < factors.len() && !kept.is_empty() {
            *term = joined("&", kept).expect("there is one");
            changed = true;
        }
    }
    changed
}
