//! The small builder behind networks: structure described once, simulated and printed from that one description.
//!
//! A [`Circuit`] is a list of nodes in the order of their making, each a bit vector of any width. Widths are exact:
//! operators take operands of equal width and give that width (comparisons give one bit), as in the Verilog that is
//! printed, where no context then widens anything. A block that holds a circuit sets its inputs in `update`, calls
//! [`Circuit::step`] and copies the outputs to its ports; its `hdl` is [`Circuit::verilog`].
//!
//! In the Verilog a named node is a `wire`; a node without a name stands in the expression that uses it. Errors in a
//! description (widths, a missing name or driver) are errors of its author and panic.

use rust_hdl::prelude::{Bits, Verilog};
use std::fmt::Write;

/// A node of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire(usize);

#[derive(Clone, Debug)]
enum Op {
    Input,
    Register,
    Constant,
    Not(Wire),
    Binary(Binary, Wire, Wire),
    /// Or over all bits.
    Any(Wire),
    Mux {
        select: Wire,
        high: Wire,
        low: Wire,
    },
    /// One of 2^n by an index of n bits.
    Select {
        index: Wire,
        choices: Vec<Wire>,
    },
    /// Bit `index` of 2^n bits.
    Index {
        of: Wire,
        index: Wire,
    },
    /// 2^n bits of which bit `index` is high.
    Decode {
        index: Wire,
    },
    Slice {
        of: Wire,
        lsb: usize,
    },
    /// Most significant first.
    Concat(Vec<Wire>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    And,
    Or,
    Add,
    Sub,
    Eq,
    Lt,
}

struct Node {
    op: Op,
    width: usize,
    name: Option<String>,
    /// Place of its value.
    words: std::ops::Range<usize>,
}

struct Register {
    q: Wire,
    d: Option<Wire>,
    enable: Option<Wire>,
    /// Cleared by `reset`.
    reset: bool,
}

/// A line of the Verilog text.
enum Item {
    Comment(String),
    Wire(Wire),
}

#[derive(Default)]
pub struct Circuit {
    nodes: Vec<Node>,
    registers: Vec<Register>,
    items: Vec<Item>,
    outputs: Vec<(String, Wire)>,
    /// Values of all nodes, 64 bits a word, least significant first; bits above the width are 0.
    values: Vec<u64>,
    /// Next values of the registers, here so that a step allocates nothing.
    next: Vec<u64>,
    settled: bool,
}

/// Structure.
impl Circuit {
    fn node(&mut self, op: Op, width: usize) -> Wire {
        assert!(width > 0, "a node of no bits: {op:?}");
        let start = self.values.len();
        self.values.resize(start + width.div_ceil(64), 0);
        self.nodes.push(Node { op, width, name: None, words: start..self.values.len() });
        self.settled = false;
        Wire(self.nodes.len() - 1)
    }

    fn named(&mut self, op: Op, width: usize, name: impl Into<String>) -> Wire {
        let wire = self.node(op, width);
        self.nodes[wire.0].name = Some(name.into());
        wire
    }

    /// Bits of a node.
    pub fn width(&self, wire: Wire) -> usize {
        self.nodes[wire.0].width
    }

    /// An input port.
    pub fn input(&mut self, name: impl Into<String>, width: usize) -> Wire {
        self.named(Op::Input, width, name)
    }

    /// Input ports of an array of signals, as RustHDL names them.
    pub fn inputs(&mut self, name: &str, count: usize, width: usize) -> Vec<Wire> {
        (0..count).map(|i| self.input(format!("{name}${i}"), width)).collect()
    }

    /// An output port.
    pub fn output(&mut self, name: impl Into<String>, wire: Wire) {
        self.outputs.push((name.into(), wire));
    }

    /// A register of control state, cleared by `reset`. It gets its input by [`Circuit::drive`].
    pub fn register(&mut self, name: impl Into<String>, width: usize) -> Wire {
        let q = self.named(Op::Register, width, name);
        self.registers.push(Register { q, d: None, enable: None, reset: true });
        q
    }

    /// A register of data without reset, taking `d` while `enable` is high.
    pub fn data_register(&mut self, name: impl Into<String>, d: Wire, enable: Wire) -> Wire {
        assert_eq!(self.width(enable), 1);
        let q = self.named(Op::Register, self.width(d), name);
        self.registers.push(Register { q, d: Some(d), enable: Some(enable), reset: false });
        q
    }

    /// What a register made by [`Circuit::register`] takes at every edge.
    pub fn drive(&mut self, q: Wire, d: Wire) {
        assert_eq!(self.width(q), self.width(d));
        let register = self.registers.iter_mut().find(|r| r.q == q).expect("drive() takes a register");
        assert!(register.d.replace(d).is_none(), "driven twice");
    }

    /// Gives a node a name, and a `wire` in the Verilog.
    pub fn name(&mut self, wire: Wire, name: impl Into<String>) -> Wire {
        let node = &mut self.nodes[wire.0];
        assert!(node.name.is_none(), "named twice: {:?}", node.name);
        node.name = Some(name.into());
        self.items.push(Item::Wire(wire));
        wire
    }

    /// A comment before the nodes that are named next.
    pub fn comment(&mut self, text: impl Into<String>) {
        self.items.push(Item::Comment(text.into()));
    }

    pub fn constant(&mut self, value: u64, width: usize) -> Wire {
        assert!(width >= 64 || value >> width == 0, "{value} does not fit {width} bits");
        let wire = self.node(Op::Constant, width);
        self.values[self.nodes[wire.0].words.start] = value;
        wire
    }

    pub fn not(&mut self, a: Wire) -> Wire {
        self.node(Op::Not(a), self.width(a))
    }

    fn binary(&mut self, op: Binary, a: Wire, b: Wire) -> Wire {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "{op:?} of {} and {}", self.expression(a), self.expression(b));
        let compares = matches!(op, Binary::Eq | Binary::Lt);
        self.node(Op::Binary(op, a, b), if compares { 1 } else { width })
    }

    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        self.binary(Binary::And, a, b)
    }

    pub fn or(&mut self, a: Wire, b: Wire) -> Wire {
        self.binary(Binary::Or, a, b)
    }

    /// Or of any number of nodes.
    pub fn or_all(&mut self, wires: &[Wire]) -> Wire {
        let (&first, rest) = wires.split_first().expect("or of nothing");
        rest.iter().fold(first, |sum, &wire| self.or(sum, wire))
    }

    /// Modulo 2^width.
    pub fn add(&mut self, a: Wire, b: Wire) -> Wire {
        self.binary(Binary::Add, a, b)
    }

    /// Modulo 2^width.
    pub fn sub(&mut self, a: Wire, b: Wire) -> Wire {
        self.binary(Binary::Sub, a, b)
    }

    pub fn eq(&mut self, a: Wire, b: Wire) -> Wire {
        self.binary(Binary::Eq, a, b)
    }

    /// Unsigned `a < b`.
    pub fn lt(&mut self, a: Wire, b: Wire) -> Wire {
        self.binary(Binary::Lt, a, b)
    }

    /// Whether some bit is high.
    pub fn any(&mut self, a: Wire) -> Wire {
        self.node(Op::Any(a), 1)
    }

    pub fn mux(&mut self, select: Wire, high: Wire, low: Wire) -> Wire {
        assert_eq!(self.width(select), 1);
        assert_eq!(self.width(high), self.width(low));
        self.node(Op::Mux { select, high, low }, self.width(high))
    }

    /// `choices[index]`; there are as many choices as the index has values. It must get a name.
    pub fn select(&mut self, index: Wire, choices: &[Wire]) -> Wire {
        assert_eq!(choices.len(), 1 << self.width(index));
        let width = self.width(choices[0]);
        assert!(choices.iter().all(|&c| self.width(c) == width));
        self.node(Op::Select { index, choices: choices.to_vec() }, width)
    }

    /// Bit `index` of `of`, which has as many bits as the index has values.
    pub fn index(&mut self, of: Wire, index: Wire) -> Wire {
        assert_eq!(self.width(of), 1 << self.width(index));
        self.node(Op::Index { of, index }, 1)
    }

    /// As many bits as the index has values, of which bit `index` is high.
    pub fn decode(&mut self, index: Wire) -> Wire {
        self.node(Op::Decode { index }, 1 << self.width(index))
    }

    /// Bits `lsb .. lsb + width`.
    pub fn slice(&mut self, of: Wire, lsb: usize, width: usize) -> Wire {
        assert!(lsb + width <= self.width(of));
        if width == self.width(of) {
            return of;
        }
        self.node(Op::Slice { of, lsb }, width)
    }

    pub fn bit(&mut self, of: Wire, place: usize) -> Wire {
        self.slice(of, place, 1)
    }

    /// Most significant first.
    pub fn concat(&mut self, parts: &[Wire]) -> Wire {
        let width = parts.iter().map(|&p| self.width(p)).sum();
        self.node(Op::Concat(parts.to_vec()), width)
    }

    /// `a` that many times side by side.
    pub fn replicate(&mut self, a: Wire, times: usize) -> Wire {
        self.concat(&vec![a; times])
    }

    /// Zeros above `a`, up to `width`.
    pub fn zero_extend(&mut self, a: Wire, width: usize) -> Wire {
        if self.width(a) == width {
            return a;
        }
        let zeros = self.constant(0, width - self.width(a));
        self.concat(&[zeros, a])
    }
}

/// What a port carries.
pub trait Value {
    /// 64 bits a word, least significant first.
    fn store(self, words: &mut [u64]);
    fn load(words: &[u64]) -> Self;
}

impl Value for bool {
    fn store(self, words: &mut [u64]) {
        words[0] = self as u64;
    }

    fn load(words: &[u64]) -> Self {
        words[0] != 0
    }
}

impl<const N: usize> Value for Bits<N> {
    fn store(self, words: &mut [u64]) {
        if N <= 64 {
            words[0] = self.to_u64();
            return;
        }
        for (i, word) in words.iter_mut().enumerate() {
            let bits = 64 * i..N.min(64 * (i + 1));
            *word = bits.fold(0, |word, bit| word | (self.get_bit(bit) as u64) << (bit % 64));
        }
    }

    fn load(words: &[u64]) -> Self {
        if N <= 64 {
            return words[0].into();
        }
        (0..N).fold(Self::default(), |bits, i| bits.replace_bit(i, words[i / 64] >> (i % 64) & 1 == 1))
    }
}

/// Simulation.
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
            let (below, rest) = self.values.split_at_mut(at);
            let out = &mut rest[..node.words.len()];
            let value = |wire: Wire| &below[self.nodes[wire.0].words.clone()];
            match &node.op {
                Op::Input | Op::Register | Op::Constant => continue,
                Op::Not(a) => out.iter_mut().zip(value(*a)).for_each(|(o, a)| *o = !a),
                Op::Binary(op, a, b) => op.evaluate(value(*a), value(*b), out),
                Op::Any(a) => out[0] = value(*a).iter().any(|&w| w != 0) as u64,
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

impl Binary {
    fn evaluate(self, a: &[u64], b: &[u64], out: &mut [u64]) {
        match self {
            Binary::And => (0..out.len()).for_each(|i| out[i] = a[i] & b[i]),
            Binary::Or => (0..out.len()).for_each(|i| out[i] = a[i] | b[i]),
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

    fn symbol(self) -> &'static str {
        match self {
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Eq => "==",
            Binary::Lt => "<",
        }
    }

    fn chains(self) -> bool {
        matches!(self, Binary::And | Binary::Or | Binary::Add)
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

/// Columns after which an expression is broken at its outermost operator.
const LINE: usize = 110;

/// Verilog.
impl Circuit {
    /// The body of the module whose ports are this circuit's inputs and outputs, `clock` and `reset`.
    pub fn verilog(&self) -> Verilog {
        self.check_names();
        let mut text = String::new();
        for register in self.registers.iter().filter(|r| !self.is_port(r.q)) {
            let _ = writeln!(text, "reg {};", self.declaration(register.q));
        }
        for item in &self.items {
            match item {
                Item::Comment(comment) => text += &format!("\n// {comment}\n"),
                Item::Wire(wire) => text += &self.definition(*wire),
            }
        }
        text += &self.always_blocks();
        let unlike_node = |(name, wire): &&(String, Wire)| self.nodes[wire.0].name.as_ref() != Some(name);
        for (name, wire) in self.outputs.iter().filter(unlike_node) {
            text += &format!("assign {name} = {};\n", self.operand(*wire));
        }
        Verilog::Custom(text.trim_start().to_string())
    }

    /// Whether the node has the name of an output port, which is declared elsewhere.
    fn is_port(&self, wire: Wire) -> bool {
        self.outputs.iter().any(|(name, _)| Some(name) == self.nodes[wire.0].name.as_ref())
    }

    /// `[7:0] name`
    fn declaration(&self, wire: Wire) -> String {
        match self.width(wire) {
            1 => self.operand(wire),
            width => format!("[{}:0] {}", width - 1, self.operand(wire)),
        }
    }

    fn definition(&self, wire: Wire) -> String {
        let name = self.operand(wire);
        let head = match self.is_port(wire) {
            true => format!("assign {name}"),
            false => format!("wire {}", self.declaration(wire)),
        };
        match &self.nodes[wire.0].op {
            Op::Select { index, choices } => {
                let declaration =
                    if self.is_port(wire) { String::new() } else { format!("reg {};\n", self.declaration(wire)) };
                declaration + &self.case(&name, *index, choices)
            }
            Op::Binary(op, ..) if op.chains() => {
                let terms = self.terms(wire, *op);
                let line = format!("{head} = {};\n", terms.join(&format!(" {} ", op.symbol())));
                match line.len() <= LINE {
                    true => line,
                    false => format!("{head} =\n    {};\n", terms.join(&format!("\n    {} ", op.symbol()))),
                }
            }
            Op::Concat(parts) if format!("{head} = {};", self.expression(wire)).len() > LINE => {
                let parts: Vec<_> = parts.iter().map(|&p| self.operand(p)).collect();
                format!("{head} = {{\n    {}\n}};\n", parts.join(",\n    "))
            }
            _ => format!("{head} = {};\n", self.expression(wire)),
        }
    }

    fn case(&self, name: &str, index: Wire, choices: &[Wire]) -> String {
        let (last, rest) = choices.split_last().expect("as many choices as the index has values");
        let width = self.width(index);
        let mut text = format!("always @(*) begin\n    case ({})\n", self.operand(index));
        for (value, choice) in rest.iter().enumerate() {
            text += &format!("        {width}'d{value}: {name} = {};\n", self.operand(*choice));
        }
        text + &format!("        default: {name} = {};\n    endcase\nend\n", self.operand(*last))
    }

    /// Registers with the same enable and the same need for a reset share a block.
    fn always_blocks(&self) -> String {
        let mut groups: Vec<Vec<&Register>> = vec![];
        for register in &self.registers {
            let alike = |g: &&mut Vec<&Register>| g[0].enable == register.enable && g[0].reset == register.reset;
            match groups.iter_mut().find(alike) {
                Some(group) => group.push(register),
                None => groups.push(vec![register]),
            }
        }
        groups.iter().map(|g| self.always_block(g)).collect()
    }

    fn always_block(&self, registers: &[&Register]) -> String {
        let assign = |r: &&Register, value: &str| format!("        {} <= {value};\n", self.operand(r.q));
        let load: String =
            registers.iter().map(|r| assign(r, &self.operand(r.d.expect("an undriven register")))).collect();
        let body = match (registers[0].reset, registers[0].enable) {
            (true, _) => {
                let zero = |r: &&Register| assign(r, &format!("{}'d0", self.width(r.q)));
                let clear: String = registers.iter().map(zero).collect();
                format!("    if (reset) begin\n{clear}    end else begin\n{load}    end\n")
            }
            (false, Some(enable)) => format!("    if ({}) begin\n{load}    end\n", self.operand(enable)),
            (false, None) => unreachable!("data_register() asks for an enable"),
        };
        format!("\nalways @(posedge clock) begin\n{body}end\n")
    }

    /// A node as an operand: its name, or its expression in parentheses where an operator next to it could bind first.
    fn operand(&self, wire: Wire) -> String {
        let node = &self.nodes[wire.0];
        match (&node.name, &node.op) {
            (Some(name), _) => name.clone(),
            (None, Op::Binary(..) | Op::Mux { .. } | Op::Any(_) | Op::Decode { .. }) => {
                format!("({})", self.expression(wire))
            }
            (None, _) => self.expression(wire),
        }
    }

    fn expression(&self, wire: Wire) -> String {
        let node = &self.nodes[wire.0];
        match &node.op {
            Op::Input | Op::Register => self.operand(wire),
            Op::Select { index, .. } => format!("case ({})", self.operand(*index)),
            Op::Constant => format!("{}'d{}", node.width, self.values[node.words.start]),
            Op::Not(a) => format!("~{}", self.operand(*a)),
            Op::Any(a) => format!("|{}", self.operand(*a)),
            Op::Binary(op, ..) if op.chains() => self.terms(wire, *op).join(&format!(" {} ", op.symbol())),
            Op::Binary(op, a, b) => format!("{} {} {}", self.operand(*a), op.symbol(), self.operand(*b)),
            Op::Mux { select, high, low } => {
                format!("{} ? {} : {}", self.operand(*select), self.operand(*high), self.operand(*low))
            }
            Op::Index { of, index } => format!("{}[{}]", self.operand(*of), self.operand(*index)),
            Op::Decode { index } => format!("{}'d1 << {}", node.width, self.operand(*index)),
            Op::Slice { of, lsb } if node.width == 1 => format!("{}[{lsb}]", self.operand(*of)),
            Op::Slice { of, lsb } => format!("{}[{}:{lsb}]", self.operand(*of), lsb + node.width - 1),
            Op::Concat(parts) if parts.len() > 1 && parts.iter().all(|p| p == &parts[0]) => {
                format!("{{{}{{{}}}}}", parts.len(), self.operand(parts[0]))
            }
            Op::Concat(parts) => {
                format!("{{{}}}", parts.iter().map(|&p| self.operand(p)).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Operands of a chain `a | b | c` of one operator.
    fn terms(&self, wire: Wire, op: Binary) -> Vec<String> {
        let Op::Binary(_, a, b) = self.nodes[wire.0].op else { return vec![self.operand(wire)] };
        let left = &self.nodes[a.0];
        let chained = left.name.is_none() && matches!(left.op, Op::Binary(inner, ..) if inner == op);
        let mut terms = if chained { self.terms(a, op) } else { vec![self.operand(a)] };
        terms.push(self.operand(b));
        terms
    }

    /// A node that is printed more than once, or indexed, needs a name.
    fn check_names(&self) {
        let named = |w: Wire| self.nodes[w.0].name.is_some();
        let mut uses = vec![0; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            let me = || self.expression(Wire(place));
            self.printed_operands(node).iter().for_each(|w| uses[w.0] += 1);
            match &node.op {
                Op::Slice { of, .. } | Op::Index { of, .. } => assert!(named(*of), "{}: name what is indexed", me()),
                Op::Select { .. } => assert!(node.name.is_some(), "{}: a select needs a name", me()),
                _ => {}
            }
        }
        for (place, node) in self.nodes.iter().enumerate() {
            let short = matches!(node.op, Op::Constant | Op::Slice { .. } | Op::Not(_));
            let fine = short || node.name.is_some() || uses[place] < 2;
            assert!(fine, "{}: used {} times, name it", self.expression(Wire(place)), uses[place]);
        }
    }

    /// Operands as often as the text of a node shows them.
    fn printed_operands(&self, node: &Node) -> Vec<Wire> {
        match &node.op {
            Op::Input | Op::Register | Op::Constant => vec![],
            Op::Not(a) | Op::Any(a) | Op::Slice { of: a, .. } | Op::Decode { index: a } => vec![*a],
            Op::Binary(_, a, b) | Op::Index { of: a, index: b } => vec![*a, *b],
            Op::Mux { select, high, low } => vec![*select, *high, *low],
            Op::Select { index, choices } => choices.iter().chain([index]).copied().collect(),
            Op::Concat(parts) if parts.iter().all(|p| p == &parts[0]) => vec![parts[0]],
            Op::Concat(parts) => parts.clone(),
        }
    }
}
