//! From RustHDL's syntax tree of a kernel to sized statements.
//!
//! RustHDL's own printer loses operator precedence and the width of literals; here every expression keeps the
//! width that it has in Rust, loops are unrolled, and array elements get their names (`id[i]` in pass 3 is `id_3`).

use crate::error::{Error, Result};
use crate::ir::{Expr, Statement, Target};
use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogExpression as Ast, VerilogLiteral, VerilogOp, VerilogOpUnary,
    VerilogStatement,
};
use std::collections::BTreeMap;

/// Lowers the kernel of one block.
pub struct Kernel<'a> {
    /// Where errors point.
    pub block: &'a str,
    /// Verilog name and width of each signal, by RustHDL's name (`$` between the parts).
    pub signals: &'a BTreeMap<String, (String, usize)>,
    /// Name and width of each enumeration value, by RustHDL's name (`Type$Variant`).
    pub variants: &'a BTreeMap<String, (String, usize)>,
    loops: Vec<(String, i128)>,
}

impl<'a> Kernel<'a> {
    pub fn new(
        block: &'a str,
        signals: &'a BTreeMap<String, (String, usize)>,
        variants: &'a BTreeMap<String, (String, usize)>,
    ) -> Self {
        Kernel { block, signals, variants, loops: vec![] }
    }

    fn error<T>(&self, problem: impl Into<String>) -> Result<T> {
        Err(Error::design(self.block, problem))
    }

    pub fn statements(&mut self, block: &VerilogBlock) -> Result<Vec<Statement>> {
        let mut out = vec![];
        for statement in block {
            self.statement(statement, &mut out)?;
        }
        Ok(out)
    }

    fn statement(&mut self, statement: &VerilogStatement, out: &mut Vec<Statement>) -> Result<()> {
        match statement {
            VerilogStatement::Assignment(target, value) => {
                let (name, width) = self.target_net(target)?;
                if let Some((offset, bit)) = self.own_bit(&name, width, value)? {
                    let target = Target { net: name, net_width: width, offset, width: 1, index: None };
                    out.push(Statement::Assign { target, value: bit });
                    return Ok(());
                }
                let value = self.sized(value, width)?;
                let target = Target { net: name, net_width: width, offset: 0, width, index: None };
                out.push(Statement::Assign { target, value });
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let (net, net_width) = self.target_net(base)?;
                let value = self.sized(replacement, *width)?;
                let (offset, index) = match self.constant(offset) {
                    Some(o) => (self.position(o, *width, net_width, &net)?, None),
                    None => (0, Some(self.expression(offset, None)?)),
                };
                let target = Target { net, net_width, offset, width: *width, index };
                out.push(Statement::Assign { target, value });
            }
            VerilogStatement::If(c) => {
                let test = self.sized(&c.test, 1)?;
                let then = self.statements(&c.then)?;
                let otherwise = match &c.otherwise {
                    VerilogBlockOrConditional::Block(block) => self.statements(block)?,
                    VerilogBlockOrConditional::Conditional(next) => self.statements(&vec![(**next).clone()])?,
                    VerilogBlockOrConditional::None => vec![],
                };
                out.push(Statement::If { test, then, otherwise });
            }
            VerilogStatement::Match(m) => {
                let subject = self.expression(&m.test, None)?;
                let (mut arms, mut default) = (vec![], None);
                for case in &m.cases {
                    let body = self.statements(&case.block)?;
                    match case.condition.as_str() {
                        "default" => default = Some(body),
                        label => arms.push((self.label(label, subject.width())?, body)),
                    }
                }
                out.push(Statement::Case { subject, arms, default });
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
            VerilogStatement::Comment(text) => out.push(Statement::Comment(text.clone())),
            VerilogStatement::Link(_) => return self.error("`link` and `join` are not supported: assign the signals"),
        }
        Ok(())
    }

    /// `x = x.replace_bit(3, b)` writes one bit of `x`: its place, and `b`.
    fn own_bit(&mut self, name: &str, width: usize, value: &Ast) -> Result<Option<(usize, Expr)>> {
        let Ast::IndexReplace(base, index, bit) = value else { return Ok(None) };
        let own = self.expression(base, Some(width))? == Expr::net(name, width);
        match self.constant(index) {
            Some(i) if own => Ok(Some((self.position(i, 1, width, name)?, self.sized(bit, 1)?))),
            _ => Ok(None),
        }
    }

    fn label(&self, label: &str, width: usize) -> Result<Expr> {
        if let Some((name, width)) = self.variants.get(label) {
            return Ok(Expr::net(name, *width));
        }
        match parse_number(label) {
            Some(value) => self.literal(value, width),
            None => self.error(format!("`match` has a case {label} that is neither a number nor an enumeration value")),
        }
    }

    /// Lowers to exactly `width` bits, or says why not.
    fn sized(&mut self, ast: &Ast, width: usize) -> Result<Expr> {
        let e = self.expression(ast, Some(width))?;
        if e.width() != width {
            return self.error(format!("{ast:?} has {} bits where {width} are needed", e.width()));
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
        if reduces && arg.width() == 1 {
            return Ok(arg);
        }
        if let (VerilogOpUnary::Not, Expr::Unary { op: "|", arg, .. }) = (op, &arg) {
            let zero = Box::new(Expr::zero(arg.width()));
            return Ok(Expr::Binary { op: "==", left: arg.clone(), right: zero, width: 1 });
        }
        let width = if reduces { 1 } else { arg.width() };
        let op = match op {
            VerilogOpUnary::Not if width == 1 => "!",
            VerilogOpUnary::Not => "~",
            VerilogOpUnary::Neg => "-",
            VerilogOpUnary::All => "&",
            VerilogOpUnary::Any => "|",
            VerilogOpUnary::Xor => "^",
        };
        Ok(Expr::Unary { op, arg: Box::new(arg), width })
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
                Some(Ok(amount)) => Expr::Number(amount),
                Some(Err(_)) => return self.error("shift by a negative amount"),
                None => self.expression(right, None)?,
            };
            (left, right)
        } else {
            self.operands(left, right, if compares { None } else { want })?
        };
        let width = if compares { 1 } else { left.width() };
        Ok(Expr::Binary { op: op_text, left: Box::new(left), right: Box::new(right), width })
    }

    /// Both sides of an operator that wants equal widths; a bare number takes the width of the other side.
    fn operands(&mut self, left: &Ast, right: &Ast, want: Option<usize>) -> Result<(Expr, Expr)> {
        let (l, r) = if self.constant(left).is_some() {
            let r = self.expression(right, want)?;
            (self.expression(left, Some(r.width()))?, r)
        } else {
            let l = self.expression(left, want)?;
            let width = l.width();
            (l, self.expression(right, Some(width))?)
        };
        if l.width() != r.width() {
            return self.error(format!("{left:?} has {} bits, {right:?} has {}", l.width(), r.width()));
        }
        Ok((l, r))
    }

    fn part(&mut self, base: &Ast, width: usize, offset: &Ast) -> Result<Expr> {
        let Expr::Net { name: net, width: net_width } = self.expression(base, None)? else {
            return self.error(format!("bits of an expression, {base:?}: assign it to a Local first"));
        };
        match self.constant(offset) {
            Some(_) if net_width == width => Ok(Expr::net(net, width)),
            Some(o) => {
                let offset = self.position(o, width, net_width, &net)?;
                Ok(Expr::Part { net, offset, width })
            }
            None if net_width == 1 => self.error(format!("{net} has one bit and cannot be indexed")),
            None => {
                let index = self.expression(offset, None)?;
                Ok(Expr::IndexedPart { net, index: Box::new(index), width })
            }
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
        let width = base.width();
        let index = match self.constant(index) {
            Some(i) => Expr::Number(self.position(i, 1, width, "replace_bit")?),
            None => self.expression(index, None)?,
        };
        let binary = |op, left, right| Expr::Binary { op, left: Box::new(left), right: Box::new(right), width };
        let one = binary("<<", self.literal(1, width)?, index.clone());
        let cleared = binary("&", base, Expr::Unary { op: "~", arg: Box::new(one), width });
        let placed = binary("<<", self.resize(bit, width)?, index);
        Ok(binary("|", cleared, placed))
    }

    fn resize(&self, e: Expr, width: usize) -> Result<Expr> {
        let from = e.width();
        match e {
            e if from == width => Ok(e),
            e if from < width => Ok(Expr::Concat(vec![Expr::zero(width - from), e])),
            Expr::Net { name, .. } => Ok(Expr::Part { net: name, offset: 0, width }),
            Expr::Part { net, offset, .. } => Ok(Expr::Part { net, offset, width }),
            Expr::IndexedPart { net, index, .. } => Ok(Expr::IndexedPart { net, index, width }),
            _ => self.error(format!("a cast from {from} to {width} bits: assign the operand to a Local first")),
        }
    }

    fn literal(&self, value: i128, width: usize) -> Result<Expr> {
        if value < 0 || (width < 127 && value >> width != 0) {
            return self.error(format!("{value} does not fit {width} bits"));
        }
        Ok(Expr::Literal { hex: format!("{value:x}"), width })
    }

    fn signal(&self, name: &str) -> Result<Expr> {
        let name = self.resolve(name)?;
        if let Some((variant, width)) = self.variants.get(&name) {
            return Ok(Expr::net(variant, *width));
        }
        match self.signals.get(&name) {
            Some((net, width)) => Ok(Expr::net(net, *width)),
            None => self.error(format!("{name} is no signal of this block")),
        }
    }

    fn target_net(&self, ast: &Ast) -> Result<(String, usize)> {
        let Ast::Signal(name) = ast else { return self.error(format!("cannot assign to {ast:?}")) };
        match self.signal(name)? {
            Expr::Net { name, width } => Ok((name, width)),
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
