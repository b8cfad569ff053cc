//! The virtualization unit with bins against `docs/hwwl/hvu.md`, in RustHDL's own simulation.

use crate::common::{clock, ready, Word};
use hdl::hwwl::hvu_bins::HvuBins;
use hdl::hwwl::Refill;

struct Bench(Box<HvuBins<4>>);

impl Bench {
    /// In double-buffer mode, with eight lines.
    fn new() -> Self {
        let mut b = Bench(ready!(HvuBins::<4>::new(Refill::Interval(10))));
        clock!(b.0, init; init_base = 0u64, init_lines = 16u64);
        clock!(b.0, configure; double_buffer = true);
        b
    }

    /// Four IDs in a row, from `first` on; then waits until spills are welcome again.
    fn spill(&mut self, first: u64) {
        for i in 0..4 {
            self.0.spill_id[i].next = (first + i as u64).into();
        }
        self.0.spill.next = 0xfu64.into();
        clock!(self.0);
        self.0.spill.next = 0u64.into();
        clock!(self.0; 5);
        assert!(self.0.push_ready.val() && !self.0.overflow.val());
    }

    /// Waits for a store, takes it, and gives its IDs.
    fn store(&mut self) -> Vec<u64> {
        let waited = (0..100).find(|_| {
            clock!(self.0);
            self.0.mem_valid.val()
        });
        assert!(waited.is_some() && self.0.mem_write.val(), "no store");
        let ids = (0..self.0.mem_count.word() as usize).map(|word| self.0.mem_id[word].word()).collect();
        clock!(self.0, mem_ready);
        ids
    }
}

#[test]
fn a_full_bin_is_stored_alone() {
    let mut b = Bench::new();
    for i in 0..7 {
        b.spill(0x300 + 4 * i);
        b.spill(0x4_0500 + 4 * i);
    }
    clock!(b.0; 50);
    assert!(!b.0.mem_valid.val(), "56 IDs, and no bin is full");
    b.spill(0x31c);
    assert_eq!(b.store(), (0x300..0x320).rev().collect::<Vec<_>>(), "the newest first");
    clock!(b.0; 50);
    assert!(!b.0.mem_valid.val() && b.0.holds.val());
}

#[test]
fn the_rest_follows_the_exchange_of_sides_bin_by_bin() {
    let mut b = Bench::new();
    for first in [0x900, 0x100, 0x4_0100, 0x900] {
        b.spill(first);
    }
    clock!(b.0, swap);
    b.0.pull_part.next = true;
    assert!(!b.0.push_ready.val() && b.0.pull_busy.val());
    let expected = [0x4_0103, 0x4_0102, 0x4_0101, 0x4_0100, 0x103, 0x102, 0x101, 0x100];
    let stored = b.store();
    assert_eq!(stored[..8], expected, "bin 1 before bin 9, IDs of 2^14 numbers apart in one bin");
    assert_eq!(stored[8..], [0x903, 0x902, 0x901, 0x900, 0x903, 0x902, 0x901, 0x900]);
    clock!(b.0);
    assert!(b.0.push_ready.val(), "the push side is empty");
}

#[test]
fn what_the_bins_hold_needs_lines() {
    let mut b = Bench::new();
    // 64 lines' worth of IDs would be needed for more than eight lines: each spill goes to bins of its own.
    for i in 0..64 {
        b.spill(0x100 * i);
    }
    for i in 0..4 {
        b.0.spill_id[i].next = (5 + i as u64).into();
    }
    b.0.spill.next = 0xfu64.into();
    clock!(b.0);
    b.0.spill.next = 0u64.into();
    clock!(b.0);
    assert!(b.0.overflow.val(), "256 IDs are eight lines");
}
