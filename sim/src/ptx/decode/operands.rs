//! Operands of an instruction: registers, immediates, addresses.

use super::super::ast::{self, Type, TypeKind};
use super::super::isa::{Guard, Slot, WARP_SZ};
use super::super::op::{Operand, Predicate};
use super::super::symbols::Symbol;
use super::instruction::Context;
use super::scope::{Binding, LabelId};
use super::special::is_special;
use super::Result;

/// Fit of a register's width to the type of the instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Exact,
    /// The register may be wider: `ld`, `st`, `cvt`.
    Wider,
}

fn mask(bits: u8) -> u64 {
    u64::MAX >> (64 - u32::from(bits))
}

impl<'m> Context<'_, 'm> {
    pub fn count(&self) -> usize {
        self.instruction.operands.len()
    }

    /// The instruction has as many operands as this.
    pub fn expect_operands(&self, counts: std::ops::RangeInclusive<usize>) -> Result<()> {
        if counts.contains(&self.count()) {
            return Ok(());
        }
        let (least, most) = (counts.start(), counts.end());
        let expected = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        Err(self.error(format!("{} operands where {expected} are expected", self.count())))
    }

    pub fn operand(&self, index: usize) -> &'m ast::Operand {
        &self.instruction.operands[index]
    }

    pub fn guard(&mut self) -> Result<Option<Guard>> {
        let Some((name, negated)) = &self.instruction.guard else { return Ok(None) };
        let slot = self.predicate_register(name)?;
        Ok(Some(Guard { slot, negated: *negated }))
    }

    /// A variable of the function or the module.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        match self.decoder.scopes.find(name) {
            Some(Binding::Symbol(symbol)) => Some(symbol),
            Some(_) => None,
            None => self.decoder.shared.find(None, name).or_else(|| self.decoder.symbols.variable(name)),
        }
    }

    /// Offset of a variable that lies in the frame of the function.
    pub fn frame_offset(&self, name: &str) -> Option<u64> {
        match self.decoder.scopes.find(name) {
            Some(Binding::Frame(offset)) => Some(offset),
            _ => None,
        }
    }

    fn function_address(&self, name: &str) -> Option<u64> {
        match self.decoder.scopes.find(name) {
            Some(_) => None,
            None => self.decoder.symbols.function_address(name),
        }
    }

    /// Targets of a label that is no place in the code.
    pub fn targets(&self, name: &str) -> Result<&'m ast::Targets> {
        match self.decoder.scopes.find(name) {
            Some(Binding::Targets(index)) => Ok(self.decoder.targets[index]),
            _ => Err(self.error(format!("`{name}` names no targets"))),
        }
    }

    pub fn label(&self, index: usize) -> Result<LabelId> {
        let ast::Operand::Name { name, component: None, offset: 0 } = self.operand(index) else {
            return Err(self.error("a label is expected"));
        };
        self.label_of(name)
    }

    pub fn label_of(&self, name: &str) -> Result<LabelId> {
        match self.decoder.scopes.find(name) {
            Some(Binding::Label(label)) => Ok(label),
            Some(_) => Err(self.error(format!("`{name}` is not a label"))),
            None => Err(self.error(format!("unknown label `{name}`"))),
        }
    }

    fn predicate_register(&mut self, name: &str) -> Result<Slot> {
        match self.decoder.scopes.find(name) {
            Some(Binding::Register(id)) if self.decoder.scopes.register_type(id).kind == TypeKind::Predicate => {
                Ok(self.decoder.scopes.slot(id))
            }
            Some(_) => Err(self.error(format!("`{name}` is not a predicate"))),
            None => Err(self.error(format!("unknown predicate `{name}`"))),
        }
    }

    /// A predicate that is read, possibly negated.
    pub fn predicate(&mut self, index: usize) -> Result<Predicate> {
        match self.operand(index) {
            ast::Operand::Name { name, component: None, offset: 0 } => {
                Ok(Predicate::Reg(Guard { slot: self.predicate_register(name)?, negated: false }))
            }
            ast::Operand::Not(inner) => match inner.as_ref() {
                ast::Operand::Name { name, component: None, offset: 0 } => {
                    Ok(Predicate::Reg(Guard { slot: self.predicate_register(name)?, negated: true }))
                }
                _ => Err(self.error("a predicate is expected after `!`")),
            },
            ast::Operand::Int(value) => Ok(Predicate::Const(*value != 0)),
            _ => Err(self.error("a predicate is expected")),
        }
    }

    /// A predicate that is written.
    pub fn predicate_dst(&mut self, operand: &ast::Operand) -> Result<Slot> {
        match operand {
            ast::Operand::Name { name, component: None, offset: 0 } => self.predicate_register(name),
            _ => Err(self.error("the destination must be a predicate")),
        }
    }

    /// A register of type `ty` and its width in bits.
    pub fn register(&mut self, name: &str, ty: Type, fit: Fit) -> Result<(Slot, u8)> {
        let id = match self.decoder.scopes.find(name) {
            Some(Binding::Register(id)) => id,
            Some(_) => return Err(self.error(format!("`{name}` is not a register"))),
            None if name.starts_with('%') => return Err(self.error(format!("unknown register `{name}`"))),
            None => return Err(self.error(format!("unknown name `{name}`"))),
        };
        let declared = self.decoder.scopes.register_type(id);
        if declared.kind == TypeKind::Predicate {
            return Err(self.error(format!("`{name}` is a predicate")));
        }
        let fits = if fit == Fit::Exact { declared.bits == ty.bits } else { declared.bits >= ty.bits };
        if !fits {
            let bits = declared.bits;
            return Err(self.error(format!("register `{name}` has {bits} bits, which does not fit {} bits", ty.bits)));
        }
        Ok((self.decoder.scopes.slot(id), declared.bits))
    }

    /// A destination and its width in bits; `None` for `_`.
    pub fn optional_dst(&mut self, operand: &ast::Operand, ty: Type, fit: Fit) -> Result<Option<(Slot, u8)>> {
        match operand {
            ast::Operand::Name { name, component: None, offset: 0 } if name == "_" => Ok(None),
            ast::Operand::Name { name, component: None, offset: 0 } => self.register(name, ty, fit).map(Some),
            _ => Err(self.error("the destination must be a register")),
        }
    }

    /// The first operand, a destination of exactly `ty`'s width.
    pub fn dst(&mut self, ty: Type) -> Result<Slot> {
        self.dst_at(0, ty)
    }

    /// The operand at `index`, a destination of exactly `ty`'s width.
    pub fn dst_at(&mut self, index: usize, ty: Type) -> Result<Slot> {
        match self.optional_dst(self.operand(index), ty, Fit::Exact)? {
            Some((slot, _)) => Ok(slot),
            None => Err(self.error("the destination must be a register")),
        }
    }

    pub fn src(&mut self, index: usize, ty: Type) -> Result<Operand> {
        self.source(self.operand(index), ty, Fit::Exact)
    }

    pub fn source(&mut self, operand: &ast::Operand, ty: Type, fit: Fit) -> Result<Operand> {
        let value = match operand {
            ast::Operand::Name { name, component: None, offset } => match self.symbol(name) {
                Some(symbol) => symbol.address.wrapping_add(*offset as u64),
                None if name == "WARP_SZ" => return Ok(Operand::Imm(WARP_SZ)),
                None if *offset == 0 && self.function_address(name).is_some() => {
                    self.function_address(name).unwrap_or_default()
                }
                None if *offset != 0 => return Err(self.error(format!("`{name}` is not a variable"))),
                None if is_special(name) => {
                    return Err(self.error(format!("only mov can read the special register `{name}`")));
                }
                None => return self.register(name, ty, fit).map(|(slot, _)| Operand::Reg(slot)),
            },
            ast::Operand::Element { name, offset } => match self.symbol(name) {
                Some(symbol) => symbol.address.wrapping_add(*offset as u64),
                None => return Err(self.error(format!("`{name}` is not a variable"))),
            },
            ast::Operand::Int(_) if ty.kind == TypeKind::Float => {
                return Err(self.error("an integer where a floating-point number is expected"));
            }
            ast::Operand::Int(value) => value & mask(ty.bits),
            ast::Operand::F32(bits) if ty.bits == 32 => u64::from(*bits),
            ast::Operand::F32(bits) if ty.kind == TypeKind::Float => f64::from(f32::from_bits(*bits)).to_bits(),
            ast::Operand::F64(bits) if ty.bits == 64 => *bits,
            ast::Operand::F64(bits) if ty.kind == TypeKind::Float => {
                u64::from((f64::from_bits(*bits) as f32).to_bits())
            }
            _ => return Err(self.error("a register or a number is expected")),
        };
        Ok(Operand::Imm(self.decoder.immediate(self.instruction.line, value)?))
    }

    /// A 32-bit source that the compiler may also have left as a number.
    pub fn src_u32(&mut self, index: usize) -> Result<Operand> {
        self.src(index, Type { kind: TypeKind::Unsigned, bits: 32 })
    }
}
