//! An instruction on its way through a core, and the warps that it is of.

use super::warp_set::WarpId;

/// The warps that an instruction is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Members {
    #[default]
    One,
    /// Both neighbours of a scheduler, whose lanes lie side by side. Each goes on when its own data has come.
    Two,
    /// A set of a scheduler's warps, by its number, with a lane each. They go on together.
    Set(u8),
}

/// An issued instruction. `warp`: the even one of two neighbours, the first one of a set. `entry`: where the load-store unit keeps
/// what it has to know of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InFlight {
    pub warp: WarpId,
    pub members: Members,
    pub entry: u16,
    /// The front end's own word, which it hears when the instruction is over.
    pub tag: u8,
    pub pc: u32,
}

impl InFlight {
    pub fn of_warp(warp: WarpId, pc: u32) -> Self {
        InFlight { warp, members: Members::One, entry: 0, tag: 0, pc }
    }

    /// The part of one of two neighbours.
    pub fn part(self, part: usize) -> Self {
        match self.members {
            Members::Two => InFlight { warp: self.warp.neighbour(part), members: Members::One, ..self },
            Members::One | Members::Set(_) => self,
        }
    }

    /// The warp, or both neighbours, each with its first lane among those of the instruction.
    pub fn warps(self, warp_size: usize) -> impl Iterator<Item = (WarpId, usize)> {
        let odd = (self.members == Members::Two).then(|| (self.warp.neighbour(1), warp_size));
        [Some((self.warp, 0)), odd].into_iter().flatten()
    }
}
