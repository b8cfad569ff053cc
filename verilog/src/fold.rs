//! Shorter expressions of the same bits: slices that touch become one, copies side by side become `{n{..}}`, and a `case`
//! that picks one element of a vector becomes the call of a function.

use crate::functions::Function;
use crate::tree::{Expr, Item, Linear, Module, Shapes};

pub fn fold(module: &mut Module) {
    let shapes = &module.nets;
    for item in &mut module.items {
        item.expressions_mut(&mut |e| e.rewrite(&mut |e| expression(e, shapes)));
        selections(item, shapes);
        if let Item::Always(None, body) = item {
            if let [Item::Blocking(target, value)] = body.as_slice() {
                if !matches!(value, Expr::Number { .. } | Expr::Wide { .. }) {
                    *item = Item::Assign(target.clone(), value.clone());
                }
            }
        }
    }
}

/// Folds one expression, whose operands are folded.
pub fn expression(e: &mut Expr, shapes: &Shapes) {
    match e {
        Expr::Part { net, at, index: None, width } => *e = Expr::part(net, at.clone(), *width, shapes),
        Expr::Concat(parts) => *e = concat(std::mem::take(parts), shapes),
        Expr::Repeat(1, inner) => *e = (**inner).clone(),
        Expr::Repeat(times, inner) if inner.is_zero() => {
            if let Some(width) = inner.width(shapes) {
                *e = Expr::number(width * *times, 0);
            }
        }
        _ => {}
    }
}

fn concat(parts: Vec<Expr>, shapes: &Shapes) -> Expr {
    let mut flat: Vec<Expr> = vec![];
    for part in parts {
        match part {
            Expr::Concat(inner) => inner.into_iter().for_each(|p| push(&mut flat, p, shapes)),
            part => push(&mut flat, part, shapes),
        }
    }
    let mut folded: Vec<Expr> = vec![];
    for part in flat {
        match folded.last_mut() {
            Some(Expr::Repeat(times, inner)) if **inner == part => *times += 1,
            Some(last) if *last == part => *last = Expr::Repeat(2, Box::new(part)),
            _ => folded.push(part),
        }
    }
    match folded.len() {
        1 => folded.remove(0),
        _ => Expr::Concat(folded),
    }
}

fn push(parts: &mut Vec<Expr>, part: Expr, shapes: &Shapes) {
    match parts.last().and_then(|last| joined(last, &part, shapes)) {
        Some(both) => *parts.last_mut().expect("there is one") = both,
        None => parts.push(part),
    }
}

/// `net`, first bit and width.
pub fn slice<'a>(e: &'a Expr, shapes: &Shapes) -> Option<(&'a str, Linear, usize)> {
    match e {
        Expr::Net(net) => Some((net, shapes.get(net)?.lsb(), shapes.get(net)?.bits())),
        Expr::Part { net, at, index: None, width } => Some((net, at.clone(), *width)),
        _ => None,
    }
}

fn joined(high: &Expr, low: &Expr, shapes: &Shapes) -> Option<Expr> {
    if high.is_zero() && low.is_zero() {
        return Some(Expr::number(high.width(shapes)? + low.width(shapes)?, 0));
    }
    let (net, at, width) = slice(high, shapes)?;
    let (low_net, low_at, low_width) = slice(low, shapes)?;
    (net == low_net && at == low_at.plus(low_width as i64)).then(|| Expr::part(net, low_at, width + low_width, shapes))
}

/// `case (n) 0: x = a[0]; 1: x = a[1]; ...` with an arm for every value of `n` becomes `x = select(a, n);`.
fn selections(item: &mut Item, shapes: &Shapes) {
    for list in item.lists_mut() {
        for item in list {
            selections(item, shapes);
            if let Some(selection) = selection(item, shapes) {
                *item = selection;
            }
        }
    }
}

fn selection(item: &Item, shapes: &Shapes) -> Option<Item> {
    const VARIABLE: u8 = 200;
    let Item::Case(subject, arms) = item else { return None };
    let mut choices = vec![];
    for (value, (label, body)) in (0..).zip(arms) {
        let counts = match label {
            Some(Expr::Number { value: label, .. }) => label.constant == value,
            Some(_) => false,
            None => value as usize == arms.len() - 1,
        };
        let [Item::Blocking(target, choice)] = body.as_slice() else { return None };
        if !counts {
            return None;
        }
        choices.push((target, choice));
    }
    let Expr::Number { width: Some(index), .. } = arms.first()?.0.as_ref()? else { return None };
    let ((target, first), (_, second)) = (choices.first()?, choices.get(1)?);
    let chosen = first.towards(second, VARIABLE, false)?;
    let even = (0..).zip(&choices).all(|(k, (t, choice))| t == target && chosen.at(VARIABLE, k) == **choice);
    let Expr::Part { net, at, index: None, width } = chosen else { return None };
    let select = Function::Select { index: *index, width };
    let fine = even && arms.len() == 1 << index && arms.len() > 2 && at.step(VARIABLE) == width as i64;
    let from = Expr::part(&net, at.without(VARIABLE), width << index, shapes);
    fine.then(|| Item::Blocking((*target).clone(), Expr::Call(select, vec![from, subject.clone()])))
}
