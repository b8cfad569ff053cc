//! Expressions over a circuit: `(valid & !busy).name("grant")`.
//!
//! A [`Net`] is a [`Wire`] that knows its circuit, so that operators can be written as such. Widths are as exact as in
//! [`Circuit`]: operands are equally wide, nothing is extended without a word.

use super::{Circuit, Wire};
use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// A circuit under construction.
#[derive(Default)]
pub struct Builder(RefCell<Circuit>);

/// A node of the circuit under construction.
#[derive(Clone, Copy)]
pub struct Net<'a> {
    builder: &'a Builder,
    pub(super) wire: Wire,
}

impl Builder {
    pub fn finish(self) -> Circuit {
        self.0.into_inner()
    }

    fn net(&self, make: impl FnOnce(&mut Circuit) -> Wire) -> Net<'_> {
        let wire = make(&mut self.0.borrow_mut());
        Net { builder: self, wire }
    }

    pub fn input(&self, name: impl Into<String>, width: usize) -> Net<'_> {
        self.net(|c| c.input(name, width))
    }

    pub fn output(&self, name: impl Into<String>, net: Net<'_>) {
        self.0.borrow_mut().output(name, net.wire);
    }

    pub fn constant(&self, value: u64, width: usize) -> Net<'_> {
        self.net(|c| c.constant(value, width))
    }

    pub fn high(&self) -> Net<'_> {
        self.constant(1, 1)
    }

    pub fn low(&self) -> Net<'_> {
        self.constant(0, 1)
    }

    /// A register of control state, 0 after reset; [`Net::drive`] gives it its input.
    pub fn register(&self, name: impl Into<String>, width: usize) -> Net<'_> {
        self.net(|c| c.register(name, width))
    }

    /// A register of control state that takes `d` at every edge.
    pub fn registered<'a>(&'a self, name: impl Into<String>, d: Net<'a>) -> Net<'a> {
        let q = self.register(name, d.width());
        q.drive(d);
        q
    }

    /// A register of data, without reset.
    pub fn data_register<'a>(&'a self, name: impl Into<String>, d: Net<'a>, enable: Net<'a>) -> Net<'a> {
        self.net(|c| c.data_register(name, d.wire, enable.wire))
    }

    /// A register of data, without reset, that takes `d` at every edge.
    pub fn delay<'a>(&'a self, name: impl Into<String>, d: Net<'a>) -> Net<'a> {
        self.net(|c| c.delay(name, d.wire))
    }

    /// A register of data, without reset; [`Net::load`] gives it its input.
    pub fn storage(&self, name: impl Into<String>, width: usize) -> Net<'_> {
        self.net(|c| c.storage(name, width))
    }

    pub fn comment(&self, text: &str) {
        self.0.borrow_mut().comment(text);
    }

    /// Least significant first.
    pub fn bits<'a>(&'a self, parts: &[Net<'a>]) -> Net<'a> {
        let parts: Vec<_> = parts.iter().rev().map(|p| p.wire).collect();
        match parts[..] {
            [only] => Net { builder: self, wire: only },
            _ => self.net(|c| c.concat(&parts)),
        }
    }

    pub fn or_all<'a>(&'a self, nets: &[Net<'a>]) -> Net<'a> {
        nets.iter().copied().reduce(|a, b| a | b).expect("or of nothing")
    }

    pub fn and_all<'a>(&'a self, nets: &[Net<'a>]) -> Net<'a> {
        nets.iter().copied().reduce(|a, b| a & b).expect("and of nothing")
    }

    /// `choices[index]`, as many as the index has values.
    pub fn select<'a>(&'a self, name: impl Into<String>, index: Net<'a>, choices: &[Net<'a>]) -> Net<'a> {
        let choices: Vec<_> = choices.iter().map(|n| n.wire).collect();
        self.net(|c| {
            let chosen = c.select(index.wire, &choices);
            c.name(chosen, name)
        })
    }

    /// The data of the one bit of `select` that is high, else 0.
    pub fn one_of<'a>(&'a self, select: &[Net<'a>], data: &[Net<'a>]) -> Net<'a> {
        let terms: Vec<_> = select.iter().zip(data).map(|(&s, &d)| s.repeat(d.width()) & d).collect();
        self.or_all(&terms)
    }
}

impl<'a> Net<'a> {
    pub fn width(self) -> usize {
        self.builder.0.borrow().width(self.wire)
    }

    fn unary(self, make: impl FnOnce(&mut Circuit, Wire) -> Wire) -> Net<'a> {
        self.builder.net(|c| make(c, self.wire))
    }

    fn binary(self, other: Net<'a>, make: impl FnOnce(&mut Circuit, Wire, Wire) -> Wire) -> Net<'a> {
        self.builder.net(|c| make(c, self.wire, other.wire))
    }

    /// Makes it a `wire` of that name in the Verilog.
    pub fn name(self, name: impl Into<String>) -> Net<'a> {
        self.unary(|c, w| c.name(w, name))
    }

    /// The register takes `d` at every edge.
    pub fn drive(self, d: Net<'a>) {
        self.builder.0.borrow_mut().drive(self.wire, d.wire);
    }

    /// The register of data takes `d` while `enable` is high.
    pub fn load(self, d: Net<'a>, enable: Net<'a>) {
        self.builder.0.borrow_mut().load(self.wire, d.wire, enable.wire);
    }

    /// `high` where this bit is high, else `low`.
    pub fn mux(self, high: Net<'a>, low: Net<'a>) -> Net<'a> {
        self.builder.net(|c| c.mux(self.wire, high.wire, low.wire))
    }

    pub fn equals(self, other: Net<'a>) -> Net<'a> {
        self.binary(other, Circuit::eq)
    }

    pub fn is(self, value: u64) -> Net<'a> {
        self.equals(self.builder.constant(value, self.width()))
    }

    /// Unsigned.
    pub fn below(self, other: Net<'a>) -> Net<'a> {
        self.binary(other, Circuit::lt)
    }

    /// Unsigned, as a tree: for comparisons on which a path depends.
    pub fn below_tree(self, other: Net<'a>) -> Net<'a> {
        self.binary(other, Circuit::lt_tree)
    }

    pub fn any(self) -> Net<'a> {
        self.unary(Circuit::any)
    }

    /// One more, modulo 2^width.
    pub fn increment(self) -> Net<'a> {
        self + self.builder.constant(1, self.width())
    }

    /// Zeros above.
    pub fn extend(self, width: usize) -> Net<'a> {
        self.unary(|c, w| c.zero_extend(w, width))
    }

    pub fn slice(self, lsb: usize, width: usize) -> Net<'a> {
        self.unary(|c, w| c.slice(w, lsb, width))
    }

    /// Bit `index` of this, which has as many bits as the index has values.
    pub fn index(self, index: Net<'a>) -> Net<'a> {
        self.binary(index, Circuit::index)
    }

    pub fn bit(self, place: usize) -> Net<'a> {
        self.slice(place, 1)
    }

    /// All bits, least significant first.
    pub fn each(self) -> Vec<Net<'a>> {
        (0..self.width()).map(|i| self.bit(i)).collect()
    }

    /// One bit per bit: it or one below it is high. A prefix network of log2 rows.
    pub fn up_to(self) -> Net<'a> {
        match self.width() {
            1 => self,
            _ => self.unary(Circuit::up_to),
        }
    }

    /// The lowest high bit alone.
    pub fn first_one(self) -> Net<'a> {
        match self.width() {
            1 => self,
            _ => self.unary(Circuit::first_one),
        }
    }

    /// The bits of this vector (with a name), each one place up.
    pub fn up(self) -> Net<'a> {
        match self.width() {
            1 => self.builder.low(),
            width => self.builder.bits(&[self.builder.low(), self.slice(0, width - 1)]),
        }
    }

    /// The number of high bits by a tree of adders, in one bit more than log2 of their number.
    pub fn ones(self) -> Net<'a> {
        match self.width() {
            1 => self,
            _ => self.unary(Circuit::ones),
        }
    }

    /// One number per bit: the high bits up to it, by a prefix network of adders.
    pub fn ones_up_to(self) -> Net<'a> {
        self.unary(Circuit::ones_up_to)
    }

    /// Modulo 2^width, with carries in log2 steps: for sums on which a path depends.
    pub fn add_tree(self, other: Net<'a>) -> Net<'a> {
        self.binary(other, Circuit::add_tree)
    }

    /// This number and `other` side by side, the smaller one in the lower half.
    pub fn sorted(self, other: Net<'a>) -> Net<'a> {
        self.binary(other, Circuit::sorted)
    }

    /// `times` copies of a bit side by side.
    pub fn repeat(self, times: usize) -> Net<'a> {
        match times {
            1 => self,
            _ => self.unary(|c, w| c.replicate(w, times)),
        }
    }

    /// 2^width bits, of which the one of this number is high.
    pub fn decode(self) -> Net<'a> {
        self.unary(Circuit::decode)
    }

    /// The number of the only high bit of at most 64, or 0 if none is high: bit k is the OR of all bits whose number has bit k.
    pub fn encode(self) -> Net<'a> {
        let with_bit = |k: usize| (0..self.width()).filter(|i| i >> k & 1 == 1).fold(0, |mask, i| mask | 1 << i);
        let bits = self.width().next_power_of_two().trailing_zeros() as usize;
        let number = |k: usize| (self & self.builder.constant(with_bit(k), self.width())).any();
        self.builder.bits(&(0..bits).map(number).collect::<Vec<_>>())
    }
}

/// `Operator method node`: an operator of Rust is a node of the circuit.
macro_rules! operators {
    ($($operator:ident $method:ident $node:ident),+) => {
        $(impl<'a> $operator for Net<'a> {
            type Output = Net<'a>;
            fn $method(self, other: Self) -> Self {
                self.binary(other, Circuit::$node)
            }
        })+
    };
}

operators!(BitAnd bitand and, BitOr bitor or, BitXor bitxor xor, Add add add, Sub sub sub);

impl<'a> Not for Net<'a> {
    type Output = Net<'a>;
    fn not(self) -> Self {
        self.unary(Circuit::not)
    }
}
