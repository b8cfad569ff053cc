//! Calls of device functions. The parameters of a call are variables in the thread's local memory that the function knows by
//! other names; the function is decoded with these names bound to them.

use super::super::ast::{self, Function, Targets, Type, TypeKind, Variable};
use super::super::instr::BranchTable;
use super::super::op::{Builtin, BuiltinCall, Op, Operand};
use super::super::symbols::Symbol;
use super::instruction::Context;
use super::operands::Fit;
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

/// The same number of parameters of the same sizes.
fn same_layout(a: &[Variable], b: &[Variable]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.bytes == b.bytes)
}

/// The parts of `call (returns), callee, (params), targets;`, of which only the callee must be there.
struct Form<'m> {
    returns: &'m [ast::Operand],
    callee: &'m str,
    params: &'m [ast::Operand],
    targets: Option<&'m str>,
}

fn form(instruction: &ast::Instruction) -> Option<Form<'_>> {
    use ast::Operand::{Group, Name};
    let (returns, rest) = match instruction.operands.as_slice() {
        [Group(returns), rest @ ..] => (returns.as_slice(), rest),
        rest => (&[][..], rest),
    };
    let (callee, params, targets) = match rest {
        [Name { name, .. }] => (name, &[][..], None),
        [Name { name, .. }, Group(params)] => (name, params.as_slice(), None),
        [Name { name, .. }, Group(params), Name { name: targets, .. }] => (name, params.as_slice(), Some(targets)),
        [Name { name, .. }, Name { name: targets, .. }] => (name, &[][..], Some(targets)),
        _ => return None,
    };
    Some(Form { returns, callee, params, targets: targets.map(String::as_str) })
}

/// A call of what a register holds.
pub(super) fn is_indirect(call: &ast::Instruction) -> bool {
    form(call).is_some_and(|form| form.targets.is_some())
}

impl<'m> Context<'_, 'm> {
    pub fn call(&mut self) -> Result<Op> {
        self.modifiers.accept("uni");
        let Some(form) = form(self.instruction) else { return Err(self.error("unsupported form of call")) };
        if let Some(targets) = form.targets {
            return self.indirect_call(&form, targets);
        }
        let name = form.callee;
        let Some(function) = self.decoder.symbols.function(name) else {
            let hint = "a call through a register needs `.calltargets` or `.callprototype`";
            return Err(self.error(format!("unknown function `{name}` ({hint})")));
        };
        if let Some(builtin) = Builtin::named(name).filter(|_| function.body.is_none()) {
            return self.builtin_call(builtin, &form);
        }
        let back = self.back_label();
        let entry = self.call_function(function, &form, back)?;
        Ok(Op::Branch { target: entry.0 })
    }

    /// A branch to the copy of the function whose address the register holds; there is one of each that it may hold.
    fn indirect_call(&mut self, form: &Form<'m>, targets: &str) -> Result<Op> {
        let symbols = self.decoder.symbols;
        let targets = self.targets(targets)?;
        let functions: Vec<_> = match targets {
            Targets::Call(names) => {
                let find = |name: &'m String| {
                    symbols.function(name).ok_or_else(|| self.error(format!("unknown function `{name}`")))
                };
                names.iter().map(find).collect::<Result<_>>()?
            }
            Targets::Prototype { returns, params } => {
                let alike = |f: &Function| same_layout(&f.returns, returns) && same_layout(&f.params, params);
                // Functions that are running already cannot be called: there is no call stack.
                let callable = |f: &&Function| alike(f) && !self.decoder.callers.contains(&f.name.as_str());
                symbols.device_functions().filter(callable).collect()
            }
            Targets::Branch(_) => return Err(self.error("`.calltargets` or `.callprototype` is expected")),
        };
        const ADDRESS: Type = Type { kind: TypeKind::Bits, bits: 64 };
        let (selector, _) = self.register(form.callee, ADDRESS, Fit::Exact)?;
        let back = self.back_label();
        let mut table = BranchTable { functions: true, targets: Vec::new() };
        for function in functions {
            let entry = self.call_function(function, form, back)?;
            table.targets.extend(symbols.function_address(&function.name).map(|address| (address, entry.0)));
        }
        let table = self.decoder.table(self.instruction.line, table)?;
        Ok(Op::BranchTable { selector: Operand::Reg(selector), table })
    }

    /// A call of a function that the system gives.
    fn builtin_call(&self, function: Builtin, form: &Form<'m>) -> Result<Op> {
        let (params, results) = (function.params().len(), usize::from(function.result().is_some()));
        if form.params.len() != params || form.returns.len() > results {
            return Err(self.error(format!("`{}` takes {params} values and gives {results}", form.callee)));
        }
        let mut call = BuiltinCall { function, base: None, params: [0; Builtin::PARAMS], result: None };
        for (address, param) in call.params.iter_mut().zip(form.params) {
            *address = self.call_variable(param)?.address;
        }
        if let Some(result) = form.returns.first() {
            call.result = Some(self.call_variable(result)?.address);
        }
        Ok(Op::Builtin(call))
    }

    /// The instruction behind the call.
    fn back_label(&mut self) -> LabelId {
        let back = self.decoder.new_label();
        self.decoder.labels[back.0 as usize] = Some(self.decoder.code.len() as u32 + 1);
        back
    }

    /// Has the function decoded for this call; gives the label of its first instruction.
    fn call_function(&mut self, function: &'m Function, form: &Form<'m>, back: LabelId) -> Result<LabelId> {
        let name = &function.name;
        if function.body.is_none() {
            return Err(self.error(format!("function `{name}` is declared, but its code is not in this file")));
        }
        if self.decoder.callers.contains(&name.as_str()) {
            return Err(self.error(format!("function `{name}` calls itself: recursion is not supported")));
        }
        let mut names = self.bound(&function.returns, form.returns)?;
        names.extend(self.bound(&function.params, form.params)?);
        let entry = self.decoder.new_label();
        let callers = self.decoder.callers.clone();
        self.decoder.pending.push(PendingCall { function, names, entry, back, callers });
        Ok(entry)
    }

    /// The function's own names for the caller's variables.
    fn bound(&self, formal: &'m [ast::Variable], actual: &[ast::Operand]) -> Result<Vec<(&'m str, Symbol)>> {
        if formal.len() != actual.len() {
            return Err(self.error(format!("{} values where the function has {}", actual.len(), formal.len())));
        }
        let mut names = Vec::new();
        for (variable, operand) in formal.iter().zip(actual) {
            names.push((variable.name.as_str(), self.call_variable(operand)?));
        }
        Ok(names)
    }

    /// A `.param` variable that a call passes or receives.
    fn call_variable(&self, operand: &ast::Operand) -> Result<Symbol> {
        let ast::Operand::Name { name, component: None, offset: 0 } = operand else {
            return Err(self.error("the values of a call must be .param variables"));
        };
        self.symbol(name).ok_or_else(|| self.error(format!("`{name}` is not a .param variable")))
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
