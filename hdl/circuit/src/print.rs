//! Verilog of a circuit.

use super::{Binary, Circuit, Item, Node, Op, Register, Wire};
use rust_hdl::prelude::Verilog;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Columns after which an expression is broken at its outermost operator.
const LINE: usize = 110;

impl Circuit {
    /// The body of the module whose ports are this circuit's inputs and outputs, `clock` and `reset`.
    pub fn verilog(&self) -> Verilog {
        self.check_names();
        let mut text = self.functions();
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
            text += &format!("\nassign {name} = {};\n", self.element(*wire));
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
                let parts: Vec<_> = parts.iter().map(|&p| self.element(p)).collect();
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
            (false, None) => load.replace("        ", "    "),
        };
        format!("\nalways @(posedge clock) begin\n{body}end\n")
    }

    /// A node as an operand: its name, or its expression in parentheses where an operator next to it could bind first.
    fn operand(&self, wire: Wire) -> String {
        let node = &self.nodes[wire.0];
        match (&node.name, &node.op) {
            (Some(name), _) => name.clone(),
            (None, _) if self.call(wire).is_some() => self.expression(wire),
            (None, Op::Binary(..) | Op::Mux { .. } | Op::Any(_) | Op::Decode { .. }) => {
                format!("({})", self.expression(wire))
            }
            (None, _) => self.expression(wire),
        }
    }

    /// A node between commas, where nothing binds.
    fn element(&self, wire: Wire) -> String {
        match self.nodes[wire.0].name {
            Some(_) => self.operand(wire),
            None => self.expression(wire),
        }
    }

    pub(super) fn expression(&self, wire: Wire) -> String {
        if let Some((function, arguments)) = self.call(wire) {
            let arguments: Vec<_> = arguments.iter().map(|a| self.element(*a)).collect();
            return format!("{}({})", function.name(), arguments.join(", "));
        }
        let node = &self.nodes[wire.0];
        match &node.op {
            Op::UpTo(_) | Op::FirstOne(_) | Op::Ones(_) | Op::OnesUpTo(_) | Op::Sorted(..) => {
                unreachable!("it is a call")
            }
            Op::Input | Op::Register => self.operand(wire),
            Op::Select { index, .. } => format!("case ({})", self.operand(*index)),
            Op::Constant => format!("{}'d{}", node.width, self.values[node.words.start]),
            Op::Not(a) => match self.negated(*a) {
                Some(twice) => self.operand(twice),
                None => format!("~{}", self.operand(*a)),
            },
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
                format!("{{{}}}", parts.iter().map(|&p| self.element(p)).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// What an inner `~` without a name inverts: Verilog has no `~~a`.
    fn negated(&self, wire: Wire) -> Option<Wire> {
        match &self.nodes[wire.0] {
            Node { op: Op::Not(a), name: None, .. } => Some(*a),
            _ => None,
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

    /// A node that is printed more than once, or indexed, needs a name; no two have one name.
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
        let mut names = BTreeSet::new();
        for name in self.nodes.iter().filter_map(|node| node.name.as_ref()) {
            assert!(names.insert(name), "{name}: two nets have this name");
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
            Op::Not(a) | Op::Any(a) | Op::UpTo(a) | Op::FirstOne(a) | Op::Ones(a) | Op::OnesUpTo(a) => vec![*a],
            Op::Sorted(a, b) => vec![*a, *b],
            Op::Slice { of: a, .. } | Op::Decode { index: a } => vec![*a],
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
            Binary::LtTree | Binary::AddTree => unreachable!("it is printed as a call"),
        }
    }

    fn chains(self) -> bool {
        matches!(self, Binary::And | Binary::Or | Binary::Xor | Binary::Add)
    }
}
