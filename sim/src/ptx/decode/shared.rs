//! Where the shared variables of a kernel and of the functions that it calls lie.

use std::collections::HashMap;

use super::super::ast::{Function, Operand, Statement, Targets, Variable, VariableSpace};
use super::super::isa::Space;
use super::super::symbols::{Symbol, Symbols};

/// Alignment of dynamically allocated shared memory.
const DYNAMIC_ALIGNMENT: u64 = 16;

/// Addresses by function (`None`: declared outside of functions) and name.
pub(super) struct SharedLayout<'m> {
    addresses: HashMap<(Option<&'m str>, &'m str), u64>,
    /// Statically allocated.
    pub bytes: u64,
}

impl SharedLayout<'_> {
    pub fn find(&self, function: Option<&str>, name: &str) -> Option<Symbol> {
        let address = *self.addresses.get(&(function, name))?;
        Some(Symbol { space: Space::Shared, address })
    }
}

/// Places what `kernel` uses: variables of the module, then those of functions; those of open size, all at one place, behind them.
pub(super) fn place<'m>(symbols: &'m Symbols, kernel: &'m Function) -> SharedLayout<'m> {
    let functions = reachable(symbols, kernel);
    let mut names = Vec::new();
    let mut locals = Vec::new();
    for function in &functions {
        visit(function.body.as_deref().unwrap_or_default(), &mut names, &mut |variable| {
            locals.push((Some(function.name.as_str()), variable))
        });
    }
    let used = symbols.shared.iter().filter(|v| names.contains(&v.name.as_str()));
    let all: Vec<_> = used.map(|v| (None, v)).chain(locals).filter(|(_, v)| v.space == VariableSpace::Shared).collect();

    let mut layout = SharedLayout { addresses: HashMap::new(), bytes: 0 };
    for (function, variable) in all.iter().filter(|(_, v)| !is_dynamic(v)) {
        let address = layout.bytes.next_multiple_of(variable.align);
        layout.addresses.insert((*function, &variable.name), address);
        layout.bytes = address + variable.bytes;
    }
    let alignment = all.iter().filter(|(_, v)| is_dynamic(v)).map(|(_, v)| v.align.max(DYNAMIC_ALIGNMENT)).max();
    for (function, variable) in all.iter().filter(|(_, v)| is_dynamic(v)) {
        let address = layout.bytes.next_multiple_of(alignment.unwrap_or(1));
        layout.addresses.insert((*function, &variable.name), address);
    }
    layout
}

fn is_dynamic(variable: &Variable) -> bool {
    variable.external || variable.bytes == 0
}

/// `kernel` and every function that it may call.
fn reachable<'m>(symbols: &'m Symbols, kernel: &'m Function) -> Vec<&'m Function> {
    let mut found = vec![kernel];
    let mut next = 0;
    while next < found.len() {
        let mut names = Vec::new();
        visit(found[next].body.as_deref().unwrap_or_default(), &mut names, &mut |_| {});
        let called = names.iter().filter_map(|name| symbols.function(name));
        // A call through a register may reach every function.
        let indirect = has_indirect_call(found[next].body.as_deref().unwrap_or_default());
        let reached = symbols.device_functions().filter(|_| indirect);
        for function in called.chain(reached) {
            if !found.iter().any(|f| f.name == function.name) {
                found.push(function);
            }
        }
        next += 1;
    }
    found
}

fn has_indirect_call(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Instruction(instruction) => instruction.opcode == "call" && super::call::is_indirect(instruction),
        Statement::Block(inner) => has_indirect_call(inner),
        _ => false,
    })
}

/// Collects the names in operands and the variables declared, nested blocks included.
fn visit<'m>(body: &'m [Statement], names: &mut Vec<&'m str>, variable: &mut impl FnMut(&'m Variable)) {
    for statement in body {
        match statement {
            Statement::Instruction(instruction) => instruction.operands.iter().for_each(|o| name(o, names)),
            Statement::Variable(declared) => variable(declared),
            Statement::Block(inner) => visit(inner, names, variable),
            Statement::Label { .. } | Statement::Register { .. } | Statement::Pragma { .. } => {}
            Statement::Targets { targets, .. } => match targets {
                Targets::Call(functions) => names.extend(functions.iter().map(String::as_str)),
                Targets::Branch(_) | Targets::Prototype { .. } => {}
            },
        }
    }
}

fn name<'m>(operand: &'m Operand, names: &mut Vec<&'m str>) {
    match operand {
        // Registers are not variables of the module.
        Operand::Name { name, .. } | Operand::Memory { base: Some(name), .. } if !name.starts_with('%') => {
            names.push(name);
        }
        Operand::Vector(parts) | Operand::Group(parts) => parts.iter().for_each(|o| self::name(o, names)),
        _ => {}
    }
}
