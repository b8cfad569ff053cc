//! From a circuit to the tree of Verilog.

use super::{Binary, Circuit, Line, Node, Op, Wire};
use std::collections::BTreeSet;
use verilog::description::Body;
use verilog::names::identifier;
use verilog::print;
use verilog::register::{clocked, Register};
use verilog::tree::{Expr, Item, Linear};

impl Circuit {
    /// The body of the module whose ports are this circuit's inputs and outputs, `clock` and `reset`.
    pub fn body(&self) -> Body {
        self.check_names();
        let mut body = Body::default();
        for register in self.registers.iter().filter(|r| !self.is_port(r.q)) {
            body.nets.push(self.net(register.q));
        }
        for line in &self.lines {
            match line {
                Line::Comment(text) => body.items.push(Item::Comment(text.clone())),
                Line::Wire(wire) => {
                    if !self.is_port(*wire) {
                        body.nets.push(self.net(*wire));
                    }
                    body.items.push(self.definition(*wire));
                }
            }
        }
        let registers: Vec<_> = self.registers.iter().map(|r| self.register_of(r)).collect();
        let key = |place: usize| (self.registers[place].enable, self.registers[place].reset);
        body.items.extend(clocked(&registers, key));
        let unlike_node = |(name, wire): &&(String, Wire)| self.nodes[wire.0].name.as_ref() != Some(name);
        for (name, wire) in self.outputs.iter().filter(unlike_node) {
            body.items.push(Item::Assign(Expr::Net(identifier(name)), self.operand(*wire)));
        }
        body
    }

    /// True if the node has the name of an output port, which is declared elsewhere.
    fn is_port(&self, wire: Wire) -> bool {
        self.outputs.iter().any(|(name, _)| Some(name) == self.nodes[wire.0].name.as_ref())
    }

    fn net(&self, wire: Wire) -> (String, usize) {
        (self.name_of(wire), self.width(wire))
    }

    fn name_of(&self, wire: Wire) -> String {
        identifier(self.nodes[wire.0].name.as_ref().expect("what is declared or indexed has a name"))
    }

    fn definition(&self, wire: Wire) -> Item {
        let target = Expr::Net(self.name_of(wire));
        let Op::Select { index, choices } = &self.nodes[wire.0].op else {
            return Item::Assign(target, self.value(wire));
        };
        let label = |place: usize| (place + 1 < choices.len()).then(|| Expr::number(self.width(*index), place as i64));
        let arm = |(place, choice): (usize, &Wire)| {
            (label(place), vec![Item::Blocking(target.clone(), self.operand(*choice))])
        };
        let arms = choices.iter().enumerate().map(arm).collect();
        Item::Always(None, vec![Item::Case(self.operand(*index), arms)])
    }

    fn register_of(&self, register: &super::Register) -> Register {
        let zero = || (Expr::Net("reset".into()), Expr::number(self.width(register.q), 0));
        Register {
            q: self.name_of(register.q),
            clock: Expr::Net("clock".into()),
            d: self.operand(register.d.expect("an undriven register")),
            enable: register.enable.map(|enable| self.operand(enable)),
            reset: register.reset.then(zero),
        }
    }

    /// A node where another one uses it: its name, if it has one.
    fn operand(&self, wire: Wire) -> Expr {
        match &self.nodes[wire.0].name {
            Some(name) => Expr::Net(identifier(name)),
            None => self.value(wire),
        }
    }

    fn value(&self, wire: Wire) -> Expr {
        let node = &self.nodes[wire.0];
        let part = |of: Wire, at, index| Expr::Part { net: self.name_of(of), at, index, width: node.width };
        match &node.op {
            Op::Call(function, operands) => Expr::Call(*function, operands.iter().map(|w| self.operand(*w)).collect()),
            Op::Input | Op::Register => self.operand(wire),
            Op::Select { .. } => unreachable!("it is a case, and has a name"),
            Op::Constant => Expr::literal(node.width, &format!("{:x}", self.values[node.words.start])),
            Op::Not(a) => Expr::unary("~", self.operand(*a)),
            Op::Any(a) => Expr::unary("|", self.operand(*a)),
            Op::Binary(op, a, b) => Expr::binary(op.symbol(), self.operand(*a), self.operand(*b)),
            Op::Mux { select, high, low } => Expr::Select(Box::new([*select, *high, *low].map(|w| self.operand(w)))),
            Op::Index { of, index } => part(*of, Linear::new(0), Some((Box::new(self.operand(*index)), 1))),
            Op::Decode { index } => Expr::binary("<<", Expr::number(node.width, 1), self.operand(*index)),
            Op::Slice { of, lsb } => part(*of, Linear::new(*lsb as i64), None),
            Op::Concat(parts) if parts.len() > 1 && parts.iter().all(|p| p == &parts[0]) => {
                Expr::Repeat(parts.len(), Box::new(self.operand(parts[0])))
            }
            Op::Concat(parts) => Expr::Concat(parts.iter().map(|&p| self.operand(p)).collect()),
        }
    }

    /// A node as messages show it.
    pub(super) fn text(&self, wire: Wire) -> String {
        print::expression(&self.value(wire))
    }

    /// A node that is printed more than once, or indexed, needs a name; no two have one name.
    fn check_names(&self) {
        let named = |w: Wire| self.nodes[w.0].name.is_some();
        let mut uses = vec![0; self.nodes.len()];
        for node in &self.nodes {
            self.printed_operands(node).iter().for_each(|w| uses[w.0] += 1);
            match &node.op {
                Op::Slice { of, .. } | Op::Index { of, .. } => {
                    assert!(named(*of), "{}: name what is indexed", self.text(*of));
                }
                Op::Select { index, .. } => {
                    assert!(node.name.is_some(), "by {}: a select needs a name", self.text(*index));
                }
                _ => {}
            }
        }
        let mut names = BTreeSet::new();
        for name in self.nodes.iter().filter_map(|node| node.name.as_ref()) {
            assert!(names.insert(name), "{name}: two nets have this name");
        }
        for (place, node) in self.nodes.iter().enumerate() {
            let short = matches!(node.op, Op::Constant | Op::Slice { .. } | Op::Not(_));
            let fine = short || node.name.is_some() || uses[place] < 2;
            assert!(fine, "{}: used {} times, name it", self.text(Wire(place)), uses[place]);
        }
    }

    /// Operands as often as the text of a node shows them.
    fn printed_operands(&self, node: &Node) -> Vec<Wire> {
        match &node.op {
            Op::Input | Op::Register | Op::Constant => vec![],
            Op::Not(a) | Op::Any(a) | Op::Slice { of: a, .. } | Op::Decode { index: a } => vec![*a],
            Op::Call(_, operands) => operands.clone(),
            Op::Binary(_, a, b) | Op::Index { of: a, index: b } => vec![*a, *b],
            Op::Mux { select, high, low } => vec![*select, *high, *low],
            Op::Select { index, choices } => choices.iter().chain([index]).copied().collect(),
            Op::Concat(parts) if parts.iter().all(|p| p == &parts[0]) => vec![parts[0]],
            Op::Concat(parts) => parts.clone(),
        }
    }
}

impl Binary {
    fn symbol(self) -> &'static str {
        match self {
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Eq => "==",
            Binary::Lt => "<",
        }
    }
}
