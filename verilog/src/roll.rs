//! Items that differ in evenly growing numbers alone become loops; loops over whole vectors become one assignment.

use crate::fold::{self, slice};
use crate::print;
use crate::tree::{Expr, Item, Module, Shapes, Variable};
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hasher;

pub fn roll(module: &mut Module) {
    let roller = Roller { shapes: &module.nets };
    let items = std::mem::take(&mut module.items);
    let items = roller.list(items, false, true);
    module.items = items;
    module.items.iter_mut().for_each(|item| count(item, &module.nets));
}

struct Roller<'a> {
    shapes: &'a Shapes,
}

impl Roller<'_> {
    /// `ordered`: an item may depend on those in front of it.
    fn list(&self, items: Vec<Item>, ordered: bool, top: bool) -> Vec<Item> {
        let mut open = vec![];
        for item in items {
            match self.spread(&item).or_else(|| if top { self.accumulate(&item) } else { None }) {
                Some(parts) => open.extend(parts),
                None => open.push(item),
            }
        }
        for item in &mut open {
            let ordered = ordered || matches!(item, Item::Always(None, _));
            if !matches!(item, Item::For { .. }) {
                item.lists_mut().into_iter().for_each(|l| *l = self.list(std::mem::take(l), ordered, false));
            }
        }
        loop {
            let before = open.len();
            open = if ordered { self.runs_in_order(open) } else { self.runs(open) };
            open = open.into_iter().map(|item| self.lift(item)).collect();
            if open.len() == before {
                break;
            }
        }
        if top {
            open = self.counted(open);
        }
        if !ordered {
            open = fuse(open);
        }
        open.into_iter().flat_map(|item| self.unrolled(item)).collect()
    }

    /// Runs of assignments that use their own number as a value: loops in an `always` block, where a loop variable is one.
    fn counted(&self, items: Vec<Item>) -> Vec<Item> {
        let mut result = vec![];
        let mut rest = items.as_slice();
        while let [first, ..] = rest {
            let (length, item) = self.counts(rest).unwrap_or((1, first.clone()));
            result.push(item);
            rest = &rest[length..];
        }
        result
    }

    fn counts(&self, items: &[Item]) -> Option<(usize, Item)> {
        const VARIABLE: Variable = 1;
        let [Item::Assign(target, value), Item::Assign(next_target, next_value), ..] = items else { return None };
        let target = target.towards(next_target, VARIABLE, false)?;
        let value = value.towards(next_value, VARIABLE, true)?;
        let is_step = |k: i64, item: &Item| {
            let Item::Assign(t, v) = item else { return false };
            target.at(VARIABLE, k) == *t && value.at(VARIABLE, k) == *v
        };
        let count = (0..).zip(items).take_while(|(k, item)| is_step(*k, item)).count();
        let body = vec![Item::Blocking(target, value)];
        let each = Item::For { variable: VARIABLE, start: 0, count: count as i64, body };
        (count > 3).then(|| (count, Item::Always(None, vec![each])))
    }

    /// Runs among items in any order.
    fn runs(&self, items: Vec<Item>) -> Vec<Item> {
        let mut buckets: HashMap<u64, Vec<usize>> = HashMap::new();
        for (place, item) in items.iter().enumerate() {
            let mut hasher = DefaultHasher::new();
            item.shape(&mut hasher);
            buckets.entry(hasher.finish()).or_default().push(place);
        }
        let mut result: BTreeMap<usize, Item> = BTreeMap::new();
        for mut places in buckets.into_values() {
            places.sort_by_key(|p| (key(&items[*p]), *p));
            let mut rest = places.as_slice();
            while let [first, ..] = rest {
                let alike: Vec<&Item> = rest.iter().map(|p| &items[*p]).collect();
                let (length, item) = self.longest(&alike, 4).unwrap_or((1, items[*first].clone()));
                let place = rest[..length].iter().min().copied().unwrap_or(*first);
                result.insert(place, item);
                rest = &rest[length..];
            }
        }
        result.into_values().collect()
    }

    fn runs_in_order(&self, items: Vec<Item>) -> Vec<Item> {
        let mut result = vec![];
        let mut rest = items.as_slice();
        while let [first, ..] = rest {
            match self.longest(&rest.iter().take(1024).collect::<Vec<_>>(), 6) {
                Some((length, item)) => {
                    result.push(item);
                    rest = &rest[length..];
                }
                None => {
                    result.push(first.clone());
                    rest = &rest[1..];
                }
            }
        }
        result
    }

    /// The loop that takes the most items from the first on, of at most so many items a step, and how many it takes.
    fn longest(&self, items: &[&Item], most: usize) -> Option<(usize, Item)> {
        let loops = (1..=most).filter_map(|period| self.periods(items, period));
        loops
            .max_by_key(|(length, period, _)| (*length, std::cmp::Reverse(*period)))
            .map(|(length, _, item)| (length, item))
    }

    /// A loop of so many items a step.
    fn periods(&self, items: &[&Item], period: usize) -> Option<(usize, usize, Item)> {
        let steps: Vec<&[&Item]> = items.chunks_exact(period).collect();
        let [first, second, ..] = steps.as_slice() else { return None };
        if first.iter().any(|i| matches!(i, Item::Comment(_))) {
            return None;
        }
        let variable = first.iter().map(|i| i.height()).max()? + 1;
        let body: Vec<Item> = first.iter().zip(*second).map(|(a, b)| a.towards(b, variable)).collect::<Option<_>>()?;
        if body.iter().zip(*first).all(|(b, i)| b == *i) {
            return None;
        }
        let is_step = |k: i64, step: &[&Item]| body.iter().zip(step).all(|(b, i)| b.at(variable, k) == **i);
        let count = (0..).zip(&steps).take_while(|(k, step)| is_step(*k, step)).count();
        let natural = body.iter().all(|b| self.is_natural(b, variable));
        (count > 2 || (count == 2 && natural))
            .then(|| (count * period, period, Item::For { variable, start: 0, count: count as i64, body }))
    }

    /// True if each step takes the next element of everything.
    fn is_natural(&self, item: &Item, v: Variable) -> bool {
        let mut natural = true;
        let mut check = |e: &Expr| {
            e.visit(&mut |e| match e {
                Expr::Part { net, at, width, .. } if at.step(v) != 0 => {
                    let element = self.shapes.get(net).map_or(*width, |s| s.width) as i64;
                    natural &= at.step(v) == *width as i64 || at.step(v) == element;
                }
                Expr::Number { value, .. } if value.step(v) != 0 => natural &= value.step(v) == 1,
                _ => {}
            });
        };
        item.visit(&mut |i| i.own().into_iter().for_each(&mut check));
        natural
    }

    /// A loop over all bits of vectors, bit by bit, as one assignment.
    fn lift(&self, item: Item) -> Item {
        let Item::For { variable, count, body, .. } = &item else { return item };
        let [Item::Assign(t, v) | Item::Blocking(t, v) | Item::Clocked(t, v)] = body.as_slice() else { return item };
        let lifted = || {
            let (net, _, width) = slice(t, self.shapes)?;
            let mut reads_itself = false;
            v.nets(&mut |read| reads_itself |= read == net);
            if reads_itself {
                return None;
            }
            let lift = Lift { variable: *variable, count: *count as usize, width, shapes: self.shapes };
            Some((lift.slice(t)?, lift.value(v)?))
        };
        match (lifted(), &body[0]) {
            (Some((t, v)), Item::Assign(..)) => Item::Assign(t, v),
            (Some((t, v)), Item::Blocking(..)) => Item::Blocking(t, v),
            (Some((t, v)), _) => Item::Clocked(t, v),
            (None, _) => item,
        }
    }

    /// An assignment of a concatenation, as loops over its elements.
    fn spread(&self, item: &Item) -> Option<Vec<Item>> {
        let (Item::Assign(t, v) | Item::Blocking(t, v) | Item::Clocked(t, v)) = item else { return None };
        let part_width = concat_width(v, self.shapes)?;
        let (net, at, bits) = slice(t, self.shapes)?;
        if v.width(self.shapes) != Some(bits) {
            return None;
        }
        let make = |t: Expr, v: Expr| match item {
            Item::Assign(..) => Item::Assign(t, v),
            Item::Blocking(..) => Item::Blocking(t, v),
            _ => Item::Clocked(t, v),
        };
        let old = self.lines(item);
        let mut best: Option<(usize, Vec<Item>)> = None;
        for width in (1..=4).map(|n| n * part_width).filter(|w| bits % w == 0 && bits / w > 2) {
            let chunk = |k: usize| -> Option<Item> {
                let target = Expr::part(net, at.plus((k * width) as i64), width, self.shapes);
                Some(make(target, part_of(v, k * width, width, self.shapes)?))
            };
            let Some(chunks) = (0..bits / width).map(chunk).collect::<Option<Vec<_>>>() else { continue };
            let mut rest = chunks.as_slice();
            let mut parts = vec![];
            while let [first, ..] = rest {
                let found = self.longest(&rest.iter().collect::<Vec<_>>(), 1);
                let (length, part) = found.unwrap_or((1, first.clone()));
                parts.push(self.lift(part));
                rest = &rest[length..];
            }
            let lines = parts.iter().map(|p| self.lines(p)).sum();
            if lines < old && best.as_ref().is_none_or(|(l, _)| lines < *l) {
                best = Some((lines, parts));
            }
        }
        best.map(|(_, parts)| parts)
    }

    /// An operator over many operands, as a loop that adds one after the other.
    fn accumulate(&self, item: &Item) -> Option<Vec<Item>> {
        let Item::Assign(target, value @ Expr::Binary(op @ ("|" | "&" | "^"), ..)) = item else { return None };
        let mut terms = vec![];
        chain(value, op, &mut terms);
        let width = value.width(self.shapes)?;
        let variable = 1;
        let body = terms.first()?.towards(terms.get(1)?, variable, true)?;
        let count = (0..).zip(&terms).take_while(|(k, term)| body.at(variable, *k) == ***term).count();
        if count < 6 || self.lines(item) < 5 {
            return None;
        }
        let first = match *op {
            "&" => Expr::Unary("~", Box::new(Expr::number(width, 0))),
            _ => Expr::number(width, 0),
        };
        let first = terms[count..]
            .iter()
            .map(|t| (*t).clone())
            .reduce(|a, b| Expr::Binary(op, a.into(), b.into()))
            .unwrap_or(first);
        let sum = Expr::Binary(op, Box::new(target.clone()), Box::new(body));
        let each =
            Item::For { variable, start: 0, count: count as i64, body: vec![Item::Blocking(target.clone(), sum)] };
        Some(vec![Item::Always(None, vec![Item::Blocking(target.clone(), first), each])])
    }

    fn lines(&self, item: &Item) -> usize {
        print::item(item, self.shapes).lines().count()
    }

    /// The items of a loop that saves no lines.
    fn unrolled(&self, item: Item) -> Vec<Item> {
        match item {
            Item::For { variable, count, body, start: 0 } => {
                let lines: usize = body.iter().map(|i| self.lines(i)).sum();
                if lines * count as usize > lines + 2 {
                    return vec![Item::For { variable, count, body, start: 0 }];
                }
                let step = |k| body.iter().map(move |i| i.at(variable, k));
                (0..count).flat_map(step).flat_map(|i| self.unrolled(i)).collect()
            }
            item => vec![item],
        }
    }
}

/// First bit of an item's target.
fn key(item: &Item) -> i64 {
    match item {
        Item::Assign(Expr::Part { at, .. }, _) | Item::Clocked(Expr::Part { at, .. }, _) => at.constant,
        Item::Instance { place: Some(place), .. } => place.constant,
        Item::For { body, .. } => body.first().map_or(0, key),
        _ => 0,
    }
}

/// Loops of one length that follow each other become one loop.
pub fn fuse(items: Vec<Item>) -> Vec<Item> {
    let mut fused: Vec<Item> = vec![];
    for item in items {
        match (fused.last_mut(), item) {
            (
                Some(Item::For { variable, count, body, .. }),
                Item::For { variable: variable_2, count: count_2, body: more, .. },
            ) if *count == count_2 && *variable == variable_2 => body.extend(more),
            (_, item) => fused.push(item),
        }
    }
    for item in &mut fused {
        if let Item::For { body, .. } = item {
            if body.iter().all(|i| !matches!(i, Item::Blocking(..))) {
                *body = fuse(std::mem::take(body));
            }
        }
    }
    fused
}

fn chain<'a>(e: &'a Expr, wanted: &str, terms: &mut Vec<&'a Expr>) {
    match e {
        Expr::Binary(op, left, right) if *op == wanted => {
            chain(left, wanted, terms);
            terms.push(right);
        }
        _ => terms.push(e),
    }
}

/// Width of the smallest part of a concatenation of four parts or more that stands where bits do not mix.
fn concat_width(e: &Expr, shapes: &Shapes) -> Option<usize> {
    match e {
        Expr::Concat(parts) if parts.len() > 3 => {
            let width = |p: &Expr| match p {
                Expr::Repeat(_, inner) => inner.width(shapes),
                p => p.width(shapes),
            };
            parts.iter().map(width).min()?
        }
        Expr::Unary("~", arg) => concat_width(arg, shapes),
        Expr::Binary("&" | "|" | "^", left, right) => {
            concat_width(left, shapes).or_else(|| concat_width(right, shapes))
        }
        Expr::Select(parts) => concat_width(&parts[1], shapes).or_else(|| concat_width(&parts[2], shapes)),
        _ => None,
    }
}

/// `width` bits from `low` on of an expression whose bits do not mix.
fn part_of(e: &Expr, low: usize, width: usize, shapes: &Shapes) -> Option<Expr> {
    let all = e.width(shapes)?;
    if low == 0 && width == all {
        return Some(e.clone());
    }
    let part = |e: &Expr| part_of(e, low, width, shapes);
    match e {
        Expr::Number { width: Some(_), value } if value.is_fixed() => {
            let value = if low < 62 { value.constant >> low } else { 0 };
            let mask = if width < 62 { (1 << width) - 1 } else { i64::MAX };
            Some(Expr::number(width, value & mask))
        }
        Expr::Net(_) | Expr::Part { index: None, .. } => {
            let (net, at, _) = slice(e, shapes)?;
            Some(Expr::part(net, at.plus(low as i64), width, shapes))
        }
        Expr::Repeat(_, inner) => {
            let each = inner.width(shapes)?;
            if width % each == 0 && low % each == 0 {
                let mut e = Expr::Repeat(width / each, inner.clone());
                fold::expression(&mut e, shapes);
                return Some(e);
            }
            (low % each + width <= each).then(|| part_of(inner, low % each, width, shapes))?
        }
        Expr::Unary("~", arg) => Some(Expr::Unary("~", Box::new(part(arg)?))),
        Expr::Binary(op @ ("&" | "|" | "^"), left, right) => {
            Some(Expr::Binary(op, Box::new(part(left)?), Box::new(part(right)?)))
        }
        Expr::Select(parts) => Some(Expr::Select(Box::new([parts[0].clone(), part(&parts[1])?, part(&parts[2])?]))),
        Expr::Concat(parts) => {
            let mut found = vec![];
            let mut above = all;
            for p in parts {
                let bits = p.width(shapes)?;
                let lsb = above - bits;
                let (from, to) = (low.max(lsb), (low + width).min(above));
                if from < to {
                    found.push(part_of(p, from - lsb, to - from, shapes)?);
                }
                above = lsb;
            }
            let mut e = Expr::Concat(found);
            fold::expression(&mut e, shapes);
            Some(e)
        }
        _ => None,
    }
}

/// From the expression of one element to that of all.
struct Lift<'a> {
    variable: Variable,
    count: usize,
    width: usize,
    shapes: &'a Shapes,
}

impl Lift<'_> {
    fn slice(&self, e: &Expr) -> Option<Expr> {
        let Expr::Part { net, at, index: None, width } = e else { return None };
        (*width == self.width && at.step(self.variable) == *width as i64)
            .then(|| Expr::part(net, at.without(self.variable), width * self.count, self.shapes))
    }

    fn value(&self, e: &Expr) -> Option<Expr> {
        if !e.uses(self.variable) {
            let mut all = Expr::Repeat(self.count, Box::new(e.clone()));
            fold::expression(&mut all, self.shapes);
            return (e.width(self.shapes)? == self.width).then_some(all);
        }
        let one_bit = self.width == 1;
        Some(match e {
            Expr::Part { .. } => self.slice(e)?,
            Expr::Unary("~", arg) => Expr::Unary("~", Box::new(self.value(arg)?)),
            Expr::Unary("!", arg) if one_bit => Expr::Unary("~", Box::new(self.value(arg)?)),
            Expr::Binary(op @ ("&" | "|" | "^"), a, b) => {
                Expr::Binary(op, Box::new(self.value(a)?), Box::new(self.value(b)?))
            }
            Expr::Select(parts) if !parts[0].uses(self.variable) => {
                Expr::Select(Box::new([parts[0].clone(), self.value(&parts[1])?, self.value(&parts[2])?]))
            }
            _ => return None,
        })
    }
}

/// Makes loops count from the number of the first element that they drive.
fn count(item: &mut Item, shapes: &Shapes) {
    item.lists_mut().into_iter().flatten().for_each(|i| count(i, shapes));
    let Item::For { variable, start, body, .. } = item else { return };
    let mut first: Option<i64> = None;
    body.iter().for_each(|i| {
        i.visit(&mut |i| {
            let place = match i {
                Item::Instance { place: Some(place), .. } if place.step(*variable) == 1 => Some(place.constant),
                Item::Assign(t, _) | Item::Blocking(t, _) | Item::Clocked(t, _) => first_of(t, *variable, shapes),
                _ => None,
            };
            first = first.or(place);
        });
    });
    *start = first.unwrap_or(0);
    body.iter_mut().for_each(|i| i.count_from(*variable, *start));
}

fn first_of(target: &Expr, v: Variable, shapes: &Shapes) -> Option<i64> {
    let Expr::Part { net, at, .. } = target else { return None };
    let element = shapes.get(net)?.width as i64;
    let unit = if shapes[net].elements > 1 { element } else { at.step(v) };
    let alone = at.terms.len() == 1 && at.step(v) == unit && unit > 0;
    alone.then(|| at.constant / unit)
}
