//! Calls of device functions. The parameters of a call are variables in the thread's local memory that the function knows by
//! other names; the function is decoded with these names bound to them.

use super::super::ast::{self, Function};
use super::super::module::Symbol;
use super::super::op::Op;
use super::instruction::Context;
use super::scope::{Binding, LabelId};
use super::{Decoder, Result};

/// A function to be decoded for one call of it.
pub(super) struct PendingCall<'m> {
    function: &'m Function,
    /// Names of its parameters and return values, and where the caller put them.
    names: Vec<(&'m str, Symbol)>,
    entry: LabelId,
    back: LabelId,
    callers: Vec<&'m str>,
}

impl<'m> Context<'_, 'm> {
    /// `call (returns), name, (params);` where both lists may be missing.
    pub fn call(&mut self) -> Result<Op> {
        self.modifiers.accept("uni");
        let operands = self.instruction.operands.as_slice();
        let (returns, rest) = match operands {
            [ast::Operand::Group(returns), rest @ ..] => (returns.as_slice(), rest),
            rest => (&[][..], rest),
        };
        let (name, params) = match rest {
            [ast::Operand::Name { name, .. }] => (name, &[][..]),
            [ast::Operand::Name { name, .. }, ast::Operand::Group(params)] => (name, params.as_slice()),
            _ => return Err(self.error("unsupported form of call")),
        };
        let module = self.decoder.module;
        let Some(function) = module.function(name) else {
            return Err(self.error(format!("unknown function `{name}` (calls through registers are not supported)")));
        };
        if function.body.is_none() {
            return Err(self.error(format!("function `{name}` is declared, but its code is not in this file")));
        }
        if self.decoder.callers.contains(&function.name.as_str()) {
            return Err(self.error(format!("function `{name}` calls itself: recursion is not supported")));
        }
        let mut names = self.bound(&function.returns, returns)?;
        names.extend(self.bound(&function.params, params)?);
        let (entry, back) = (self.decoder.new_label(), self.decoder.new_label());
        self.decoder.labels[back.0 as usize] = Some(self.decoder.code.len() as u32 + 1);
        let callers = self.decoder.callers.clone();
        self.decoder.pending.push(PendingCall { function, names, entry, back, callers });
        Ok(Op::Branch { target: entry.0 })
    }

    /// The function's own names for the caller's variables.
    fn bound(&self, formal: &'m [ast::Variable], actual: &[ast::Operand]) -> Result<Vec<(&'m str, Symbol)>> {
        if formal.len() != actual.len() {
            return Err(self.error(format!("{} values where the function has {}", actual.len(), formal.len())));
        }
        let mut names = Vec::new();
        for (variable, operand) in formal.iter().zip(actual) {
            let ast::Operand::Name { name, component: None, offset: 0 } = operand else {
                return Err(self.error("the values of a call must be .param variables"));
            };
            let Some(symbol) = self.symbol(name) else {
                return Err(self.error(format!("`{name}` is not a .param variable")));
            };
            names.push((variable.name.as_str(), symbol));
        }
        Ok(names)
    }
}

impl<'m> Decoder<'m> {
    /// Appends the copy of a function that a call needs.
    pub fn called_function(&mut self, call: PendingCall<'m>) -> Result<()> {
        let PendingCall { function, names, entry, back, callers } = call;
        self.callers = callers;
        self.callers.push(&function.name);
        self.return_label = Some(back);
        self.place_label(entry);
        self.scopes.open();
        for (name, symbol) in names {
            self.bind(function.line, name, Binding::Symbol(symbol))?;
        }
        self.body(function)?;
        self.scopes.close();
        Ok(())
    }
}
