//! A module between RustHDL and Verilog text: sized expressions over nets with their final names.

use serde::Serialize;
pub use verilog::tree::{Direction, Port};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A whole net, by its name.
    Net { name: String, width: usize },
    /// `hex` without leading zeros.
    Literal { hex: String, width: usize },
    /// A plain number: an amount or position, not a value on a wire.
    Number(usize),
    /// `net[offset + width - 1 : offset]`
    Part { net: String, offset: usize, width: usize },
    /// `net[index +: width]`
    IndexedPart { net: String, index: Box<Expr>, width: usize },
    /// `op arg`
    Unary { op: &'static str, arg: Box<Expr>, width: usize },
    /// `left op right`
    Binary { op: &'static str, left: Box<Expr>, right: Box<Expr>, width: usize },
    /// `select ? then : otherwise`
    Select { select: Box<Expr>, then: Box<Expr>, otherwise: Box<Expr>, width: usize },
    /// Most significant first.
    Concat(Vec<Expr>),
}

impl Expr {
    pub fn net(name: impl Into<String>, width: usize) -> Self {
        Expr::Net { name: name.into(), width }
    }

    pub fn zero(width: usize) -> Self {
        Expr::Literal { hex: "0".into(), width }
    }

    pub fn width(&self) -> usize {
        match self {
            Expr::Net { width, .. }
            | Expr::Literal { width, .. }
            | Expr::Part { width, .. }
            | Expr::IndexedPart { width, .. }
            | Expr::Unary { width, .. }
            | Expr::Binary { width, .. }
            | Expr::Select { width, .. } => *width,
            Expr::Number(_) => 32,
            Expr::Concat(parts) => parts.iter().map(Expr::width).sum(),
        }
    }

    /// Short enough to stand in a port connection or after `<=` without a net of its own.
    pub fn is_simple(&self) -> bool {
        matches!(self, Expr::Net { .. } | Expr::Literal { .. } | Expr::Part { .. })
    }

    /// Calls `f` with the name of every net that is read.
    pub fn for_each_net(&self, f: &mut impl FnMut(&str)) {
        match self {
            Expr::Net { name, .. } | Expr::Part { net: name, .. } => f(name),
            Expr::IndexedPart { net, index, .. } => {
                f(net);
                index.for_each_net(f);
            }
            Expr::Unary { arg, .. } => arg.for_each_net(f),
            Expr::Binary { left, right, .. } => {
                left.for_each_net(f);
                right.for_each_net(f);
            }
            Expr::Select { select, then, otherwise, .. } => {
                [select, then, otherwise].into_iter().for_each(|e| e.for_each_net(f));
            }
            Expr::Concat(parts) => parts.iter().for_each(|p| p.for_each_net(f)),
            Expr::Literal { .. } | Expr::Number(_) => {}
        }
    }
}

/// What an assignment writes: bits `offset .. offset + width` of `net`, or that many bits from `index` on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub net: String,
    pub net_width: usize,
    pub offset: usize,
    pub width: usize,
    pub index: Option<Expr>,
}

impl Target {
    pub fn is_whole(&self) -> bool {
        self.index.is_none() && self.width == self.net_width
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Assign { target: Target, value: Expr },
    If { test: Expr, then: Vec<Statement>, otherwise: Vec<Statement> },
    Case { subject: Expr, arms: Vec<(Expr, Vec<Statement>)>, default: Option<Vec<Statement>> },
    Comment(String),
}

impl Statement {
    /// Calls `f` with every assignment in it.
    pub fn for_each_assignment<'a>(&'a self, f: &mut impl FnMut(&'a Target, &'a Expr)) {
        match self {
            Statement::Assign { target, value } => f(target, value),
            Statement::If { then, otherwise, .. } => {
                then.iter().chain(otherwise).for_each(|s| s.for_each_assignment(f));
            }
            Statement::Case { arms, default, .. } => {
                arms.iter().flat_map(|(_, s)| s).chain(default.iter().flatten()).for_each(|s| s.for_each_assignment(f));
            }
            Statement::Comment(_) => {}
        }
    }

    /// Calls `f` with the name of every net that it reads.
    pub fn for_each_read(&self, f: &mut impl FnMut(&str)) {
        match self {
            Statement::Assign { target, value } => {
                value.for_each_net(f);
                if let Some(index) = &target.index {
                    index.for_each_net(f);
                }
            }
            Statement::If { test, then, otherwise } => {
                test.for_each_net(f);
                then.iter().chain(otherwise).for_each(|s| s.for_each_read(f));
            }
            Statement::Case { subject, arms, default } => {
                subject.for_each_net(f);
                arms.iter().for_each(|(label, _)| label.for_each_net(f));
                arms.iter().flat_map(|(_, s)| s).chain(default.iter().flatten()).for_each(|s| s.for_each_read(f));
            }
            Statement::Comment(_) => {}
        }
    }
}

/// A memory array: `depth` words of `width` bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    pub name: String,
    pub depth: usize,
    pub width: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    pub name: String,
    pub width: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    pub name: String,
    pub width: usize,
    pub hex: String,
}

/// A child module: `module` is its place in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub name: String,
    pub module: usize,
    pub pins: Vec<Pin>,
}

/// Connection of a child's port; `value` is a plain net for an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    pub port: Port,
    pub value: Expr,
}

/// A register bank of one clock: `<name>_q` takes `d` at the edge, or `reset_value` while `reset` is high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    pub q: String,
    pub width: usize,
    pub clock: Expr,
    pub d: Expr,
    pub enable: Option<Expr>,
    pub reset: Option<(Expr, Expr)>,
}

/// What a module does beside instantiating children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Groups of statements; each group drives its nets alone.
    Logic(Vec<Vec<Statement>>),
    /// Verilog that the block wrote itself.
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub ports: Vec<Port>,
    pub constants: Vec<Constant>,
    pub nets: Vec<Net>,
    pub registers: Vec<Register>,
    pub instances: Vec<Instance>,
    pub memories: Vec<Memory>,
    pub body: Body,
}

impl Module {
    /// Calls `f` with the name of every net and constant that is read: by statements, children and registers.
    pub fn for_each_read(&self, mut f: impl FnMut(&str)) {
        if let Body::Logic(groups) = &self.body {
            groups.iter().flatten().for_each(|s| s.for_each_read(&mut f));
        }
        let inputs = self.instances.iter().flat_map(|i| &i.pins).filter(|p| p.port.direction == Direction::Input);
        inputs.for_each(|p| p.value.for_each_net(&mut f));
        for register in &self.registers {
            let reset = register.reset.iter().map(|(reset, _)| reset);
            let pins = [&register.clock, &register.d].into_iter().chain(&register.enable).chain(reset);
            pins.for_each(|e| e.for_each_net(&mut f));
        }
    }

    /// Whether it has flip-flops of its own.
    pub fn has_registers(&self) -> bool {
        let clocked = matches!(&self.body, Body::Text(text) if text.contains("posedge"));
        clocked || !self.registers.is_empty()
    }
}
