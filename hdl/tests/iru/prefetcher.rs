//! The prefetcher of partition 1 of 4.

use crate::iru::{clock, ready, Random, Word};
use hdl::iru::prefetcher::Prefetcher;

type Prefetcher4 = Prefetcher<2, 4, 5>;

const INDEX_LINE: u64 = 100;
const SECONDARY_LINE: u64 = 7000;

fn index(element: u64) -> u64 {
    0x5500_0000 | (element * 77 % (1 << 24))
}

fn secondary(element: u64) -> u64 {
    0xffff_ffff - element
}

struct Bench(Box<Prefetcher4>);

impl Bench {
    /// In cycle t + 1, if `start` comes in cycle t.
    fn started(interleave: u64, count: u64, with_secondary: bool) -> Self {
        let mut prefetcher = ready!(Prefetcher4::new(interleave));
        assert!(prefetcher.done.val());
        prefetcher.partition.next = 1.into();
        prefetcher.start.next = true;
        prefetcher.index_line.next = INDEX_LINE.into();
        prefetcher.secondary_line.next = SECONDARY_LINE.into();
        prefetcher.count.next = count.into();
        prefetcher.with_secondary.next = with_secondary;
        let mut b = Bench(prefetcher);
        b.cycle();
        b
    }

    fn cycle(&mut self) {
        clock!(self.0);
        self.0.start.next = false;
        self.0.data_valid.next = false;
    }

    fn request(&self) -> Option<(u64, u64, u64)> {
        let p = &self.0;
        let request = (p.mem_line.word(), p.mem_sectors.word(), p.mem_tag.word());
        p.mem_valid.val().then_some(request)
    }

    fn data(&mut self, tag: u64, sector: u64, words: impl Fn(u64) -> u64) {
        self.0.data_valid.next = true;
        self.0.data_tag.next = tag.into();
        self.0.data_sector.next = sector.into();
        for i in 0..8 {
            self.0.data_word[i].next = words(i as u64).into();
        }
    }
}

#[test]
fn asks_for_its_lines_until_the_slots_are_used() {
    let mut b = Bench::started(2, 32 * 100, false);
    assert_eq!(b.request(), None);
    assert!(!b.0.done.val());
    b.0.mem_ready.next = true;
    b.cycle();
    // Lines 2, 3 of the first 8, and so on.
    for (slot, chunk) in [2, 3, 10, 11, 18, 19, 26, 27].into_iter().enumerate() {
        assert_eq!(b.request(), Some((INDEX_LINE + chunk, 4, 2 * slot as u64)), "one a cycle from t + 2 on");
        b.cycle();
    }
    for _ in 0..5 {
        assert_eq!(b.request(), None, "eight slots");
        b.cycle();
    }
    // Slot 0 comes back, its last sector first.
    for sector in [3, 1, 2] {
        b.data(0, sector, |i| index(64 + 8 * sector + i));
        b.cycle();
        assert!(!b.0.group_valid.val());
    }
    b.0.group_ready.next = true;
    b.data(0, 0, |i| index(64 + i));
    b.cycle();
    assert!(!b.0.group_valid.val(), "arrived as this cycle begins");
    for sector in 0..4 {
        b.cycle();
        assert!(b.0.group_valid.val());
        assert_eq!(b.0.group_count.word(), 8);
        assert_eq!(b.0.group_position.word(), 64 + 8 * sector);
        assert_eq!(b.0.group_index[5].word(), index(64 + 8 * sector + 5) & 0xff_ffff, "lower 24 bits");
        assert_eq!(b.0.group_secondary[5].word(), 0);
        assert_eq!(b.request(), None);
    }
    b.cycle();
    assert_eq!(b.request(), Some((INDEX_LINE + 34, 4, 0)), "the slot is free in the cycle after the last read");
    assert!(!b.0.group_valid.val());
}

#[test]
fn the_secondary_line_follows_its_index_line() {
    // Elements 32 to 63 and, with one line side by side, 160 to 170.
    let mut b = Bench::started(1, 171, true);
    b.cycle();
    let wanted = [(1, 4, 0), (1, 4, 1), (5, 2, 2), (5, 2, 3)];
    for (chunk, sectors, tag) in wanted {
        let line = if tag & 1 == 1 { SECONDARY_LINE } else { INDEX_LINE } + chunk;
        for _ in 0..3 {
            assert_eq!(b.request(), Some((line, sectors, tag)), "stays until it is taken");
            b.0.mem_ready.next = false;
            b.cycle();
        }
        b.0.mem_ready.next = true;
        b.cycle();
    }
    assert_eq!(b.request(), None);
    assert!(!b.0.done.val());
}

#[test]
fn all_elements_come_in_order_from_a_memory_of_any_order() {
    for (interleave, with_secondary, count) in [(2, true, 1003), (8, false, 1283), (1, true, 512), (4, true, 100)] {
        let mut random = Random(interleave + count);
        let mut b = Bench::started(interleave, count, with_secondary);
        let mut sectors: Vec<(u64, u64, u64)> = vec![];
        let mut wanted = (0..count).filter(|e| e / 32 / interleave % 4 == 1);
        let mut groups = 0;
        for _ in 0..4000 {
            b.0.mem_ready.next = random.tenths(6);
            if let (true, Some((line, count, tag))) = (b.0.mem_ready.next, b.request()) {
                let chunk = line - if tag & 1 == 1 { SECONDARY_LINE } else { INDEX_LINE };
                sectors.extend((0..count).map(|sector| (chunk, tag, sector)));
            }
            if !sectors.is_empty() && random.tenths(7) {
                let (chunk, tag, sector) = sectors.swap_remove(random.below(sectors.len() as u64) as usize);
                let word: fn(u64) -> u64 = if tag & 1 == 1 { secondary } else { index };
                b.data(tag, sector, |i| word(32 * chunk + 8 * sector + i));
            }
            b.0.group_ready.next = random.tenths(5);
            if b.0.group_ready.next && b.0.group_valid.val() {
                groups += 1;
                for i in 0..b.0.group_count.word() {
                    let element = wanted.next().expect("no element too many");
                    let p = &b.0;
                    assert_eq!(p.group_position.word() + i, element);
                    assert_eq!(p.group_index[i as usize].word(), index(element) & 0xff_ffff);
                    let second = if with_secondary { secondary(element) } else { 0 };
                    assert_eq!(p.group_secondary[i as usize].word(), second);
                }
            }
            b.cycle();
        }
        assert_eq!(wanted.next(), None, "{groups} groups");
        assert!(b.0.done.val());
    }
}
