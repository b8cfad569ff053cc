//! An instruction on its way through a core, and the warps that it is of.

use super::warp_set::WarpId;

/// Whose instruction it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Group {
    #[default]
    Warp,
    /// Of both halves of a pair (Graph-Waving, 6.1).
    Pair,
    /// Of a scalar wave, by its number (6.3).
    Wave(u8),
}

/// An issued instruction. `warp`: of a pair the even half, of a wave the first member. `entry`: where the
/// load-store unit keeps what it has to know of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InFlight {
    pub warp: WarpId,
    pub group: Group,
    pub entry: u16,
    /// What the front end wants to hear when it is over.
    pub tag: u8,
    pub pc: u32,
}

impl InFlight {
    pub fn of_warp(warp: WarpId, pc: u32) -> Self {
        InFlight { warp, group: Group::Warp, entry: 0, tag: 0, pc }
    }

    /// The part of one half of a pair.
    pub fn half(self, half: usize) -> Self {
        match self.group {
            Group::Pair => InFlight { warp: self.warp.half(half), group: Group::Warp, ..self },
            Group::Warp | Group::Wave(_) => self,
        }
    }

    /// The warp, or the two of a pair, each with its first lane among those of the instruction.
    pub fn warps(self, warp_size: usize) -> impl Iterator<Item = (WarpId, usize)> {
        let odd = (self.group == Group::Pair).then(|| (self.warp.half(1), warp_size));
        [Some((self.warp, 0)), odd].into_iter().flatten()
    }
}
