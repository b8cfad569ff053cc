//! The rules.

use crate::lint::latches;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};
use verilog::names::is_keyword;

pub const CAST: &str = "cast of an operation: RustHDL loses its width; assign it to a Local first";
pub const PRECEDENCE: &str = "different operators side by side: RustHDL prints no parentheses; write them";
pub const LITERAL: &str = "number inside a larger expression: it has 32 bits in Verilog; use a Local or a Constant";
pub const INDEX: &str = "array index: only loop variables and numbers with + - * / %, one index a path";
pub const GENERIC: &str = "const generic as a value: Verilog does not know it; use a Constant or a loop bound";
pub const BITS_OF_OPERATION: &str = "bits of an operation: Verilog can only index a name; assign it to a Local first";
pub const LOOP_NAME: &str = "loop variable with the name of a signal: RustHDL replaces both";
pub const LATCH: &str = "not assigned on every path: a latch; assign a default first";
pub const CONSTANT: &str = "kernel of constants alone: always @(*) never fires";
pub const JOIN: &str = "join or link: assign the signals";
pub const SIGNED: &str = "signed value: comparisons and extensions differ; use Bits";
pub const KEYWORD: &str = "field named like a Verilog keyword";

#[derive(Debug)]
pub struct Violation {
    pub rule: &'static str,
    pub line: usize,
}

pub struct Report {
    pub kernels: usize,
    pub violations: Vec<Violation>,
}

/// Checks all kernels and blocks of a source file.
pub fn check(source: &str) -> Report {
    let file = syn::parse_file(source).expect("the source parses");
    let mut finder = Finder::default();
    finder.visit_file(&file);
    Report { kernels: finder.kernels, violations: finder.violations }
}

fn has_attribute(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes.iter().any(|a| a.path().is_ident(name))
}

fn derives_block(item: &syn::ItemStruct) -> bool {
    item.attrs.iter().filter(|a| a.path().is_ident("derive")).any(|a| match &a.meta {
        syn::Meta::List(list) => {
            let derived = list.tokens.to_string();
            ["LogicBlock", "LogicInterface", "LogicStruct"].iter().any(|d| derived.contains(d))
        }
        _ => false,
    })
}

/// Finds blocks and kernels.
#[derive(Default)]
struct Finder {
    kernels: usize,
    fields: BTreeSet<String>,
    violations: Vec<Violation>,
}

impl<'a> Visit<'a> for Finder {
    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        if !derives_block(item) {
            return;
        }
        for name in item.fields.iter().filter_map(|f| f.ident.as_ref()) {
            if is_keyword(&name.to_string()) {
                self.violations.push(Violation { rule: KEYWORD, line: name.span().start().line });
            }
            self.fields.insert(name.to_string());
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        if !has_attribute(&function.attrs, "hdl_gen") {
            return;
        }
        self.kernels += 1;
        let mut kernel = Kernel { fields: &self.fields, loops: vec![], reads: false, violations: vec![] };
        kernel.visit_block(&function.block);
        if !kernel.reads && !function.block.stmts.is_empty() {
            kernel.found(CONSTANT, function.sig.ident.span());
        }
        self.violations.extend(kernel.violations);
        let latches = latches::lines(&function.block);
        self.violations.extend(latches.into_iter().map(|line| Violation { rule: LATCH, line }));
    }
}

struct Kernel<'f> {
    fields: &'f BTreeSet<String>,
    loops: Vec<String>,
    /// Some value depends on a signal.
    reads: bool,
    violations: Vec<Violation>,
}

impl Kernel<'_> {
    fn found(&mut self, rule: &'static str, span: proc_macro2::Span) {
        self.violations.push(Violation { rule, line: span.start().line });
    }

    /// A whole right-hand side or condition: the one place where an operation may have a number as operand.
    fn whole(&mut self, e: &Expr) {
        match bare(e) {
            Expr::Binary(b) => {
                self.operators(b);
                for side in [&b.left, &b.right] {
                    if !is_plain_number(side) {
                        self.visit_expr(side);
                    }
                }
            }
            e if is_number(e) => {}
            e => self.visit_expr(e),
        }
    }

    fn operators(&mut self, b: &syn::ExprBinary) {
        for side in [&b.left, &b.right] {
            if let Expr::Binary(inner) = &**side {
                let chain = inner.op == b.op && is_associative(&b.op);
                if !chain {
                    self.found(PRECEDENCE, b.span());
                }
            }
        }
    }

    /// Numbers, loop variables and arithmetic on them: elaborated away.
    fn is_elaborated(&self, e: &Expr) -> bool {
        match bare(e) {
            Expr::Lit(_) => true,
            Expr::Path(p) => p.path.get_ident().is_some_and(|i| self.loops.contains(&i.to_string())),
            Expr::Binary(b) => {
                let sound =
                    matches!(b.op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_));
                sound && self.is_elaborated(&b.left) && self.is_elaborated(&b.right)
            }
            _ => false,
        }
    }

    /// Bit numbers: elaborated, or a signal's value.
    fn bit_number(&mut self, e: &Expr) {
        if self.is_elaborated(e) {
            return;
        }
        let before = self.violations.len();
        self.visit_expr(e);
        self.only_generic_since(before, e);
    }

    /// If a const generic is among the reasons to complain about `e`, it is the one to name.
    fn only_generic_since(&mut self, before: usize, e: &Expr) -> bool {
        let generic = self.violations[before..].iter().any(|v| v.rule == GENERIC);
        if generic {
            self.violations.truncate(before);
            self.found(GENERIC, e.span());
        }
        generic
    }
}

fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => bare(&p.expr),
        Expr::Group(g) => bare(&g.expr),
        e => e,
    }
}

fn is_operation(e: &Expr) -> bool {
    matches!(bare(e), Expr::Binary(_) | Expr::Unary(_))
}

fn is_plain_number(e: &Expr) -> bool {
    matches!(bare(e), Expr::Lit(_))
}

/// `3`, `3.into()`, `bits::<4>(3)`
fn is_number(e: &Expr) -> bool {
    match bare(e) {
        Expr::Lit(_) => true,
        Expr::MethodCall(m) => (m.method == "into" || m.method == "to_bits") && is_number(&m.receiver),
        Expr::Call(c) => called(c) == "bits" && c.args.iter().all(is_number),
        _ => false,
    }
}

fn called(call: &syn::ExprCall) -> String {
    match &*call.func {
        Expr::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default(),
        _ => String::new(),
    }
}

fn is_associative(op: &BinOp) -> bool {
    matches!(op, BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_) | BinOp::And(_) | BinOp::Or(_) | BinOp::Add(_))
}

fn has_index(e: &Expr) -> bool {
    match e {
        Expr::Index(_) => true,
        Expr::Field(f) => has_index(&f.base),
        e => matches!(bare(e), Expr::Index(_)),
    }
}

impl<'a> Visit<'a> for Kernel<'_> {
    fn visit_expr_assign(&mut self, a: &'a syn::ExprAssign) {
        self.visit_expr(&a.left);
        self.whole(&a.right);
    }

    fn visit_expr_if(&mut self, i: &'a syn::ExprIf) {
        self.whole(&i.cond);
        self.visit_block(&i.then_branch);
        if let Some((_, otherwise)) = &i.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_match(&mut self, m: &'a syn::ExprMatch) {
        self.visit_expr(&m.expr);
        m.arms.iter().for_each(|arm| self.visit_expr(&arm.body));
    }

    fn visit_expr_for_loop(&mut self, f: &'a syn::ExprForLoop) {
        let name = match &*f.pat {
            syn::Pat::Ident(i) => i.ident.to_string(),
            _ => String::new(),
        };
        if self.fields.contains(&name) {
            self.found(LOOP_NAME, f.pat.span());
        }
        self.loops.push(name);
        self.visit_block(&f.body);
        self.loops.pop();
    }

    fn visit_expr_binary(&mut self, b: &'a syn::ExprBinary) {
        self.operators(b);
        if is_number(&b.left) || is_number(&b.right) {
            self.found(LITERAL, b.span());
        }
        for side in [&b.left, &b.right] {
            if !is_number(side) {
                self.visit_expr(side);
            }
        }
    }

    fn visit_expr_unary(&mut self, u: &'a syn::ExprUnary) {
        if is_number(&u.expr) {
            self.found(LITERAL, u.span());
        } else {
            self.visit_expr(&u.expr);
        }
    }

    fn visit_expr_index(&mut self, i: &'a syn::ExprIndex) {
        if has_index(&i.expr) {
            self.found(INDEX, i.span());
        } else if !self.is_elaborated(&i.index) {
            let before = self.violations.len();
            self.visit_expr(&i.index);
            if !self.only_generic_since(before, &i.index) {
                self.violations.truncate(before);
                self.found(INDEX, i.span());
            }
        }
        self.visit_expr(&i.expr);
    }

    fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
        match called(c).as_str() {
            "join" | "link" => {
                self.reads = true;
                return self.found(JOIN, c.span());
            }
            name if name.starts_with("signed") => self.found(SIGNED, c.span()),
            name if name.ends_with("bit_cast") && c.args.iter().any(is_operation) => self.found(CAST, c.span()),
            _ => {}
        }
        c.args.iter().for_each(|a| self.whole(a));
    }

    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        let name = m.method.to_string();
        match name.as_str() {
            "val" => self.reads = true,
            "to_signed_bits" => self.found(SIGNED, m.span()),
            "get_bit" | "get_bits" | "replace_bit" => {
                if is_operation(&m.receiver) {
                    self.found(BITS_OF_OPERATION, m.span());
                }
                let mut arguments = m.args.iter();
                if let Some(place) = arguments.next() {
                    self.bit_number(place);
                }
                arguments.for_each(|a| self.whole(a));
                return self.visit_expr(&m.receiver);
            }
            _ => {}
        }
        visit::visit_expr_method_call(self, m);
    }

    fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
        let Some(name) = p.path.get_ident().map(ToString::to_string) else { return };
        if name != "self" && !self.loops.contains(&name) {
            self.found(GENERIC, p.span());
        }
    }

    fn visit_macro(&mut self, _: &'a syn::Macro) {
        // dff_setup! and clock! read the registers and the clock.
        self.reads = true;
    }
}
