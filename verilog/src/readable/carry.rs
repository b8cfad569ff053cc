//! `x ^ ({n{c}} & toggles)`, where `toggles` spells out which bits an increment or a decrement changes, is `c ? x + 1 : x`.

use crate::tree::{Expr, Item, Shapes};
use std::collections::BTreeMap;

/// Values of nets, by their names.
pub struct Definitions(BTreeMap<String, Expr>);

impl Definitions {
    pub fn of(items: &[Item]) -> Self {
        let of = |item: &Item| match item {
            Item::Assign(Expr::Net(net), value) => Some((net.clone(), value.clone())),
            _ => None,
        };
        Definitions(items.iter().filter_map(of).collect())
    }

    fn of_net(&self, e: &Expr) -> Option<&Expr> {
        match e {
            Expr::Net(net) => self.0.get(net),
            _ => None,
        }
    }
}

/// Puts `+ 1` and `- 1` in place of such an expression.
pub fn count(e: &mut Expr, definitions: &Definitions, shapes: &Shapes) {
    let Expr::Binary("^", x, change) = e else { return };
    let Expr::Binary("&", mask, toggles) = &**change else { return };
    let Expr::Repeat(_, condition) = &**mask else { return };
    if let Some(next) = toggled(x, toggles, definitions, shapes) {
        *e = Expr::Select(Box::new([(**condition).clone(), next, (**x).clone()]));
    }
}

/// The number that `x` becomes when it changes in these bits.
fn toggled(x: &Expr, toggles: &Expr, definitions: &Definitions, shapes: &Shapes) -> Option<Expr> {
    let again = |toggles: &Expr| toggled(x, toggles, definitions, shapes);
    match toggles {
        Expr::Net(_) => again(definitions.of_net(toggles)?),
        Expr::Select(parts) => Some(Expr::Select(Box::new([parts[0].clone(), again(&parts[1])?, again(&parts[2])?]))),
        Expr::Concat(parts) => {
            let width = x.width(shapes)?;
            let (last, above) = parts.split_last()?;
            if *last != Expr::number(1, 1) || parts.len() != width {
                return None;
            }
            let bits = |inverted: bool| {
                let is_below = |(place, part): (usize, &Expr)| {
                    are_none_high(part).is_some_and(|low| is_low(low, x, place, inverted, definitions, shapes))
                };
                above.iter().rev().enumerate().all(|(place, part)| is_below((place + 1, part)))
            };
            let one = Expr::number(width, 1);
            match (bits(true), bits(false)) {
                (true, _) => Some(Expr::binary("+", x.clone(), one)),
                (_, true) => Some(Expr::binary("-", x.clone(), one)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The bits of which the expression says that none is high.
fn are_none_high(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Unary("~", inner) => match &**inner {
            Expr::Unary("|", bits) => Some(bits),
            _ => None,
        },
        _ => None,
    }
}

/// True if `low` is that many bits of `x` from its lowest on, inverted or not.
fn is_low(low: &Expr, x: &Expr, count: usize, inverted: bool, definitions: &Definitions, shapes: &Shapes) -> bool {
    let (Expr::Net(net) | Expr::Part { net, index: None, .. }) = low else { return false };
    let starts = match low {
        Expr::Part { at, .. } => at.is_fixed() && at.constant == 0,
        _ => true,
    };
    if !starts || low.width(shapes) != Some(count) {
        return false;
    }
    let whole = Expr::Net(net.clone());
    let Some(value) = definitions.of_net(&whole) else { return !inverted && whole == *x };
    let from = match (inverted, value) {
        (true, Expr::Unary("~", inner)) => inner,
        (false, value) => value,
        _ => return false,
    };
    match (from, x) {
        (Expr::Part { net, at, index: None, .. }, Expr::Net(whole)) => {
            net == whole && at.is_fixed() && at.constant == 0
        }
        (from, x) => from == x,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print;

    use crate::tree::{Linear, Shape};

    fn net(name: &str) -> Expr {
        Expr::Net(name.into())
    }

    fn none_high(bits: Expr) -> Expr {
        Expr::unary("~", Expr::Unary("|", Box::new(bits)))
    }

    fn low(of: &str, width: usize) -> Expr {
        Expr::Part { net: of.into(), at: Linear::new(0), index: None, width }
    }

    /// The text of `x ^ ({3{go}} & {none of the lower two bits, of the lowest, 1})`, where the bits are those of `low`.
    fn text(of: &str, value: Expr, lowest: i64) -> String {
        let shapes: Shapes = [("x", 3), ("go", 1), ("low", 2)].map(|(n, w)| (n.into(), Shape::plain(w))).into();
        let definitions = Definitions::of(&[Item::Assign(net("low"), value)]);
        let bits = vec![none_high(net(of)), none_high(low(of, 1)), Expr::number(1, lowest)];
        let change = Expr::binary("&", Expr::Repeat(3, Box::new(net("go"))), Expr::Concat(bits));
        let mut e = Expr::binary("^", net("x"), change);
        count(&mut e, &definitions, &shapes);
        print::expression(&e)
    }

    #[test]
    fn carries_are_an_increment_or_a_decrement() {
        assert_eq!(text("low", Expr::unary("~", low("x", 2)), 1), "go ? (x + 3'd1) : x");
        assert_eq!(text("low", low("x", 2), 1), "go ? (x - 3'd1) : x");
    }

    #[test]
    fn what_is_no_count_stays() {
        // Bits of another net, and a lowest bit that does not change.
        assert!(text("low", Expr::unary("~", low("y", 2)), 1).starts_with("x ^ "));
        assert!(text("low", low("x", 2), 0).starts_with("x ^ "));
    }
}
