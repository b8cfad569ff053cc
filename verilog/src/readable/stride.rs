//! `{x[6], x[4], x[2], x[0]}` is a vector of its own, which a loop makes.

use super::Nets;
use crate::roll::fuse;
use crate::tree::{Expr, Item, Linear, Shape};

/// Fewer elements are read as they are.
const FEWEST: usize = 12;
/// The variable of the loop.
const PLACE: u8 = 1;

/// The items, and in front of the first that needs them the vectors that they are made of.
pub fn split(mut items: Vec<Item>, nets: &mut Nets) -> Vec<Item> {
    let mut made: Vec<(Expr, Expr)> = vec![];
    let mut loops: Vec<Item> = vec![];
    let mut first = None;
    for (place, item) in items.iter_mut().enumerate() {
        if let Item::Assign(target @ Expr::Net(_), value) = item {
            if let Some((element, shape)) = even(value, nets) {
                *item = each(target, &element, shape, nets);
                continue;
            }
        }
        // An output pin would have to drive the vector.
        if matches!(item, Item::For { .. } | Item::Instance { .. }) {
            continue;
        }
        item.expressions_mut(&mut |e| {
            e.rewrite(&mut |e| {
                let Some((element, shape)) = even(e, nets) else { return };
                let known = made.iter().find(|(value, _)| value == e).map(|(_, name)| name.clone());
                let name = known.unwrap_or_else(|| {
                    let name = Expr::Net(nets.add(&name_of(&element, shape.width), shape));
                    loops.push(each(&name, &element, shape, nets));
                    made.push((e.clone(), name.clone()));
                    first.get_or_insert(place);
                    name
                });
                *e = name;
            });
        });
    }
    let place = first.unwrap_or(0);
    items.splice(place..place, fuse(loops));
    items
}

/// The element of a concatenation of slices of one net, and the shape of all.
fn even(e: &Expr, nets: &Nets) -> Option<(Expr, Shape)> {
    let Expr::Concat(parts) = e else { return None };
    if parts.len() < FEWEST {
        return None;
    }
    let elements: Vec<&Expr> = parts.iter().rev().collect();
    if !elements.iter().all(|e| matches!(e, Expr::Part { index: None, at, .. } if at.is_fixed())) {
        return None;
    }
    let element = elements[0].towards(elements[1], PLACE, false)?;
    let is_even = (0..).zip(&elements).all(|(k, e)| element.at(PLACE, k) == **e);
    let width = element.width(&nets.shapes)?;
    is_even.then_some((element, Shape { elements: parts.len(), ..Shape::plain(width) }))
}

/// `slot_even` for every second one from the first on.
fn name_of(element: &Expr, width: usize) -> String {
    let Expr::Part { net, at, .. } = element else { unreachable!("it is a slice") };
    let stem = net.strip_suffix("_q").unwrap_or(net);
    let word = match (at.step(PLACE) / width as i64, at.constant / width as i64) {
        (2, 0) => "even",
        (2, 1) => "odd",
        (step, _) if step < 0 => "reversed",
        _ => "column",
    };
    format!("{stem}_{word}")
}

/// The loop that makes `target` of elements.
fn each(target: &Expr, element: &Expr, shape: Shape, nets: &Nets) -> Item {
    let Expr::Net(net) = target else { unreachable!("it is a net") };
    let lsb = nets.shapes[net].lsb();
    let at = Linear { constant: lsb.constant, terms: vec![(PLACE, shape.width as i64)] };
    let part = Expr::Part { net: net.clone(), at, index: None, width: shape.width };
    let body = vec![Item::Assign(part, element.clone())];
    Item::For { variable: PLACE, start: 0, count: shape.elements as i64, body }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print;

    use crate::tree::{Expr, Module, Port, Shapes};

    fn bit(n: usize) -> Expr {
        Expr::Part { net: "wants".into(), at: Linear::new(n as i64), index: None, width: 1 }
    }

    fn text(bits: impl DoubleEndedIterator<Item = usize>) -> String {
        let ports = vec![Port::input("wants", 48), Port::output("any", 1)];
        let nets: Shapes = ports.iter().map(|port| (port.name.clone(), Shape::plain(port.width))).collect();
        let any = Expr::Unary("|", Box::new(Expr::Concat(bits.rev().map(bit).collect())));
        let items = vec![Item::Assign(Expr::Net("any".into()), any)];
        let module = Module { name: "m".into(), ports, constants: vec![], nets, order: vec![], items };
        print::module(&super::super::readable(&module), crate::rules::Breach::Stop)
    }

    #[test]
    fn every_second_bit_is_a_vector() {
        let even = text((0..24).map(|n| 2 * n));
        assert!(
            even.contains("assign wants_even[i] = wants[2*i];") && even.contains("assign any = |wants_even;"),
            "{even}"
        );
        let odd = text((0..24).map(|n| 2 * n + 1));
        assert!(odd.contains("assign wants_odd[i] = wants[2*i + 1];"), "{odd}");
        let few = text((0..4).map(|n| 2 * n));
        assert!(few.contains("|{wants[6], wants[4], wants[2], wants[0]}"), "{few}");
    }
}
