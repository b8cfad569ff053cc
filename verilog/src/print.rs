//! A tree as Verilog-2005 text, laid out as an engineer would.

use crate::functions::{self, Function};
use crate::rules::Breach;
use crate::tree::{Access, Expr, Item, Linear, Memory, Module, Port, Shape, Shapes, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Columns of a line at most.
const LINE: usize = 120;

/// Names of loop variables, from the outer loop to the inner: of generate loops, and of loops in an `always` block.
const OUTER: [&str; 6] = ["i", "j", "k", "l", "u", "v"];
const INNER: [&str; 4] = ["n", "m", "p", "q"];

/// The place where loops of `always` blocks have their variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Integers {
    /// The module has them for all its blocks.
    OfModule,
    /// Each block has its own, and a name: where blocks share one, Yosys finds that it has several drivers.
    OfBlocks,
}

/// State on which the text of an item depends besides itself.
struct Printer<'a> {
    shapes: &'a Shapes,
    breach: Breach,
    integers: Integers,
    /// Names of the loop variables around.
    variables: BTreeMap<Variable, String>,
    /// Names of blocks so far.
    labels: BTreeSet<String>,
    depths: [usize; 2],
    procedural: bool,
    taken: BTreeSet<String>,
    /// Deepest loops of both kinds.
    deepest: [usize; 2],
}

pub fn expression(e: &Expr) -> String {
    Printer::new(&Shapes::new()).expression(e)
}

/// The text of one item, to count its lines.
pub fn item(item: &Item, shapes: &Shapes) -> String {
    Printer::new(shapes).item(item)
}

pub fn module(module: &Module, breach: Breach) -> String {
    text(module, breach, Integers::OfModule)
}

/// The text for an engineer, of a module in its readable form.
pub fn readable(module: &Module) -> String {
    text(module, Breach::Tell, Integers::OfBlocks)
}

fn text(module: &Module, breach: Breach, integers: Integers) -> String {
    let shapes = &module.nets;
    let functions = called(&module.items);
    let mut printer = Printer::new(shapes);
    printer.breach = breach;
    printer.integers = integers;
    printer.taken = shapes.keys().cloned().chain(module.constants.iter().map(|(_, n, _)| n.clone())).collect();
    printer.taken.extend(module.items.iter().filter_map(|item| match item {
        Item::Instance { name, place, .. } => Some(instance_name(name, place.as_ref())),
        _ => None,
    }));
    printer.taken.extend(functions.iter().map(|function| function.name()));
    let registers = procedural(&module.items);
    let inline = inline(module, &registers);
    let mut body = vec![];
    let mut section = String::new();
    let mut kind = "";
    for item in &module.items {
        let (text, this) = match item {
            Item::Assign(Expr::Net(net), value) if inline.contains(net) => {
                let width = range(shapes[net]);
                (printer.assignment(&format!("wire {width}{net} ="), value), "wire")
            }
            Item::Assign(t, v) if is_procedural(t, &registers) => {
                let always = Item::Always(None, vec![Item::Blocking(t.clone(), v.clone())]);
                (printer.item(&always), "block")
            }
            Item::Assign(..) => (printer.item(item), "wire"),
            Item::Comment(_) => (printer.item(item), "comment"),
            _ => (printer.item(item), "block"),
        };
        let goes_on = matches!((kind, this), ("comment", _) | ("wire", "wire"));
        if !goes_on && !section.is_empty() {
            body.push(std::mem::take(&mut section));
        }
        section += &text;
        kind = this;
    }
    body.push(section);
    let mut sections = vec![constants(&module.constants, &printer), declarations(module, &registers, &inline)];
    sections.push(printer.loop_variables(0) + &printer.loop_variables(1));
    sections.extend(functions.into_iter().map(Function::text));
    sections.extend(body);
    sections.retain(|s| !s.trim().is_empty());
    let rules = module.items.iter().filter_map(|item| match item {
        Item::Rules(rules) => Some(rules.text(breach)),
        _ => None,
    });
    let body = sections.iter().map(|s| indent(s)).chain(rules).collect::<Vec<_>>().join("\n");
    format!("module {} (\n{}\n);\n\n{body}\nendmodule\n", module.name, ports(&module.ports, shapes, &registers))
}

/// The name of an instance, with its place among several.
fn instance_name(name: &str, place: Option<&Linear>) -> String {
    match place {
        Some(place) if place.is_fixed() => format!("{name}_{}", place.constant),
        _ => name.into(),
    }
}

fn free(name: &str, taken: &BTreeSet<String>) -> String {
    if taken.contains(name) {
        format!("{name}_")
    } else {
        name.into()
    }
}

/// Nets that an `always` block drives.
fn procedural(items: &[Item]) -> BTreeSet<String> {
    let mut nets = BTreeSet::new();
    for item in items {
        item.visit(&mut |i| {
            let net = match i {
                Item::Blocking(Expr::Net(net) | Expr::Part { net, .. }, _)
                | Item::Clocked(Expr::Net(net) | Expr::Part { net, .. }, _) => net,
                Item::Memory(..) => "rdata",
                _ => return,
            };
            nets.insert(net.to_string());
        });
    }
    nets
}

/// The functions that the items call, and those that these call.
fn called(items: &[Item]) -> BTreeSet<Function> {
    let mut functions = BTreeSet::new();
    let mut call = |e: &Expr| {
        if let Expr::Call(function, _) = e {
            functions.extend([*function].into_iter().chain(function.calls()));
        }
    };
    items.iter().for_each(|item| item.visit(&mut |i| i.own().into_iter().for_each(|e| e.visit(&mut call))));
    functions
}

fn memory(memory: &Memory, access: Access, breach: Breach) -> String {
    let Memory { name, depth, width } = memory;
    let body = match access {
        Access::SinglePort => {
            format!("if (en) begin\n    if (we) {name}[addr] <= wdata;\n    else rdata <= {name}[addr];\nend\n")
        }
        Access::ReadAndWritePort => {
            format!("if (write) {name}[write_addr] <= wdata;\nif (read) rdata <= {name}[read_addr];\n")
        }
    };
    let (attribute, collision) = match (access, breach) {
        (Access::ReadAndWritePort, Breach::Tell) => (NO_CHECK, collision(*width)),
        _ => ("", String::new()),
    };
    let body = indent(&(body + &collision));
    let words = format!("{attribute}reg [{}:0] {name} [0:{}];\n", width - 1, depth - 1);
    format!("{words}\nalways @(posedge clock) begin\n{body}end\n")
}

/// Yosys builds no bypass around the memory.
const NO_CHECK: &str = "(* no_rw_check *)\n";

/// X in simulation where a word is read in the cycle in which it is written.
fn collision(width: usize) -> String {
    format!(
        "`ifndef SYNTHESIS\n// A word that is read in the cycle in which it is written is anything.\n\
        if (write & read & (write_addr == read_addr)) rdata <= {{{width}{{1'bx}}}};\n`endif\n"
    )
}

fn is_procedural(target: &Expr, registers: &BTreeSet<String>) -> bool {
    matches!(target, Expr::Net(net) | Expr::Part { net, .. } if registers.contains(net))
}

/// Nets that are declared where they are assigned: nothing in front of that reads them.
fn inline(module: &Module, registers: &BTreeSet<String>) -> BTreeSet<String> {
    let inner: BTreeSet<&str> = module.order.iter().map(String::as_str).collect();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut inline = BTreeSet::new();
    for item in &module.items {
        if let Item::Assign(Expr::Net(net), _) = item {
            if inner.contains(net.as_str()) && !seen.contains(net) && !registers.contains(net) {
                inline.insert(net.clone());
            }
        }
        item.visit(&mut |i| {
            i.own().into_iter().for_each(|e| {
                e.nets(&mut |net| {
                    seen.insert(net.to_string());
                });
            });
        });
    }
    inline
}

fn constants(constants: &[(usize, String, Expr)], printer: &Printer) -> String {
    let line = |(width, name, value): &(usize, String, Expr)| {
        format!("localparam {}{name} = {};\n", range(Shape::plain(*width)), printer.expression(value))
    };
    constants.iter().map(line).collect()
}

fn declarations(module: &Module, registers: &BTreeSet<String>, inline: &BTreeSet<String>) -> String {
    let nets: Vec<&String> = module.order.iter().filter(|net| !inline.contains(*net)).collect();
    let widest = nets.iter().map(|net| range(module.nets[*net]).len()).max().unwrap_or(0);
    let line = |net: &&String| {
        let kind = if registers.contains(*net) { "reg " } else { "wire" };
        format!("{kind} {:widest$}{net};\n", range(module.nets[*net]))
    };
    nets.iter().map(line).collect()
}

fn range(shape: Shape) -> String {
    match shape {
        Shape { elements: 1, width, .. } => functions::range(width),
        Shape { rows, elements, width: 1, .. } if rows > 1 => format!("[{rows}*{}-1:0] ", elements / rows),
        Shape { rows, elements, width, .. } if rows > 1 => format!("[{rows}*{}*{width}-1:0] ", elements / rows),
        Shape { first, elements, width: 1, .. } => format!("[{}:{first}] ", first + elements - 1),
        Shape { first: 0, elements, width, .. } => format!("[{elements}*{width}-1:0] "),
        Shape { first, elements, width, .. } => format!("[{}*{width}-1:{first}*{width}] ", first + elements),
    }
}

fn ports(ports: &[Port], shapes: &Shapes, registers: &BTreeSet<String>) -> String {
    let widest = ports.iter().map(|p| range(shapes[&p.name]).len()).max().unwrap_or(0);
    let line = |p: &Port| {
        let kind = match p.is_output() {
            false => "input  wire",
            true if registers.contains(&p.name) => "output reg ",
            true => "output wire",
        };
        format!("    {kind} {:widest$}{}", range(shapes[&p.name]), p.name)
    };
    ports.iter().map(line).collect::<Vec<_>>().join(",\n")
}

fn indent(section: &str) -> String {
    section.lines().map(|l| if l.is_empty() { "\n".into() } else { format!("    {l}\n") }).collect()
}

/// The binding strength of an expression's operator.
fn strength(e: &Expr) -> u8 {
    match e {
        Expr::Select(_) => 0,
        Expr::Binary(..) => 1,
        Expr::Unary("&" | "|" | "^", _) => 2,
        Expr::Unary(..) => 3,
        _ => 4,
    }
}

impl<'a> Printer<'a> {
    fn new(shapes: &'a Shapes) -> Self {
        Printer {
            shapes,
            breach: Breach::Stop,
            integers: Integers::OfModule,
            variables: BTreeMap::new(),
            labels: BTreeSet::new(),
            depths: [0, 0],
            procedural: false,
            taken: BTreeSet::new(),
            deepest: [0, 0],
        }
    }

    fn item(&mut self, item: &Item) -> String {
        match item {
            Item::Comment(text) => format!("// {text}\n"),
            Item::Memory(memory, access) => self::memory(memory, *access, self.breach),
            Item::Rules(_) => String::new(),
            Item::Assign(t, v) => self.assignment(&format!("assign {} =", self.expression(t)), v),
            Item::Blocking(t, v) => self.assignment(&format!("{} =", self.expression(t)), v),
            Item::Clocked(t, v) => self.assignment(&format!("{} <=", self.expression(t)), v),
            Item::If(test, then, otherwise) => self.branch(test, then, otherwise),
            Item::Case(subject, arms) => {
                let mut text = String::new();
                for (label, body) in arms {
                    let label = label.as_ref().map_or("default".into(), |l| self.expression(l));
                    text += &self.headed(&format!("{label}:"), body);
                }
                format!("case ({})\n{}endcase\n", self.expression(subject), indent(&text))
            }
            Item::Always(None, body) if accumulated(body).is_some() => self.accumulation(body),
            Item::Always(clock, body) => {
                let head = match clock {
                    Some(clock) => format!("always @(posedge {clock})"),
                    None => "always @(*)".into(),
                };
                let (integers, statements) = self.procedure(body);
                let name = match integers.is_empty() {
                    true => String::new(),
                    false => format!(" : {}", self.label("drive", body)),
                };
                format!("{head} begin{name}\n{}end\n", indent(&(integers + &statements)))
            }
            Item::Instance { module, name, place, pins } => {
                self.instance(module, &instance_name(name, place.as_ref()), pins)
            }
            Item::Constant(name, value) => format!("localparam {name} = {};\n", self.sum(value, 1)),
            Item::For { variable, start, count, body } => self.repeated(*variable, *start, *count, body),
        }
    }

    /// In a variable of its own: event-driven simulators would run two such blocks in turns for ever if both read a vector
    /// of which each writes a part.
    fn accumulation(&mut self, body: &[Item]) -> String {
        let Some((net, target)) = accumulated(body) else { return String::new() };
        let sum = free(&format!("{net}_so_far"), &self.taken);
        let width = target.width(self.shapes).unwrap_or(1);
        let so_far = Expr::Net(sum.clone());
        let mut steps = body.to_vec();
        let mut replace = |e: &mut Expr| {
            if e == target {
                *e = so_far.clone();
            }
        };
        steps.iter_mut().for_each(|item| item.expressions_mut(&mut |e| e.rewrite(&mut replace)));
        steps.push(Item::Blocking(target.clone(), so_far.clone()));
        let label = self.label_after(&format!("sum_{net}"));
        let (integers, statements) = self.procedure(&steps);
        let declarations = format!("reg {}{sum};\n{integers}", range(Shape::plain(width)));
        format!("always @(*) begin : {label}\n{}end\n", indent(&(declarations + &statements)))
    }

    /// The loop variables that an `always` block has to declare, and its statements.
    fn procedure(&mut self, body: &[Item]) -> (String, String) {
        self.procedural = true;
        let statements = self.list(body);
        self.procedural = false;
        if self.integers == Integers::OfModule {
            return (String::new(), statements);
        }
        let own = self.loop_variables(1);
        self.deepest[1] = 0;
        (own, statements)
    }

    /// The declaration of the loop variables so far: `genvar`s or `integer`s.
    fn loop_variables(&self, kind: usize) -> String {
        let names = [&OUTER[..], &INNER[..]][kind].iter().take(self.deepest[kind]);
        let names: Vec<String> = names.map(|name| free(name, &self.taken)).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!("{} {};\n", ["genvar", "integer"][kind], names.join(", ")),
        }
    }

    fn list(&mut self, items: &[Item]) -> String {
        items.iter().map(|i| self.item(i)).collect()
    }

    /// `head statement;` in one line if it fits, else with `begin` and `end`.
    fn headed(&mut self, head: &str, body: &[Item]) -> String {
        let text = self.list(body);
        if let [Item::Blocking(..) | Item::Clocked(..)] = body {
            let line = format!("{head} {text}");
            if line.lines().count() == 1 && line.len() < LINE - 16 {
                return line;
            }
        }
        format!("{head} begin\n{}end\n", indent(&text))
    }

    fn branch(&mut self, test: &Expr, then: &[Item], otherwise: &[Item]) -> String {
        let head = format!("if ({})", self.expression(test));
        let head = wrapped(&head, LINE - 16).trim_end().to_string();
        match otherwise {
            [] => self.headed(&head, then),
            _ => {
                let text = format!("{head} begin\n{}end", indent(&self.list(then)));
                match otherwise {
                    [Item::If(..)] => format!("{text} else {}", self.list(otherwise)),
                    _ => format!("{text} else begin\n{}end\n", indent(&self.list(otherwise))),
                }
            }
        }
    }

    fn repeated(&mut self, variable: Variable, start: i64, count: i64, body: &[Item]) -> String {
        let kind = usize::from(self.procedural);
        let name = free([&OUTER[..], &INNER[..]][kind][self.depths[kind]], &self.taken);
        self.variables.insert(variable, name.clone());
        self.depths[kind] += 1;
        self.deepest[kind] = self.deepest[kind].max(self.depths[kind]);
        let end = start + count;
        let head = format!("for ({name} = {start}; {name} < {end}; {name} = {name} + 1)");
        let text = match self.procedural {
            true => self.headed(&head, body),
            false => {
                let label = self.label("each", body);
                format!("{head} begin : {label}\n{}end\n", indent(&self.list(body)))
            }
        };
        self.depths[kind] -= 1;
        self.variables.remove(&variable);
        text
    }

    /// A name for a block: after what it drives.
    fn label(&mut self, prefix: &str, body: &[Item]) -> String {
        let mut of = None;
        body.iter().for_each(|i| {
            i.visit(&mut |i| {
                let name = match i {
                    Item::Instance { name, .. } => Some(name.clone()),
                    Item::Assign(t, _) | Item::Blocking(t, _) | Item::Clocked(t, _) => match t {
                        Expr::Net(net) | Expr::Part { net, .. } => Some(net.clone()),
                        _ => None,
                    },
                    _ => None,
                };
                of = of.take().or(name);
            });
        });
        self.label_after(&format!("{prefix}_{}", of.unwrap_or_default()))
    }

    fn label_after(&mut self, wanted: &str) -> String {
        let mut label = wanted.to_string();
        let mut n = 2;
        while self.taken.contains(&label) || !self.labels.insert(label.clone()) {
            label = format!("{wanted}_{n}");
            n += 1;
        }
        label
    }

    fn instance(&self, module: &str, name: &str, pins: &[(String, Expr)]) -> String {
        let widest = pins.iter().map(|(pin, _)| pin.len()).max().unwrap_or(0);
        let pin = |(pin, value): &(String, Expr)| {
            let line = format!(".{pin:widest$} ({})", self.expression(value));
            wrapped(&line, LINE - 12).trim_end().to_string()
        };
        let pins = pins.iter().map(pin).collect::<Vec<_>>().join(",\n");
        format!("{module} {name} (\n{});\n", indent(&(pins + "\n")))
    }

    fn assignment(&self, head: &str, value: &Expr) -> String {
        let depth = 4 * (self.depths[0] + self.depths[1]) + 16;
        wrapped(&format!("{head} {};", self.expression(value)), LINE - depth)
    }

    fn expression(&self, e: &Expr) -> String {
        match e {
            Expr::Number { width, value } => self.number(*width, value),
            Expr::Wide { width, hex } => format!("{width}'h{hex}"),
            Expr::Net(net) => net.clone(),
            Expr::Part { net, at, index, width } => self.part(net, at, index.as_ref(), *width),
            Expr::Unary(op, arg) => match &**arg {
                Expr::Unary(..) => format!("{op}({})", self.expression(arg)),
                _ => format!("{op}{}", self.operand(arg, 3)),
            },
            Expr::Binary(op, left, right) => {
                let chains = matches!(**left, Expr::Binary(inner, ..) if inner == *op && associative(op));
                let masks = matches!(*op, "&" | "|" | "^");
                let side = |e: &Expr| match e {
                    Expr::Number { width: Some(width), value } if masks && *width > 3 && value.is_fixed() => {
                        format!("{width}'h{:x}", value.constant)
                    }
                    _ => self.operand(e, 2),
                };
                let left = if chains { self.expression(left) } else { side(left) };
                format!("{left} {op} {}", side(right))
            }
            Expr::Select(parts) => {
                let [test, then, otherwise] = &**parts;
                let last = match otherwise {
                    Expr::Select(_) => format!("({})", self.expression(otherwise)),
                    _ => self.operand(otherwise, 2),
                };
                format!("{} ? {} : {last}", self.operand(test, 2), self.operand(then, 2))
            }
            Expr::Concat(parts) => {
                format!("{{{}}}", parts.iter().map(|p| self.expression(p)).collect::<Vec<_>>().join(", "))
            }
            Expr::Repeat(times, inner) => format!("{{{times}{{{}}}}}", self.expression(inner)),
            Expr::Call(function, arguments) => {
                format!(
                    "{}({})",
                    function.name(),
                    arguments.iter().map(|a| self.expression(a)).collect::<Vec<_>>().join(", ")
                )
            }
        }
    }

    /// In parentheses if its operator is weaker than that.
    fn operand(&self, e: &Expr, least: u8) -> String {
        let least = if least == 2 { 3 } else { least };
        match strength(e) < least {
            true => format!("({})", self.expression(e)),
            false => self.expression(e),
        }
    }

    fn number(&self, width: Option<usize>, value: &Linear) -> String {
        match (width, value.is_fixed()) {
            (Some(1), true) => format!("1'b{}", value.constant),
            (Some(width), true) if value.constant < 1024 => format!("{width}'d{}", value.constant),
            (Some(width), true) => format!("{width}'h{:x}", value.constant),
            (Some(width), false) if self.procedural => match value.terms.as_slice() {
                [(variable, 1)] if value.constant == 0 => format!("{}[{}:0]", self.variable(*variable), width - 1),
                _ => self.sum(value, 1),
            },
            _ => self.sum(value, 1),
        }
    }

    fn variable(&self, variable: Variable) -> String {
        self.variables.get(&variable).cloned().unwrap_or_else(|| OUTER[usize::from(variable) % OUTER.len()].into())
    }

    /// `4*i + j + 1`, in units.
    fn sum(&self, value: &Linear, unit: i64) -> String {
        let mut text = String::new();
        for (variable, step) in value.terms.iter().rev() {
            let (step, name) = (step / unit, self.variable(*variable));
            let times = if step.abs() == 1 { name } else { format!("{}*{name}", step.abs()) };
            text += &match (text.is_empty(), step < 0) {
                (true, false) => times,
                (true, true) => format!("-{times}"),
                (false, false) => format!(" + {times}"),
                (false, true) => format!(" - {times}"),
            };
        }
        let constant = value.constant.div_euclid(unit);
        match (text.is_empty(), constant) {
            (true, _) => constant.to_string(),
            (_, 0) => text,
            _ if text.starts_with('-') => format!("{constant} - {}", &text[1..]),
            (_, c) if c < 0 => format!("{text} - {}", -c),
            (_, c) => format!("{text} + {c}"),
        }
    }

    fn part(&self, net: &str, at: &Linear, index: Option<&(Box<Expr>, i64)>, width: usize) -> String {
        let shape = self.shapes.get(net).copied().unwrap_or(Shape::plain(width));
        let wanted = if shape.elements > 1 { shape.width } else { width } as i64;
        let even = at.terms.iter().all(|(_, step)| step % wanted == 0);
        let unit = if even { wanted } else { 1 };
        let below = at.constant.rem_euclid(unit);
        if at.is_fixed() && index.is_none() && (shape.elements == 1 || below != 0 || width as i64 != unit) {
            return match width {
                1 => format!("{net}[{}]", at.constant),
                _ => format!("{net}[{}:{}]", at.constant + width as i64 - 1, at.constant),
            };
        }
        let whole = at.plus(-below);
        let mut terms = vec![];
        let has_index = index.is_some();
        if whole != Linear::new(0) || !has_index {
            let sum = self.sum(&whole, unit);
            let simple = sum.chars().all(|c| c.is_ascii_alphanumeric());
            terms.push(match (unit, simple) {
                (1, _) => sum,
                (_, true) => format!("{sum}*{unit}"),
                (_, false) => format!("({sum})*{unit}"),
            });
        }
        if let Some((index, times)) = index {
            terms.push(match times {
                1 => self.operand(index, 3),
                _ => format!("{}*{times}", self.operand(index, 4)),
            });
        }
        if below != 0 {
            terms.push(below.to_string());
        }
        match width {
            1 => format!("{net}[{}]", terms.join(" + ")),
            _ => format!("{net}[{} +: {width}]", terms.join(" + ")),
        }
    }
}

/// `x = first; for (...) x = x op term op term;`, with one loop or several: the net, and its part.
fn accumulated(body: &[Item]) -> Option<(&str, &Expr)> {
    let [Item::Blocking(target, _), loops @ ..] = body else { return None };
    let (Expr::Net(net) | Expr::Part { net, .. }) = target else { return None };
    let is_step = |item: &Item| {
        let Item::For { body, .. } = item else { return false };
        matches!(body.as_slice(), [Item::Blocking(again, value)] if again == target && leftmost(value) == target)
    };
    (!loops.is_empty() && loops.iter().all(is_step)).then_some((net, target))
}

/// The first operand of a chain of operators.
fn leftmost(e: &Expr) -> &Expr {
    match e {
        Expr::Binary(_, left, _) => leftmost(left),
        e => e,
    }
}

fn associative(op: &str) -> bool {
    matches!(op, "&" | "|" | "^" | "&&" | "||" | "+")
}

/// A text in lines of at most so many columns, broken at its least nested blanks; lines after the first are indented.
fn wrapped(text: &str, columns: usize) -> String {
    if text.len() <= columns {
        return text.to_string() + "\n";
    }
    let mut lines = vec![];
    let mut rest = text.to_string();
    while rest.len() > columns {
        let Some(place) = break_place(&rest, columns) else { break };
        lines.push(rest[..place].to_string());
        rest = format!("    {}", &rest[place + 1..]);
    }
    lines.push(rest);
    lines.join("\n") + "\n"
}

/// The last blank in the columns in front of an operator or behind a comma or equals sign: the least nested one of the
/// second half.
fn break_place(text: &str, columns: usize) -> Option<usize> {
    let mut depth = 0;
    let mut best: Option<(i32, usize)> = None;
    let start = text.len() - text.trim_start().len();
    let bytes = text.as_bytes();
    for (i, c) in text.char_indices() {
        if i > columns {
            break;
        }
        match c {
            '(' | '{' => depth += 1,
            '[' => depth += 100,
            ')' | '}' => depth -= 1,
            ']' => depth -= 100,
            ' ' if i > start => {
                let behind = bytes[i - 1];
                let next = bytes.get(i + 1).copied().unwrap_or(b' ');
                let operator = b"|&^+-?:<>=!".contains(&next) || behind == b',';
                let late = i > columns / 2;
                let operator =
                    operator && !(next == b'=' || (next == b'<' && bytes.get(i + 2) == Some(&b'=') && depth == 0));
                if operator && depth < 100 {
                    let better = match best {
                        Some((d, at)) => depth <= d || (late && at <= columns / 2),
                        None => true,
                    };
                    if better {
                        best = Some((depth, i));
                    }
                }
            }
            _ => {}
        }
    }
    let equals =
        || text.find(" = ").or_else(|| text.find(" <= ")).map(|i| i + text[i + 1..].find(' ').unwrap_or(0) + 1);
    best.map(|(_, i)| i).or_else(equals).filter(|i| *i > start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net(name: &str) -> Expr {
        Expr::Net(name.into())
    }

    #[test]
    fn operators_are_parenthesised_unless_they_chain() {
        let and = Expr::binary("&", net("a"), net("b"));
        assert_eq!(expression(&Expr::binary("==", and.clone(), net("c"))), "(a & b) == c");
        assert_eq!(expression(&Expr::binary("&", and, net("c"))), "a & b & c");
    }

    #[test]
    fn no_unary_operator_stands_behind_another() {
        for op in ["~", "!", "-"] {
            let twice = Expr::unary(op, Expr::unary(op, net("a")));
            assert_eq!(expression(&twice), "a");
            assert_eq!(expression(&Expr::unary(op, twice)), format!("{op}a"));
        }
        assert_eq!(expression(&Expr::unary("~", Expr::unary("-", net("a")))), "~(-a)");
        assert_eq!(expression(&Expr::unary("!", Expr::unary("&", net("a")))), "!(&a)");
        let sum = Expr::binary("+", net("a"), net("a"));
        assert_eq!(expression(&Expr::unary("~", Expr::unary("~", sum))), "a + a");
    }

    /// `always` blocks with a loop over the bits of `q`, of `r`, of `q` in an instance's name, and a sum.
    fn blocks() -> Module {
        let ports = ["clock", "a", "n"].map(|name| Port::input(name, if name == "a" { 4 } else { 1 }));
        let ports: Vec<Port> = ports.into_iter().chain(["q", "r", "any"].map(|name| Port::output(name, 4))).collect();
        let nets = ports.iter().map(|port| (port.name.clone(), Shape::plain(port.width))).collect();
        let bit = |net: &str| Expr::Part {
            net: net.into(),
            at: Linear { constant: 0, terms: vec![(0, 1)] },
            index: None,
            width: 1,
        };
        let each = |item| Item::For { variable: 0, start: 0, count: 4, body: vec![item] };
        let any = Expr::binary("|", net("any"), bit("a"));
        let sum = vec![Item::Blocking(net("any"), Expr::number(4, 0)), each(Item::Blocking(net("any"), any))];
        let items = vec![
            Item::Instance { module: "m".into(), name: "drive_r".into(), place: None, pins: vec![] },
            Item::Instance { module: "m".into(), name: "drive_q".into(), place: Some(Linear::new(2)), pins: vec![] },
            Item::Always(Some("clock".into()), vec![each(Item::Clocked(bit("q"), bit("a")))]),
            Item::Always(None, vec![each(Item::Blocking(bit("r"), bit("a")))]),
            Item::Always(Some("clock".into()), vec![each(Item::Clocked(bit("q"), bit("r")))]),
            Item::Always(None, sum),
        ];
        Module { name: "top".into(), ports, constants: vec![], nets, order: vec![], items }
    }

    #[test]
    fn a_block_for_an_engineer_has_its_own_loop_variables_and_a_name_that_nothing_else_has() {
        let text = readable(&blocks());
        let of_block = |head: &str, declared: &str| {
            let start = format!("\n    {head}\n{declared}        integer n_;\n        ");
            assert!(text.contains(&start), "{head}: {text}");
        };
        of_block("always @(posedge clock) begin : drive_q", "");
        of_block("always @(*) begin : drive_r_2", "");
        of_block("always @(posedge clock) begin : drive_q_3", "");
        of_block("always @(*) begin : sum_any", "        reg [3:0] any_so_far;\n");
        assert_eq!(text.matches("integer").count(), 4, "{text}");
    }

    #[test]
    fn blocks_of_a_flat_module_share_loop_variables() {
        let text = module(&blocks(), Breach::Stop);
        assert!(text.contains("\n    integer n_;\n") && text.matches("integer").count() == 1, "{text}");
        assert_eq!(text.matches("begin :").count(), 1, "{text}");
    }

    #[test]
    fn literals_carry_their_width() {
        let text = |width, hex| expression(&Expr::literal(width, hex));
        assert_eq!(text(1, "1"), "1'b1");
        assert_eq!(text(6, "20"), "6'd32");
        assert_eq!(text(24, "ffffff"), "24'hffffff");
        assert_eq!(text(72, "00ffffffffffffffffff"), "72'hffffffffffffffffff");
    }
}
