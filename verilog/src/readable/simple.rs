//! Operands that change nothing go; functions that spell out an operator are that operator.

use super::{joined, terms};
use crate::functions::Function;
use crate::tree::{Expr, Linear, Shapes};

/// Simplifies one expression, whose operands are simple.
pub fn simplify(e: &mut Expr, shapes: &Shapes) {
    if let Expr::Call(function, operands) = e {
        if let Some(plain) = called(*function, operands) {
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

/// The operator, or the shorter function, for one that spells it out.
fn called(function: Function, operands: &[Expr]) -> Option<Expr> {
    match (function, operands) {
        (Function::Select { index, width }, [_, _]) => {
            Some(Expr::Call(Function::Element { index, width }, operands.to_vec()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print;

    fn text(mut e: Expr) -> String {
        let shapes = ["a", "b", "c"].map(|name| (name.into(), crate::tree::Shape::plain(1))).into_iter().collect();
        e.rewrite(&mut |e| simplify(e, &shapes));
        print::expression(&e)
    }

    fn net(name: &str) -> Expr {
        Expr::Net(name.into())
    }

    #[test]
    fn neutral_operands_go() {
        assert_eq!(text(Expr::binary("&", Expr::number(1, 1), net("a"))), "a");
        assert_eq!(text(Expr::binary("|", Expr::binary("|", Expr::number(1, 0), net("a")), Expr::number(1, 0))), "a");
        assert_eq!(text(Expr::binary("&", Expr::number(1, 0), net("a"))), "1'b0 & a");
        assert_eq!(text(Expr::binary("|", Expr::number(1, 0), Expr::number(1, 0))), "1'b0");
    }

    #[test]
    fn a_factor_beside_its_inverse_goes() {
        let both = Expr::binary("&", net("a"), net("b"));
        assert_eq!(text(Expr::binary("|", Expr::unary("~", net("a")), both.clone())), "~a | b");
        assert_eq!(text(Expr::binary("|", Expr::unary("~", net("c")), both)), "~c | (a & b)");
    }
}
