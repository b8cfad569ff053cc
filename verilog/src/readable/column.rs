//! An operator over many terms that differ evenly is a loop that takes one after the other.

use super::{joined, terms, Nets};
use crate::print;
use crate::tree::{Expr, Item, Operator, Shape};

/// Fewer steps are read as they are.
const FEWEST: usize = 4;
/// Terms a step.
const MOST_TERMS: usize = 4;
/// The variable of the loop, which is inside all others.
const STEP: u8 = 0;

/// The items with loops in place of columns.
pub fn looped(items: Vec<Item>, nets: &mut Nets) -> Vec<Item> {
    items.into_iter().flat_map(|item| top(item, nets)).collect()
}

fn top(item: Item, nets: &mut Nets) -> Vec<Item> {
    match item {
        Item::Assign(target, value) => assign(target, value, nets),
        Item::For { variable, start, count, body } => {
            let body = body.into_iter().flat_map(|item| in_loop(item, nets)).collect();
            vec![Item::For { variable, start, count, body }]
        }
        Item::Always(Some(clock), body) => {
            let mut before = vec![];
            let body = clocked(body, &mut before, nets);
            before.push(Item::Always(Some(clock), body));
            before
        }
        item => vec![item],
    }
}

/// In a loop no net can be added: it would be one of each step.
fn in_loop(item: Item, nets: &mut Nets) -> Vec<Item> {
    match item {
        Item::Assign(target, value) => match sum(&target, &value, nets) {
            Some(always) if is_shorter(&always, &Item::Assign(target.clone(), value.clone()), nets) => vec![always],
            _ => vec![Item::Assign(target, value)],
        },
        Item::For { .. } => top(item, nets),
        item => vec![item],
    }
}

fn assign(target: Expr, mut value: Expr, nets: &mut Nets) -> Vec<Item> {
    let old = Item::Assign(target.clone(), value.clone());
    if let Some(always) = sum(&target, &value, nets) {
        if is_shorter(&always, &old, nets) {
            return vec![always];
        }
    }
    let mut before = vec![];
    extract(&mut value, &stem(&target), &mut before, nets);
    before.push(Item::Assign(target, value));
    before
}

/// Assignments at the clock: a column becomes a net that is made in front of them.
fn clocked(items: Vec<Item>, before: &mut Vec<Item>, nets: &mut Nets) -> Vec<Item> {
    let change = |mut item: Item| {
        match &mut item {
            Item::Clocked(target, value) => {
                let stem = stem(target);
                if let Some(net) = whole(value, &format!("{stem}_d"), before, nets) {
                    *value = net;
                } else {
                    extract(value, &stem, before, nets);
                }
            }
            Item::If(_, then, otherwise) => {
                *then = clocked(std::mem::take(then), before, nets);
                *otherwise = clocked(std::mem::take(otherwise), before, nets);
            }
            _ => {}
        }
        item
    };
    items.into_iter().map(change).collect()
}

fn stem(target: &Expr) -> String {
    match target {
        Expr::Net(net) | Expr::Part { net, .. } => net.strip_suffix("_q").unwrap_or(net).into(),
        _ => String::from("column"),
    }
}

/// A net of that name for the column `value`, if it saves lines.
fn whole(value: &Expr, name: &str, before: &mut Vec<Item>, nets: &mut Nets) -> Option<Expr> {
    let width = value.width(&nets.shapes)?;
    let probe = Expr::Net(name.into());
    let always = sum(&probe, value, nets)?;
    if !is_shorter(&always, &Item::Assign(probe, value.clone()), nets) {
        return None;
    }
    let net = Expr::Net(nets.add(name, Shape::plain(width)));
    before.push(sum(&net, value, nets)?);
    Some(net)
}

/// Puts nets in the place of columns within an expression.
fn extract(value: &mut Expr, stem: &str, before: &mut Vec<Item>, nets: &mut Nets) {
    let word = match value {
        Expr::Binary("|", ..) => "any",
        Expr::Binary("&", ..) => "all",
        Expr::Binary("^", ..) => "parity",
        _ => "",
    };
    if !word.is_empty() {
        if let Some(net) = whole(value, &format!("{stem}_{word}"), before, nets) {
            *value = net;
            return;
        }
    }
    value.children_mut().into_iter().for_each(|e| extract(e, stem, before, nets));
}

/// The block that makes `target` of a column, term by term.
fn sum(target: &Expr, value: &Expr, nets: &Nets) -> Option<Item> {
    let Expr::Binary(op @ ("|" | "&" | "^"), ..) = value else { return None };
    let mut all = vec![];
    terms(value, op, &mut all);
    let width = value.width(&nets.shapes)?;
    if all.iter().any(|term| term.width(&nets.shapes) != Some(width)) {
        return None;
    }
    let (mut loops, mut rest) = (vec![], vec![]);
    let mut open = all.as_slice();
    while let [first, ..] = open {
        match steps(open) {
            Some((body, count)) => {
                open = &open[body.len() * count..];
                loops.push((body, count));
            }
            None => {
                rest.push((*first).clone());
                open = &open[1..];
            }
        }
    }
    if loops.is_empty() {
        return None;
    }
    let neutral = match *op {
        "&" => Expr::unary("~", Expr::number(width, 0)),
        _ => Expr::number(width, 0),
    };
    let mut body = vec![Item::Blocking(target.clone(), joined(op, rest).unwrap_or(neutral))];
    body.extend(loops.into_iter().map(|(terms, count)| each(target, op, terms, count)));
    Some(Item::Always(None, body))
}

fn each(target: &Expr, op: Operator, terms: Vec<Expr>, count: usize) -> Item {
    let value = joined(op, std::iter::once(target.clone()).chain(terms)).expect("there is one");
    Item::For { variable: STEP, start: 0, count: count as i64, body: vec![Item::Blocking(target.clone(), value)] }
}

/// The terms of a step, and the count of steps, from the first term on.
fn steps(terms: &[&Expr]) -> Option<(Vec<Expr>, usize)> {
    let of = |period: usize| {
        let steps: Vec<&[&Expr]> = terms.chunks_exact(period).collect();
        let [first, second, ..] = steps.as_slice() else { return None };
        let body: Vec<Expr> =
            first.iter().zip(*second).map(|(a, b)| a.towards(b, STEP, true)).collect::<Option<_>>()?;
        let is_step = |k: i64, step: &[&Expr]| body.iter().zip(step).all(|(b, e)| b.at(STEP, k) == **e);
        let count = (0..).zip(&steps).take_while(|(k, step)| is_step(*k, step)).count();
        (count >= FEWEST).then_some((body, count))
    };
    (1..=MOST_TERMS).filter_map(of).max_by_key(|(body, count)| (body.len() * count, std::cmp::Reverse(body.len())))
}

fn is_shorter(new: &Item, old: &Item, nets: &Nets) -> bool {
    let lines = |item: &Item| print::item(item, &nets.shapes).lines().count();
    lines(new) < lines(old)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print;

    use crate::tree::{Linear, Module, Port, Shapes};

    fn module(ports: Vec<Port>, items: Vec<Item>) -> Module {
        let nets: Shapes = ports.iter().map(|port| (port.name.clone(), Shape::plain(port.width))).collect();
        Module { name: "m".into(), ports, constants: vec![], nets, order: vec![], items }
    }

    fn part(net: &str, at: usize, width: usize) -> Expr {
        Expr::Part { net: net.into(), at: Linear::new(at as i64), index: None, width }
    }

    /// Words of 40 bits, each under its bit, from the place of `order` on.
    fn words(order: impl Iterator<Item = usize>) -> Expr {
        let word = |n| Expr::binary("&", Expr::Repeat(40, Box::new(part("chosen", n, 1))), part("words", 40 * n, 40));
        joined("|", order.map(word)).expect("there is a word")
    }

    fn text(value: Expr) -> String {
        let ports =
            vec![Port::input("clock", 1), Port::input("chosen", 16), Port::input("words", 640), Port::output("q", 40)];
        let always = Item::Always(Some("clock".into()), vec![Item::Clocked(Expr::Net("q".into()), value)]);
        print::module(&super::super::readable(&module(ports, vec![always])), crate::rules::Breach::Stop)
    }

    #[test]
    fn a_column_at_a_register_is_a_loop_in_front_of_it() {
        let text = text(words(0..16));
        assert!(text.contains("for (n = 0; n < 16; n = n + 1)"), "{text}");
        assert!(text.contains("q_d_so_far = q_d_so_far | ({40{chosen[n]}} & words[n*40 +: 40]);"), "{text}");
        assert!(text.contains("q <= q_d;"), "{text}");
    }

    #[test]
    fn terms_in_no_order_stay() {
        let text = text(words([0, 3, 4, 9, 5, 15, 2, 11, 1, 7].into_iter()));
        assert!(!text.contains("for ("), "{text}");
    }
}
