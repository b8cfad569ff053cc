//! Functions that can call themselves, directly or by way of others.

use std::collections::{HashMap, HashSet};

use super::super::ast::{Function, Statement, Targets};
use super::super::symbols::Symbols;
use super::call::{called, fitting, is_indirect};

/// Names of the device functions that can run more than once at a time in one thread.
pub(super) fn recursive(symbols: &Symbols) -> HashSet<&str> {
    let functions: Vec<_> = symbols.device_functions().collect();
    let callees: HashMap<_, _> = functions.iter().map(|f| (f.name.as_str(), callees(symbols, f))).collect();
    let calls_itself = |name: &&str| {
        let mut seen = HashSet::new();
        let mut open = callees[name].clone();
        while let Some(callee) = open.pop() {
            if seen.insert(callee) {
                open.extend(callees.get(callee).into_iter().flatten());
            }
        }
        seen.contains(name)
    };
    functions.iter().map(|f| f.name.as_str()).filter(calls_itself).collect()
}

/// Functions that a function may call. A call through a register may reach all that its prototype fits.
fn callees<'m>(symbols: &'m Symbols, function: &'m Function) -> Vec<&'m str> {
    let mut calls = Calls::default();
    calls.visit(function.body.as_deref().unwrap_or_default());
    let mut callees = calls.direct;
    for targets in calls.targets.into_iter().filter(|_| calls.indirect) {
        match targets {
            Targets::Call(names) => callees.extend(names.iter().map(String::as_str)),
            Targets::Prototype { returns, params } => {
                callees.extend(fitting(symbols, returns, params).map(|f| f.name.as_str()));
            }
            Targets::Branch(_) => {}
        }
    }
    callees
}

/// The calls of a function.
#[derive(Default)]
struct Calls<'m> {
    direct: Vec<&'m str>,
    /// There is a call through a register, which may reach these.
    indirect: bool,
    targets: Vec<&'m Targets>,
}

impl<'m> Calls<'m> {
    fn visit(&mut self, body: &'m [Statement]) {
        for statement in body {
            match statement {
                Statement::Instruction(call) if call.opcode == "call" => {
                    self.indirect |= is_indirect(call);
                    self.direct.extend(called(call));
                }
                Statement::Targets { targets, .. } => self.targets.push(targets),
                Statement::Block(inner) => self.visit(inner),
                _ => {}
            }
        }
    }
}
