//! Instructions in which lanes see each other: votes and shuffles.

use super::fault::Cause;
use super::lanes::{each, Lanes, Row};
use crate::ptx::isa::{Slot, WARP_SIZE};
use crate::ptx::op::{IntOp, IntType, Operand, Predicate, ShuffleMode, VoteOp};

pub fn vote(lanes: &mut Lanes, op: VoteOp, dst: Slot, a: Predicate) {
    let votes = lanes.predicate(a) & lanes.mask;
    let passed = match op {
        VoteOp::All => votes == lanes.mask,
        VoteOp::Any => votes != 0,
        VoteOp::Uni => votes == 0 || votes == lanes.mask,
    };
    lanes.write_predicate(dst, if passed { u32::MAX } else { 0 });
}

pub fn ballot(lanes: &mut Lanes, dst: Slot, a: Predicate) {
    let votes = lanes.predicate(a) & lanes.mask;
    lanes.write(dst, &[u64::from(votes); WARP_SIZE]);
}

/// For each lane the executing lanes among its members.
fn groups(lanes: &Lanes, members: Operand) -> [u32; WARP_SIZE] {
    lanes.row(members).map(|members| members as u32 & lanes.mask)
}

/// A vote over the members of each lane; without an operation the lanes whose predicate is true.
pub fn vote_of_members(lanes: &mut Lanes, op: Option<VoteOp>, members: Operand, dst: Slot, a: Predicate) {
    let groups = groups(lanes, members);
    let votes = lanes.predicate(a);
    let Some(op) = op else {
        return lanes.write(dst, &groups.map(|group| u64::from(votes & group)));
    };
    let passed = |group: u32| match op {
        VoteOp::All => votes & group == group,
        VoteOp::Any => votes & group != 0,
        VoteOp::Uni => votes & group == 0 || votes & group == group,
    };
    let passed = lanes.mask_of(|lane| passed(groups[lane]));
    lanes.write_predicate(dst, passed);
}

/// `match`: lanes with equal values.
pub fn match_lanes(lanes: &mut Lanes, all: bool, members: Operand, dst: Slot, found: Option<Slot>, a: Operand) {
    let groups = groups(lanes, members);
    let values = *lanes.row(a);
    let same =
        |lane: usize| each(groups[lane]).filter(|other| values[*other] == values[lane]).fold(0, |m, l| m | 1 << l);
    let mut out = [0; WARP_SIZE];
    let mut complete = 0;
    for lane in each(lanes.mask) {
        let same = same(lane);
        let is_all = same == groups[lane];
        complete |= u32::from(is_all) << lane;
        out[lane] = if all && !is_all { 0 } else { u64::from(same) };
    }
    lanes.write(dst, &out);
    if let Some(slot) = found {
        lanes.write_predicate(slot, complete);
    }
}

/// A reduction of the constant -1 among members that leave out a lane which asks for it: what clang 19.1.7 makes of
/// `__reduce_add_sync(mask, value)`, whose operands it exchanges.
pub fn check_reduction(lanes: &Lanes, members: Operand, a: Operand) -> Result<(), (u32, Cause)> {
    let (members, value) = (lanes.row(members), lanes.row(a));
    let is_constant = matches!(a, Operand::Imm(_)) && value[0] as u32 == u32::MAX;
    match each(lanes.mask).find(|lane| is_constant && members[*lane] as u32 >> lane & 1 == 0) {
        Some(lane) => Err((lane as u32, Cause::ReduceOfMask { members: members[lane] as u32 })),
        None => Ok(()),
    }
}

/// `redux`: one value of all members.
pub fn reduce(lanes: &mut Lanes, op: IntOp, ty: IntType, members: Operand, dst: Slot, a: Operand) {
    let groups = groups(lanes, members);
    let values = *lanes.row(a);
    let signed = ty == IntType::S32;
    let two = |a: u64, b: u64| match op {
        IntOp::Min if signed => (a as i32).min(b as i32) as u32 as u64,
        IntOp::Max if signed => (a as i32).max(b as i32) as u32 as u64,
        IntOp::Min => a.min(b),
        IntOp::Max => a.max(b),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        _ => u64::from((a as u32).wrapping_add(b as u32)),
    };
    let mut out = [0; WARP_SIZE];
    for lane in each(lanes.mask) {
        out[lane] = each(groups[lane]).map(|member| values[member]).reduce(two).unwrap_or(0);
    }
    lanes.write(dst, &out);
}

pub fn active_mask(lanes: &mut Lanes, dst: Slot) {
    lanes.write(dst, &[u64::from(lanes.mask); WARP_SIZE]);
}

/// Lane of a warp of `size` that `lane` reads, and whether it is in the range that `c` allows; out of range a lane reads itself.
fn source(mode: ShuffleMode, size: u32, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let [b, clamp, segment] = [b, c, c >> 8].map(|field| field & (size - 1));
    let least = lane & segment;
    let most = least | (clamp & !segment);
    let (from, in_range) = match mode {
        ShuffleMode::Up => (lane.wrapping_sub(b), lane as i32 - b as i32 >= most as i32),
        ShuffleMode::Down => (lane + b, lane + b <= most),
        ShuffleMode::Butterfly => (lane ^ b, lane ^ b <= most),
        ShuffleMode::Index => {
            let from = least | (b & !segment);
            (from, from <= most)
        }
    };
    if in_range {
        (from, true)
    } else {
        (lane, false)
    }
}

/// In a warp of fewer than 32 lanes the fields of `b` and `c` have fewer bits.
pub fn shuffle(
    lanes: &mut Lanes,
    size: u32,
    mode: ShuffleMode,
    dst: Slot,
    in_range: Option<Slot>,
    operands: [Operand; 3],
) {
    let [a, b, c]: [&Row; 3] = operands.map(|operand| lanes.row(operand));
    let mut out = [0; WARP_SIZE];
    let mut within = 0;
    for lane in 0..size as usize {
        let (from, valid) = source(mode, size, lane as u32, b[lane] as u32, c[lane] as u32);
        out[lane] = a[from as usize];
        within |= u32::from(valid) << lane;
    }
    lanes.write(dst, &out);
    if let Some(slot) = in_range {
        lanes.write_predicate(slot, within);
    }
}
