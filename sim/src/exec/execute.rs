//! Executes one warp instruction.

use super::effect::{Arrival, Control, Demand, Effect, Flow};
use super::fault::{Cause, Fault};
use super::lanes::{each, Lanes};
use super::registers::Registers;
use super::spaces::Spaces;
use super::state_space::MemoryInstruction;
use super::warp::{Scratch, WarpInfo};
use super::{compare, convert, float, int, narrow, special, warp_wide};
use crate::ptx::address_map::resolve;
use crate::ptx::instr::{BranchTable, Selects};
use crate::ptx::isa::{Place, Slot, BARRIERS, WARP_SIZE};
use crate::ptx::op::{BarrierAction, Op, Operand, Predicate};
use crate::ptx::program::Program;
use crate::ptx::system_op::SystemOp;

/// Threads that a barrier can be for.
const MOST_THREADS: u32 = 2048;

/// Executes the instruction at `pc` for the active `lanes`, its guard included.
///
/// Registers, loads and stores are done when this returns. Atomics on global memory are not: the effect has their operands,
/// [`super::atomic::apply`] does them and [`write_back`] writes what they found.
///
/// # Errors
/// The instruction cannot be executed.
pub fn execute<'s>(
    program: &Program,
    pc: u32,
    lanes: u32,
    warp: &WarpInfo,
    regs: &mut Registers,
    spaces: &mut Spaces,
    scratch: &'s mut Scratch,
) -> Result<Effect<'s>, Fault> {
    let instr = &program.code[pc as usize];
    let mask = match instr.guard {
        None => lanes,
        Some(guard) => lanes & (regs.predicate(guard.slot) ^ if guard.negated { u32::MAX } else { 0 }),
    };
    let active = lanes;
    let mut effect = Effect { lanes: mask, flow: Flow::Next, demand: Demand::Nothing };
    if mask == 0 {
        return Ok(effect);
    }
    let mut lanes = Lanes { program, regs, mask };
    let refused = |(lane, cause)| Fault::new(program, pc, warp, lane, cause);
    if warp.size < WARP_SIZE as u32 {
        narrow::check(&lanes, &instr.op, warp.size).map_err(refused)?;
    }
    scratch.changed = false;
    let memory = |lanes, spaces, scratch| MemoryInstruction { pc, warp, lanes, spaces, scratch };
    match instr.op {
        Op::Load(ref load) => effect.demand = memory(lanes, spaces, scratch).load(load)?,
        Op::Store(ref store) => effect.demand = memory(lanes, spaces, scratch).store(store)?,
        Op::Atomic(ref atomic) => effect.demand = memory(lanes, spaces, scratch).atomic(atomic)?,
        Op::Texture(ref fetch) => effect.demand = memory(lanes, spaces, scratch).fetch_texture(fetch)?,
        Op::TextureQuery(ref query) => effect.demand = memory(lanes, spaces, scratch).query_texture(query)?,
        Op::Surface(ref access) => effect.demand = memory(lanes, spaces, scratch).access_surface(access)?,
        Op::Builtin(ref call) => effect.demand = memory(lanes, spaces, scratch).builtin(call)?,
        Op::Branch { target } => effect.flow = Flow::Branch { taken: mask, target, others: pc + 1 },
        // First the guard alone decides, then the table.
        Op::BranchTable { .. } if mask != active => {
            effect.lanes = 0;
            effect.flow = Flow::Branch { taken: mask, target: pc, others: pc + 1 };
        }
        Op::BranchTable { selector, table } => {
            let table = &program.tables[usize::from(table)];
            let (taken, target) = choose(&lanes, table, selector).map_err(refused)?;
            effect.lanes = taken;
            effect.flow = Flow::Branch { taken, target, others: pc };
        }
        Op::Exit => {
            if let Some(checker) = &mut spaces.global.checker {
                checker.exit(warp, mask);
            }
            effect.flow = Flow::Exit { lanes: mask };
        }
        Op::Trap => return Err(refused((mask.trailing_zeros(), Cause::Trap))),
        Op::Barrier { id, threads, action, a } => {
            let arrival = arrival(&lanes, warp.size, id, threads, action, a);
            effect.flow = Flow::Barrier(arrival.map_err(refused)?);
        }
        Op::System(ref op) if op.code.place() == Place::AllCores => {
            effect.flow = Flow::Control(control(&lanes, op).map_err(refused)?);
        }
        Op::System(ref op) => {
            system_operands(&lanes, op, &mut scratch.operands).map_err(refused)?;
            effect.demand = Demand::Port { lanes: mask, operands: &scratch.operands };
        }
        Op::Fence | Op::SyncLanes { .. } | Op::Nop => {}
        Op::ReadSpecial { dst, register, bits } => special::read(&mut lanes, dst, register, bits, warp),
        Op::Shuffle { mode, dst, in_range, a, b, c, .. } => {
            warp_wide::shuffle(&mut lanes, warp.size, mode, dst, in_range, [a, b, c]);
        }
        Op::Reduce { op, ty, members, dst, a } => {
            warp_wide::check_reduction(&lanes, members, a).map_err(refused)?;
            warp_wide::reduce(&mut lanes, op, ty, members, dst, a);
        }
        Op::Int { op, ty, dst, a, b } => int::binary(&mut lanes, op, ty, dst, a, b),
        Op::IntUnary { op, ty, dst, a } => int::unary(&mut lanes, op, ty, dst, a),
        Op::MulWide { ty, dst, a, b } => int::mul_wide(&mut lanes, ty, dst, a, b),
        Op::Mad { product, ty, dst, a, b, c } => int::mad(&mut lanes, product, ty, dst, [a, b, c]),
        Op::Sad { ty, dst, a, b, c } => int::sad(&mut lanes, ty, dst, [a, b, c]),
        Op::Float { op, ty, modes, dst, a, b } => float::binary(&mut lanes, op, ty, modes, dst, a, b),
        Op::FloatUnary { op, ty, modes, dst, a } => float::unary(&mut lanes, op, ty, modes, dst, a),
        Op::Fma { ty, modes, dst, a, b, c } => float::fma(&mut lanes, ty, modes, dst, [a, b, c]),
        Op::Bfe { ty, dst, a, b, c } => int::extract(&mut lanes, ty, dst, [a, b, c]),
        Op::Bfi { ty, dst, a, b, c, d } => int::insert(&mut lanes, ty, dst, [a, b, c, d]),
        Op::Prmt { table, dst, a, b, c } => int::permute(&mut lanes, table, dst, [a, b, c]),
        Op::Carry { op, ty, dst, a, b, c, carry_in, carry_out } => {
            int::carry(&mut lanes, op, ty, dst, [a, b, c], (carry_in, carry_out));
        }
        Op::Testp { property, ty, dst, a } => float::test_property(&mut lanes, property, ty, dst, a),
        Op::IsSpace { space, dst, a } => {
            let row = lanes.row(a);
            let within = lanes.mask_of(|lane| resolve(row[lane]).0 == space);
            lanes.write_predicate(dst, within);
        }
        Op::Funnel { left, wrap, dst, a, b, c } => int::funnel(&mut lanes, left, wrap, dst, [a, b, c]),
        Op::Setp { ref compare, dst, complement } => compare::setp(&mut lanes, compare, dst, complement),
        Op::Set { ref compare, result, dst } => compare::set(&mut lanes, compare, result, dst),
        Op::Selp { dst, a, b, choice } => compare::selp(&mut lanes, dst, a, b, choice),
        Op::Slct { dst, a, b, c, by, ftz } => compare::slct(&mut lanes, dst, [a, b, c], by, ftz),
        Op::PredicateLogic { op, dst, a, b } => {
            let value = compare::logic(op, lanes.predicate(a), lanes.predicate(b));
            lanes.write_predicate(dst, value);
        }
        Op::PredicateMove { dst, a } => {
            let value = lanes.predicate(a);
            lanes.write_predicate(dst, value);
        }
        Op::Move { dst, a } => lanes.map(dst, [a], |[a]| a),
        Op::Pack { part_bits, count, dst, parts } => pack(&mut lanes, part_bits, count, dst, &parts),
        Op::Unpack { part_bits, count, dst, a } => unpack(&mut lanes, part_bits, count, &dst, a),
        Op::Convert { convert, dst, dst_bits, a } => convert::convert(&mut lanes, convert, dst, dst_bits, a),
        Op::Vote { op, dst, a } => warp_wide::vote(&mut lanes, op, dst, a),
        Op::Ballot { dst, a } => warp_wide::ballot(&mut lanes, dst, a),
        Op::VoteOfMembers { op, members, dst, a } => warp_wide::vote_of_members(&mut lanes, op, members, dst, a),
        Op::Match { all, members, dst, found, a } => warp_wide::match_lanes(&mut lanes, all, members, dst, found, a),
        Op::Lop3 { table, dst, a, b, c } => int::logic_of_three(&mut lanes, table, dst, [a, b, c]),
        Op::Dot(ref dot) => int::dot(&mut lanes, dot),
        Op::ActiveMask { dst } => warp_wide::active_mask(&mut lanes, dst),
    }
    Ok(effect)
}

/// A warp comes to a barrier; its operands are those of the first lane.
fn arrival(
    lanes: &Lanes,
    size: u32,
    id: Operand,
    threads: Option<Operand>,
    action: BarrierAction,
    a: Predicate,
) -> Result<Arrival, (u32, Cause)> {
    let first = lanes.mask.trailing_zeros();
    let uniform = |operand: Operand| lanes.row(operand)[first as usize] as u32;
    let (id, threads) = (uniform(id), threads.map(uniform));
    if id >= BARRIERS as u32 {
        return Err((first, Cause::BarrierId { id }));
    }
    let possible = |n: u32| n.is_multiple_of(size) && (1..=MOST_THREADS).contains(&n);
    if let Some(threads) = threads.filter(|n| !possible(*n)) {
        return Err((first, Cause::BarrierThreads { id, threads }));
    }
    let votes = lanes.predicate(a) & lanes.mask;
    Ok(Arrival { id, warps: threads.map(|n| n / size), action, lanes: lanes.mask, votes })
}

/// An instruction for all cores of a system.
fn control(lanes: &Lanes, op: &SystemOp) -> Result<Control, (u32, Cause)> {
    let first = lanes.mask.trailing_zeros();
    let operands = op.operands.map(|operand| operand.map_or(0, |operand| lanes.row(operand)[first as usize]));
    match op.code.refuses(operands[0] as u32) {
        Some(rule) => Err((first, Cause::SystemOperand { rule })),
        None => Ok(Control { code: op.code, operands }),
    }
}

/// The operands of an instruction that a port takes.
fn system_operands(lanes: &Lanes, op: &SystemOp, rows: &mut [[u32; WARP_SIZE]; 2]) -> Result<(), (u32, Cause)> {
    for (row, operand) in rows.iter_mut().zip(op.operands) {
        if let Some(operand) = operand {
            *row = lanes.row(operand).map(|value| value as u32);
        }
    }
    let refused = |lane: usize| Some((lane as u32, Cause::SystemOperand { rule: op.code.refuses(rows[0][lane])? }));
    each(lanes.mask).find_map(refused).map_or(Ok(()), Err)
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
pub fn reduction(program: &Program, action: BarrierAction, lanes: u32, arrived: u32, votes: u32, regs: &mut Registers) {
    let all_lanes = |value: bool| if value { u32::MAX } else { 0 };
    match action {
        BarrierAction::Sync | BarrierAction::Arrive => {}
        BarrierAction::Popc { dst } => write_back(program, dst, lanes, &[u64::from(votes); WARP_SIZE], regs),
        BarrierAction::And { dst } => regs.set_predicate(dst, lanes, all_lanes(votes == arrived)),
        BarrierAction::Or { dst } => regs.set_predicate(dst, lanes, all_lanes(votes > 0)),
    }
}

/// Writes a late result, of an atomic or of an instruction of a system, for `lanes`.
pub fn write_back(program: &Program, dst: Slot, lanes: u32, values: &[u64; WARP_SIZE], regs: &mut Registers) {
    Lanes { program, regs, mask: lanes }.write(dst, values);
}
