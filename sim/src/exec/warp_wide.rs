//! Instructions in which lanes see each other: votes and shuffles.

use super::lanes::{Lanes, Row};
use crate::ptx::isa::{Slot, WARP_SIZE};
use crate::ptx::op::{Operand, Predicate, ShuffleMode, VoteOp};

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
