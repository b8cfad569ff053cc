//! A module as Verilog-2005 text, laid out as an engineer would.

use crate::ir::{Body, Direction, Expr, Instance, Module, Net, Port, Register, Statement, Target};
use std::collections::BTreeSet;
use std::fmt::Write;

const LINE: usize = 110;

/// `child` gives the name of a child's module.
pub fn module(name: &str, module: &Module, child: impl Fn(usize) -> String) -> String {
    let mut sections = vec![];
    sections.push(lines(&module.constants, |c| {
        let value = expression(&Expr::Literal { hex: c.hex.clone(), width: c.width });
        format!("localparam {}{} = {value};", range(c.width), c.name)
    }));
    let procedural = procedural(module);
    let widths = module.nets.iter().map(|n| n.width).chain(module.registers.iter().map(|r| r.width));
    let widest = widths.map(|w| range(w).len()).max().unwrap_or(0);
    let declare = |name: &str, width: usize, reg: bool| {
        format!("{} {:widest$}{name};", if reg { "reg " } else { "wire" }, range(width))
    };
    let is_reg = |name: &str| procedural.contains(name) || module.registers.iter().any(|r| r.q == name);
    let mut declarations = String::new();
    let mut net = |net: &Net| {
        let _ = writeln!(declarations, "{}", declare(&net.name, net.width, is_reg(&net.name)));
    };
    for register in &module.registers {
        net(&Net { name: register.q.clone(), width: register.width });
        next_states(register, &module.nets).for_each(&mut net);
    }
    let of_register = |n: &Net| module.registers.iter().any(|r| next_states(r, &module.nets).any(|d| d == n));
    module.nets.iter().filter(|n| !of_register(n)).for_each(&mut net);
    sections.push(declarations);
    sections.extend(module.instances.iter().map(|i| instance(i, &child(i.module))));
    match &module.body {
        Body::Logic(groups) => sections.extend(logic(groups)),
        Body::Text(text) => sections.push(text.trim_end().to_string() + "\n"),
    }
    sections.extend(registers(&module.registers));
    sections.retain(|s| !s.trim().is_empty());
    let body = sections.iter().map(|s| indent(s)).collect::<Vec<_>>().join("\n");
    format!("module {name} (\n{}\n);\n\n{body}\nendmodule\n", ports(&module.ports, &procedural))
}

/// The net `<name>_d` of register `<name>_q`, if it has one.
fn next_states<'a>(register: &Register, nets: &'a [Net]) -> impl Iterator<Item = &'a Net> {
    let name = match &register.d {
        Expr::Net { name, .. } if name.strip_suffix("_d") == register.q.strip_suffix("_q") => Some(name.clone()),
        _ => None,
    };
    nets.iter().filter(move |n| Some(&n.name) == name.as_ref())
}

fn lines<T>(items: &[T], line: impl Fn(&T) -> String) -> String {
    items.iter().map(|i| line(i) + "\n").collect()
}

fn indent(section: &str) -> String {
    section.lines().map(|l| if l.is_empty() { "\n".into() } else { format!("    {l}\n") }).collect()
}

fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

fn ports(ports: &[Port], procedural: &BTreeSet<String>) -> String {
    let widest = ports.iter().map(|p| range(p.width).len()).max().unwrap_or(0);
    let line = |p: &Port| {
        let kind = match p.direction {
            Direction::Input => "input  wire",
            Direction::Output if procedural.contains(&p.name) => "output reg ",
            Direction::Output => "output wire",
        };
        format!("    {kind} {:widest$}{}", range(p.width), p.name)
    };
    ports.iter().map(line).collect::<Vec<_>>().join(",\n")
}

/// Nets that an `always` block assigns, so that they are declared `reg`.
fn procedural(module: &Module) -> BTreeSet<String> {
    match &module.body {
        Body::Logic(groups) => {
            let mut nets = BTreeSet::new();
            for statement in groups.iter().filter(|g| !all_continuous(g)).flatten() {
                statement.for_each_assignment(&mut |target, _| {
                    nets.insert(target.net.clone());
                });
            }
            nets
        }
        Body::Text(text) => {
            let driven = |name: &str| !text.contains(&format!("assign {name} "));
            let outputs = module.ports.iter().filter(|p| p.direction == Direction::Output);
            outputs.filter(|p| driven(&p.name)).map(|p| p.name.clone()).collect()
        }
    }
}

/// Whether a group is continuous assignments alone: unconditional, to fixed bits, none of them twice.
fn all_continuous(group: &[Statement]) -> bool {
    let mut seen = BTreeSet::new();
    group.iter().all(|s| match s {
        Statement::Assign { target, .. } => {
            target.index.is_none()
                && (target.offset..target.offset + target.width).all(|b| seen.insert((&target.net, b)))
        }
        Statement::Comment(_) => true,
        _ => false,
    })
}

fn instance(instance: &Instance, module: &str) -> String {
    let widest = instance.pins.iter().map(|p| p.port.name.len()).max().unwrap_or(0);
    let pin = |p: &crate::ir::Pin| format!("    .{:widest$} ({})", p.port.name, expression(&p.value));
    let pins = instance.pins.iter().map(pin).collect::<Vec<_>>().join(",\n");
    format!("{module} {} (\n{pins}\n);\n", instance.name)
}

/// Continuous assignments that follow each other form one section, every `always` block one of its own.
fn logic(groups: &[Vec<Statement>]) -> Vec<String> {
    let mut sections = vec![];
    let mut assigns = String::new();
    for group in groups {
        if all_continuous(group) {
            for statement in group {
                match statement {
                    Statement::Assign { target, value } => {
                        assigns += &assignment(&format!("assign {} =", lvalue(target)), value);
                    }
                    Statement::Comment(text) => assigns += &format!("// {text}\n"),
                    _ => {}
                }
            }
        } else {
            sections.push(std::mem::take(&mut assigns));
            sections.push(format!("always @(*) begin\n{}end\n", block(group)));
        }
    }
    sections.push(assigns);
    sections
}

fn block(statements: &[Statement]) -> String {
    indent(&statements.iter().map(statement).collect::<String>())
}

fn statement(s: &Statement) -> String {
    match s {
        Statement::Assign { target, value } => assignment(&format!("{} =", lvalue(target)), value),
        Statement::Comment(text) => format!("// {text}\n"),
        Statement::If { test, then, otherwise } => {
            let head = format!("if ({}) begin\n{}end", expression(test), block(then));
            match otherwise.as_slice() {
                [] => head + "\n",
                [next @ Statement::If { .. }] => format!("{head} else {}", statement(next)),
                _ => format!("{head} else begin\n{}end\n", block(otherwise)),
            }
        }
        Statement::Case { subject, arms, default } => {
            let mut text = String::new();
            for (label, body) in arms {
                let _ = write!(text, "{}: begin\n{}end\n", expression(label), block(body));
            }
            if let Some(body) = default {
                let _ = write!(text, "default: begin\n{}end\n", block(body));
            }
            format!("case ({})\n{}endcase\n", expression(subject), indent(&text))
        }
    }
}

fn lvalue(target: &Target) -> String {
    match &target.index {
        _ if target.is_whole() => target.net.clone(),
        Some(index) if target.width == 1 => format!("{}[{}]", target.net, expression(index)),
        Some(index) => format!("{}[{} +: {}]", target.net, expression(index), target.width),
        None => part(&target.net, target.offset, target.width),
    }
}

/// `head value;`, broken at the outermost operator or commas if it is long.
fn assignment(head: &str, value: &Expr) -> String {
    let line = format!("{head} {};", expression(value));
    match value {
        _ if line.len() <= LINE => line + "\n",
        Expr::Binary { op, .. } => {
            let mut operands = vec![];
            chain(value, op, &mut operands);
            format!("{head} {};\n", operands.join(&format!("\n    {op} ")))
        }
        Expr::Concat(parts) => {
            let mut lines = vec![String::new()];
            for part in parts.iter().map(expression) {
                match lines.last_mut() {
                    Some(line) if line.is_empty() => *line = part,
                    Some(line) if line.len() + part.len() + 6 <= LINE => *line += &format!(", {part}"),
                    _ => lines.push(part),
                }
            }
            format!("{head} {{\n    {}\n}};\n", lines.join(",\n    "))
        }
        _ => line + "\n",
    }
}

fn chain(e: &Expr, wanted: &str, out: &mut Vec<String>) {
    match e {
        Expr::Binary { op, left, right, .. } if *op == wanted => {
            if associative(op) {
                chain(left, wanted, out);
            } else {
                out.push(operand(left));
            }
            out.push(operand(right));
        }
        _ => out.push(operand(e)),
    }
}

fn associative(op: &str) -> bool {
    matches!(op, "&" | "|" | "^" | "&&" | "||" | "+")
}

/// Registers of one clock, reset and enable share an `always` block.
fn registers(registers: &[Register]) -> Vec<String> {
    let mut blocks: Vec<Vec<&Register>> = vec![];
    for register in registers {
        let same = |r: &Register| {
            let reset = |r: &Register| r.reset.as_ref().map(|(reset, _)| reset.clone());
            r.clock == register.clock && reset(r) == reset(register) && r.enable == register.enable
        };
        match blocks.iter_mut().find(|b| same(b[0])) {
            Some(block) => block.push(register),
            None => blocks.push(vec![register]),
        }
    }
    blocks.iter().map(|b| clocked(b)).collect()
}

fn clocked(registers: &[&Register]) -> String {
    let load: String = registers.iter().map(|r| assignment(&format!("{} <=", r.q), &r.d)).collect();
    let clear: String = registers
        .iter()
        .filter_map(|r| r.reset.as_ref().map(|(_, value)| format!("{} <= {};\n", r.q, expression(value))))
        .collect();
    let first = registers[0];
    let body = match (&first.reset, &first.enable) {
        (None, None) => load,
        (None, Some(enable)) => format!("if ({}) begin\n{}end\n", expression(enable), indent(&load)),
        (Some((reset, _)), enable) => {
            let otherwise = match enable {
                Some(enable) => format!("else if ({})", expression(enable)),
                None => "else".into(),
            };
            format!("if ({}) begin\n{}end {otherwise} begin\n{}end\n", expression(reset), indent(&clear), indent(&load))
        }
    };
    format!("always @(posedge {}) begin\n{}end\n", expression(&first.clock), indent(&body))
}

fn part(net: &str, offset: usize, width: usize) -> String {
    match width {
        1 => format!("{net}[{offset}]"),
        _ => format!("{net}[{}:{offset}]", offset + width - 1),
    }
}

pub fn expression(e: &Expr) -> String {
    match e {
        Expr::Net { name, .. } => name.clone(),
        Expr::Number(n) => n.to_string(),
        Expr::Literal { hex, width } => literal(hex, *width),
        Expr::Part { net, offset, width } => part(net, *offset, *width),
        Expr::IndexedPart { net, index, width: 1 } => format!("{net}[{}]", expression(index)),
        Expr::IndexedPart { net, index, width } => format!("{net}[{} +: {width}]", expression(index)),
        Expr::Unary { op, arg, .. } => unary(op, arg),
        Expr::Binary { op, left, right, .. } => match &**left {
            Expr::Binary { op: inner, .. } if inner == op && associative(op) => {
                format!("{} {op} {}", expression(left), operand(right))
            }
            _ => format!("{} {op} {}", operand(left), operand(right)),
        },
        Expr::Select { select, then, otherwise, .. } => {
            format!("{} ? {} : {}", operand(select), operand(then), operand(otherwise))
        }
        Expr::Concat(parts) => format!("{{{}}}", parts.iter().map(expression).collect::<Vec<_>>().join(", ")),
    }
}

/// Verilog has no operator right behind a unary one: `~~a` becomes `a`, another pair gets parentheses.
fn unary(op: &str, arg: &Expr) -> String {
    match arg {
        Expr::Unary { op: inner, arg, .. } if *inner == op && matches!(op, "~" | "!" | "-") => operand(arg),
        Expr::Unary { .. } => format!("{op}({})", expression(arg)),
        _ => format!("{op}{}", operand(arg)),
    }
}

/// In parentheses if it has an operator of its own between two sides.
fn operand(e: &Expr) -> String {
    match e {
        Expr::Binary { .. } | Expr::Select { .. } => format!("({})", expression(e)),
        Expr::Unary { op: "&" | "|" | "^", .. } => format!("({})", expression(e)),
        _ => expression(e),
    }
}

/// Small values in decimal, single bits in binary, the rest in hexadecimal.
fn literal(hex: &str, width: usize) -> String {
    match u64::from_str_radix(hex, 16) {
        Ok(value) if width == 1 => format!("1'b{value}"),
        Ok(value) if value < 1 << 16 => format!("{width}'d{value}"),
        _ => format!("{width}'h{hex}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_parenthesised_unless_they_chain() {
        let net = |n: &str| Box::new(Expr::net(n, 1));
        let and = Expr::Binary { op: "&", left: net("a"), right: net("b"), width: 1 };
        let eq = Expr::Binary { op: "==", left: Box::new(and.clone()), right: net("c"), width: 1 };
        assert_eq!(expression(&eq), "(a & b) == c");
        let chain = Expr::Binary { op: "&", left: Box::new(and), right: net("c"), width: 1 };
        assert_eq!(expression(&chain), "a & b & c");
    }

    #[test]
    fn no_unary_operator_stands_behind_another() {
        let unary = |op, arg: &Expr| Expr::Unary { op, arg: Box::new(arg.clone()), width: 4 };
        let a = Expr::net("a", 4);
        for op in ["~", "!", "-"] {
            assert_eq!(expression(&unary(op, &unary(op, &a))), "a");
            assert_eq!(expression(&unary(op, &unary(op, &unary(op, &a)))), format!("{op}a"));
        }
        assert_eq!(expression(&unary("~", &unary("-", &a))), "~(-a)");
        assert_eq!(expression(&unary("!", &unary("&", &a))), "!(&a)");
        let sum = Expr::Binary { op: "+", left: Box::new(a.clone()), right: Box::new(a), width: 4 };
        assert_eq!(expression(&unary("~", &unary("~", &sum))), "(a + a)");
    }

    #[test]
    fn literals_carry_their_width() {
        assert_eq!(literal("1", 1), "1'b1");
        assert_eq!(literal("20", 6), "6'd32");
        assert_eq!(literal("ffffff", 24), "24'hffffff");
    }
}
