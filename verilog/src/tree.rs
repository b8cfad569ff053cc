//! A module as a tree: the part of Verilog that blocks are lowered to, and loops.

use crate::functions::Function;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// A loop variable, by the height of its loop above the innermost.
pub type Variable = u8;

/// A number that changes evenly with loop variables: `constant` and so much for each step of each variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Linear {
    pub constant: i64,
    /// Variable and step, in the order of the variables.
    pub terms: Vec<(Variable, i64)>,
}

impl Linear {
    pub fn new(constant: i64) -> Self {
        Linear { constant, terms: vec![] }
    }

    pub fn step(&self, variable: Variable) -> i64 {
        self.terms.iter().find(|(v, _)| *v == variable).map_or(0, |(_, step)| *step)
    }

    pub fn plus(&self, more: i64) -> Self {
        Linear { constant: self.constant + more, terms: self.terms.clone() }
    }

    /// The number while `variable` has that value.
    pub fn at(&self, variable: Variable, value: i64) -> Self {
        let terms = self.terms.iter().copied().filter(|(v, _)| *v != variable).collect();
        Linear { constant: self.constant + value * self.step(variable), terms }
    }

    pub fn without(&self, variable: Variable) -> Self {
        self.at(variable, 0)
    }

    /// The number that is `self` in step 0 and `next` in step 1.
    fn towards(&self, next: &Self, variable: Variable) -> Option<Self> {
        if self.terms != next.terms {
            return None;
        }
        let mut both = self.clone();
        if next.constant != self.constant {
            both.terms.push((variable, next.constant - self.constant));
        }
        Some(both)
    }

    /// Keeps the number while the variable counts from `start` instead of 0.
    fn from(&mut self, variable: Variable, start: i64) {
        self.constant -= start * self.step(variable);
    }

    pub fn is_fixed(&self) -> bool {
        self.terms.is_empty()
    }
}

/// As it is written.
pub type Operator = &'static str;

const OPERATORS: [Operator; 17] =
    ["~", "!", "-", "&", "|", "^", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "<<", ">>", "+"];

fn operator<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Operator, D::Error> {
    let text = String::deserialize(deserializer)?;
    let known = OPERATORS.iter().find(|operator| **operator == text);
    known.copied().ok_or_else(|| D::Error::custom(format!("{text} is no operator")))
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    /// A number of so many bits, or a plain one.
    Number {
        width: Option<usize>,
        value: Linear,
    },
    /// A number of more than 60 bits.
    Wide {
        width: usize,
        hex: String,
    },
    /// All of a net.
    Net(String),
    /// `width` bits of a net, from `at` on; with an index, from `at` and so many times the index.
    Part {
        net: String,
        at: Linear,
        index: Option<(Box<Expr>, i64)>,
        width: usize,
    },
    Unary(#[serde(deserialize_with = "operator")] Operator, Box<Expr>),
    Binary(#[serde(deserialize_with = "operator")] Operator, Box<Expr>, Box<Expr>),
    Select(Box<[Expr; 3]>),
    /// Most significant first.
    Concat(Vec<Expr>),
    Repeat(usize, Box<Expr>),
    Call(Function, Vec<Expr>),
}

/// A memory array: `depth` words of `width` bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    pub name: String,
    pub depth: usize,
    pub width: usize,
}

/// The pins of its module by which a memory is read and written. A word that is read is on `rdata` in the next cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// `en`, `we`, `addr` and `wdata`: a read or a write.
    SinglePort,
    /// `write`, `write_addr` and `wdata`; `read` and `read_addr`.
    ReadAndWritePort,
}

/// Rules of a module's pins, which hold outside reset at every rising edge of `clock`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Ports, with their widths, of which `past_<port>` is the value in the cycle before.
    pub past: Vec<(String, usize)>,
    /// Conditions that never hold, as Verilog, and the names of the rules.
    pub never: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Item {
    Comment(String),
    Memory(Memory, Access),
    Rules(Rules),
    /// `assign target = value;`
    Assign(Expr, Expr),
    /// `target = value;`
    Blocking(Expr, Expr),
    /// `target <= value;`
    Clocked(Expr, Expr),
    If(Expr, Vec<Item>, Vec<Item>),
    Case(Expr, Vec<(Option<Expr>, Vec<Item>)>),
    /// `always @(*)`, or at the rising edge of a clock.
    Always(Option<String>, Vec<Item>),
    Instance {
        module: String,
        name: String,
        /// The number in the name of one of several.
        place: Option<Linear>,
        pins: Vec<(String, Expr)>,
    },
    /// `localparam` of a step of a generate loop.
    Constant(String, Linear),
    For {
        variable: Variable,
        start: i64,
        count: i64,
        body: Vec<Item>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Input,
    Output,
}

/// A port of a module. `width` in bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    pub name: String,
    pub direction: Direction,
    pub width: usize,
}

impl Port {
    pub fn is_output(&self) -> bool {
        self.direction == Direction::Output
    }
}

/// `elements` of equal width side by side, numbered from `first` on; 1 for a plain net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub first: usize,
    /// Rows of an array of arrays, otherwise 1.
    pub rows: usize,
    pub elements: usize,
    pub width: usize,
}

impl Shape {
    pub fn plain(width: usize) -> Self {
        Shape { first: 0, rows: 1, elements: 1, width }
    }

    pub fn bits(self) -> usize {
        self.elements * self.width
    }

    /// Number of the lowest bit.
    pub fn lsb(self) -> Linear {
        Linear::new((self.first * self.width) as i64)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub name: String,
    pub ports: Vec<Port>,
    /// `localparam`: width, name, value.
    pub constants: Vec<(usize, String, Expr)>,
    /// Shapes of nets and ports.
    pub nets: BTreeMap<String, Shape>,
    /// Nets without the ports, in their order.
    pub order: Vec<String>,
    pub items: Vec<Item>,
}

/// Widths of everything with a name.
pub type Shapes = BTreeMap<String, Shape>;

/// The parts of expressions and items, to look at and to change.
macro_rules! parts {
    ($children:ident $own:ident $lists:ident $iter:ident $($mut:tt)?) => {
        impl Expr {
            pub fn $children(&$($mut)? self) -> Vec<&$($mut)? Expr> {
                match self {
                    Expr::Number { .. } | Expr::Wide { .. } | Expr::Net(_) => vec![],
                    Expr::Part { index, .. } => index.$iter().map(|(e, _)| &$($mut)? **e).collect(),
                    Expr::Unary(_, arg) | Expr::Repeat(_, arg) => vec![arg],
                    Expr::Binary(_, left, right) => vec![left, right],
                    Expr::Select(parts) => parts.$iter().collect(),
                    Expr::Concat(parts) | Expr::Call(_, parts) => parts.$iter().collect(),
                }
            }
        }

        impl Item {
            /// Expressions of this item itself, not of items in it: targets first.
            pub fn $own(&$($mut)? self) -> Vec<&$($mut)? Expr> {
                match self {
                    Item::Assign(t, v) | Item::Blocking(t, v) | Item::Clocked(t, v) => vec![t, v],
                    Item::If(test, ..) => vec![test],
                    Item::Case(subject, arms) => {
                        std::iter::once(subject).chain(arms.$iter().flat_map(|(label, _)| label)).collect()
                    }
                    Item::Instance { pins, .. } => pins.$iter().map(|(_, e)| e).collect(),
                    Item::Comment(_)
                    | Item::Memory(..)
                    | Item::Rules(_)
                    | Item::Always(..)
                    | Item::Constant(..)
                    | Item::For { .. } => vec![],
                }
            }

            pub fn $lists(&$($mut)? self) -> Vec<&$($mut)? Vec<Item>> {
                match self {
                    Item::If(_, then, otherwise) => vec![then, otherwise],
                    Item::Case(_, arms) => arms.$iter().map(|(_, body)| body).collect(),
                    Item::Always(_, body) | Item::For { body, .. } => vec![body],
                    _ => vec![],
                }
            }
        }
    };
}

parts!(children own lists iter);
parts!(children_mut own_mut lists_mut iter_mut mut);

impl Expr {
    pub fn number(width: usize, value: i64) -> Self {
        Expr::Number { width: Some(width), value: Linear::new(value) }
    }

    /// A number in hexadecimal.
    pub fn literal(width: usize, hex: &str) -> Self {
        match u128::from_str_radix(hex, 16) {
            Ok(value) if value < 1 << 60 => Expr::number(width, value as i64),
            _ => Expr::Wide { width, hex: hex.trim_start_matches('0').into() },
        }
    }

    /// `operator operand`: what is inverted or negated twice is the operand itself.
    pub fn unary(operator: Operator, operand: Expr) -> Self {
        match operand {
            Expr::Unary(inner, operand) if inner == operator && matches!(operator, "~" | "!" | "-") => *operand,
            operand => Expr::Unary(operator, Box::new(operand)),
        }
    }

    pub fn binary(operator: Operator, left: Expr, right: Expr) -> Self {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    /// `width` bits of `net` from `at` on: the net itself where that is all of it.
    pub fn part(net: &str, at: Linear, width: usize, shapes: &Shapes) -> Self {
        match shapes.get(net) {
            Some(shape) if shape.bits() == width && at == shape.lsb() => Expr::Net(net.into()),
            _ => Expr::Part { net: net.into(), at, index: None, width },
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self, Expr::Number { value, .. } if *value == Linear::new(0))
    }

    /// Bits; `None` for a plain number.
    pub fn width(&self, shapes: &Shapes) -> Option<usize> {
        match self {
            Expr::Number { width, .. } => *width,
            Expr::Wide { width, .. } | Expr::Part { width, .. } => Some(*width),
            Expr::Call(function, _) => Some(function.width()),
            Expr::Net(name) => shapes.get(name).map(|s| s.bits()),
            Expr::Unary("~" | "-", arg) => arg.width(shapes),
            Expr::Unary(..) => Some(1),
            Expr::Binary("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||", ..) => Some(1),
            Expr::Binary("<<" | ">>", left, _) => left.width(shapes),
            Expr::Binary(_, left, right) => left.width(shapes).max(right.width(shapes)),
            Expr::Select(parts) => parts[1].width(shapes),
            Expr::Concat(parts) => parts.iter().map(|p| p.width(shapes)).sum(),
            Expr::Repeat(times, arg) => arg.width(shapes).map(|w| w * times),
        }
    }

    /// Calls `f` with every expression in this one, operands first.
    pub fn rewrite(&mut self, f: &mut impl FnMut(&mut Expr)) {
        self.children_mut().into_iter().for_each(|e| e.rewrite(f));
        f(self);
    }

    pub fn visit(&self, f: &mut impl FnMut(&Expr)) {
        self.children().into_iter().for_each(|e| e.visit(f));
        f(self);
    }

    pub fn linears(&mut self, f: &mut impl FnMut(&mut Linear)) {
        self.rewrite(&mut |e| match e {
            Expr::Number { value, .. } => f(value),
            Expr::Part { at, .. } => f(at),
            _ => {}
        });
    }

    pub fn uses(&self, variable: Variable) -> bool {
        let mut found = false;
        self.visit(&mut |e| match e {
            Expr::Number { value: l, .. } | Expr::Part { at: l, .. } => found |= l.step(variable) != 0,
            _ => {}
        });
        found
    }

    pub fn nets(&self, f: &mut impl FnMut(&str)) {
        self.visit(&mut |e| match e {
            Expr::Net(net) | Expr::Part { net, .. } => f(net),
            _ => {}
        });
    }

    /// The expression in step `value` of a loop.
    pub fn at(&self, variable: Variable, value: i64) -> Expr {
        let mut e = self.clone();
        e.linears(&mut |l| *l = l.at(variable, value));
        e
    }

    /// The expression that is `self` in step 0 and `next` in step 1. A sized number may change only beside a comparison
    /// or as the amount of a shift, unless `numbers` says that it may be the variable itself.
    pub fn towards(&self, next: &Expr, variable: Variable, numbers: bool) -> Option<Expr> {
        self.towards_in(next, variable, numbers, false)
    }

    fn towards_in(&self, next: &Expr, v: Variable, numbers: bool, compared: bool) -> Option<Expr> {
        let boxed = |a: &Expr, b: &Expr| a.towards_in(b, v, numbers, false).map(Box::new);
        Some(match (self, next) {
            (Expr::Number { width, value }, Expr::Number { width: other, value: end }) if width == other => {
                let value = value.towards(end, v)?;
                let plain = value == Linear { constant: 0, terms: vec![(v, 1)] };
                let fine = value.step(v) == 0 || width.is_none() || compared || (numbers && plain);
                return fine.then_some(Expr::Number { width: *width, value });
            }
            (Expr::Wide { .. } | Expr::Net(_), _) if self == next => self.clone(),
            (
                Expr::Part { net, at, index, width },
                Expr::Part { net: net_2, at: at_2, index: index_2, width: width_2 },
            ) if net == net_2 && width == width_2 => {
                let index = match (index, index_2) {
                    (None, None) => None,
                    (Some((a, times)), Some((b, times_2))) if times == times_2 => Some((boxed(a, b)?, *times)),
                    _ => return None,
                };
                Expr::Part { net: net.clone(), at: at.towards(at_2, v)?, index, width: *width }
            }
            (Expr::Unary(op, a), Expr::Unary(op_2, b)) if op == op_2 => Expr::Unary(op, boxed(a, b)?),
            (Expr::Binary(op, a, b), Expr::Binary(op_2, a_2, b_2)) if op == op_2 => {
                let compares = matches!(*op, "==" | "!=" | "<" | "<=" | ">" | ">=");
                let side = |a: &Expr, b: &Expr, free| a.towards_in(b, v, numbers, free).map(Box::new);
                let shifts = matches!(*op, "<<" | ">>");
                Expr::Binary(op, side(a, a_2, compares)?, side(b, b_2, compares || shifts)?)
            }
            (Expr::Select(a), Expr::Select(b)) => {
                let side = |i: usize| a[i].towards_in(&b[i], v, numbers, false);
                Expr::Select(Box::new([side(0)?, side(1)?, side(2)?]))
            }
            (Expr::Concat(a), Expr::Concat(b)) if a.len() == b.len() => {
                Expr::Concat(a.iter().zip(b).map(|(a, b)| a.towards_in(b, v, numbers, false)).collect::<Option<_>>()?)
            }
            (Expr::Repeat(n, a), Expr::Repeat(m, b)) if n == m => Expr::Repeat(*n, boxed(a, b)?),
            (Expr::Call(f, a), Expr::Call(g, b)) if f == g && a.len() == b.len() => {
                Expr::Call(*f, a.iter().zip(b).map(|(a, b)| a.towards_in(b, v, numbers, false)).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    /// A hash that expressions share if they differ in numbers alone.
    fn shape(&self, h: &mut impl Hasher) {
        std::mem::discriminant(self).hash(h);
        match self {
            Expr::Number { width, .. } => width.hash(h),
            Expr::Wide { hex, .. } => hex.hash(h),
            Expr::Net(net) => net.hash(h),
            Expr::Call(function, _) => function.hash(h),
            Expr::Part { net, width, .. } => (net, width).hash(h),
            Expr::Unary(op, _) | Expr::Binary(op, ..) => op.hash(h),
            Expr::Repeat(n, _) => n.hash(h),
            Expr::Concat(parts) => parts.len().hash(h),
            Expr::Select(_) => {}
        }
        self.children().into_iter().for_each(|e| e.shape(h));
    }
}

impl Item {
    pub fn visit(&self, f: &mut impl FnMut(&Item)) {
        f(self);
        self.lists().into_iter().flatten().for_each(|i| i.visit(f));
    }

    /// Calls `f` with every whole expression.
    pub fn expressions_mut(&mut self, f: &mut impl FnMut(&mut Expr)) {
        self.own_mut().into_iter().for_each(&mut *f);
        self.lists_mut().into_iter().flatten().for_each(|i| i.expressions_mut(f));
    }

    pub fn at(&self, variable: Variable, value: i64) -> Item {
        let mut item = self.clone();
        item.linears(&mut |l| *l = l.at(variable, value));
        item
    }

    /// Makes a loop's variable count from `start` instead of 0.
    pub fn count_from(&mut self, variable: Variable, start: i64) {
        self.linears(&mut |l| l.from(variable, start));
    }

    fn linears(&mut self, f: &mut impl FnMut(&mut Linear)) {
        self.expressions_mut(&mut |e| e.linears(f));
        self.places(f);
    }

    fn places(&mut self, f: &mut impl FnMut(&mut Linear)) {
        if let Item::Instance { place: Some(number), .. } | Item::Constant(_, number) = self {
            f(number);
        }
        self.lists_mut().into_iter().flatten().for_each(|i| i.places(f));
    }

    /// Height of the loops in it.
    pub fn height(&self) -> Variable {
        let below = self.lists().into_iter().flatten().map(Item::height).max().unwrap_or(0);
        match self {
            Item::For { variable, .. } => below.max(*variable),
            _ => below,
        }
    }

    /// As [`Expr::towards`].
    pub fn towards(&self, next: &Item, v: Variable) -> Option<Item> {
        let expr = |a: &Expr, b: &Expr| a.towards(b, v, false);
        let list = |a: &[Item], b: &[Item]| -> Option<Vec<Item>> {
            (a.len() == b.len()).then(|| a.iter().zip(b).map(|(a, b)| a.towards(b, v)).collect::<Option<_>>())?
        };
        Some(match (self, next) {
            (Item::Comment(_), Item::Comment(_)) if self == next => self.clone(),
            (Item::Assign(a, b), Item::Assign(c, d)) => Item::Assign(expr(a, c)?, expr(b, d)?),
            (Item::Blocking(a, b), Item::Blocking(c, d)) => Item::Blocking(expr(a, c)?, expr(b, d)?),
            (Item::Clocked(a, b), Item::Clocked(c, d)) => Item::Clocked(expr(a, c)?, expr(b, d)?),
            (Item::If(a, b, c), Item::If(d, e, f)) => Item::If(expr(a, d)?, list(b, e)?, list(c, f)?),
            (Item::Case(a, b), Item::Case(c, d)) if b.len() == d.len() => {
                let arm = |(a, b): (&(Option<Expr>, Vec<Item>), &(Option<Expr>, Vec<Item>))| {
                    (a.0 == b.0).then(|| Some((a.0.clone(), list(&a.1, &b.1)?)))?
                };
                Item::Case(expr(a, c)?, b.iter().zip(d).map(arm).collect::<Option<_>>()?)
            }
            (Item::Always(a, b), Item::Always(c, d)) if a == c => Item::Always(a.clone(), list(b, d)?),
            (
                Item::Instance { module, name, place: Some(place), pins },
                Item::Instance { module: module_2, name: name_2, place: Some(place_2), pins: pins_2 },
            ) if (module, name, pins.len()) == (module_2, name_2, pins_2.len()) => {
                let pin = |(a, b): (&(String, Expr), &(String, Expr))| {
                    (a.0 == b.0).then(|| Some((a.0.clone(), expr(&a.1, &b.1)?)))?
                };
                let place = place.towards(place_2, v)?;
                let pins = pins.iter().zip(pins_2).map(pin).collect::<Option<_>>()?;
                Item::Instance { module: module.clone(), name: name.clone(), place: Some(place), pins }
            }
            (
                Item::For { variable, start, count, body },
                Item::For { variable: variable_2, start: start_2, count: count_2, body: body_2 },
            ) if (variable, start, count) == (variable_2, start_2, count_2) => {
                Item::For { variable: *variable, start: *start, count: *count, body: list(body, body_2)? }
            }
            _ => return None,
        })
    }

    pub fn shape(&self, h: &mut impl Hasher) {
        std::mem::discriminant(self).hash(h);
        match self {
            Item::Comment(text) => text.hash(h),
            Item::Always(clock, _) => clock.hash(h),
            Item::Instance { module, name, .. } => (module, name).hash(h),
            Item::For { count, variable, .. } => (count, variable).hash(h),
            _ => {}
        }
        self.own().into_iter().for_each(|e| e.shape(h));
        for list in self.lists() {
            list.len().hash(h);
            list.iter().for_each(|i| i.shape(h));
        }
    }

    /// Calls `f` with every net that it reads.
    pub fn reads(&self, f: &mut impl FnMut(&str)) {
        self.visit(&mut |item| match item {
            Item::Assign(target, value) | Item::Blocking(target, value) | Item::Clocked(target, value) => {
                value.nets(f);
                target.children().into_iter().for_each(|index| index.nets(f));
            }
            item => item.own().into_iter().for_each(|e| e.nets(f)),
        });
    }

    /// Calls `f` with every target of an assignment.
    pub fn targets(&self, f: &mut impl FnMut(&Expr)) {
        self.visit(&mut |i| {
            if let Item::Assign(t, _) | Item::Blocking(t, _) | Item::Clocked(t, _) = i {
                f(t);
            }
        });
    }
}
