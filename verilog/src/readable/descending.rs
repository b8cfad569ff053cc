//! A comparison with a number that falls from step to step of a generate loop is one with a constant of the step: Verilator finds
//! a difference that begins with a parameter wider than its value.

use super::Nets;
use crate::names;
use crate::tree::{Expr, Item, Linear};

/// The items, in which such constants have names.
pub fn named(items: Vec<Item>, nets: &mut Nets) -> Vec<Item> {
    let mut result = vec![];
    for mut item in items {
        match &mut item {
            Item::For { body, .. } => *body = named(std::mem::take(body), nets),
            Item::Assign(_, value) => value.rewrite(&mut |e| {
                if let Some((name, value)) = compared(e, nets) {
                    result.push(Item::Constant(name, value));
                }
            }),
            _ => {}
        }
        result.push(item);
    }
    result
}

/// The constant that `e` is compared with from now on.
fn compared(e: &mut Expr, nets: &mut Nets) -> Option<(String, Linear)> {
    let Expr::Binary("==" | "!=", left, right) = e else { return None };
    let Expr::Number { width: Some(width), value } = &**right else { return None };
    if !value.terms.iter().any(|(_, step)| *step < 0) {
        return None;
    }
    let (width, value) = (*width, value.clone());
    let stem = match &**left {
        Expr::Net(net) | Expr::Part { net, .. } => net.trim_end_matches("_q").to_uppercase(),
        _ => String::from("PLACE"),
    };
    let name = names::reserve(&stem, &mut nets.taken);
    **right = Expr::Part { net: name.clone(), at: Linear::new(0), index: None, width };
    Some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print;

    use crate::tree::{Module, Port, Shape, Shapes};

    #[test]
    fn a_falling_number_has_a_name() {
        let ports = vec![Port::input("rank", 4), Port::output("is_last", 4)];
        let nets: Shapes = ports.iter().map(|port| (port.name.clone(), Shape::plain(port.width))).collect();
        let at = |constant, step| Linear { constant, terms: vec![(1, step)] };
        let number = Expr::Number { width: Some(4), value: at(15, -1) };
        let target = Expr::Part { net: "is_last".into(), at: at(0, 1), index: None, width: 1 };
        let body = vec![Item::Assign(target, Expr::binary("==", Expr::Net("rank".into()), number))];
        let items = vec![Item::For { variable: 1, start: 0, count: 4, body }];
        let module = Module { name: "m".into(), ports, constants: vec![], nets, order: vec![], items };
        let text = print::module(&super::super::readable(&module), crate::rules::Breach::Stop);
        assert!(text.contains("localparam RANK = -i + 15;") || text.contains("localparam RANK = 15 - i;"), "{text}");
        assert!(text.contains("assign is_last[i] = rank == RANK[3:0];"), "{text}");
    }
}
