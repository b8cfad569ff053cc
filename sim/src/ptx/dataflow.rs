//! Registers that an operation reads and writes, and the pipeline that it takes.

use super::isa::{Class, Slots};
use super::op::{
    BarrierAction, CarryOp, Compare, DotProduct, FloatOp, FloatType, FloatUnaryOp, IntOp, Op, Operand, Predicate,
    SurfaceAccess,
};

fn read(slots: &mut Slots, operands: &[Operand]) {
    for operand in operands {
        if let Operand::Reg(slot) = operand {
            slots.push(*slot);
        }
    }
}

fn read_predicate(slots: &mut Slots, predicate: Predicate) {
    if let Predicate::Reg(guard) = predicate {
        slots.push(guard.slot);
    }
}

fn read_compare(slots: &mut Slots, compare: &Compare) {
    read(slots, &[compare.a, compare.b]);
    if let Some((_, predicate)) = compare.combine {
        read_predicate(slots, predicate);
    }
}

impl Op {
    /// Registers that the operation reads; the guard is not one of them.
    pub fn reads(&self) -> Slots {
        let mut slots = Slots::default();
        let s = &mut slots;
        match *self {
            Op::Int { a, b, .. } | Op::MulWide { a, b, .. } | Op::Float { a, b, .. } => read(s, &[a, b]),
            Op::IntUnary { a, .. } | Op::FloatUnary { a, .. } | Op::Move { a, .. } => read(s, &[a]),
            Op::Convert { a, .. } | Op::Unpack { a, .. } => read(s, &[a]),
            Op::Mad { a, b, c, .. } | Op::Sad { a, b, c, .. } | Op::Fma { a, b, c, .. } => read(s, &[a, b, c]),
            Op::Bfe { a, b, c, .. } | Op::Prmt { a, b, c, .. } | Op::Funnel { a, b, c, .. } => read(s, &[a, b, c]),
            Op::Lop3 { a, b, c, .. } | Op::Dot(DotProduct { a, b, c, .. }) => read(s, &[a, b, c]),
            Op::VoteOfMembers { members, a, .. } => {
                read(s, &[members]);
                read_predicate(s, a);
            }
            Op::Match { members, a, .. } | Op::Reduce { members, a, .. } => read(s, &[members, a]),
            Op::Slct { a, b, c, .. } | Op::Shuffle { a, b, c, .. } => read(s, &[a, b, c]),
            Op::Bfi { a, b, c, d, .. } => read(s, &[a, b, c, d]),
            Op::Setp { ref compare, .. } | Op::Set { ref compare, .. } => read_compare(s, compare),
            Op::Selp { a, b, choice, .. } => {
                read(s, &[a, b]);
                read_predicate(s, choice);
            }
            Op::PredicateLogic { a, b, .. } => {
                read_predicate(s, a);
                read_predicate(s, b);
            }
            Op::PredicateMove { a, .. } | Op::Vote { a, .. } | Op::Ballot { a, .. } => read_predicate(s, a),
            Op::Pack { count, ref parts, .. } => read(s, &parts[..count as usize]),
            Op::Load(ref load) => read(s, load.address.base.as_slice()),
            Op::Store(ref store) => {
                read(s, store.address.base.as_slice());
                read(s, &store.src[..store.count as usize]);
            }
            Op::Atomic(ref atomic) => {
                read(s, atomic.address.base.as_slice());
                read(s, &[atomic.a]);
                read(s, atomic.b.as_slice());
            }
            Op::Builtin(ref call) => read(s, call.base.as_slice()),
            Op::Texture(ref fetch) => {
                read(s, &[fetch.handle]);
                read(s, &fetch.coordinates);
            }
            Op::TextureQuery(query) => read(s, &[query.handle]),
            Op::Surface(ref access) => {
                read(s, &[access.handle]);
                read(s, &access.coordinates);
                read(s, &access.values);
            }
            Op::Carry { op, a, b, c, carry_in, .. } => {
                read(s, &[a, b]);
                if matches!(op, CarryOp::MadLo | CarryOp::MadHi) {
                    read(s, &[c]);
                }
                carry_in.into_iter().for_each(|slot| s.push(slot));
            }
            Op::Testp { a, .. } | Op::IsSpace { a, .. } => read(s, &[a]),
            Op::BranchTable { selector, .. } => read(s, &[selector]),
            Op::Barrier { id, threads, a, .. } => {
                read(s, &[id]);
                read(s, threads.as_slice());
                read_predicate(s, a);
            }
            Op::System(ref op) => op.operands.iter().for_each(|operand| read(s, operand.as_slice())),
            Op::ReadSpecial { .. } | Op::ActiveMask { .. } => {}
            Op::Branch { .. } | Op::Exit | Op::Trap | Op::Fence | Op::SyncLanes { .. } | Op::Nop => {}
        }
        slots
    }

    /// Registers that the operation writes, late results included.
    pub fn writes(&self) -> Slots {
        let mut slots = Slots::default();
        let s = &mut slots;
        match *self {
            Op::Int { dst, .. } | Op::IntUnary { dst, .. } | Op::MulWide { dst, .. } | Op::Mad { dst, .. } => {
                s.push(dst)
            }
            Op::Sad { dst, .. } | Op::Float { dst, .. } | Op::FloatUnary { dst, .. } | Op::Fma { dst, .. } => {
                s.push(dst)
            }
            Op::Bfe { dst, .. } | Op::Bfi { dst, .. } | Op::Prmt { dst, .. } | Op::Funnel { dst, .. } => s.push(dst),
            Op::Set { dst, .. } | Op::Selp { dst, .. } | Op::Slct { dst, .. } | Op::Move { dst, .. } => s.push(dst),
            Op::PredicateLogic { dst, .. } | Op::PredicateMove { dst, .. } | Op::ReadSpecial { dst, .. } => s.push(dst),
            Op::Pack { dst, .. } | Op::Convert { dst, .. } | Op::Vote { dst, .. } | Op::Ballot { dst, .. } => {
                s.push(dst)
            }
            Op::Carry { dst, carry_out, .. } => {
                s.push(dst);
                carry_out.into_iter().for_each(|slot| s.push(slot));
            }
            Op::Testp { dst, .. } | Op::IsSpace { dst, .. } => s.push(dst),
            Op::Lop3 { dst, .. } | Op::Dot(DotProduct { dst, .. }) => s.push(dst),
            Op::VoteOfMembers { dst, .. } | Op::Reduce { dst, .. } => s.push(dst),
            Op::Match { dst, found, .. } => {
                s.push(dst);
                found.into_iter().for_each(|slot| s.push(slot));
            }
            Op::Barrier { action, .. } => match action {
                BarrierAction::Popc { dst } | BarrierAction::And { dst } | BarrierAction::Or { dst } => s.push(dst),
                BarrierAction::Sync | BarrierAction::Arrive => {}
            },
            Op::ActiveMask { dst } => s.push(dst),
            Op::Setp { dst, complement, .. } => {
                s.push(dst);
                complement.into_iter().for_each(|slot| s.push(slot));
            }
            Op::Shuffle { dst, in_range, .. } => {
                s.push(dst);
                in_range.into_iter().for_each(|slot| s.push(slot));
            }
            Op::Unpack { ref dst, .. } => dst.iter().flatten().for_each(|slot| s.push(*slot)),
            Op::Load(ref load) => load.dst.iter().flatten().for_each(|(slot, _)| s.push(*slot)),
            Op::System(ref op) => op.results.iter().flatten().for_each(|slot| s.push(*slot)),
            Op::Atomic(ref atomic) => atomic.dst.into_iter().for_each(|slot| s.push(slot)),
            Op::Store(_) | Op::Branch { .. } | Op::BranchTable { .. } | Op::Exit | Op::Trap | Op::Nop => {}
            Op::Fence | Op::SyncLanes { .. } => {}
            Op::Texture(ref fetch) => fetch.dst.iter().flatten().for_each(|slot| s.push(*slot)),
            Op::TextureQuery(query) => s.push(query.dst),
            Op::Surface(ref access) => access.dst.iter().flatten().for_each(|slot| s.push(*slot)),
            // The result lies in local memory.
            Op::Builtin(_) => {}
        }
        slots
    }

    pub fn class(&self) -> Class {
        match *self {
            Op::Int { op, .. } => match op {
                IntOp::Add | IntOp::Sub | IntOp::AddSaturated | IntOp::SubSaturated => Class::IntAdd,
                IntOp::Min | IntOp::Max => Class::IntMinMax,
                IntOp::MulLo | IntOp::MulHi | IntOp::Mul24Lo | IntOp::Mul24Hi => Class::IntMul,
                IntOp::Div | IntOp::Rem => Class::IntDiv,
                IntOp::And | IntOp::Or | IntOp::Xor | IntOp::Shl | IntOp::Shr => Class::Simple,
            },
            Op::MulWide { .. } => Class::IntMul,
            Op::Mad { .. } => Class::IntMad,
            Op::Carry { op: CarryOp::Add | CarryOp::Sub, .. } => Class::IntAdd,
            Op::Carry { .. } => Class::IntMad,
            Op::Float { op, ty, .. } => float_class(op, ty),
            Op::FloatUnary { op: FloatUnaryOp::Neg | FloatUnaryOp::Abs, .. } => Class::Simple,
            Op::FloatUnary { .. } => Class::Special,
            Op::Fma { ty: FloatType::F64, .. } => Class::F64Fma,
            Op::Fma { .. } => Class::F32Fma,
            Op::Shuffle { .. } | Op::Match { .. } | Op::Reduce { .. } => Class::Shuffle,
            Op::Dot(_) => Class::IntMad,
            Op::Lop3 { .. } | Op::VoteOfMembers { .. } => Class::Simple,
            Op::Load(_) | Op::Texture(_) | Op::Surface(SurfaceAccess { store: false, .. }) => Class::Load,
            Op::Store(_) | Op::Surface(_) | Op::Builtin(_) => Class::Store,
            Op::Atomic(_) => Class::Atomic,
            Op::Branch { .. } | Op::BranchTable { .. } => Class::Branch,
            Op::Exit | Op::Trap => Class::Exit,
            Op::Barrier { .. } => Class::Barrier,
            Op::Fence | Op::SyncLanes { .. } => Class::Fence,
            Op::System(ref op) => Class::System(op.code.place()),
            Op::IntUnary { .. } | Op::Sad { .. } | Op::Bfe { .. } | Op::Bfi { .. } | Op::Prmt { .. } => Class::Simple,
            Op::Funnel { .. } | Op::Setp { .. } | Op::Set { .. } | Op::Selp { .. } | Op::Slct { .. } => Class::Simple,
            Op::PredicateLogic { .. } | Op::PredicateMove { .. } | Op::Move { .. } => Class::Simple,
            Op::ReadSpecial { .. } | Op::Pack { .. } | Op::Unpack { .. } | Op::Convert { .. } => Class::Simple,
            Op::Vote { .. } | Op::Ballot { .. } | Op::ActiveMask { .. } => Class::Simple,
            Op::Testp { .. } | Op::IsSpace { .. } | Op::TextureQuery(_) | Op::Nop => Class::Simple,
        }
    }
}

/// Half precision takes the pipeline of single precision.
fn float_class(op: FloatOp, ty: FloatType) -> Class {
    let double = ty == FloatType::F64;
    match op {
        FloatOp::Add | FloatOp::Sub if double => Class::F64Add,
        FloatOp::Add | FloatOp::Sub => Class::F32Add,
        FloatOp::Min | FloatOp::Max if double => Class::F64MinMax,
        FloatOp::Min | FloatOp::Max => Class::F32MinMax,
        FloatOp::Mul if double => Class::F64Mul,
        FloatOp::Mul => Class::F32Mul,
        FloatOp::Div | FloatOp::DivApprox if double => Class::F64Div,
        FloatOp::Div | FloatOp::DivApprox => Class::F32Div,
        FloatOp::CopySign => Class::Simple,
    }
}
