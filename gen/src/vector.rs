//! Turns a vector that is cleared and then set bit by bit into what an engineer writes: `assign empty = {empty_1, empty_0};`,
//! or one assignment a part where the parts are expressions.

use crate::logic::{is_simple, Logic};
use verilog::fold::slice;
use verilog::tree::{Expr, Item, Shapes};

pub fn vector(logic: &mut Logic) {
    for group in &mut logic.groups {
        if let Some(assembled) = assembled(group, &logic.shapes) {
            group.retain(|item| matches!(item, Item::Comment(_)));
            group.extend(assembled);
        }
    }
}

/// The group without the clearing in front, if its other assignments drive every bit of one net once.
fn assembled(group: &[Item], shapes: &Shapes) -> Option<Vec<Item>> {
    // First bit and width of each.
    let mut parts: Vec<(usize, usize, &Item)> = vec![];
    let mut driven = None;
    for item in group {
        match item {
            Item::Comment(_) => {}
            Item::Blocking(target, _) => {
                let (net, at, width) = slice(target, shapes)?;
                if *driven.get_or_insert(net) != net {
                    return None;
                }
                parts.push((at.constant as usize, width, item));
            }
            _ => return None,
        }
    }
    let net = driven?;
    if matches!(parts[0].2, Item::Blocking(Expr::Net(_), _)) {
        parts.remove(0);
    }
    parts.sort_by_key(|(at, ..)| std::cmp::Reverse(*at));
    let mut above = shapes[net].bits();
    for (at, width, _) in &parts {
        if at + width != above {
            return None;
        }
        above = *at;
    }
    if above != 0 {
        return None;
    }
    let values: Vec<&Expr> = parts.iter().flat_map(|(.., item)| item.own().into_iter().nth(1)).collect();
    if values.len() > 1 && values.iter().all(|value| is_simple(value)) {
        let value = Expr::Concat(values.into_iter().cloned().collect());
        return Some(vec![Item::Blocking(Expr::Net(net.into()), value)]);
    }
    Some(parts.into_iter().rev().map(|(.., item)| item.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use verilog::tree::{Linear, Shape};

    fn bit(at: i64, value: &str) -> Item {
        let target = Expr::Part { net: "v".into(), at: Linear::new(at), index: None, width: 1 };
        Item::Blocking(target, Expr::Net(value.into()))
    }

    fn cleared() -> Item {
        Item::Blocking(Expr::Net("v".into()), Expr::number(2, 0))
    }

    fn shapes() -> Shapes {
        [("v".to_string(), Shape::plain(2))].into()
    }

    #[test]
    fn bits_become_a_concatenation() {
        let value = Expr::Concat(vec![Expr::Net("high".into()), Expr::Net("low".into())]);
        let group = [cleared(), bit(0, "low"), bit(1, "high")];
        assert_eq!(assembled(&group, &shapes()), Some(vec![Item::Blocking(Expr::Net("v".into()), value)]));
    }

    #[test]
    fn a_bit_that_is_only_cleared_keeps_the_clearing() {
        assert_eq!(assembled(&[cleared(), bit(1, "high")], &shapes()), None);
    }
}
