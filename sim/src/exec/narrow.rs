//! Instructions that ask for lanes which a narrow warp does not have.
//!
//! A kernel that reads the width of a warp never does. One that takes it for 32 would get another value than it means. All ones as a
//! member mask, and 0x1f as the last operand of a shuffle, mean the whole warp whatever its width.

use super::fault::{Asked, Cause};
use super::lanes::{each, Lanes};
use crate::ptx::op::{Op, Operand, ShuffleMode};

/// Bits of a lane number and of a distance in PTX.
const LANE: u32 = 0x1f;

/// Checks that a warp of `size` lanes can execute an instruction; the error names the lane to blame.
pub fn check(lanes: &Lanes, op: &Op, size: u32) -> Result<(), (u32, Cause)> {
    let asked = match *op {
        Op::Shuffle { mode, b, c, members, .. } => {
            shuffle(lanes, size, mode, b, c).or_else(|| beyond(lanes, size, members?))
        }
        Op::VoteOfMembers { members, .. } | Op::Match { members, .. } => beyond(lanes, size, members),
        Op::Reduce { members, .. } | Op::SyncLanes { members } => beyond(lanes, size, members),
        _ => None,
    };
    asked.map_or(Ok(()), |(lane, asked)| Err((lane as u32, Cause::BeyondWarp { asked, lanes: size })))
}

fn shuffle(lanes: &Lanes, size: u32, mode: ShuffleMode, b: Operand, c: Operand) -> Option<(usize, Asked)> {
    let (b, c) = (lanes.row(b), lanes.row(c));
    each(lanes.mask).find_map(|lane| {
        let (b, segment) = (b[lane] as u32, c[lane] as u32 >> 8 & LANE);
        let asked = match mode {
            // Segments are as long as the lowest bit that tells them apart.
            _ if segment != 0 && 1 << segment.trailing_zeros() > size => Asked::Group(1 << segment.trailing_zeros()),
            // Above the numbers of lanes, as with -1, the value is not meant to count.
            ShuffleMode::Index if segment == 0 && (size..=LANE).contains(&b) => Asked::Lane(b),
            ShuffleMode::Up | ShuffleMode::Down | ShuffleMode::Butterfly if b & LANE >= size => {
                Asked::Distance(b & LANE)
            }
            _ => return None,
        };
        Some((lane, asked))
    })
}

fn beyond(lanes: &Lanes, size: u32, members: Operand) -> Option<(usize, Asked)> {
    let members = lanes.row(members);
    each(lanes.mask).find_map(|lane| {
        let mask = members[lane] as u32;
        (mask != u32::MAX && mask >> size != 0).then_some((lane, Asked::Members(mask)))
    })
}
