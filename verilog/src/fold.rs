//! Shorter expressions of the same bits: slices that touch become one, copies side by side become `{n{..}}`, and a `case`
//! that picks one element of a vector becomes the call of a function.

use crate::tree::{Expr, Item, Linear, Module, Shapes};
use std::collections::BTreeSet;

pub fn fold(module: &mut Module) {
    let shapes = &module.nets;
    let mut selects = BTreeSet::new();
    for item in &mut module.items {
        item.expressions_mut(&mut |e| e.rewrite(&mut |e| expression(e, shapes)));
        selections(item, shapes, &mut selects);
        if let Item::Always(None, body) = item {
            if let [Item::Blocking(target, value)] = body.as_slice() {
                if !matches!(value, Expr::Number { .. } | Expr::Wide { .. }) {
                    *item = Item::Assign(target.clone(), value.clone());
                }
            }
        }
    }
    let functions = selects.into_iter().map(|select| Item::Function(select.text()));
    module.items.splice(0..0, functions);
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

/// `case (n) 0: x = a[0]; 1: x = a[1]; ...` with an arm for every value of `n` becomes `x = select(a, n);`. The function has
/// the `case`, from which synthesis makes less than from a part-select with a variable index.
fn selections(item: &mut Item, shapes: &Shapes, selects: &mut BTreeSet<Select>) {
    for list in item.lists_mut() {
        for item in list {
            selections(item, shapes, selects);
            if let Some((selection, select)) = selection(item, shapes) {
                *item = selection;
                selects.insert(select);
            }
        }
    }
}

/// The function that selects one of 2^`index` elements of `width` bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Select {
    index: usize,
    width: usize,
}

impl Select {
    fn count(self) -> usize {
        1 << self.index
    }

    fn bits(self) -> usize {
        self.count() * self.width
    }

    fn name(self) -> String {
        format!("select_{}x{}", self.count(), self.width)
    }

    fn text(self) -> String {
        let (name, Select { index, width }) = (self.name(), self);
        let range = |bits: usize| if bits == 1 { String::new() } else { format!("[{}:0] ", bits - 1) };
        let arm = |place: usize| {
            let label = if place + 1 == self.count() { "default".into() } else { format!("{index}'d{place}") };
            format!("        {label}: {name} = from[{place}*{width} +: {width}];\n")
        };
        let arms: String = (0..self.count()).map(arm).collect();
        let ports = format!("input {}from, input {}place", range(self.bits()), range(index));
        format!("// Element `place` of `from`.\nfunction {}{name}({ports});\n    case (place)\n{arms}    endcase\nendfunction", range(width))
    }
}

fn selection(item: &Item, shapes: &Shapes) -> Option<(Item, Select)> {
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
    let select = Select { index: *index, width };
    let fine = even && arms.len() == select.count() && arms.len() > 2 && at.step(VARIABLE) == width as i64;
    let from = Expr::part(&net, at.without(VARIABLE), select.bits(), shapes);
    let call = Expr::Call(select.name(), vec![from, subject.clone()], width);
    fine.then(|| (Item::Blocking((*target).clone(), call), select))
}
