//! Bins of `hvu`: spilled IDs of one block of memory gather in a bin, so that a line has IDs whose nodes lie near each other.
//! Behaviourally: stacks. One of them at a time is open, and its IDs leave one a cycle.

use super::pins::LINE_IDS;

/// IDs of a block, which share a bin: of 2^8 numbers in a row.
const BLOCK_BITS: u32 = 8;

#[derive(Clone, Debug, Default)]
pub(super) struct Bins {
    bins: Vec<Vec<u32>>,
    /// The bin that is being emptied.
    open: Option<usize>,
    /// The ID that left its bin in the previous cycle.
    leaving: Option<u32>,
    /// IDs in the bins and on their way out.
    held: usize,
}

impl Bins {
    pub fn new(count: usize) -> Self {
        Bins { bins: vec![Vec::with_capacity(LINE_IDS); count], ..Default::default() }
    }

    pub fn exist(&self) -> bool {
        !self.bins.is_empty()
    }

    pub fn held(&self) -> usize {
        self.held
    }

    /// A bin is being emptied, or an ID is on its way out.
    pub fn is_open(&self) -> bool {
        self.open.is_some() || self.leaving.is_some()
    }

    fn bin_of(&self, id: u32) -> usize {
        (id >> BLOCK_BITS) as usize % self.bins.len()
    }

    /// The bin of this ID is neither full nor open.
    pub fn has_room(&self, id: u32) -> bool {
        let bin = self.bin_of(id);
        self.bins[bin].len() < LINE_IDS && self.open != Some(bin)
    }

    pub fn push(&mut self, id: u32) {
        let bin = self.bin_of(id);
        self.bins[bin].push(id);
        self.held += 1;
    }

    /// A cycle: the ID that comes out, if one left its bin in the cycle before, and the next one leaves. `room`: places in the
    /// line. `any`: a bin that is not full may be opened as well.
    pub fn step(&mut self, room: usize, any: bool) -> Option<u32> {
        if !self.exist() || self.held == 0 {
            return None;
        }
        let out = self.leaving.take();
        self.held -= out.iter().count();
        if let Some(bin) = self.open {
            if room > out.iter().count() {
                self.leaving = self.bins[bin].pop();
            }
            let line_is_full = room <= out.iter().count() + self.leaving.iter().count();
            if self.bins[bin].is_empty() || line_is_full {
                self.open = None;
            }
        } else if room > out.iter().count() {
            let full = self.bins.iter().position(|bin| bin.len() == LINE_IDS);
            self.open = full.or_else(|| self.bins.iter().position(|bin| any && !bin.is_empty()));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cycles until an ID comes out, and the ID.
    fn next(bins: &mut Bins, room: usize, any: bool) -> Option<(usize, u32)> {
        (0..8).find_map(|cycle| bins.step(room, any).map(|id| (cycle, id)))
    }

    #[test]
    fn a_full_bin_opens_by_itself_and_gives_the_last_id_first() {
        let mut bins = Bins::new(64);
        (0..LINE_IDS as u32 - 1).for_each(|id| bins.push(0x300 + id));
        bins.push(0x4_0500);
        assert_eq!(next(&mut bins, LINE_IDS, false), None, "none is full");
        assert!(bins.has_room(0x3ff));
        bins.push(0x3ff);
        assert!(!bins.has_room(0x300) && bins.has_room(0x500));
        assert_eq!(next(&mut bins, LINE_IDS, false), Some((2, 0x3ff)), "a cycle to open, a cycle to read");
        assert!(bins.is_open() && !bins.has_room(0x300), "nothing joins the open bin");
        let left: Vec<u32> = (1..LINE_IDS).filter_map(|taken| bins.step(LINE_IDS - taken, false)).collect();
        assert_eq!(left, (0x300..0x31f).rev().collect::<Vec<_>>());
        assert!(!bins.is_open() && bins.has_room(0x300));
        assert_eq!(bins.held(), 1);
    }

    #[test]
    fn what_is_left_comes_bin_by_bin_if_it_may() {
        let mut bins = Bins::new(64);
        [0x900, 0x4_0100, 0x101].into_iter().for_each(|id| bins.push(id));
        let came: Vec<u32> = (0..12).filter_map(|_| bins.step(LINE_IDS, true)).collect();
        assert_eq!(came, [0x101, 0x4_0100, 0x900], "ID / 256 modulo 64 numbers the bin");
        assert_eq!((bins.held(), bins.is_open()), (0, false));
    }

    #[test]
    fn a_line_without_room_takes_nothing() {
        let mut bins = Bins::new(64);
        bins.push(7);
        assert_eq!(next(&mut bins, 0, true), None);
        assert!(!bins.is_open());
    }
}
