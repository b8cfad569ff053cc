//! Instructions of systems.

use super::super::ast::{self, Type, TypeKind};
use super::super::op::Op;
use super::super::system_op::{SystemCode, SystemOp};
use super::instruction::Context;
use super::Result;

const B32: Type = Type { kind: TypeKind::Bits, bits: 32 };
const B64: Type = Type { kind: TypeKind::Bits, bits: 64 };

impl Context<'_, '_> {
    pub fn worklist_init(&mut self) -> Result<Op> {
        self.modifiers.accept("u64");
        self.system_op(SystemCode::WorklistInit, 0..=0, B64, 2)
    }

    pub fn worklist_configure(&mut self) -> Result<Op> {
        self.modifiers.accept("u32");
        self.system_op(SystemCode::WorklistConfigure, 0..=0, B32, 1)
    }

    pub fn worklist_pull(&mut self) -> Result<Op> {
        self.modifiers.accept("u32");
        self.system_op(SystemCode::WorklistPull, 1..=1, B32, 0)
    }

    pub fn worklist_push(&mut self) -> Result<Op> {
        self.modifiers.accept("u32");
        self.system_op(SystemCode::WorklistPush, 0..=0, B32, 1)
    }

    /// `load_iru`: the index, then the secondary value, then the position may follow.
    pub fn reorder_load(&mut self) -> Result<Op> {
        self.modifiers.accept("u32");
        self.system_op(SystemCode::ReorderLoad, 2..=4, B32, 0)
    }

    /// An instruction whose destinations, as many as `results` allows, come before its sources of a type.
    fn system_op(
        &mut self,
        code: SystemCode,
        results: std::ops::RangeInclusive<usize>,
        ty: Type,
        sources: usize,
    ) -> Result<Op> {
        self.expect_operands(results.start() + sources..=results.end() + sources)?;
        let mut op = SystemOp { code, operands: [None; 2], results: [None; 4] };
        let destinations = self.count() - sources;
        for n in 0..destinations {
            op.results[n] = Some(self.dst_at(n, B32)?);
        }
        for n in 0..sources {
            op.operands[n] = Some(self.src(destinations + n, ty)?);
        }
        Ok(Op::System(op))
    }

    /// `unit.call.u32 result, operation, a, b` and `unit.do.u32 operation, a, b`
    pub fn unit_call(&mut self) -> Result<Op> {
        let has_result = self.modifiers.accept("call");
        if !has_result && !self.modifiers.accept("do") {
            return Err(self.error("a unit has `unit.call` and `unit.do`"));
        }
        self.modifiers.accept("u32");
        let first = usize::from(has_result);
        self.expect_operands(first + 3..=first + 3)?;
        let result = if has_result { Some(self.dst(B32)?) } else { None };
        let operation = self.unit_operation(first)?;
        let operands = [Some(self.src(first + 1, B32)?), Some(self.src(first + 2, B32)?)];
        let code = SystemCode::UnitCall { operation };
        Ok(Op::System(SystemOp { code, operands, results: [result, None, None, None] }))
    }

    fn unit_operation(&self, index: usize) -> Result<u8> {
        let rule = "the operation of a unit is a number from 0 to 255";
        let ast::Operand::Int(value) = self.operand(index) else { return Err(self.error(rule)) };
        u8::try_from(*value).map_err(|_| self.error(rule))
    }
}
