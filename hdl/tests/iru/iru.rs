//! The whole unit of two partitions with memory and cores around it: nothing is lost, nothing comes twice.

use crate::iru::{clock, ready, Random, Word};
use hdl::iru::iru::Iru;
use hdl::iru::iru_hash::HashKind;
use hdl::iru::iru_partition::Options;
use std::collections::BTreeMap;

/// 2 partitions of 8 sets, 16 requests.
type Iru2 = Iru<2, 1, 2, 4, 8, 4, 5, 4, 84, 82, 5, 4, 5, 3, 4, 1, 0, 2>;

const PARTITIONS: usize = 2;
const REQUESTS: usize = 16;
const INDEX_LINE: u64 = 1000;
const SECONDARY_LINE: u64 = 50_000;

struct Bench {
    iru: Box<Iru2>,
    random: Random,
    index: Vec<u64>,
    secondary: Vec<u64>,
    /// Sectors on their way, of each partition: line, tag, sector.
    sectors: [Vec<(u64, u64, u64)>; PARTITIONS],
    /// Requests without an answer, and lanes of each that were answered.
    open: BTreeMap<u64, u64>,
    sent: u64,
    /// Elements that came: index, secondary value, position.
    delivered: Vec<(u64, u64, u64)>,
    merged: u64,
    disabled: u64,
    /// Parts of requests that came from another partition than the one asked.
    served_elsewhere: u64,
}

impl Bench {
    /// `link`: cycles of the way between the partitions.
    fn new(index: Vec<u64>, secondary: Vec<u64>, seed: u64, link: usize) -> Self {
        let options = Options { hash: HashKind::Multiplicative, timeout: 40, interleave: 2 };
        Bench {
            iru: ready!(Iru2::new(options, link)),
            random: Random(seed),
            index,
            secondary,
            sectors: Default::default(),
            open: BTreeMap::new(),
            sent: 0,
            delivered: vec![],
            merged: 0,
            disabled: 0,
            served_elsewhere: 0,
        }
    }

    fn start(&mut self, filter: u64) {
        let iru = &mut *self.iru;
        iru.index_line.next = INDEX_LINE.into();
        iru.secondary_line.next = SECONDARY_LINE.into();
        iru.with_secondary.next = filter != 0;
        iru.count.next = (self.index.len() as u64).into();
        iru.target.next = 0.into();
        iru.size.next = 2.into();
        iru.filter.next = filter.into();
        clock!(iru, start);
    }

    fn word(&self, line: u64, place: u64) -> u64 {
        let (words, base) = match line >= SECONDARY_LINE {
            true => (&self.secondary, SECONDARY_LINE),
            false => (&self.index, INDEX_LINE),
        };
        words.get(((line - base) * 32 + place) as usize).copied().unwrap_or(0x00ba_d0ba)
    }

    /// Memory of partition `p`: sees this cycle's outputs, sets its inputs.
    fn memory(&mut self, p: usize) {
        let ready = self.random.tenths(7);
        self.iru.mem_ready[p].next = ready;
        if ready && self.iru.mem_valid[p].val() {
            let (line, tag) = (self.iru.mem_line[p].word(), self.iru.mem_tag[p].word());
            let base = if tag & 1 == 1 { SECONDARY_LINE } else { INDEX_LINE };
            assert_eq!((line - base) / 2 % PARTITIONS as u64, p as u64, "two lines side by side in a partition");
            self.sectors[p].extend((0..self.iru.mem_sectors[p].word()).map(|sector| (line, tag, sector)));
        }
        let count = self.sectors[p].len() as u64;
        let arrives = count > 0 && self.random.tenths(6);
        self.iru.data_valid[p].next = arrives;
        if arrives {
            let place = self.random.below(count) as usize;
            let (line, tag, sector) = self.sectors[p].swap_remove(place);
            self.iru.data_tag[p].next = tag.into();
            self.iru.data_sector[p].next = sector.into();
            for i in 0..8 {
                self.iru.data_word[i][p].next = self.word(line, 8 * sector + i as u64).into();
            }
        }
    }

    /// Cores at partition `p`: the request's upper bits are its number, the lowest of them the partition asked.
    fn cores(&mut self, p: usize, wanted: u64) {
        let sends = self.sent < wanted && self.open.len() < REQUESTS && self.iru.request_ready[p].val();
        let sends = sends && self.random.tenths(3);
        self.iru.request_valid[p].next = sends;
        if sends {
            let number = self.sent * 2 + p as u64;
            self.iru.request[p].next = (number << 5 | 31).into();
            assert!(self.open.insert(number, 0).is_none());
            self.sent += 1;
        }
        let ready = self.random.tenths(8);
        self.iru.reply_ready[p].next = ready;
        if !(ready && self.iru.reply_valid[p].val()) {
            return;
        }
        let number = self.iru.reply_request[p].word() >> 5;
        let mask = self.iru.reply_mask[p].word();
        let lanes = self.open.get_mut(&number).expect("a reply to an open request");
        *lanes += mask.count_ones() as u64;
        let full = *lanes == 32;
        self.served_elsewhere += (number % 2 != p as u64) as u64;
        for j in (0..4).filter(|j| mask >> j & 1 == 1) {
            let i = &self.iru;
            let element = (i.reply_index[j][p].word(), i.reply_secondary[j][p].word(), i.reply_position[j][p].word());
            self.delivered.push(element);
        }
        if self.iru.reply_last[p].val() {
            assert!(self.iru.reply_end[p].val());
            self.disabled += 32 - self.open.remove(&number).unwrap();
        } else {
            assert!(!full, "the last lane comes with last");
        }
    }

    /// Answers `wanted` requests, with each element once.
    fn run(&mut self, wanted: u64) {
        for _ in 0..20_000 {
            for p in 0..PARTITIONS {
                self.memory(p);
                self.cores(p, wanted);
            }
            clock!(self.iru);
            self.merged += self.iru.merged.iter().map(|m| m.word().count_ones() as u64).sum::<u64>();
            if self.sent == wanted && self.open.is_empty() {
                return self.check_once_each();
            }
        }
        panic!("{} requests have no answer, {} elements came", self.open.len(), self.delivered.len());
    }

    fn check_once_each(&self) {
        let mut seen = vec![false; self.index.len()];
        for &(index, _, position) in &self.delivered {
            assert_eq!(index, self.index[position as usize]);
            assert!(!std::mem::replace(&mut seen[position as usize], true), "position {position} comes twice");
        }
        assert_eq!(self.delivered.len() as u64 + self.merged, self.index.len() as u64);
    }
}

fn indices(random: &mut Random, count: usize, range: u64) -> Vec<u64> {
    (0..count).map(|_| random.below(range)).collect()
}

#[test]
fn every_element_is_delivered_once_without_filter() {
    delivers_once(0);
}

#[test]
fn every_element_is_delivered_once_over_links() {
    delivers_once(1);
    delivers_once(2);
}

fn delivers_once(link: usize) {
    let mut random = Random(11);
    let index = indices(&mut random, 330, 5000);
    let mut b = Bench::new(index, vec![], 5, link);
    b.start(0);
    b.run(12);
    assert_eq!((b.merged, b.disabled), (0, 12 * 32 - 330), "the lanes that are left over get nothing");
    assert!(b.delivered.iter().all(|e| e.1 == 0), "no secondary value was fetched");
    assert!(b.served_elsewhere > 0, "some requests went to the other partition");
    // And again, with another array.
    clock!(b.iru; 20 + 2 * link);
    b.delivered.clear();
    b.index = indices(&mut random, 37, 100);
    b.disabled = 0;
    b.sent = 0;
    b.start(0);
    b.run(3);
    assert_eq!(b.disabled, 3 * 32 - 37);
}

#[test]
fn minima_and_sums_are_those_of_the_arrays() {
    for filter in [1, 2] {
        let mut random = Random(17);
        let index = indices(&mut random, 120, 30);
        let value = |v: u64| if filter == 1 { v } else { (v as f32).to_bits() as u64 };
        let secondary: Vec<_> = (0..120).map(|_| value(random.below(1000))).collect();
        let mut b = Bench::new(index.clone(), secondary.clone(), 23, 0);
        b.start(filter);
        b.run(5);
        assert!(b.merged > 20, "{} merged", b.merged);
        // Sums of small whole numbers are exact in any order.
        let number = |bits: u64| if filter == 1 { bits } else { f32::from_bits(bits as u32) as u64 };
        let of = |elements: &mut dyn Iterator<Item = (u64, u64)>| {
            let mut result: BTreeMap<u64, u64> = BTreeMap::new();
            for (index, secondary) in elements {
                let entry = result.entry(index).or_insert(if filter == 1 { u64::MAX } else { 0 });
                *entry = if filter == 1 { (*entry).min(number(secondary)) } else { *entry + number(secondary) };
            }
            result
        };
        let wanted = of(&mut index.iter().copied().zip(secondary.iter().copied()));
        assert_eq!(of(&mut b.delivered.iter().map(|e| (e.0, e.1))), wanted, "filter {filter}");
    }
}
