//! And-inverter graphs: what Yosys writes of a netlist, and the question about it that is made of it for a model checker.
//!
//! A literal is twice the number of its variable, and one more if it is inverted; 0 is false and 1 is true.

use std::collections::{HashMap, HashSet};

pub(crate) const FALSE: u32 = 0;
pub(crate) const TRUE: u32 = 1;

/// A circuit of one clock, as in the ASCII form of AIGER.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Aig {
    /// Names, in the order of the inputs: `push_id[3]`.
    pub inputs: Vec<String>,
    /// Names, in the order of the latches: of each all wires that it drives, with spaces between them.
    pub states: Vec<String>,
    /// Next values of the latches.
    pub next: Vec<u32>,
    /// Names and values.
    pub outputs: Vec<(String, u32)>,
    /// Variables of inputs, of latches, and of the gates with their two inputs: each stands behind those that it reads.
    input_variables: Vec<u32>,
    latch_variables: Vec<u32>,
    gates: Vec<(u32, u32, u32)>,
}

impl Aig {
    /// None if the text is not of that form.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let header: Vec<usize> = numbers(lines.next()?.strip_prefix("aag ")?)?;
        let [_, inputs, latches, outputs, gates] = header[..] else { return None };
        let mut rows = |count: usize| -> Option<Vec<Vec<u32>>> { (0..count).map(|_| numbers(lines.next()?)).collect() };
        let (inputs, latches, outputs, gates) = (rows(inputs)?, rows(latches)?, rows(outputs)?, rows(gates)?);
        let mut aig = Aig {
            inputs: vec![String::new(); inputs.len()],
            states: vec![String::new(); latches.len()],
            next: latches.iter().map(|row| row[1]).collect(),
            outputs: outputs.iter().map(|row| (String::new(), row[0])).collect(),
            input_variables: inputs.iter().map(|row| row[0] / 2).collect(),
            latch_variables: latches.iter().map(|row| row[0] / 2).collect(),
            gates: gates.iter().map(|row| (row[0] / 2, row[1], row[2])).collect(),
        };
        for (place, name) in lines.filter_map(|line| line.split_once(' ')) {
            match (place.chars().next()?, place[1..].parse::<usize>()) {
                ('i', Ok(place)) => aig.inputs[place] = name.into(),
                ('l', Ok(place)) => aig.states[place] = name.into(),
                ('o', Ok(place)) => aig.outputs[place].0 = name.into(),
                _ => {}
            }
        }
        Some(aig)
    }

    pub fn latches(&self) -> usize {
        self.next.len()
    }

    /// Gives inputs, outputs and wires of latches other names, if there are any.
    pub fn rename(&mut self, other: impl Fn(&str) -> Option<String>) {
        let new = |name: &str| other(name).unwrap_or_else(|| name.into());
        for name in self.inputs.iter_mut().chain(self.outputs.iter_mut().map(|(name, _)| name)) {
            *name = new(name);
        }
        for names in &mut self.states {
            *names = names.split(' ').map(new).collect::<Vec<_>>().join(" ");
        }
    }

    /// One value per latch: an output of these depends on it in some cycle.
    pub fn latches_behind(&self, is_output: impl Fn(&str) -> bool) -> Vec<bool> {
        let mut all = Builder::new(self.input_variables.len(), self.latches().max(1));
        let inputs: Vec<u32> = (0..self.input_variables.len()).map(|place| all.input(place)).collect();
        let state: Vec<u32> = (0..self.latches()).map(|place| all.latch(place)).collect();
        let copied = self.copy(&mut all, &inputs, &state);
        let outputs = self.outputs.iter().filter(|(name, _)| is_output(name));
        let outputs: Vec<u32> = outputs.map(|(_, value)| copied.of(*value)).collect();
        let next: Vec<u32> = self.next.iter().map(|&next| copied.of(next)).collect();
        let needed = all.cone(&next, &outputs);
        state.iter().map(|literal| needed[*literal as usize / 2]).collect()
    }

    /// The most of these latches that a value goes through before it has left them; none if it may stay in one.
    pub fn depth(&self, inside: &[bool]) -> Option<usize> {
        let place_of: HashMap<u32, usize> = self.latch_variables.iter().copied().zip(0..).collect();
        let gate_of: HashMap<u32, (u32, u32)> =
            self.gates.iter().map(|&(variable, left, right)| (variable, (left, right))).collect();
        let read = |latch: usize| {
            let (mut seen, mut open, mut read) = (HashSet::new(), vec![self.next[latch] / 2], vec![]);
            while let Some(variable) = open.pop() {
                if !seen.insert(variable) {
                    continue;
                }
                match place_of.get(&variable) {
                    Some(&place) if inside[place] => read.push(place),
                    _ => {
                        open.extend(gate_of.get(&variable).into_iter().flat_map(|(left, right)| [left / 2, right / 2]))
                    }
                }
            }
            read
        };
        let mut left: Vec<(usize, Vec<usize>)> =
            (0..self.latches()).filter(|&place| inside[place]).map(|place| (place, read(place))).collect();
        let mut written = vec![false; self.latches()];
        for depth in 0.. {
            if left.is_empty() {
                return Some(depth);
            }
            let (ready, rest): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|(_, read)| read.iter().all(|&place| written[place]));
            if ready.is_empty() {
                return None;
            }
            ready.iter().for_each(|(place, _)| written[*place] = true);
            left = rest;
        }
        None
    }

    /// The combinational part in `into`, with these literals as inputs and as values of the latches: what each literal of this
    /// circuit is there.
    pub fn copy(&self, into: &mut Builder, inputs: &[u32], latches: &[u32]) -> Copied {
        let variables = self.input_variables.iter().chain(&self.latch_variables);
        let last = variables.clone().copied().chain(self.gates.iter().map(|gate| gate.0)).max().unwrap_or(0);
        let mut values = vec![FALSE; last as usize + 1];
        for (&variable, &value) in variables.zip(inputs.iter().chain(latches)) {
            values[variable as usize] = value;
        }
        for &(variable, left, right) in &self.gates {
            let of = |literal: u32| values[literal as usize / 2] ^ literal & 1;
            values[variable as usize] = into.and(of(left), of(right));
        }
        Copied(values)
    }
}

fn numbers<T: std::str::FromStr>(line: &str) -> Option<Vec<T>> {
    line.split_whitespace().map(|word| word.parse().ok()).collect()
}

/// Literals of a circuit within another, by variable.
#[derive(Default)]
pub(crate) struct Copied(Vec<u32>);

impl Copied {
    pub fn of(&self, literal: u32) -> u32 {
        self.0[literal as usize / 2] ^ literal & 1
    }
}

/// A circuit in the binary form of AIGER.
pub(crate) struct Binary {
    pub bytes: Vec<u8>,
    /// One value per input of the [`Builder`]: it is one of the circuit. No other has an effect.
    pub inputs: Vec<bool>,
}

/// Inputs and gates that some literals of a [`Builder`] without latches depend on.
pub(crate) struct Cone {
    /// Variables of inputs.
    pub inputs: Vec<usize>,
    /// Variables of gates and what they read: each stands behind those that it reads.
    pub gates: Vec<(usize, u32, u32)>,
    /// More than the number of any variable.
    pub variables: usize,
}

/// A circuit that grows. Equal gates are one.
pub(crate) struct Builder {
    inputs: usize,
    latches: usize,
    gates: Vec<(u32, u32)>,
    known: HashMap<(u32, u32), u32>,
}

impl Builder {
    pub fn new(inputs: usize, latches: usize) -> Self {
        Builder { inputs, latches, gates: vec![], known: HashMap::new() }
    }

    pub fn input(&self, place: usize) -> u32 {
        2 * (1 + place) as u32
    }

    pub fn latch(&self, place: usize) -> u32 {
        2 * (1 + self.inputs + place) as u32
    }

    pub fn and(&mut self, a: u32, b: u32) -> u32 {
        match (a.min(b), a.max(b)) {
            (FALSE, _) => FALSE,
            (TRUE, other) => other,
            (a, b) if a == b => a,
            (a, b) if a == b ^ 1 => FALSE,
            pair => {
                let fresh = 2 * (1 + self.inputs + self.latches + self.gates.len()) as u32;
                let gates = &mut self.gates;
                *self.known.entry(pair).or_insert_with(|| {
                    gates.push(pair);
                    fresh
                })
            }
        }
    }

    pub fn or(&mut self, a: u32, b: u32) -> u32 {
        self.and(a ^ 1, b ^ 1) ^ 1
    }

    pub fn xor(&mut self, a: u32, b: u32) -> u32 {
        let (left, right) = (self.and(a, b ^ 1), self.and(a ^ 1, b));
        self.or(left, right)
    }

    pub fn select(&mut self, which: u32, yes: u32, no: u32) -> u32 {
        let (yes, no) = (self.and(which, yes), self.and(which ^ 1, no));
        self.or(yes, no)
    }

    /// Latches begin at 0 and have these next values. What no output ever depends on is left out.
    pub fn binary(&self, next: &[u32], outputs: &[u32]) -> Binary {
        let needed = self.cone(next, outputs);
        Binary { bytes: self.bytes(next, outputs, &needed), inputs: needed[1..=self.inputs].to_vec() }
    }

    /// Two circuits without latches, with the same inputs.
    pub fn two(&self, outputs: [&[u32]; 2]) -> [Vec<u8>; 2] {
        let mut needed = outputs.map(|outputs| self.cone(&[], outputs));
        let [one, other] = &mut needed;
        for (one, other) in one[..=self.inputs].iter_mut().zip(other) {
            *one |= *other;
            *other = *one;
        }
        [0, 1].map(|side| self.bytes(&[], outputs[side], &needed[side]))
    }

    /// The binary form of AIGER, with those variables that are needed.
    fn bytes(&self, next: &[u32], outputs: &[u32], needed: &[bool]) -> Vec<u8> {
        assert_eq!(next.len(), self.latches, "a next value for each latch");
        let first_gate = 1 + self.inputs + self.latches;
        let kept = |variables: std::ops::Range<usize>| variables.filter(|&variable| needed[variable]).collect();
        let inputs: Vec<usize> = kept(1..1 + self.inputs);
        let latches: Vec<usize> = kept(1 + self.inputs..first_gate);
        let gates: Vec<usize> = kept(first_gate..needed.len());
        let mut place = vec![0; needed.len()];
        for (number, &variable) in (1..).zip(inputs.iter().chain(&latches).chain(&gates)) {
            place[variable] = number;
        }
        let of = |literal: u32| 2 * place[literal as usize / 2] | literal & 1;
        let (inputs, all) = (inputs.len(), inputs.len() + latches.len() + gates.len());
        let header = format!("aig {all} {inputs} {} {} {}\n", latches.len(), outputs.len(), gates.len());
        let mut bytes = header.into_bytes();
        let next = latches.iter().map(|&variable| next[variable - 1 - self.inputs]);
        for literal in next.chain(outputs.iter().copied()) {
            bytes.extend(format!("{}\n", of(literal)).bytes());
        }
        for &variable in &gates {
            let (a, b) = self.gates[variable - first_gate];
            let (own, a, b) = (2 * place[variable], of(a).min(of(b)), of(a).max(of(b)));
            push_delta(&mut bytes, own - b);
            push_delta(&mut bytes, b - a);
        }
        bytes
    }

    /// One value per latch: one of these literals reads it within a cycle.
    pub fn latches_read(&self, literals: &[u32]) -> Vec<bool> {
        let latches = 1 + self.inputs..1 + self.inputs + self.latches;
        self.behind(literals.to_vec(), |_| None)[latches].to_vec()
    }

    /// Values of all variables with these inputs and values of the latches.
    pub fn values(&self, inputs: &[bool], latches: &[bool]) -> Vec<bool> {
        let mut values = vec![false];
        values.extend(inputs.iter().chain(latches));
        for &(a, b) in &self.gates {
            let of = |literal: u32| values[literal as usize / 2] != (literal & 1 == 1);
            values.push(of(a) && of(b));
        }
        values
    }

    /// Cone of these literals within a cycle.
    pub fn gates_behind(&self, literals: &[u32]) -> Cone {
        let needed = self.behind(literals.to_vec(), |_| None);
        let first_gate = 1 + self.inputs + self.latches;
        let gates = (first_gate..).zip(&self.gates).filter(|(variable, _)| needed[*variable]);
        Cone {
            inputs: (1..first_gate).filter(|&variable| needed[variable]).collect(),
            gates: gates.map(|(variable, &(a, b))| (variable, a, b)).collect(),
            variables: needed.len(),
        }
    }

    /// One value per variable: an output depends on it in some cycle.
    fn cone(&self, next: &[u32], outputs: &[u32]) -> Vec<bool> {
        let mut literals = outputs.to_vec();
        if self.latches > 0 {
            // Most of abc's questions are about circuits with registers.
            literals.push(self.latch(0));
        }
        self.behind(literals, |latch| Some(next[latch]))
    }

    /// One value per variable: one of these literals depends on it. A latch depends on its next value, if given.
    fn behind(&self, mut open: Vec<u32>, next: impl Fn(usize) -> Option<u32>) -> Vec<bool> {
        let (first_latch, first_gate) = (1 + self.inputs, 1 + self.inputs + self.latches);
        let mut needed = vec![false; first_gate + self.gates.len()];
        while let Some(literal) = open.pop() {
            let variable = literal as usize / 2;
            if std::mem::replace(&mut needed[variable], true) {
                continue;
            }
            if variable >= first_gate {
                let (a, b) = self.gates[variable - first_gate];
                open.extend([a, b]);
            } else if variable >= first_latch {
                open.extend(next(variable - first_latch));
            }
        }
        needed
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn push_delta(bytes: &mut Vec<u8>, mut delta: u32) {
    while delta > 0x7f {
        bytes.push(delta as u8 & 0x7f | 0x80);
        delta >>= 7;
    }
    bytes.push(delta as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A register that takes `d` while `enable` is high.
    const TEXT: &str = "aag 6 2 1 1 3\n2\n4\n6 13\n6\n8 2 4\n10 7 3\n12 11 9\ni0 enable\ni1 d\no0 q\n";

    #[test]
    fn a_text_of_yosys_is_read() {
        let aig = Aig::parse(TEXT).unwrap();
        assert_eq!(aig.inputs, ["enable", "d"]);
        assert_eq!((aig.latches(), &aig.outputs[..]), (1, &[("q".to_string(), 6)][..]));
        assert_eq!(Aig::parse("aag 1 2"), None);
    }

    #[test]
    fn constants_and_equal_gates_vanish() {
        let mut builder = Builder::new(2, 0);
        let (a, b) = (builder.input(0), builder.input(1));
        assert_eq!(builder.and(a, FALSE), FALSE);
        assert_eq!(builder.or(a, a ^ 1), TRUE);
        assert_eq!(builder.xor(a, a), FALSE);
        assert_eq!(builder.and(a, b), builder.and(b, a));
        assert_eq!(builder.select(TRUE, a, b), a);
        assert_eq!(builder.gates.len(), 1);
    }

    #[test]
    fn two_copies_of_the_same_circuit_are_the_same() {
        let aig = Aig::parse(TEXT).unwrap();
        let mut builder = Builder::new(2, 1);
        let (inputs, latches) = ([builder.input(0), builder.input(1)], [builder.latch(0)]);
        let one = aig.copy(&mut builder, &inputs, &latches).of(aig.next[0]);
        let other = aig.copy(&mut builder, &inputs, &latches).of(aig.next[0]);
        assert_eq!(builder.xor(one, other), FALSE);
        let bytes = builder.binary(&[one], &[FALSE]).bytes;
        assert!(bytes.starts_with(b"aig 6 2 1 1 3\n"), "{:?}", String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn literals_have_values_and_read_latches() {
        let mut builder = Builder::new(1, 2);
        let (a, [one, other]) = (builder.input(0), [0, 1].map(|place| builder.latch(place)));
        let xor = builder.xor(a, one);
        let and = builder.and(xor ^ 1, other);
        assert_eq!(builder.latches_read(&[xor]), [true, false]);
        assert_eq!(builder.latches_read(&[and]), [true, true]);
        let high = |a, latches: [bool; 2]| builder.values(&[a], &latches)[and as usize / 2];
        assert!(high(true, [true, true]) && !high(true, [false, true]) && !high(false, [false, false]));
    }

    #[test]
    fn a_value_leaves_registers_without_feedback_after_as_many_cycles() {
        // One register behind the other; the third keeps its value while `enable` is high.
        let text = "aag 9 2 3 1 4\n2\n4\n6 4\n8 6\n10 19\n10\n12 2 10\n14 3 8\n16 13 15\n18 17 17\n";
        let aig = Aig::parse(text).unwrap();
        let depth = |inside: [bool; 3]| aig.depth(&inside);
        assert_eq!(depth([true, true, false]), Some(2));
        assert_eq!(depth([true, false, false]), Some(1));
        assert_eq!(depth([true, true, true]), None);
        assert_eq!(depth([false; 3]), Some(0));
    }

    #[test]
    fn what_the_output_never_depends_on_is_left_out() {
        let mut builder = Builder::new(2, 3);
        let (a, latches) = (builder.input(0), [0, 1, 2].map(|place| builder.latch(place)));
        let unused = builder.and(a, latches[1]);
        let used = builder.and(a, latches[2]);
        // The output is latch 0, which takes `used`; latch 1 is of nobody's interest.
        let binary = builder.binary(&[used, unused, latches[0]], &[latches[0]]);
        assert_eq!(binary.bytes, b"aig 4 1 2 1 1\n8\n4\n4\n\x02\x04");
        assert_eq!(binary.inputs, [true, false]);
    }

    #[test]
    fn two_circuits_have_the_inputs_of_either() {
        let mut builder = Builder::new(4, 0);
        let [a, _, c, d] = [0, 1, 2, 3].map(|place| builder.input(place));
        let (one, other) = (builder.and(a, d), builder.and(c, d));
        let [one, other] = builder.two([&[one], &[other]]);
        assert_eq!(one, b"aig 4 3 0 1 1\n8\n\x02\x04");
        assert_eq!(other, b"aig 4 3 0 1 1\n8\n\x02\x02");
    }
}
