//! Signals that a kernel does not assign on every path.

use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Expr, Member, Stmt};

/// Lines of assignments to signals that keep their value on some path.
pub fn lines(kernel: &syn::Block) -> Vec<usize> {
    let mut walk = Walk::default();
    let assigned = walk.block(kernel, &BTreeSet::new());
    let unassigned = walk.conditional.into_iter().filter(|(name, _)| !assigned.contains(name));
    let mut seen = BTreeSet::new();
    unassigned.filter(|(name, _)| seen.insert(name.clone())).map(|(_, line)| line).collect()
}

type Names = BTreeSet<String>;

#[derive(Default)]
struct Walk {
    /// Assignments in a branch without one before.
    conditional: Vec<(String, usize)>,
}

impl Walk {
    /// Names that are surely assigned after the block, if `before` is before.
    fn block(&mut self, block: &syn::Block, before: &Names) -> Names {
        let mut assigned = before.clone();
        for statement in &block.stmts {
            match statement {
                Stmt::Expr(e, _) => self.expression(e, &mut assigned),
                Stmt::Macro(m) => setup(&m.mac, &mut assigned),
                _ => {}
            }
        }
        assigned
    }

    fn expression(&mut self, e: &Expr, assigned: &mut Names) {
        match e {
            Expr::Assign(a) => {
                let name = target(&a.left);
                if !assigned.contains(&name) {
                    self.conditional.push((name.clone(), a.span().start().line));
                }
                assigned.insert(name);
            }
            Expr::Macro(m) => setup(&m.mac, assigned),
            Expr::ForLoop(f) => *assigned = self.block(&f.body, assigned),
            Expr::Block(b) => *assigned = self.block(&b.block, assigned),
            Expr::If(i) => {
                let then = self.block(&i.then_branch, assigned);
                let mut otherwise = assigned.clone();
                if let Some((_, e)) = &i.else_branch {
                    self.expression(e, &mut otherwise);
                }
                *assigned = then.intersection(&otherwise).cloned().collect();
            }
            Expr::Match(m) => {
                let arms = m.arms.iter().map(|arm| {
                    let mut names = assigned.clone();
                    self.expression(&arm.body, &mut names);
                    names
                });
                let common = arms.reduce(|a, b| a.intersection(&b).cloned().collect());
                // Without a last arm for the rest, RustHDL prints a case statement that may do nothing.
                let exhaustive = m.arms.iter().any(|arm| matches!(arm.pat, syn::Pat::Wild(_)));
                if let (Some(common), true) = (common, exhaustive) {
                    *assigned = common;
                }
            }
            _ => {}
        }
    }
}

/// `dff_setup!` assigns clock and input of registers, `clock!` the clock.
fn setup(mac: &syn::Macro, assigned: &mut Names) {
    let name = mac.path.get_ident().map(ToString::to_string).unwrap_or_default();
    let arguments = mac.tokens.to_string().replace(' ', "");
    for register in arguments.split(',').skip(2).filter(|r| !r.is_empty()) {
        assigned.insert(format!("self.{register}.clock.next"));
        if name == "dff_setup" {
            assigned.insert(format!("self.{register}.d.next"));
        }
    }
}

/// `self.bank[i].push.next` as text.
fn target(e: &Expr) -> String {
    match e {
        Expr::Field(f) => match &f.member {
            Member::Named(name) => format!("{}.{name}", target(&f.base)),
            Member::Unnamed(place) => format!("{}.{}", target(&f.base), place.index),
        },
        Expr::Index(i) => format!("{}[{}]", target(&i.expr), target(&i.index)),
        Expr::Path(p) => p.path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("::"),
        Expr::Paren(p) => target(&p.expr),
        other => format!("{other:?}"),
    }
}
