//! From RustHDL's syntax tree of a kernel to sized statements.
//!
//! RustHDL's own printer loses operator precedence and the width of literals; here every expression keeps the
//! width that it has in Rust, loops are unrolled, and array elements get their names (`id[i]` in pass 3 is `id_3`).

use crate::error::{Error, Result};
use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogExpression as Ast, VerilogLiteral, VerilogOp, VerilogOpUnary,
    VerilogStatement,
};
use std::collections::BTreeMap;
use verilog::tree::{Expr, Item, Linear, Shapes};

/// Lowers the kernel of one block.
pub struct Kernel<'a> {
    /// Where errors point.
    block: &'a str,
    /// Verilog name of each signal, by RustHDL's name (`$` between the parts).
    signals: &'a BTreeMap<String, String>,
    /// Name of each enumeration value, by RustHDL's name (`Type$Variant`).
    variants: &'a BTreeMap<String, String>,
    /// Shapes of all these.
    shapes: &'a Shapes,
    loops: Vec<(String, i128)>,
}

impl<'a> Kernel<'a> {
    pub fn new(
        block: &'a str,
        signals: &'a BTreeMap<String, String>,
        variants: &'a BTreeMap<String, String>,
        shapes: &'a Shapes,
    ) -> Self {
        Kernel { block, signals, variants, shapes, loops: vec![] }
    }

    /// Bits; those of a plain number are as many as it may take.
    fn width(&self, e: &Expr) -> usize {
        e.width(self.shapes).unwrap_or(32)
    }

    /// Bits of a net from `at` on.
    fn bits(&self, net: &str, at: usize, width: usize) -> Expr {
        Expr::part(net, Linear::new(at as i64), width, self.shapes)
    }

    fn error<T>(&self, problem: impl Into<String>) -> Result<T> {
        Err(Error::design(self.block, problem))
    }

    pub fn statements(&mut self, block: &VerilogBlock) -> Result<Vec<Item>> {
        let mut out = vec![];
        for statement in block {
            self.statement(statement, &mut out)?;
        }
        Ok(out)
    }

    fn statement(&mut self, statement: &VerilogStatement, out: &mut Vec<Item>) -> Result<()> {
        match statement {
            VerilogStatement::Assignment(target, value) => {
                let (name, width) = self.target_net(target)?;
                out.push(match self.own_bit(&name, width, value)? {
                    Some((offset, bit)) => Item::Blocking(self.bits(&name, offset, 1), bit),
                    None => Item::Blocking(Expr::Net(name), self.sized(value, width)?),
                });
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let (net, net_width) = self.target_net(base)?;
                let value = self.sized(replacement, *width)?;
                let target = match self.constant(offset) {
                    Some(o) => self.bits(&net, self.position(o, *width, net_width, &net)?, *width),
                    None => indexed(net, self.expression(offset, None)?, *width),
                };
                out.push(Item::Blocking(target, value));
            }
            VerilogStatement::If(c) => {
                let test = self.sized(&c.test, 1)?;
                let then = self.statements(&c.then)?;
                let otherwise = match &c.otherwise {
                    VerilogBlockOrConditional::Block(block) => self.statements(block)?,
                    VerilogBlockOrConditional::Conditional(next) => self.statements(&vec![(**next).clone()])?,
                    VerilogBlockOrConditional::None => vec![],
                };
                out.push(Item::If(test, then, otherwise));
            }
            VerilogStatement::Match(m) => {
                let subject = self.expression(&m.test, None)?;
                let (mut arms, mut default) = (vec![], None);
                let width = self.width(&subject);
                for case in &m.cases {
                    let body = self.statements(&case.block)?;
                    match case.condition.as_str() {
                        "default" => default = Some((None, body)),
                        label => arms.push((Some(self.label(label, width)?), body)),
                    }
                }
                arms.extend(default);
                out.push(Item::Case(subject, arms));
            }
            VerilogStatement::Loop(l) => {
                let bounds = (literal_value(&l.from), literal_value(&l.to));
                let (Some(from), Some(to)) = bounds else { return self.error("loop bounds are no numbers") };
                if self.signals.contains_key(&l.index) {
                    return self.error(format!("loop variable {} has the name of a signal", l.index));
                }
                for i in from..to {
                    self.loops.push((l.index.clone(), i));
                    let pass = self.statements(&l.block);
                    self.loops.pop();
                    out.extend(pass?);
                }
            }
            VerilogStatement::Macro(block) => out.extend(self.statements(block)?),
            VerilogStatement::Comment(text) => out.push(Item::Comment(text.trim().into())),
            VerilogStatement::Link(_) => return self.error("`link` and `join` are not supported: assign the signals"),
        }
        Ok(())
    }

    /// `x = x.replace_bit(3, b)` writes one bit of `x`: its place, and `b`.
    fn own_bit(&mut self, name: &str, width: usize, value: &Ast) -> Result<Option<(usize, Expr)>> {
        let Ast::IndexReplace(base, index, bit) = value else { return Ok(None) };
        let own = self.expression(base, Some(width))? == Expr::Net(name.into());
        match self.constant(index) {
            Some(i) if own => Ok(Some((self.position(i, 1, width, name)?, self.sized(bit, 1)?))),
            _ => Ok(None),
        }
    }

    fn label(&self, label: &str, width: usize) -> Result<Expr> {
        if let Some(name) = self.variants.get(label) {
            return Ok(Expr::Net(name.clone()));
        }
        match parse_number(label) {
            Some(value) => self.literal(value, width),
            None => self.error(format!("`match` has a case {label} that is neither a number nor an enumeration value")),
        }
    }

    /// Lowers to exactly `width` bits, or says why not.
    fn sized(&mut self, ast: &Ast, width: usize) -> Result<Expr> {
        let e = self.expression(ast, Some(width))?;
        if self.width(&e) != width {
            return self.error(format!("{ast:?} has {} bits where {width} are needed", self.width(&e)));
        }
        Ok(e)
    }

    /// `want` is the width that a bare number takes.
    fn expression(&mut self, ast: &Ast, want: Option<usize>) -> Result<Expr> {
        if let Some(value) = self.constant(ast) {
            return match want {
                Some(width) => self.literal(value, width),
                None => self.error(format!("the number {value} has no width here: put it into a Local or a Constant")),
            };
        }
        match ast {
            Ast::Paren(inner) | Ast::Unsigned(inner) => self.expression(inner, want),
            Ast::Signal(name) => self.signal(name),
            Ast::Literal(_) => self.error("a number that does not fit 127 bits: put it into a Constant"),
            Ast::Cast(inner, bits) => {
                let inner = self.expression(inner, Some(*bits))?;
                self.resize(inner, *bits)
            }
            Ast::Signed(_) => self.error("signed arithmetic is not supported: use Bits"),
            Ast::Unary(op, arg) => self.unary(op, arg, want),
            Ast::Binary(left, op, right) => self.binary(left, op, right, want),
            Ast::Index(base, index) => self.part(base, 1, index),
            Ast::Slice(base, width, offset) => self.part(base, *width, offset),
            Ast::IndexReplace(base, index, bit) => self.replace_bit(base, index, bit, want),
        }
    }

    fn unary(&mut self, op: &VerilogOpUnary, arg: &Ast, want: Option<usize>) -> Result<Expr> {
        let reduces = !matches!(op, VerilogOpUnary::Not | VerilogOpUnary::Neg);
        let arg = self.expression(arg, if reduces { None } else { want })?;
        let width = self.width(&arg);
        if reduces && width == 1 {
            return Ok(arg);
        }
        if let (VerilogOpUnary::Not, Expr::Unary("|", arg)) = (op, &arg) {
            return Ok(Expr::binary("==", (**arg).clone(), Expr::number(self.width(arg), 0)));
        }
        let op = match op {
            VerilogOpUnary::Not if width == 1 => "!",
            VerilogOpUnary::Not => "~",
            VerilogOpUnary::Neg => "-",
            VerilogOpUnary::All => "&",
            VerilogOpUnary::Any => "|",
            VerilogOpUnary::Xor => "^",
        };
        Ok(Expr::unary(op, arg))
    }

    fn binary(&mut self, left: &Ast, op: &VerilogOp, right: &Ast, want: Option<usize>) -> Result<Expr> {
        let op_text = match op {
            VerilogOp::Add => "+",
            VerilogOp::Sub => "-",
            VerilogOp::Mul => return self.error("multiplication is not supported in a kernel"),
            VerilogOp::LogicalAnd => "&&",
            VerilogOp::LogicalOr => "||",
            VerilogOp::BitXor => "^",
            VerilogOp::BitAnd => "&",
            VerilogOp::BitOr => "|",
            VerilogOp::Shl => "<<",
            VerilogOp::Shr => ">>",
            VerilogOp::Eq => "==",
            VerilogOp::Lt => "<",
            VerilogOp::Le => "<=",
            VerilogOp::Ne => "!=",
            VerilogOp::Ge => ">=",
            VerilogOp::Gt => ">",
        };
        let compares = matches!(op_text, "==" | "<" | "<=" | "!=" | ">=" | ">");
        let (left, right) = if matches!(op_text, "<<" | ">>") {
            let left = self.expression(left, want)?;
            let right = match self.constant(right).map(usize::try_from) {
                Some(Ok(amount)) => plain(amount),
                Some(Err(_)) => return self.error("shift by a negative amount"),
                None => self.expression(right, None)?,
            };
            (left, right)
        } else {
            self.operands(left, right, if compares { None } else { want })?
        };
        Ok(Expr::binary(op_text, left, right))
    }

    /// Both sides of an operator that wants equal widths; a bare number takes the width of the other side.
    fn operands(&mut self, left: &Ast, right: &Ast, want: Option<usize>) -> Result<(Expr, Expr)> {
        let (l, r) = if self.constant(left).is_some() {
            let r = self.expression(right, want)?;
            (self.expression(left, Some(self.width(&r)))?, r)
        } else {
            let l = self.expression(left, want)?;
            let width = self.width(&l);
            (l, self.expression(right, Some(width))?)
        };
        if self.width(&l) != self.width(&r) {
            return self.error(format!("{left:?} has {} bits, {right:?} has {}", self.width(&l), self.width(&r)));
        }
        Ok((l, r))
    }

    fn part(&mut self, base: &Ast, width: usize, offset: &Ast) -> Result<Expr> {
        let Expr::Net(net) = self.expression(base, None)? else {
            return self.error(format!("bits of an expression, {base:?}: assign it to a Local first"));
        };
        let net_width = self.shapes[&net].bits();
        match self.constant(offset) {
            Some(_) if net_width == width => Ok(Expr::Net(net)),
            Some(o) => Ok(self.bits(&net, self.position(o, width, net_width, &net)?, width)),
            None if net_width == 1 => self.error(format!("{net} has one bit and cannot be indexed")),
            None => Ok(indexed(net, self.expression(offset, None)?, width)),
        }
    }

    fn position(&self, offset: i128, width: usize, net_width: usize, net: &str) -> Result<usize> {
        match usize::try_from(offset) {
            Ok(o) if o + width <= net_width => Ok(o),
            _ => self.error(format!("bits {offset} to {} of {net}, which has {net_width}", offset + width as i128 - 1)),
        }
    }

    /// `(base & ~(1 << index)) | (bit << index)`
    fn replace_bit(&mut self, base: &Ast, index: &Ast, bit: &Ast, want: Option<usize>) -> Result<Expr> {
        let base = self.expression(base, want)?;
        let bit = self.sized(bit, 1)?;
        let width = self.width(&base);
        let index = match self.constant(index) {
            Some(i) => plain(self.position(i, 1, width, "replace_bit")?),
            None => self.expression(index, None)?,
        };
        let one = Expr::binary("<<", self.literal(1, width)?, index.clone());
        let cleared = Expr::binary("&", base, Expr::unary("~", one));
        let placed = Expr::binary("<<", self.resize(bit, width)?, index);
        Ok(Expr::binary("|", cleared, placed))
    }

    fn resize(&self, e: Expr, width: usize) -> Result<Expr> {
        let from = self.width(&e);
        match e {
            e if from == width => Ok(e),
            e if from < width => Ok(Expr::Concat(vec![Expr::number(width - from, 0), e])),
            Expr::Net(name) => Ok(self.bits(&name, 0, width)),
            Expr::Part { net, at, index, .. } => Ok(Expr::Part { net, at, index, width }),
            _ => self.error(format!("a cast from {from} to {width} bits: assign the operand to a Local first")),
        }
    }

    fn literal(&self, value: i128, width: usize) -> Result<Expr> {
        if value < 0 || (width < 127 && value >> width != 0) {
            return self.error(format!("{value} does not fit {width} bits"));
        }
        Ok(Expr::literal(width, &format!("{value:x}")))
    }

    fn signal(&self, name: &str) -> Result<Expr> {
        let name = self.resolve(name)?;
        match self.variants.get(&name).or_else(|| self.signals.get(&name)) {
            Some(net) => Ok(Expr::Net(net.clone())),
            None => self.error(format!("{name} is no signal of this block")),
        }
    }

    fn target_net(&self, ast: &Ast) -> Result<(String, usize)> {
        let Ast::Signal(name) = ast else { return self.error(format!("cannot assign to {ast:?}")) };
        match self.signal(name)? {
            Expr::Net(net) => {
                let width = self.shapes[&net].bits();
                Ok((net, width))
            }
            _ => self.error(format!("cannot assign to {name}")),
        }
    }

    /// `bank[i+1]$push$next` in the pass with i = 2 is `bank$3$push`.
    fn resolve(&self, name: &str) -> Result<String> {
        let mut out = String::new();
        let mut rest = name.strip_suffix("$next").unwrap_or(name);
        while let Some((head, tail)) = rest.split_once('[') {
            let Some(end) = closing(tail) else { return self.error(format!("{name}: `]` is missing")) };
            let Some(index) = self.index(&tail[..end]) else {
                return self.error(format!("{name}: the index {} is no number while elaborating", &tail[..end]));
            };
            out.push_str(&format!("{head}${index}"));
            rest = &tail[end + 1..];
        }
        Ok(out + rest)
    }

    fn index(&self, text: &str) -> Option<i128> {
        self.evaluate(&syn::parse_str(text).ok()?)
    }

    /// Integer arithmetic with Rust's meaning.
    fn evaluate(&self, e: &syn::Expr) -> Option<i128> {
        match e {
            syn::Expr::Lit(l) => match &l.lit {
                syn::Lit::Int(i) => i.base10_parse().ok(),
                _ => None,
            },
            syn::Expr::Path(p) => self.loop_value(&p.path.get_ident()?.to_string()),
            syn::Expr::Paren(p) => self.evaluate(&p.expr),
            syn::Expr::Binary(b) => {
                let (l, r) = (self.evaluate(&b.left)?, self.evaluate(&b.right)?);
                match b.op {
                    syn::BinOp::Add(_) => l.checked_add(r),
                    syn::BinOp::Sub(_) => l.checked_sub(r),
                    syn::BinOp::Mul(_) => l.checked_mul(r),
                    syn::BinOp::Div(_) => l.checked_div(r),
                    syn::BinOp::Rem(_) => l.checked_rem(r),
                    syn::BinOp::BitXor(_) => Some(l ^ r),
                    syn::BinOp::BitAnd(_) => Some(l & r),
                    syn::BinOp::BitOr(_) => Some(l | r),
                    syn::BinOp::Shl(_) => l.checked_shl(u32::try_from(r).ok()?),
                    syn::BinOp::Shr(_) => l.checked_shr(u32::try_from(r).ok()?),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn loop_value(&self, name: &str) -> Option<i128> {
        self.loops.iter().rev().find(|(n, _)| n == name).map(|(_, v)| *v)
    }

    /// Value of an expression of numbers and loop variables alone.
    fn constant(&self, ast: &Ast) -> Option<i128> {
        match ast {
            Ast::Literal(l) => literal_value(l),
            Ast::Signal(name) if !self.signals.contains_key(name) => self.loop_value(name),
            Ast::Paren(inner) => self.constant(inner),
            Ast::Binary(l, op, r) => {
                let (l, r) = (self.constant(l)?, self.constant(r)?);
                match op {
                    VerilogOp::Add => l.checked_add(r),
                    VerilogOp::Sub => l.checked_sub(r),
                    VerilogOp::Mul => l.checked_mul(r),
                    VerilogOp::BitXor => Some(l ^ r),
                    VerilogOp::BitAnd => Some(l & r),
                    VerilogOp::BitOr => Some(l | r),
                    VerilogOp::Shl => l.checked_shl(u32::try_from(r).ok()?),
                    VerilogOp::Shr => l.checked_shr(u32::try_from(r).ok()?),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn plain(number: usize) -> Expr {
    Expr::Number { width: None, value: Linear::new(number as i64) }
}

/// So many bits of a net from an index on.
fn indexed(net: String, index: Expr, width: usize) -> Expr {
    Expr::Part { net, at: Linear::new(0), index: Some((Box::new(index), 1)), width }
}

/// Place of the `]` that closes a bracket opened just before `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(i),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn literal_value(literal: &VerilogLiteral) -> Option<i128> {
    let text = format!("{literal:x}");
    i128::from_str_radix(text.rsplit("'h").next()?, 16).ok()
}

/// A number as Rust writes it (`7`, `0x1f`, `3_u32`).
fn parse_number(text: &str) -> Option<i128> {
    syn::parse_str::<syn::LitInt>(&text.replace(' ', "")).ok()?.base10_parse().ok()
}
