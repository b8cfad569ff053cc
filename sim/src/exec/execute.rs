//! Executes one warp instruction.

use super::effect::{Arrival, Control, Effect};
use super::fault::{Cause, Fault};
use super::lanes::{each, Lanes};
use super::registers::Registers;
use super::spaces::Spaces;
use super::state_space::MemoryInstruction;
use super::warp::{Scratch, WarpInfo};
use super::{compare, convert, float, int, narrow, special, warp_wide};
use crate::ptx::address_map::resolve;
use crate::ptx::instr::{BranchTable, Instr, Selects};
use crate::ptx::isa::{Slot, BARRIERS, WARP_SIZE};
use crate::ptx::op::{BarrierAction, Op, Operand};
use crate::ptx::program::Program;

/// Bits of a work ID.
const WORK_ID_BITS: u32 = 24;
/// Threads that a barrier can be for.
const MOST_THREADS: u32 = 2048;

/// Executes the instruction at `pc` for the active `lanes`, its guard included.
///
/// Registers, loads and stores are done when this returns. Atomics on global memory are not: `scratch.access` has their
/// operands, [`super::atomic::apply`] does them and [`write_back`] writes what they found. `scratch.executed` says
/// which lanes took part; if there are none, the effect is [`Effect::Next`].
pub fn execute(
    program: &Program,
    pc: u32,
    lanes: u32,
    warp: &WarpInfo,
    regs: &mut Registers,
    spaces: &mut Spaces,
    scratch: &mut Scratch,
) -> Result<Effect, Fault> {
    let instr = &program.code[pc as usize];
    let mask = match instr.guard {
        None => lanes,
        Some(guard) => lanes & (regs.predicate(guard.slot) ^ if guard.negated { u32::MAX } else { 0 }),
    };
    (scratch.executed, scratch.changed) = (mask, false);
    if mask == 0 {
        return Ok(Effect::Next);
    }
    let active = lanes;
    let mut lanes = Lanes { program, regs, mask };
    if warp.size < WARP_SIZE as u32 {
        narrow::check(&lanes, &instr.op, warp.size)
            .map_err(|(lane, cause)| Fault::new(program, pc, warp, lane, cause))?;
    }
    match &instr.op {
        Op::Load(load) => return MemoryInstruction { pc, warp, lanes, spaces, scratch }.load(load),
        Op::Store(store) => return MemoryInstruction { pc, warp, lanes, spaces, scratch }.store(store),
        Op::Atomic(atomic) => return MemoryInstruction { pc, warp, lanes, spaces, scratch }.atomic(atomic),
        Op::Texture(fetch) => return MemoryInstruction { pc, warp, lanes, spaces, scratch }.fetch_texture(fetch),
        Op::TextureQuery(query) => {
            return MemoryInstruction { pc, warp, lanes, spaces, scratch }.query_texture(query);
        }
        Op::Surface(access) => return MemoryInstruction { pc, warp, lanes, spaces, scratch }.access_surface(access),
        Op::Builtin(call) => return MemoryInstruction { pc, warp, lanes, spaces, scratch }.builtin(call),
        Op::Branch { target } => return Ok(Effect::Branch { taken: mask, target: *target, others: pc + 1 }),
        // First the guard alone decides, then the table.
        Op::BranchTable { .. } if mask != active => {
            scratch.executed = 0;
            return Ok(Effect::Branch { taken: mask, target: pc, others: pc + 1 });
        }
        Op::BranchTable { selector, table } => {
            let (taken, target) = choose(&lanes, &program.tables[usize::from(*table)], *selector)
                .map_err(|(lane, cause)| Fault::new(program, pc, warp, lane, cause))?;
            scratch.executed = taken;
            return Ok(Effect::Branch { taken, target, others: pc });
        }
        Op::Exit => {
            if let Some(checker) = &mut spaces.global.checker {
                checker.exit(warp, mask);
            }
            return Ok(Effect::Exit { lanes: mask });
        }
        Op::UnitCall { a, b, .. } => {
            scratch.operands = [a, b].map(|operand| lanes.row(*operand).map(|value| value as u32));
            return Ok(Effect::Port { lanes: mask });
        }
        Op::Trap | Op::Barrier { .. } | Op::WorklistConfigure { .. } | Op::WorklistPush { .. } => {
            return effect(instr, &lanes, warp.size, scratch)
                .map_err(|(lane, cause)| Fault::new(program, pc, warp, lane, cause));
        }
        Op::WorklistInit { base, bytes } => {
            let lane = mask.trailing_zeros() as usize;
            let (base, bytes) = (lanes.row(*base)[lane], lanes.row(*bytes)[lane]);
            return Ok(Effect::Control(Control::WorklistInit { base, bytes }));
        }
        Op::WorklistPull { .. } => return Ok(Effect::Port { lanes: mask }),
        Op::ReorderLoad { .. } => return Ok(Effect::Port { lanes: mask }),
        Op::ReadSpecial { dst, register, bits } => special::read(&mut lanes, *dst, *register, *bits, warp),
        Op::Shuffle { mode, dst, in_range, a, b, c, .. } => {
            warp_wide::shuffle(&mut lanes, warp.size, *mode, *dst, *in_range, [*a, *b, *c]);
        }
        op => {
            if let Op::Reduce { members, a, .. } = *op {
                warp_wide::check_reduction(&lanes, members, a)
                    .map_err(|(lane, cause)| Fault::new(program, pc, warp, lane, cause))?;
            }
            compute(&mut lanes, op);
        }
    }
    Ok(Effect::Next)
}

/// Instructions that change no register and may be refused, with the lane to blame.
fn effect(instr: &Instr, lanes: &Lanes, size: u32, scratch: &mut Scratch) -> Result<Effect, (u32, Cause)> {
    let first = lanes.mask.trailing_zeros();
    let uniform = |operand: Operand| lanes.row(operand)[first as usize] as u32;
    match instr.op {
        Op::Barrier { id, threads, action, a } => {
            let (id, threads) = (uniform(id), threads.map(uniform));
            if id >= BARRIERS as u32 {
                return Err((first, Cause::BarrierId { id }));
            }
            let possible = |n: u32| n.is_multiple_of(size) && (1..=MOST_THREADS).contains(&n);
            if let Some(threads) = threads.filter(|n| !possible(*n)) {
                return Err((first, Cause::BarrierThreads { id, threads }));
            }
            Ok(Effect::Barrier(Arrival {
                id,
                warps: threads.map(|n| n / size),
                passes: action == BarrierAction::Arrive,
                lanes: lanes.mask,
                votes: lanes.predicate(a) & lanes.mask,
            }))
        }
        Op::WorklistConfigure { mode } => match uniform(mode) {
            mode @ (0 | 1) => Ok(Effect::Control(Control::WorklistConfigure { double: mode == 1 })),
            mode => Err((first, Cause::WorklistMode { mode })),
        },
        Op::WorklistPush { id } => {
            let row = lanes.row(id);
            for lane in each(lanes.mask) {
                let id = row[lane] as u32;
                if id >> WORK_ID_BITS != 0 {
                    return Err((lane as u32, Cause::WorkId { id }));
                }
                scratch.operands[0][lane] = id;
            }
            Ok(Effect::Port { lanes: lanes.mask })
        }
        _ => Err((first, Cause::Trap)),
    }
}

/// Where a table sends the first lane, and the lanes that it sends there too.
fn choose(lanes: &Lanes, table: &BranchTable, selector: Operand) -> Result<(u32, u32), (u32, Cause)> {
    let row = lanes.row(selector);
    let first = lanes.mask.trailing_zeros();
    let value = row[first as usize];
    let Some((_, target)) = table.targets.iter().find(|(of, _)| *of == value) else {
        let cause = match table.selects {
            Selects::Function => Cause::Callee { address: value },
            Selects::Index => Cause::BranchIndex { index: value, targets: table.targets.len() },
            Selects::ReturnAddress => Cause::ReturnAddress,
        };
        return Err((first, cause));
    };
    Ok((lanes.mask_of(|lane| row[lane] == value) & lanes.mask, *target))
}

/// Instructions that only compute.
fn compute(lanes: &mut Lanes, op: &Op) {
    match *op {
        Op::Int { op, ty, dst, a, b } => int::binary(lanes, op, ty, dst, a, b),
        Op::IntUnary { op, ty, dst, a } => int::unary(lanes, op, ty, dst, a),
        Op::MulWide { ty, dst, a, b } => int::mul_wide(lanes, ty, dst, a, b),
        Op::Mad { product, ty, dst, a, b, c } => int::mad(lanes, product, ty, dst, [a, b, c]),
        Op::Sad { ty, dst, a, b, c } => int::sad(lanes, ty, dst, [a, b, c]),
        Op::Float { op, ty, modes, dst, a, b } => float::binary(lanes, op, ty, modes, dst, a, b),
        Op::FloatUnary { op, ty, modes, dst, a } => float::unary(lanes, op, ty, modes, dst, a),
        Op::Fma { ty, modes, dst, a, b, c } => float::fma(lanes, ty, modes, dst, [a, b, c]),
        Op::Bfe { ty, dst, a, b, c } => int::extract(lanes, ty, dst, [a, b, c]),
        Op::Bfi { ty, dst, a, b, c, d } => int::insert(lanes, ty, dst, [a, b, c, d]),
        Op::Prmt { table, dst, a, b, c } => int::permute(lanes, table, dst, [a, b, c]),
        Op::Carry { op, ty, dst, a, b, c, carry_in, carry_out } => {
            int::carry(lanes, op, ty, dst, [a, b, c], (carry_in, carry_out));
        }
        Op::Testp { property, ty, dst, a } => float::test_property(lanes, property, ty, dst, a),
        Op::IsSpace { space, dst, a } => {
            let row = lanes.row(a);
            let within = lanes.mask_of(|lane| resolve(row[lane]).0 == space);
            lanes.write_predicate(dst, within);
        }
        Op::Funnel { left, wrap, dst, a, b, c } => int::funnel(lanes, left, wrap, dst, [a, b, c]),
        Op::Setp { ref compare, dst, complement } => compare::setp(lanes, compare, dst, complement),
        Op::Set { ref compare, result, dst } => compare::set(lanes, compare, result, dst),
        Op::Selp { dst, a, b, choice } => compare::selp(lanes, dst, a, b, choice),
        Op::Slct { dst, a, b, c, by, ftz } => compare::slct(lanes, dst, [a, b, c], by, ftz),
        Op::PredicateLogic { op, dst, a, b } => {
            let value = compare::logic(op, lanes.predicate(a), lanes.predicate(b));
            lanes.write_predicate(dst, value);
        }
        Op::PredicateMove { dst, a } => {
            let value = lanes.predicate(a);
            lanes.write_predicate(dst, value);
        }
        Op::Move { dst, a } => lanes.map(dst, [a], |[a]| a),
        Op::Pack { part_bits, count, dst, parts } => pack(lanes, part_bits, count, dst, &parts),
        Op::Unpack { part_bits, count, dst, a } => unpack(lanes, part_bits, count, &dst, a),
        Op::Convert { convert, dst, dst_bits, a } => convert::convert(lanes, convert, dst, dst_bits, a),
        Op::Vote { op, dst, a } => warp_wide::vote(lanes, op, dst, a),
        Op::Ballot { dst, a } => warp_wide::ballot(lanes, dst, a),
        Op::VoteOfMembers { op, members, dst, a } => warp_wide::vote_of_members(lanes, op, members, dst, a),
        Op::Match { all, members, dst, found, a } => warp_wide::match_lanes(lanes, all, members, dst, found, a),
        Op::Reduce { op, ty, members, dst, a } => warp_wide::reduce(lanes, op, ty, members, dst, a),
        Op::Lop3 { table, dst, a, b, c } => int::logic_of_three(lanes, table, dst, [a, b, c]),
        Op::Dot(ref dot) => int::dot(lanes, dot),
        Op::ActiveMask { dst } => warp_wide::active_mask(lanes, dst),
        // The rest has been dealt with.
        _ => {}
    }
}

fn pack(lanes: &mut Lanes, part_bits: u8, count: u8, dst: Slot, parts: &[Operand; 4]) {
    let mut out = [0; WARP_SIZE];
    for (i, part) in parts.iter().take(usize::from(count)).enumerate() {
        let row = lanes.row(*part);
        for lane in 0..WARP_SIZE {
            out[lane] |= row[lane] << (i as u32 * u32::from(part_bits));
        }
    }
    lanes.write(dst, &out);
}

fn unpack(lanes: &mut Lanes, part_bits: u8, count: u8, dst: &[Option<Slot>; 4], a: Operand) {
    let row = *lanes.row(a);
    for (i, slot) in dst.iter().take(usize::from(count)).enumerate() {
        if let Some(slot) = *slot {
            let shift = i as u32 * u32::from(part_bits);
            lanes.write(slot, &row.map(|value| value >> shift & ((1 << part_bits) - 1)));
        }
    }
}

/// Writes the result of a reduction at a barrier for `lanes` of a warp: over all `arrived` threads, of which `votes` had a true predicate.
pub fn reduction(program: &Program, pc: u32, lanes: u32, arrived: u32, votes: u32, regs: &mut Registers) {
    let Op::Barrier { action, .. } = program.code[pc as usize].op else { return };
    let all_lanes = |value: bool| if value { u32::MAX } else { 0 };
    match action {
        BarrierAction::Sync | BarrierAction::Arrive => {}
        BarrierAction::Popc { dst } => {
            Lanes { program, regs, mask: lanes }.write(dst, &[u64::from(votes); WARP_SIZE]);
        }
        BarrierAction::And { dst } => regs.set_predicate(dst, lanes, all_lanes(votes == arrived)),
        BarrierAction::Or { dst } => regs.set_predicate(dst, lanes, all_lanes(votes > 0)),
    }
}

/// Writes the late results of the instruction at `pc` (an atomic, a `wlpull` or a `unit.call`) for `lanes`.
pub fn write_back(program: &Program, pc: u32, lanes: u32, values: &[u64; WARP_SIZE], regs: &mut Registers) {
    let dst = match &program.code[pc as usize].op {
        Op::Atomic(atomic) => atomic.dst,
        Op::WorklistPull { dst } => Some(*dst),
        Op::UnitCall { dst, .. } => *dst,
        _ => None,
    };
    if let Some(dst) = dst {
        let mut lanes = Lanes { program, regs, mask: lanes };
        lanes.write(dst, values);
    }
}

/// What a `load_iru` brings to the lanes of a warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elements {
    /// Lanes that got an element. The registers of the others become 0.
    pub served: u32,
    /// Index, secondary value and position, by lane.
    pub values: [[u64; WARP_SIZE]; 3],
}

/// Writes the elements that the `load_iru` at `pc` has got for `lanes`.
pub fn write_back_elements(program: &Program, pc: u32, lanes: u32, elements: &Elements, regs: &mut Registers) {
    let Op::ReorderLoad { served, element } = program.code[pc as usize].op else { return };
    let mut lanes = Lanes { program, regs, mask: lanes };
    lanes.write(served, &std::array::from_fn(|lane| u64::from(elements.served >> lane & 1)));
    for (slot, values) in element.into_iter().zip(&elements.values) {
        if let Some(slot) = slot {
            lanes.write(slot, values);
        }
    }
}
