//! Calls of device functions. The parameters of a call are variables in the thread's local memory that the function knows by
//! other names; the function is decoded with these names bound to them. Functions that can call themselves have frames
//! ([`super::stack`]).

use super::super::ast::{self, Function, Targets, Type, Variable};
use super::super::instr::{BranchTable, Selects};
use super::super::op::{Builtin, BuiltinCall, Op, Operand};
use super::super::symbols::Symbols;
use super::instruction::Context;
use super::operands::Fit;
use super::scope::{Binding, LabelId};
use super::{Decoder, Pending, Result};

/// A function to be decoded for one call of it.
pub(super) struct PendingCall<'m> {
    function: &'m Function,
    /// Names of its parameters and return values, and where the caller put them.
    names: Vec<(&'m str, Binding)>,
    entry: LabelId,
    back: LabelId,
    /// The caller's.
    frame: Option<usize>,
}

/// A call of a function that has frames, on its own behind the caller's code, and the way back.
pub(super) struct Stub {
    callee: usize,
    returns: Vec<Binding>,
    params: Vec<Binding>,
    entry: LabelId,
    back: LabelId,
    frame: Option<usize>,
    line: u32,
}

/// Both have as many parameters, of the same sizes.
fn same_layout(a: &[Variable], b: &[Variable]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.bytes == b.bytes)
}

/// Device functions that a call through a register with this prototype may reach.
pub(super) fn fitting<'m>(
    symbols: &'m Symbols,
    returns: &'m [Variable],
    params: &'m [Variable],
) -> impl Iterator<Item = &'m Function> {
    let fits = |f: &&Function| same_layout(&f.returns, returns) && same_layout(&f.params, params);
    symbols.device_functions().filter(fits)
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

/// The function that a call names, if it is no call of what a register holds.
pub(super) fn called(call: &ast::Instruction) -> Option<&str> {
    form(call).filter(|form| form.targets.is_none()).map(|form| form.callee)
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
        if self.decoder.recursive.contains(name) {
            let callee = self.decoder.framed(function, self.instruction.line)?;
            let (returns, params) = self.call_variables(function, &form)?;
            self.decoder.call_framed(callee, &returns, &params);
            return Ok(Op::Nop);
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
            Targets::Prototype { returns, params } => fitting(symbols, returns, params).collect(),
            Targets::Branch(_) => return Err(self.error("`.calltargets` or `.callprototype` is expected")),
        };
        let (selector, _) = self.register(form.callee, Type::BITS_64, Fit::Exact)?;
        let back = self.back_label();
        let mut table = BranchTable { selects: Selects::Function, targets: Vec::new() };
        for function in functions {
            let entry = match self.decoder.recursive.contains(function.name.as_str()) {
                true => self.stub(function, form, back)?,
                false => self.call_function(function, form, back)?,
            };
            table.targets.extend(symbols.function_address(&function.name).map(|address| (address, entry.0)));
        }
        let table = self.decoder.table(self.instruction.line, table)?;
        Ok(Op::BranchTable { selector: Operand::Reg(selector), table })
    }

    /// A call of a function that the system gives.
    fn builtin_call(&mut self, function: Builtin, form: &Form<'m>) -> Result<Op> {
        let (params, results) = (function.params().len(), usize::from(function.result().is_some()));
        if form.params.len() != params || form.returns.len() > results {
            return Err(self.error(format!("`{}` takes {params} values and gives {results}", form.callee)));
        }
        let mut call = BuiltinCall { function, base: None, params: [0; Builtin::PARAMS], result: None };
        if self.decoder.frame.is_some() {
            call.base = Some(Operand::Reg(self.decoder.frame_pointer()));
        }
        for (address, param) in call.params.iter_mut().zip(form.params) {
            *address = self.local_address(param)?;
        }
        if let Some(result) = form.returns.first() {
            call.result = Some(self.local_address(result)?);
        }
        Ok(Op::Builtin(call))
    }

    /// Where a `.param` variable of a call lies, in local memory or in the frame.
    fn local_address(&self, operand: &ast::Operand) -> Result<u64> {
        match self.call_variable(operand)? {
            Binding::Symbol(symbol) => Ok(symbol.address),
            Binding::Frame(offset) => Ok(offset),
            _ => Err(self.error("the values of a call must be .param variables")),
        }
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
        let (returns, params) = self.call_variables(function, form)?;
        // The function's own names for the caller's variables.
        let formal = function.returns.iter().chain(&function.params).map(|variable| variable.name.as_str());
        let names = formal.zip(returns.into_iter().chain(params)).collect();
        let entry = self.decoder.new_label();
        let frame = self.decoder.frame;
        self.decoder.pending.push(Pending::Copy(PendingCall { function, names, entry, back, frame }));
        Ok(entry)
    }

    /// Has a call of a function with frames decoded; gives the label of its first instruction.
    fn stub(&mut self, function: &'m Function, form: &Form<'m>, back: LabelId) -> Result<LabelId> {
        let line = self.instruction.line;
        let callee = self.decoder.framed(function, line)?;
        let (returns, params) = self.call_variables(function, form)?;
        let entry = self.decoder.new_label();
        let frame = self.decoder.frame;
        self.decoder.pending.push(Pending::Stub(Stub { callee, returns, params, entry, back, frame, line }));
        Ok(entry)
    }

    /// The variables that a call of the function receives and passes.
    fn call_variables(&self, function: &Function, form: &Form<'m>) -> Result<(Vec<Binding>, Vec<Binding>)> {
        let variables = |formal: &[ast::Variable], actual: &[ast::Operand]| {
            if formal.len() != actual.len() {
                return Err(self.error(format!("{} values where the function has {}", actual.len(), formal.len())));
            }
            actual.iter().map(|operand| self.call_variable(operand)).collect()
        };
        Ok((variables(&function.returns, form.returns)?, variables(&function.params, form.params)?))
    }

    /// A `.param` variable that a call passes or receives.
    fn call_variable(&self, operand: &ast::Operand) -> Result<Binding> {
        let ast::Operand::Name { name, component: None, offset: 0 } = operand else {
            return Err(self.error("the values of a call must be .param variables"));
        };
        let in_frame = self.frame_offset(name).map(Binding::Frame);
        let place = in_frame.or_else(|| self.symbol(name).map(Binding::Symbol));
        place.ok_or_else(|| self.error(format!("`{name}` is not a .param variable")))
    }
}

impl<'m> Decoder<'m> {
    /// Appends the copy of a function that a call needs.
    pub fn called_function(&mut self, call: PendingCall<'m>) -> Result<()> {
        let PendingCall { function, names, entry, back, frame } = call;
        (self.function, self.return_label, self.frame) = (&function.name, Some(back), frame);
        self.place_label(entry);
        self.scopes.open();
        for (name, place) in names {
            self.bind(function.line, name, place)?;
        }
        self.body(function)?;
        self.scopes.close();
        Ok(())
    }

    /// Appends a call that stands on its own.
    pub fn stub(&mut self, stub: Stub) -> Result<()> {
        let Stub { callee, returns, params, entry, back, frame, line } = stub;
        self.frame = frame;
        self.place_label(entry);
        self.call_framed(callee, &returns, &params);
        self.push(Op::Nop, None, (line, None), None)?;
        self.push(Op::Branch { target: back.0 }, None, (line, None), None)
    }
}
