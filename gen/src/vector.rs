//! Turns a vector that is cleared and then set bit by bit into what an engineer writes: `assign empty = {empty_1, empty_0};`,
//! or one assignment a part where the parts are expressions.

use crate::ir::{Body, Expr, Module, Statement, Target};

pub fn vector(module: &mut Module) {
    let Body::Logic(groups) = &mut module.body else { return };
    for group in groups {
        if let Some(assembled) = assembled(group) {
            group.retain(|s| matches!(s, Statement::Comment(_)));
            group.extend(assembled);
        }
    }
}

/// The group without the clearing in front, if its other assignments drive every bit of one net once.
fn assembled(group: &[Statement]) -> Option<Vec<Statement>> {
    let mut parts: Vec<(&Target, &Expr)> = vec![];
    for statement in group {
        match statement {
            Statement::Comment(_) => {}
            Statement::Assign { target, value } if target.index.is_none() => parts.push((target, value)),
            _ => return None,
        }
    }
    let (first, _) = *parts.first()?;
    if first.is_whole() {
        parts.remove(0);
    }
    parts.sort_by_key(|(target, _)| std::cmp::Reverse(target.offset));
    let mut above = first.net_width;
    for (target, _) in &parts {
        if target.net != first.net || target.offset + target.width != above {
            return None;
        }
        above = target.offset;
    }
    if above != 0 {
        return None;
    }
    if parts.len() > 1 && parts.iter().all(|(_, value)| value.is_simple()) {
        let value = Expr::Concat(parts.into_iter().map(|(_, value)| value.clone()).collect());
        let target = Target { offset: 0, width: first.net_width, ..first.clone() };
        return Some(vec![Statement::Assign { target, value }]);
    }
    parts.reverse();
    let assign = |(target, value): (&Target, &Expr)| Statement::Assign { target: target.clone(), value: value.clone() };
    Some(parts.into_iter().map(assign).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(net: &str, offset: usize, width: usize, value: Expr) -> Statement {
        let target = Target { net: net.into(), net_width: 2, offset, width, index: None };
        Statement::Assign { target, value }
    }

    #[test]
    fn bits_become_a_concatenation() {
        let group = [
            bits("v", 0, 2, Expr::zero(2)),
            bits("v", 0, 1, Expr::net("low", 1)),
            bits("v", 1, 1, Expr::net("high", 1)),
        ];
        let value = Expr::Concat(vec![Expr::net("high", 1), Expr::net("low", 1)]);
        assert_eq!(assembled(&group), Some(vec![bits("v", 0, 2, value)]));
    }

    #[test]
    fn a_bit_that_is_only_cleared_keeps_the_clearing() {
        let group = [bits("v", 0, 2, Expr::zero(2)), bits("v", 1, 1, Expr::net("high", 1))];
        assert_eq!(assembled(&group), None);
    }
}
