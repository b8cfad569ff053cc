//! A sorted queue in each core: what of the gain of one sorted queue (HWWL, IV-B) is left when the cores share the work.

use crate::units::hwwl::pins::LINE_IDS;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The core to whose queue an ID goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Split {
    /// The core's whose lane pushes it.
    ByPusher,
    /// Blocks go round robin to the cores. A block is 32 IDs, whose 4-byte words share a line of memory.
    ByBlock,
}

#[derive(Clone, Debug)]
pub(super) struct SortedCores {
    lanes: usize,
    split: Split,
    queues: Vec<BinaryHeap<Reverse<u32>>>,
}

impl SortedCores {
    pub fn new(cores: usize, lanes: usize, split: Split) -> Self {
        let queue = |_| BinaryHeap::with_capacity(super::FIRST_ROOM / cores);
        SortedCores { lanes, split, queues: (0..cores).map(queue).collect() }
    }

    pub fn len(&self) -> usize {
        self.queues.iter().map(BinaryHeap::len).sum()
    }

    /// `bank` counts the lanes of all cores.
    pub fn push(&mut self, bank: usize, id: u32) {
        let core = match self.split {
            Split::ByPusher => bank / self.lanes,
            Split::ByBlock => id as usize / LINE_IDS % self.queues.len(),
        };
        self.queues[core].push(Reverse(id));
    }

    /// The least of the core of `bank`; if it has none, the least of the core that has most, of several the first.
    pub fn pull(&mut self, bank: usize) -> Option<u32> {
        let own = bank / self.lanes;
        let core = if self.queues[own].is_empty() { self.fullest() } else { own };
        self.queues[core].pop().map(|Reverse(id)| id)
    }

    fn fullest(&self) -> usize {
        let cores = (0..self.queues.len()).rev();
        cores.max_by_key(|&core| self.queues[core].len()).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_none_takes_from_the_fullest_and_of_several_from_the_first() {
        let mut cores = SortedCores::new(4, 4, Split::ByPusher);
        for (bank, id) in [(4, 7), (8, 9), (9, 5), (13, 6), (12, 8)] {
            cores.push(bank, id);
        }
        let pulled: Vec<_> = (0..6).map(|_| cores.pull(0)).collect();
        assert_eq!(pulled, [Some(5), Some(6), Some(7), Some(9), Some(8), None]);
        assert_eq!(cores.len(), 0);
    }
}
