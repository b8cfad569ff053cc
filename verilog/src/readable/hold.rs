//! A register that takes its own value while nothing is to change has an enable: `if (enable) q <= d;`.

use super::{joined, terms};
use crate::tree::{Expr, Item, Shapes};

/// The item, in which registers that hold their value are in an `if`.
pub fn with_enables(mut item: Item, shapes: &Shapes) -> Item {
    if let Item::Always(Some(_), body) = &mut item {
        *body = list(std::mem::take(body), shapes);
    } else if let Item::For { body, .. } = &mut item {
        *body = std::mem::take(body).into_iter().map(|item| with_enables(item, shapes)).collect();
    }
    item
}

/// Neighbours with one condition share its `if`.
fn list(items: Vec<Item>, shapes: &Shapes) -> Vec<Item> {
    let mut result: Vec<Item> = vec![];
    for mut item in items {
        item.lists_mut().into_iter().for_each(|items| *items = list(std::mem::take(items), shapes));
        if let Item::Clocked(target, value) = &item {
            item = assignment(target, value, shapes).unwrap_or(item);
        }
        match (result.last_mut(), item) {
            (Some(Item::If(test, then, otherwise)), Item::If(test_2, more, otherwise_2))
                if *test == test_2 && otherwise.is_empty() && otherwise_2.is_empty() =>
            {
                then.extend(more);
            }
            (_, item) => result.push(item),
        }
    }
    result
}

/// The assignment under its condition; nothing if it always changes.
fn assignment(target: &Expr, value: &Expr, shapes: &Shapes) -> Option<Item> {
    match value {
        Expr::Select(_) => {
            let (enable, value) = enabled(target, value)?;
            Some(Item::If(enable, vec![Item::Clocked(target.clone(), value)], vec![]))
        }
        Expr::Binary("|", ..) => gated(target, value, shapes),
        _ => None,
    }
}

/// The condition under which a choice is not the register itself, and what it is then.
fn enabled(target: &Expr, choice: &Expr) -> Option<(Expr, Expr)> {
    let Expr::Select(parts) = choice else { return None };
    let [test, then, otherwise] = &**parts;
    if otherwise == target {
        return Some((test.clone(), then.clone()));
    }
    if then == target {
        return Some((Expr::unary("~", test.clone()), otherwise.clone()));
    }
    let (enable, value) = enabled(target, otherwise)?;
    let value = Expr::Select(Box::new([test.clone(), then.clone(), value]));
    Some((Expr::binary("|", test.clone(), enable), value))
}

/// `({n{~(a | b)}} & q) | ({n{a}} & x) | ({n{b}} & y)`: one of `a` and `b` is the enable.
fn gated(target: &Expr, value: &Expr, shapes: &Shapes) -> Option<Item> {
    let mut found = vec![];
    terms(value, "|", &mut found);
    let place = found.iter().position(|term| held(term, target).is_some())?;
    let enables = enables(&held(found[place], target)?)?;
    let others: Vec<&Expr> = found.iter().enumerate().filter(|(p, _)| *p != place).map(|(_, term)| *term).collect();
    if others.is_empty() || enables.iter().any(|e| e.width(shapes) != Some(1)) {
        return None;
    }
    let is_off = |term: &&Expr| conditions(term).iter().any(|c| enables.contains(c));
    if !others.iter().all(is_off) {
        return None;
    }
    let enable = joined("|", enables.clone())?;
    let value = match (others.as_slice(), enables.as_slice()) {
        ([only], [one]) => without(only, one),
        _ => joined("|", others.into_iter().cloned())?,
    };
    Some(Item::If(enable, vec![Item::Clocked(target.clone(), value)], vec![]))
}

/// The condition under which the term is the register itself.
fn held(term: &Expr, target: &Expr) -> Option<Expr> {
    let Expr::Binary("&", left, right) = term else { return None };
    let mask = match (&**left == target, &**right == target) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    Some(condition(mask).clone())
}

fn condition(mask: &Expr) -> &Expr {
    match mask {
        Expr::Repeat(_, inner) => inner,
        mask => mask,
    }
}

/// `a` and `b`, where the register is held while `~(a | b)`, or `~a & ~b`.
fn enables(hold: &Expr) -> Option<Vec<Expr>> {
    let mut factors = vec![];
    terms(hold, "&", &mut factors);
    let mut found = vec![];
    for factor in factors {
        let Expr::Unary("~", inner) = factor else { return None };
        let mut parts = vec![];
        terms(inner, "|", &mut parts);
        found.extend(parts.into_iter().cloned());
    }
    Some(found)
}

/// The conditions without which a term is zero.
fn conditions(term: &Expr) -> Vec<Expr> {
    let mut factors = vec![];
    terms(term, "&", &mut factors);
    factors
        .into_iter()
        .flat_map(|factor| {
            let mut inner = vec![];
            terms(condition(factor), "&", &mut inner);
            inner.into_iter().cloned()
        })
        .collect()
}

/// The term while `condition` holds.
fn without(term: &Expr, condition: &Expr) -> Expr {
    let mut factors = vec![];
    terms(term, "&", &mut factors);
    let kept: Vec<Expr> = factors.iter().filter(|f| self::condition(f) != condition).map(|f| (*f).clone()).collect();
    joined("&", kept).unwrap_or_else(|| term.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print;

    fn net(name: &str) -> Expr {
        Expr::Net(name.into())
    }

    fn mask(condition: Expr, of: Expr) -> Expr {
        Expr::binary("&", Expr::Repeat(8, Box::new(condition)), of)
    }

    fn shapes() -> Shapes {
        let words = ["q", "x", "y"].map(|name| (name.into(), crate::tree::Shape::plain(8)));
        let bits = ["a", "b"].map(|name| (name.into(), crate::tree::Shape::plain(1)));
        words.into_iter().chain(bits).collect()
    }

    /// The text of `q <= value`.
    fn text(value: Expr) -> String {
        let item = Item::Always(Some("clock".into()), vec![Item::Clocked(net("q"), value)]);
        let text = print::item(&with_enables(item, &shapes()), &shapes());
        text.lines().nth(1).expect("the block has a statement").trim().into()
    }

    #[test]
    fn a_choice_of_itself_is_an_enable() {
        let select = |test, then, otherwise| Expr::Select(Box::new([test, then, otherwise]));
        assert_eq!(text(select(net("a"), net("x"), net("q"))), "if (a) q <= x;");
        assert_eq!(text(select(net("a"), net("q"), net("x"))), "if (~a) q <= x;");
        let two = select(net("a"), net("x"), select(net("b"), net("y"), net("q")));
        assert_eq!(text(two), "if (a | b) q <= a ? x : y;");
        assert_eq!(text(select(net("a"), net("x"), net("y"))), "q <= a ? x : y;");
    }

    #[test]
    fn a_gated_hold_is_an_enable_where_all_else_is_gated() {
        let neither = Expr::unary("~", Expr::binary("|", net("a"), net("b")));
        let or = |x, y| Expr::binary("|", x, y);
        let held = or(or(mask(net("a"), net("x")), mask(net("b"), net("y"))), mask(neither.clone(), net("q")));
        assert_eq!(text(held), "if (a | b) q <= ({8{a}} & x) | ({8{b}} & y);");
        let one = or(mask(Expr::unary("~", net("a")), net("q")), mask(net("a"), net("x")));
        assert_eq!(text(one), "if (a) q <= x;");
        // A term without a gate reaches the register at any time.
        let free = or(net("x"), mask(neither, net("q")));
        assert_eq!(text(free), "q <= x | ({8{~(a | b)}} & q);");
    }
}
