//! Branches, barriers and instructions of a whole warp.

use super::super::ast::{self, Type, TypeKind};
use super::super::instr::BranchTable;
use super::super::op::{BarrierAction, IntOp, Op, Operand, Predicate, ShuffleMode, VoteOp};
use super::instruction::Context;
use super::operands::Fit;
use super::Result;

impl Context<'_, '_> {
    pub fn bra(&mut self) -> Result<Op> {
        self.modifiers.accept("uni");
        self.expect_operands(1..=1)?;
        Ok(Op::Branch { target: self.label(0)?.0 })
    }

    pub fn branch_indexed(&mut self) -> Result<Op> {
        self.modifiers.accept("uni");
        if !self.modifiers.accept("idx") {
            return Err(self.error("`.idx` is missing"));
        }
        self.expect_operands(2..=2)?;
        let ast::Operand::Name { name, .. } = self.operand(1) else {
            return Err(self.error("the name of a `.branchtargets` list is expected"));
        };
        let ast::Targets::Branch(labels) = self.targets(name)? else {
            return Err(self.error(format!("`{name}` is not a `.branchtargets` list")));
        };
        let mut table = BranchTable::default();
        for (index, label) in labels.iter().enumerate() {
            table.targets.push((index as u64, self.label_of(label)?.0));
        }
        let selector = self.src_u32(0)?;
        let table = self.decoder.table(self.instruction.line, table)?;
        Ok(Op::BranchTable { selector, table })
    }

    pub fn barrier(&mut self) -> Result<Op> {
        if self.modifiers.accept("warp") {
            // The lanes of a warp run in lock-step.
            self.modifiers.accept("sync");
            self.expect_operands(1..=1)?;
            return Ok(Op::SyncLanes { members: self.src_u32(0)? });
        }
        self.modifiers.ignore(&["cta", "aligned"]);
        if self.modifiers.accept("red") {
            return self.barrier_reduction();
        }
        let action = match self.modifiers.accept("arrive") {
            true => BarrierAction::Arrive,
            false if self.modifiers.accept("sync") => BarrierAction::Sync,
            false => return Err(self.error("`.sync`, `.arrive` or `.red` is missing")),
        };
        // Who does not wait has to say for how many threads the others wait.
        self.expect_operands(if action == BarrierAction::Arrive { 2..=2 } else { 1..=2 })?;
        let threads = if self.count() == 2 { Some(self.src_u32(1)?) } else { None };
        Ok(Op::Barrier { id: self.src_u32(0)?, threads, action, a: Predicate::Const(false) })
    }

    /// `bar.red.op.type d, barrier, [threads,] predicate`
    fn barrier_reduction(&mut self) -> Result<Op> {
        let op = self.modifiers.take(|word| ["popc", "and", "or"].into_iter().find(|op| *op == word));
        let ty = self.ty()?;
        self.expect_operands(3..=4)?;
        let is_predicate = ty.kind == TypeKind::Predicate;
        let action = match op {
            Some("popc") if ty.bits == 32 => BarrierAction::Popc { dst: self.dst(ty)? },
            Some("and") if is_predicate => BarrierAction::And { dst: self.predicate_dst(self.operand(0))? },
            Some("or") if is_predicate => BarrierAction::Or { dst: self.predicate_dst(self.operand(0))? },
            _ => return Err(self.error("`.popc.u32`, `.and.pred` or `.or.pred` is expected")),
        };
        let threads = if self.count() == 4 { Some(self.src_u32(2)?) } else { None };
        Ok(Op::Barrier { id: self.src_u32(1)?, threads, action, a: self.predicate(self.count() - 1)? })
    }

    /// Prefetches and the like: they change nothing, here not even the caches.
    pub fn hint(&mut self) -> Result<Op> {
        self.modifiers.ignore(&["global", "local", "L1", "L2", "L2::evict_last", "L2::evict_normal"]);
        Ok(Op::Nop)
    }

    pub fn fence(&mut self) -> Result<Op> {
        self.modifiers.ignore(&["cta", "gl", "gpu", "sys", "sc", "acq_rel"]);
        self.expect_operands(0..=0)?;
        Ok(Op::Fence)
    }

    pub fn vote(&mut self) -> Result<Op> {
        let with_mask = self.modifiers.accept("sync");
        self.expect_operands(if with_mask { 3..=3 } else { 2..=2 })?;
        let ballot = self.modifiers.accept("ballot");
        let op = self.modifiers.take(|word| match word {
            "all" => Some(VoteOp::All),
            "any" => Some(VoteOp::Any),
            "uni" => Some(VoteOp::Uni),
            _ => None,
        });
        let ty = self.ty()?;
        let a = self.predicate(1)?;
        let members = if with_mask { self.members(2)? } else { None };
        if let Some(members) = members {
            let dst = match op {
                None if ballot && ty == Type::BITS_32 => self.dst(ty)?,
                Some(_) if ty.kind == TypeKind::Predicate => self.predicate_dst(self.operand(0))?,
                _ => return Err(self.error("unknown form of vote")),
            };
            return Ok(Op::VoteOfMembers { op, members, dst, a });
        }
        match op {
            _ if ballot && ty == Type::BITS_32 => Ok(Op::Ballot { dst: self.dst(ty)?, a }),
            Some(op) if ty.kind == TypeKind::Predicate => {
                Ok(Op::Vote { op, dst: self.predicate_dst(self.operand(0))?, a })
            }
            _ => Err(self.error("unknown form of vote")),
        }
    }

    /// The lanes that an instruction is for; `None`: all.
    fn members(&mut self, index: usize) -> Result<Option<Operand>> {
        match self.operand(index) {
            ast::Operand::Int(mask) if *mask as u32 == u32::MAX => Ok(None),
            _ => Ok(Some(self.src_u32(index)?)),
        }
    }

    pub fn match_lanes(&mut self) -> Result<Op> {
        let all = self.modifiers.accept("all");
        if !all && !self.modifiers.accept("any") {
            return Err(self.error("`.any` or `.all` is missing"));
        }
        self.modifiers.accept("sync");
        let ty = self.ty()?;
        self.expect_operands(3..=3)?;
        let (dst, found) = match self.operand(0) {
            ast::Operand::Pair(dst, found) if all => (&**dst, Some(self.predicate_dst(found)?)),
            dst => (dst, None),
        };
        let Some((dst, _)) = self.optional_dst(dst, Type::BITS_32, Fit::Exact)? else {
            return Err(self.error("the destination must be a register"));
        };
        Ok(Op::Match { all, members: self.src_u32(2)?, dst, found, a: self.src(1, ty)? })
    }

    /// `redux.sync.op.type d, a, members`
    pub fn reduce(&mut self) -> Result<Op> {
        self.modifiers.accept("sync");
        let op = self.modifiers.take(|word| {
            Some(match word {
                "add" => IntOp::Add,
                "min" => IntOp::Min,
                "max" => IntOp::Max,
                "and" => IntOp::And,
                "or" => IntOp::Or,
                "xor" => IntOp::Xor,
                _ => return None,
            })
        });
        let Some(op) = op else { return Err(self.error("the operation is missing or unknown")) };
        let ty = self.ty()?;
        self.expect_operands(3..=3)?;
        let (members, a) = (self.src_u32(2)?, self.src(1, ty)?);
        Ok(Op::Reduce { op, ty: self.int(ty)?, members, dst: self.dst(ty)?, a })
    }

    /// `nanosleep` may take no time at all.
    pub fn sleep(&mut self) -> Result<Op> {
        self.modifiers.accept("u32");
        self.expect_operands(1..=1)?;
        self.src_u32(0)?;
        Ok(Op::Nop)
    }

    pub fn active_mask(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.expect_operands(1..=1)?;
        Ok(Op::ActiveMask { dst: self.dst(ty)? })
    }

    pub fn shfl(&mut self) -> Result<Op> {
        let with_mask = self.modifiers.accept("sync");
        let mode = self.modifiers.take(|word| match word {
            "up" => Some(ShuffleMode::Up),
            "down" => Some(ShuffleMode::Down),
            "bfly" => Some(ShuffleMode::Butterfly),
            "idx" => Some(ShuffleMode::Index),
            _ => None,
        });
        let Some(mode) = mode else { return Err(self.error("the mode is missing")) };
        let ty = self.ty()?;
        self.expect_operands(if with_mask { 5..=5 } else { 4..=4 })?;
        let (dst, in_range) = match self.operand(0) {
            ast::Operand::Pair(dst, predicate) => (&**dst, Some(self.predicate_dst(predicate)?)),
            dst => (dst, None),
        };
        let Some((dst, _)) = self.optional_dst(dst, Type::BITS_32, Fit::Exact)? else {
            return Err(self.error("the destination must be a register"));
        };
        let (a, b, c) = (self.src(1, ty)?, self.src_u32(2)?, self.src_u32(3)?);
        let members = if with_mask { Some(self.src_u32(4)?) } else { None };
        Ok(Op::Shuffle { mode, dst, in_range, a, b, c, members })
    }
}
