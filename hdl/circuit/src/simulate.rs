//! Simulation of a circuit.

use super::{Binary, Circuit, Node, Op, Value, Wire};
use std::cmp::Ordering;
use verilog::functions::Function;

impl Circuit {
    /// Sets an input.
    pub fn set(&mut self, input: Wire, value: impl Value) {
        let words = self.nodes[input.0].words.clone();
        let mut new = [0; 8];
        let new = &mut new[..words.len()];
        value.store(new);
        if self.values[words.clone()] != *new {
            self.values[words].copy_from_slice(new);
            self.settled = false;
        }
    }

    /// Value of a node after the last step.
    pub fn get<V: Value>(&self, wire: Wire) -> V {
        V::load(&self.values[self.nodes[wire.0].words.clone()])
    }

    /// Takes over the inputs; with `edge`, the registers first take their inputs as they were before.
    pub fn step(&mut self, edge: bool, reset: bool) {
        self.settle();
        if edge {
            self.clock(reset);
            self.settle();
        }
    }

    fn clock(&mut self, reset: bool) {
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        for register in &self.registers {
            let enabled = register.enable.is_none_or(|e| self.get(e));
            let source = if enabled { register.d.expect("an undriven register") } else { register.q };
            let words = self.nodes[source.0].words.clone();
            if reset && register.reset {
                next.extend(words.map(|_| 0));
            } else {
                next.extend_from_slice(&self.values[words]);
            }
        }
        let mut from = 0;
        for register in &self.registers {
            let words = self.nodes[register.q.0].words.clone();
            let to = from + words.len();
            self.values[words].copy_from_slice(&next[from..to]);
            from = to;
        }
        self.next = next;
        self.settled = false;
    }

    /// Evaluates all nodes in the order of their making, in which operands come first.
    fn settle(&mut self) {
        if std::mem::replace(&mut self.settled, true) {
            return;
        }
        for node in &self.nodes {
            let at = node.words.start;
            if let Some(word) = in_one_word(node, &self.nodes, &self.values) {
                self.values[at] = if node.width == 64 { word } else { word & ((1 << node.width) - 1) };
                continue;
            }
            let (below, rest) = self.values.split_at_mut(at);
            let out = &mut rest[..node.words.len()];
            let value = |wire: Wire| &below[self.nodes[wire.0].words.clone()];
            match &node.op {
                Op::Input | Op::Register | Op::Constant => continue,
                Op::Not(a) => out.iter_mut().zip(value(*a)).for_each(|(o, a)| *o = !a),
                Op::Binary(op, a, b) => op.evaluate(value(*a), value(*b), out),
                Op::Any(a) => out[0] = value(*a).iter().any(|&w| w != 0) as u64,
                Op::Call(function, operands) => {
                    let [first, last] =
                        [operands.first(), operands.last()].map(|wire| value(*wire.expect("an operand")));
                    call(*function, first, last, out);
                }
                Op::Mux { select, high, low } => {
                    out.copy_from_slice(value(if value(*select)[0] != 0 { *high } else { *low }));
                }
                Op::Select { index, choices } => out.copy_from_slice(value(choices[value(*index)[0] as usize])),
                Op::Index { of, index } => {
                    let index = value(*index)[0] as usize;
                    out[0] = value(*of)[index / 64] >> (index % 64) & 1;
                }
                Op::Decode { index } => {
                    let index = value(*index)[0] as usize;
                    out.fill(0);
                    out[index / 64] = 1 << (index % 64);
                }
                Op::Slice { of, lsb } => {
                    out.fill(0);
                    copy_bits(value(*of), *lsb, out, 0, node.width);
                }
                Op::Concat(parts) => {
                    out.fill(0);
                    let mut lsb = 0;
                    for part in parts.iter().rev() {
                        copy_bits(value(*part), 0, out, lsb, self.nodes[part.0].width);
                        lsb += self.nodes[part.0].width;
                    }
                }
            }
            if node.width % 64 != 0 {
                out[node.width / 64] &= (1 << (node.width % 64)) - 1;
            }
        }
    }
}

/// The value of a node that has one word, as its operands have, by a frequent operation; bits above its width may be set. Most nodes
/// are such, and need no slices and no loops over words.
fn in_one_word(node: &Node, nodes: &[Node], values: &[u64]) -> Option<u64> {
    let of = |wire: Wire| {
        let words = &nodes[wire.0].words;
        (words.end - words.start == 1).then(|| values[words.start])
    };
    if node.width > 64 {
        return None;
    }
    Some(match &node.op {
        Op::Not(a) => !of(*a)?,
        Op::Binary(op, a, b) => op.of_words(of(*a)?, of(*b)?),
        Op::Call(Function::Less(_), operands) => Binary::Lt.of_words(of(operands[0])?, of(operands[1])?),
        Op::Call(Function::Sum(_), operands) => Binary::Add.of_words(of(operands[0])?, of(operands[1])?),
        Op::Any(a) => u64::from(of(*a)? != 0),
        Op::Mux { select, high, low } => of(if of(*select)? != 0 { *high } else { *low })?,
        Op::Select { index, choices } => of(choices[of(*index)? as usize])?,
        Op::Slice { of: whole, lsb } => of(*whole)? >> lsb,
        Op::Concat(parts) => {
            let mut word = 0u64;
            for part in parts {
                // A part of 64 bits is the only one.
                word = word.checked_shl(nodes[part.0].width as u32).unwrap_or(0) | of(*part)?;
            }
            word
        }
        _ => return None,
    })
}

impl Binary {
    fn of_words(self, a: u64, b: u64) -> u64 {
        match self {
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Eq => u64::from(a == b),
            Binary::Lt => u64::from(a < b),
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
        }
    }

    fn evaluate(self, a: &[u64], b: &[u64], out: &mut [u64]) {
        match self {
            Binary::And => (0..out.len()).for_each(|i| out[i] = a[i] & b[i]),
            Binary::Or => (0..out.len()).for_each(|i| out[i] = a[i] | b[i]),
            Binary::Xor => (0..out.len()).for_each(|i| out[i] = a[i] ^ b[i]),
            Binary::Eq => out[0] = (a == b) as u64,
            Binary::Lt => out[0] = a.iter().rev().lt(b.iter().rev()) as u64,
            Binary::Add | Binary::Sub => {
                // a - b is a + ~b + 1.
                let (flip, mut carry) = if self == Binary::Sub { (u64::MAX, 1) } else { (0, 0) };
                for i in 0..out.len() {
                    let sum = a[i] as u128 + (b[i] ^ flip) as u128 + carry;
                    out[i] = sum as u64;
                    carry = sum >> 64;
                }
            }
        }
    }
}

/// A function of `a`, or of `a` and `b`.
fn call(function: Function, a: &[u64], b: &[u64], out: &mut [u64]) {
    match function {
        Function::Less(_) => Binary::Lt.evaluate(a, b, out),
        Function::Sum(_) => Binary::Add.evaluate(a, b, out),
        Function::UpTo(_) => from_first(a, out, |word| word | word.wrapping_neg(), u64::MAX),
        Function::FirstOne(_) => from_first(a, out, |word| word & word.wrapping_neg(), 0),
        Function::Ones(_) => out[0] = a.iter().map(|word| u64::from(word.count_ones())).sum(),
        Function::OnesUpTo(places) => {
            out.fill(0);
            let (width, mut ones) = (function.width() / places, 0);
            for place in 0..places {
                ones += a[place / 64] >> (place % 64) & 1;
                copy_bits(&[ones], 0, out, place * width, width);
            }
        }
        Function::Sorted(width) => {
            let swaps = b.iter().rev().lt(a.iter().rev());
            let (low, high) = if swaps { (b, a) } else { (a, b) };
            out.fill(0);
            copy_bits(low, 0, out, 0, width);
            copy_bits(high, 0, out, width, width);
        }
        Function::Select { .. } | Function::Element { .. } => unreachable!("a circuit selects by a node of its own"),
    }
}

/// Words of zeros, then `first` of the first word with a high bit, then words of `rest`.
fn from_first(words: &[u64], out: &mut [u64], first: fn(u64) -> u64, rest: u64) {
    let place = words.iter().position(|word| *word != 0).unwrap_or(words.len());
    for (i, (out, word)) in out.iter_mut().zip(words).enumerate() {
        *out = match i.cmp(&place) {
            Ordering::Less => 0,
            Ordering::Equal => first(*word),
            Ordering::Greater => rest,
        };
    }
}

/// Ors bits `from_lsb .. from_lsb + width` of `from` into `to`, from `to_lsb` on.
fn copy_bits(from: &[u64], from_lsb: usize, to: &mut [u64], to_lsb: usize, width: usize) {
    let mut done = 0;
    while done < width {
        let (source, target) = (from_lsb + done, to_lsb + done);
        let count = (width - done).min(64 - source % 64).min(64 - target % 64);
        let mask = if count == 64 { u64::MAX } else { (1 << count) - 1 };
        to[target / 64] |= (from[source / 64] >> (source % 64) & mask) << (target % 64);
        done += count;
    }
}
