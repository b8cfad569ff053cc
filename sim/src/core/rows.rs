//! Rows: lanes that lie side by side in the pipelines. A row has the lanes of a warp or, where groups issue together, of two
//! neighbours, the even one first. A neighbour that issues alone keeps its place.

use super::in_flight::{InFlight, Members};
use super::warp_set::WarpId;
use crate::config::Config;

/// The rows that the warps of a core lie in.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    warp_size: usize,
    in_twos: bool,
}

impl Rows {
    pub fn new(config: &Config) -> Self {
        Rows { warp_size: config.core.warp_size, in_twos: config.groups_issue_together() }
    }

    /// The number of the row that a warp is in; it is that of one of the row's warps.
    pub fn row(self, warp: WarpId) -> usize {
        let first = if self.in_twos { warp.neighbour(0) } else { warp };
        first.number().into()
    }

    /// The place of a warp's first lane in its row.
    pub fn first(self, warp: WarpId) -> usize {
        match self.in_twos && warp != warp.neighbour(0) {
            true => self.warp_size,
            false => 0,
        }
    }

    /// The place in its row of an instruction's first lane.
    pub fn first_of(self, op: InFlight) -> usize {
        match op.members {
            Members::Two => 0,
            Members::One | Members::Set(_) => self.first(op.warp),
        }
    }

    /// All lanes of a warp in its row.
    pub fn lanes(self, warp: WarpId) -> u32 {
        (u32::MAX >> (u32::BITS as usize - self.warp_size)) << self.first(warp)
    }

    /// All lanes of an instruction in its row.
    pub fn lanes_of(self, op: InFlight) -> u32 {
        op.warps(self.warp_size).fold(0, |lanes, (warp, _)| lanes | self.lanes(warp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(preset: &str) -> Rows {
        Rows::new(&Config::preset(preset).unwrap())
    }

    #[test]
    fn a_warp_of_32_is_a_row() {
        let (rows, odd) = (rows("hwwl-micro14"), WarpId::at(1, 3));
        assert_eq!((rows.row(odd), rows.first(odd), rows.lanes(odd)), (64 + 3, 0, u32::MAX));
        assert_eq!(rows.lanes_of(InFlight::of_warp(odd, 0)), u32::MAX);
    }

    #[test]
    fn neighbours_share_a_row_and_keep_their_places() {
        let (rows, even, odd) = (rows("gw-fermi-gw8"), WarpId::at(2, 6), WarpId::at(2, 7));
        assert_eq!(rows.row(even), rows.row(odd));
        assert_eq!((rows.first(even), rows.lanes(even)), (0, 0x00ff));
        assert_eq!((rows.first(odd), rows.lanes(odd)), (8, 0xff00));
        let both = InFlight { members: Members::Two, ..InFlight::of_warp(even, 0) };
        assert_eq!((rows.first_of(both), rows.lanes_of(both)), (0, 0xffff));
        assert_eq!(rows.first_of(InFlight::of_warp(odd, 0)), 8);
        assert_ne!(rows.row(WarpId::at(2, 8)), rows.row(even));
    }
}
