//! The small builder behind networks: structure described once, simulated and printed from that one description.
//!
//! A [`Circuit`] is a list of nodes in the order of their making, each a bit vector of any width. Widths are exact:
//! operators take operands of equal width and give that width (comparisons give one bit), as in the Verilog that is
//! printed, where no context then widens anything. A block that holds a circuit sets its inputs in `update`, calls
//! [`Circuit::step`] and copies the outputs to its ports; its `hdl` is [`Circuit::body`] as a description.
//!
//! In the Verilog a named node is a `wire`; a node without a name stands in the expression that uses it. Errors in a
//! description (widths, a missing name or driver) are errors of its author and panic.
//!
//! [`network`] makes a block of a circuit, and [`wiring`] a block of blocks.

#![forbid(unsafe_code)]

mod lower;
pub mod net;
pub mod network;
pub mod round_robin;
mod simulate;
mod value;
pub mod wiring;

pub use value::Value;
use verilog::functions::Function;

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
    /// A function of the Verilog.
    Call(Function, Vec<Wire>),
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
    Xor,
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

/// A line of the Verilog.
enum Line {
    Comment(String),
    Wire(Wire),
}

#[derive(Default)]
pub struct Circuit {
    nodes: Vec<Node>,
    registers: Vec<Register>,
    lines: Vec<Line>,
    outputs: Vec<(String, Wire)>,
    /// Values of all nodes, 64 bits a word, least significant first; bits above the width are 0.
    values: Vec<u64>,
    /// Next values of the registers, here so that a step allocates nothing.
    next: Vec<u64>,
    settled: bool,
}

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
        let q = self.storage(name, self.width(d));
        self.load(q, d, enable);
        q
    }

    /// A register of data without reset. It gets its input by [`Circuit::load`].
    pub fn storage(&mut self, name: impl Into<String>, width: usize) -> Wire {
        let q = self.named(Op::Register, width, name);
        self.registers.push(Register { q, d: None, enable: None, reset: false });
        q
    }

    /// A register of data without reset, taking `d` at every edge.
    pub fn delay(&mut self, name: impl Into<String>, d: Wire) -> Wire {
        let q = self.storage(name, self.width(d));
        self.drive(q, d);
        q
    }

    /// The register from [`Circuit::storage`] takes `d` while `enable` is high.
    pub fn load(&mut self, q: Wire, d: Wire, enable: Wire) {
        assert_eq!(self.width(enable), 1);
        self.drive(q, d);
        let register = self.registers.iter_mut().find(|r| r.q == q).expect("drive() has found it");
        assert!(!register.reset, "load() takes a register without reset");
        register.enable = Some(enable);
    }

    /// The register from [`Circuit::register`] takes `d` at every edge.
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
        self.lines.push(Line::Wire(wire));
        wire
    }

    /// A comment before the nodes that are named next.
    pub fn comment(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Comment(text.into()));
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
        assert_eq!(width, self.width(b), "{op:?} of {} and {}", self.text(a), self.text(b));
        let compares = matches!(op, Binary::Eq | Binary::Lt);
        self.node(Op::Binary(op, a, b), if compares { 1 } else { width })
    }

    fn call(&mut self, function: Function, operands: &[Wire]) -> Wire {
        self.node(Op::Call(function, operands.to_vec()), function.width())
    }

    fn call_of_two(&mut self, function: fn(usize) -> Function, a: Wire, b: Wire) -> Wire {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "{:?} of {} and {}", function(width), self.text(a), self.text(b));
        self.call(function(width), &[a, b])
    }

    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        self.binary(Binary::And, a, b)
    }

    pub fn or(&mut self, a: Wire, b: Wire) -> Wire {
        self.binary(Binary::Or, a, b)
    }

    pub fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        self.binary(Binary::Xor, a, b)
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

    /// The sum, with carries in log2 steps: as large as the adder that synthesis makes of `+`, and faster by a third.
    pub fn add_tree(&mut self, a: Wire, b: Wire) -> Wire {
        self.call_of_two(Function::Sum, a, b)
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

    /// The same, printed as a tree: of two numbers it is smaller and faster than the subtraction that synthesis makes of `<`.
    pub fn lt_tree(&mut self, a: Wire, b: Wire) -> Wire {
        self.call_of_two(Function::Less, a, b)
    }

    /// High if some bit is high.
    pub fn any(&mut self, a: Wire) -> Wire {
        self.node(Op::Any(a), 1)
    }

    /// One bit per bit: it or one below it is high. Takes log2 steps.
    pub fn up_to(&mut self, a: Wire) -> Wire {
        self.call(Function::UpTo(self.width(a)), &[a])
    }

    /// The lowest high bit alone, in log2 steps.
    pub fn first_one(&mut self, a: Wire) -> Wire {
        self.call(Function::FirstOne(self.width(a)), &[a])
    }

    /// The number of high bits, in one bit more than log2 of their number.
    pub fn ones(&mut self, a: Wire) -> Wire {
        self.call(Function::Ones(self.width(a)), &[a])
    }

    /// One number per bit: the high bits up to it. Each element has as many bits as the number of bits takes.
    pub fn ones_up_to(&mut self, a: Wire) -> Wire {
        self.call(Function::OnesUpTo(self.width(a)), &[a])
    }

    /// Two unsigned numbers side by side, the smaller one in the lower half; `a` there if they are equal.
    pub fn sorted(&mut self, a: Wire, b: Wire) -> Wire {
        self.call_of_two(Function::Sorted, a, b)
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
