//! Instructions of systems.

use super::super::ast::{self, Type};
use super::super::op::Op;
use super::super::system_op::{SystemCode, SystemOp};
use super::instruction::Context;
use super::Result;
use std::ops::RangeInclusive;

impl Context<'_, '_> {
    pub fn system(&mut self) -> Result<Op> {
        match self.instruction.opcode.as_str() {
            "wlinit" => self.system_op(SystemCode::WorklistInit, "u64", 0..=0, (Type::BITS_64, 2)),
            "wlcfg" => self.system_op(SystemCode::WorklistConfigure, "u32", 0..=0, (Type::BITS_32, 1)),
            "wlpull" => self.system_op(SystemCode::WorklistPull, "u32", 1..=1, (Type::BITS_32, 0)),
            "wledge" => self.system_op(SystemCode::WorklistEdge, "u32", 2..=2, (Type::BITS_32, 0)),
            "wlrows" => self.system_op(SystemCode::WorklistRows, "u64", 0..=0, (Type::BITS_64, 1)),
            "wlpush" => self.system_op(SystemCode::WorklistPush, "u32", 0..=0, (Type::BITS_32, 1)),
            // The index, then the secondary value, then the position may follow.
            "load_iru" => self.system_op(SystemCode::ReorderLoad, "u32", 2..=4, (Type::BITS_32, 0)),
            "unit" => self.unit_call(),
            opcode => Err(self.error(format!("unknown instruction `{opcode}`"))),
        }
    }

    /// An instruction whose destinations, as many as `results` allows, come before its sources: their type, and how many.
    fn system_op(
        &mut self,
        code: SystemCode,
        modifier: &str,
        results: RangeInclusive<usize>,
        (ty, sources): (Type, usize),
    ) -> Result<Op> {
        self.modifiers.accept(modifier);
        self.expect_operands(results.start() + sources..=results.end() + sources)?;
        let mut op = SystemOp { code, operands: [None; 2], results: [None; 4] };
        let destinations = self.count() - sources;
        for n in 0..destinations {
            op.results[n] = Some(self.dst_at(n, Type::BITS_32)?);
        }
        for n in 0..sources {
            op.operands[n] = Some(self.src(destinations + n, ty)?);
        }
        Ok(Op::System(op))
    }

    /// `unit.call.u32 result, operation, a, b` and `unit.do.u32 operation, a, b`
    fn unit_call(&mut self) -> Result<Op> {
        let has_result = self.modifiers.accept("call");
        if !has_result && !self.modifiers.accept("do") {
            return Err(self.error("a unit has `unit.call` and `unit.do`"));
        }
        self.modifiers.accept("u32");
        let first = usize::from(has_result);
        self.expect_operands(first + 3..=first + 3)?;
        let result = if has_result { Some(self.dst(Type::BITS_32)?) } else { None };
        let operation = self.unit_operation(first)?;
        let operands = [Some(self.src(first + 1, Type::BITS_32)?), Some(self.src(first + 2, Type::BITS_32)?)];
        let code = SystemCode::UnitCall { operation };
        Ok(Op::System(SystemOp { code, operands, results: [result, None, None, None] }))
    }

    fn unit_operation(&self, index: usize) -> Result<u8> {
        let rule = "the operation of a unit is a number from 0 to 255";
        let ast::Operand::Int(value) = self.operand(index) else { return Err(self.error(rule)) };
        u8::try_from(*value).map_err(|_| self.error(rule))
    }
}
