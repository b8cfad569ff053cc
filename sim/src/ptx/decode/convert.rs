//! `mov`, `cvt` and `cvta`.

use super::super::address_map::window;
use super::super::ast::{self, Type, TypeKind};
use super::super::isa::{Class, Space};
use super::super::op::{Convert, FloatFormat, IntOp, IntType, Op, Operand, Rounding};
use super::instruction::Context;
use super::modifiers::{self, rounding, width};
use super::operands::Fit;
use super::special::is_special;
use super::Result;

/// To an integral value: `rni` and the like.
fn integral_rounding(word: &str) -> Option<Rounding> {
    rounding(word.strip_suffix('i')?)
}

impl Context<'_, '_> {
    pub fn mov(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.expect_operands(2..=2)?;
        if ty.kind == TypeKind::Predicate {
            let dst = self.predicate_dst(self.operand(0))?;
            return Ok(Op::PredicateMove { dst, a: self.predicate(1)? });
        }
        match (self.operand(0), self.operand(1)) {
            (ast::Operand::Vector(parts), _) => self.unpack(ty, parts),
            (_, ast::Operand::Vector(parts)) => self.pack(ty, parts),
            (_, ast::Operand::Name { name, component, .. }) if is_special(name) => {
                let register = self.special(name, component.as_deref())?;
                if ty.bits < 16 {
                    return Err(self.error("a special register needs a type of 16, 32 or 64 bits"));
                }
                Ok(Op::ReadSpecial { dst: self.dst(ty)?, register, bits: ty.bits })
            }
            _ => match self.frame_address(1)? {
                Some(offset) => self.address_in_frame(ty, offset),
                None => Ok(Op::Move { dst: self.dst(ty)?, a: self.src(1, ty)? }),
            },
        }
    }

    /// Offset in the frame of the place that an operand names, if it is there.
    fn frame_address(&self, index: usize) -> Result<Option<u64>> {
        let (ast::Operand::Name { name, component: None, offset } | ast::Operand::Element { name, offset }) =
            self.operand(index)
        else {
            return Ok(None);
        };
        Ok(self.frame_offset(name).map(|at| at.wrapping_add(*offset as u64)))
    }

    /// The address of the frame, and so many bytes more.
    fn address_in_frame(&mut self, ty: Type, offset: u64) -> Result<Op> {
        if ty.bits != 64 {
            return Err(self.error("addresses have 64 bits"));
        }
        self.class = Some(Class::Simple);
        let a = Operand::Reg(self.decoder.frame_pointer());
        let b = Operand::Imm(self.decoder.immediate(self.instruction.line, offset)?);
        Ok(Op::Int { op: IntOp::Add, ty: IntType::U64, dst: self.dst(ty)?, a, b })
    }

    /// Type of one of the parts that a value of type `ty` is made of.
    fn part(&self, ty: Type, count: usize) -> Result<Type> {
        let bits = usize::from(ty.bits) / count.max(1);
        if !matches!(count, 2 | 4) || bits < 8 {
            return Err(self.error(format!("{count} parts do not make {} bits", ty.bits)));
        }
        Ok(Type { kind: TypeKind::Bits, bits: bits as u8 })
    }

    fn pack(&mut self, ty: Type, parts: &[ast::Operand]) -> Result<Op> {
        let part = self.part(ty, parts.len())?;
        let mut operands = [Operand::Imm(0); 4];
        for (operand, from) in operands.iter_mut().zip(parts) {
            *operand = self.source(from, part, Fit::Exact)?;
        }
        Ok(Op::Pack { part_bits: part.bits, count: parts.len() as u8, dst: self.dst(ty)?, parts: operands })
    }

    fn unpack(&mut self, ty: Type, parts: &[ast::Operand]) -> Result<Op> {
        let part = self.part(ty, parts.len())?;
        let mut dst = [None; 4];
        for (slot, to) in dst.iter_mut().zip(parts) {
            *slot = self.optional_dst(to, part, Fit::Exact)?.map(|(slot, _)| slot);
        }
        Ok(Op::Unpack { part_bits: part.bits, count: parts.len() as u8, dst, a: self.src(1, ty)? })
    }

    pub fn cvt(&mut self) -> Result<Op> {
        let (to, from) = (self.ty()?, self.ty()?);
        self.expect_operands(2..=2)?;
        let integral = self.modifiers.take(integral_rounding);
        let rounding = self.modifiers.take(rounding);
        let modes = self.float_modes();
        let is_float = |ty: Type| ty.kind == TypeKind::Float;
        if to.kind == TypeKind::Predicate || from.kind == TypeKind::Predicate {
            return Err(self.error("predicates cannot be converted: use selp or setp"));
        }
        if let ast::Operand::Name { name, component, .. } = self.operand(1) {
            let widens = from.bits >= 16 && from.bits <= to.bits;
            if is_special(name) && widens && from.kind == TypeKind::Unsigned && !is_float(to) {
                // As PTX 1 reads special registers, which had 16 bits then.
                let register = self.special(name, component.as_deref())?;
                return Ok(Op::ReadSpecial { dst: self.dst(to)?, register, bits: from.bits });
            }
        }
        let convert = match (is_float(from), is_float(to)) {
            (false, false) => Convert::IntToInt { from: width(from), to: width(to), saturate: modes.saturate },
            (true, false) => {
                let Some(rounding) = integral else { return Err(self.error("the rounding to an integer is missing")) };
                Convert::FloatToInt { from: self.float_format(from)?, to: width(to), rounding, ftz: modes.ftz }
            }
            (false, true) => {
                let Some(rounding) = rounding else { return Err(self.error("the rounding is missing")) };
                let (from, to) = (width(from), self.float_format(to)?);
                Convert::IntToFloat { from, to, rounding, saturate: modes.saturate }
            }
            (true, true) => {
                let (from_type, to_type) = (self.float_format(from)?, self.float_format(to)?);
                if rounding.is_none() && to.bits < from.bits {
                    return Err(self.error("the rounding is missing"));
                }
                let rounding = rounding.unwrap_or(Rounding::Nearest);
                Convert::FloatToFloat { from: from_type, to: to_type, integral, rounding, modes }
            }
        };
        let Some((dst, dst_bits)) = self.optional_dst(self.operand(0), to, Fit::Wider)? else {
            return Err(self.error("the destination must be a register"));
        };
        Ok(Op::Convert { convert, dst, dst_bits, a: self.source(self.operand(1), from, Fit::Wider)? })
    }

    fn float_format(&self, ty: Type) -> Result<FloatFormat> {
        match ty.bits {
            16 => Ok(FloatFormat::F16),
            32 => Ok(FloatFormat::F32),
            64 => Ok(FloatFormat::F64),
            _ => Err(self.error("the type does not fit the operation")),
        }
    }

    /// A generic address is the address in the space plus the start of the space's window.
    pub fn cvta(&mut self) -> Result<Op> {
        let to = self.modifiers.accept("to");
        let Some(space) = self.modifiers.take(modifiers::space) else {
            return Err(self.error("the state space is missing"));
        };
        let ty = self.ty()?;
        self.expect_operands(2..=2)?;
        if ty.bits != 64 {
            return Err(self.error("addresses have 64 bits"));
        }
        if let Some(offset) = self.frame_address(1)? {
            return self.address_in_frame(ty, offset.wrapping_add(window(space)));
        }
        let (dst, a) = (self.dst(ty)?, self.src(1, ty)?);
        if space == Space::Global {
            return Ok(Op::Move { dst, a });
        }
        self.class = Some(Class::Simple);
        let b = Operand::Imm(self.decoder.immediate(self.instruction.line, window(space))?);
        let op = if to { IntOp::Sub } else { IntOp::Add };
        Ok(Op::Int { op, ty: IntType::U64, dst, a, b })
    }
}
