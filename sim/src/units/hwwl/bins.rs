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
