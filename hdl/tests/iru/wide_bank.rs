//! A bank of 4 sets that takes bundles of two, partition 0, bank 0, of 2 partitions with 8 sets.

use crate::iru::{clock, indices_of, place, put, ready, Element, Random, Word};
use hdl::iru::wide_bank::WideBank;
use std::collections::BTreeMap;

/// 2 bits of set.
type Bank = WideBank<2, 8, 163, 2, 1>;

struct Bench(Box<Bank>);

/// Puts a bundle, or none, on an input port.
macro_rules! put_bundle {
    ($port:expr, $bundle:expr) => {{
        let bundle: &[Element] = $bundle;
        put!($port, bundle.first().copied());
        let (index, secondary, position) = bundle.get(1).copied().unwrap_or_default();
        $port.more_valid[0].next = bundle.len() > 1;
        $port.more_index[0].next = index.into();
        $port.more_secondary[0].next = secondary.into();
        $port.more_position[0].next = position.into();
    }};
}

impl Bench {
    fn new(filter: u64) -> Self {
        let mut bank = ready!(Bank::default());
        bank.filter.next = filter.into();
        bank.beat_room.next = true;
        Bench(bank)
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            clock!(self.0);
            put_bundle!(self.0.local, &[]);
            put_bundle!(self.0.cw, &[]);
            put_bundle!(self.0.ccw, &[]);
            self.0.take.next = false;
        }
    }

    fn local(&mut self, bundle: &[Element]) {
        assert!(self.0.local_ready.val());
        put_bundle!(self.0.local, bundle);
        self.idle(1);
    }

    /// One after the other, and until all are in.
    fn fill(&mut self, bundles: &[&[Element]]) {
        bundles.iter().for_each(|bundle| self.local(bundle));
        self.settle();
    }

    fn settle(&mut self) {
        for _ in 0..200 {
            self.idle(1);
            if self.0.idle.val() {
                return self.idle(3);
            }
        }
        panic!("never idle");
    }

    fn count(&self) -> u64 {
        self.0.count.word()
    }

    /// The elements on the pins of a beat.
    fn beat(&self) -> Vec<Element> {
        let b = &self.0;
        let element = |j: usize| (b.beat_index[j].word(), b.beat_secondary[j].word(), b.beat_position[j].word());
        (0..4).filter(|j| b.beat_mask.word() >> j & 1 == 1).map(element).collect()
    }

    fn take(&mut self, set: u64, count: u64) -> Vec<Element> {
        assert!(self.0.take_ready.val());
        self.0.take.next = true;
        self.0.take_set.next = set.into();
        self.0.take_count.next = count.into();
        let mut taken = vec![];
        for _ in 0..200 {
            self.idle(1);
            if self.0.beat_valid.val() {
                taken.extend(self.beat());
                if self.0.beat_last.val() {
                    return taken;
                }
            }
        }
        panic!("no last beat");
    }
}

/// Different elements of a set of this bank.
fn elements(set: u64, count: usize) -> Vec<Element> {
    let indices = indices_of((0, 0, set), 1, 2, count);
    indices.into_iter().enumerate().map(|(n, index)| (index, 1000 + n as u64, n as u64)).collect()
}

/// The values of `merged` until the bank is idle.
fn merges(b: &mut Bench, bundles: &[&[Element]]) -> Vec<u64> {
    let mut merged = vec![];
    for cycle in 0..bundles.len() + 20 {
        put_bundle!(b.0.local, bundles.get(cycle).copied().unwrap_or_default());
        b.idle(1);
        merged.extend(Some(b.0.merged.word()).filter(|&bits| bits > 0));
    }
    assert!(b.0.idle.val());
    merged
}

#[test]
fn a_bundle_is_appended_at_the_end_of_the_fourth_cycle() {
    let mut b = Bench::new(0);
    let all = elements(2, 5);
    b.local(&all[..2]);
    for _ in 1..5 {
        assert_eq!(b.count(), 0);
        b.idle(1);
    }
    assert_eq!(b.count(), 2, "visible in t + 5");
    b.fill(&[&all[2..4], &all[4..]]);
    assert_eq!(b.take(2, 32), all);
}

#[test]
fn the_first_leaves_alone_where_one_slot_is_free() {
    for filter in [0, 1] {
        let mut b = Bench::new(filter);
        let all = elements(1, 34);
        b.fill(&[&all[..1]]);
        b.fill(&all[1..31].chunks(2).collect::<Vec<_>>());
        b.local(&all[31..33]);
        b.idle(20);
        assert_eq!((b.count(), b.0.idle.val()), (32, false), "one waits");
        assert_eq!(b.take(1, 3), all[29..32]);
        b.settle();
        assert_eq!(b.take(1, 32), [&all[..29], &all[32..33]].concat());
    }
}

#[test]
fn both_are_merged_in_one_cycle_also_into_slots_of_one_place_of_their_groups() {
    let mut b = Bench::new(1);
    let all = elements(3, 6);
    b.fill(&all.chunks(2).collect::<Vec<_>>());
    // Slots 0 and 4.
    let (x, y) = ((all[0].0, 7, 100), (all[4].0, 8, 101));
    assert_eq!(merges(&mut b, &[&[x, y]]), [3]);
    // A larger value is dropped.
    assert_eq!(merges(&mut b, &[&[(x.0, 9, 102), (all[1].0, 1, 103)]]), [3]);
    assert_eq!(b.take(3, 32), [x, (all[1].0, 1, 103), all[2], all[3], y, all[5]]);
}

#[test]
fn what_follows_its_equal_is_appended_and_the_lower_one_is_merged_into() {
    for (filter, merged) in [(1, 5), (2, 0)] {
        let mut b = Bench::new(filter);
        let [x, y] = elements(0, 2).try_into().unwrap();
        let bits = |v: u64| if filter == 2 { (v as f32).to_bits() as u64 } else { v };
        let of = |index: u64, value: u64, position: u64| (index, bits(value), position);
        // Equal in one bundle, and equal in flight.
        assert!(merges(&mut b, &[&[of(x.0, 20, 1), of(x.0, 30, 2)], &[of(y.0, 9, 3), of(x.0, 40, 4)]]).is_empty());
        assert_eq!(b.count(), 4);
        assert_eq!(merges(&mut b, &[&[of(x.0, merged.max(1), 5)]]), [1], "only the lowest one answers");
        let lowest = if filter == 2 { of(x.0, 21, 1) } else { of(x.0, 5, 5) };
        assert_eq!(b.take(0, 32), [lowest, of(x.0, 30, 2), of(y.0, 9, 3), of(x.0, 40, 4)]);
    }
}

#[test]
fn each_element_in_flight_claims_a_slot() {
    for (filter, flight) in [(1, 3), (2, 6)] {
        let mut b = Bench::new(filter);
        let all = elements(2, 34);
        b.fill(&all[..28].chunks(2).collect::<Vec<_>>());
        // Four slots are free: two bundles leave in cycles that follow each other, the third waits.
        let mut counts = vec![];
        for bundle in all[28..].chunks(2) {
            b.local(bundle);
        }
        for _ in 3..4 + flight + 4 {
            b.idle(1);
            counts.push(b.count());
        }
        assert_eq!(counts[counts.len() - 5..], [28, 30, 32, 32, 32], "filter {filter}");
        assert!(!b.0.idle.val());
    }
}

/// Random bundles of few indices on all three inputs, random takes, and room for beats at times.
#[test]
fn no_element_is_lost_and_none_comes_twice() {
    let bits = |v: u64| (v as f32).to_bits() as u64;
    for (filter, seed) in [(0, 1), (1, 2), (2, 3)] {
        let mut b = Bench::new(filter);
        let mut random = Random(seed);
        let indices: Vec<Vec<u64>> = (0..4).map(|set| indices_of((0, 0, set), 1, 2, 12 + 10 * set as usize)).collect();
        let (mut pushed, mut taken): (Vec<Element>, Vec<Element>) = (vec![], vec![]);
        let (mut merged, mut both) = (0, 0);
        for cycle in 0..4_000 {
            let drains = cycle >= 1_200;
            if drains && b.0.idle.val() && b.count() == 0 && b.0.take_ready.val() {
                break;
            }
            let mut bundle = |is_ready: bool| {
                let of_set = &indices[random.below(4) as usize];
                let count = if is_ready && !drains && random.tenths(6) { 1 + random.below(2) } else { 0 };
                let mut element = || {
                    let value = random.below(50);
                    let index = of_set[random.below(of_set.len() as u64) as usize];
                    let element = (index, if filter == 2 { bits(value) } else { value }, pushed.len() as u64);
                    pushed.push(element);
                    element
                };
                (0..count).map(|_| element()).collect::<Vec<_>>()
            };
            put_bundle!(b.0.local, &bundle(b.0.local_ready.val()));
            put_bundle!(b.0.cw, &bundle(b.0.cw_ready.val()));
            put_bundle!(b.0.ccw, &bundle(b.0.ccw_ready.val()));
            b.0.beat_room.next = drains || random.tenths(7);
            let (set, count) = (b.0.best_set.word(), b.0.best_count.word());
            b.0.take.next = b.0.take_ready.val() && count > 0 && (drains || random.tenths(2));
            b.0.take_set.next = set.into();
            b.0.take_count.next = if drains { 32 } else { 1 + random.below(32) }.into();
            clock!(b.0);
            merged += b.0.merged.word().count_ones() as usize;
            both += (b.0.merged.word() == 3) as usize;
            if b.0.beat_valid.val() {
                taken.extend(b.beat());
            }
        }
        assert!(b.0.idle.val());
        assert_eq!((b.count(), pushed.len()), (0, taken.len() + merged), "filter {filter}");
        assert_eq!((merged > 50, both > 10), (filter > 0, filter > 0), "{merged}, {both} of {}", pushed.len());
        // One value per index: the sum, or the smallest one.
        let digest = |elements: &[Element]| {
            let mut of: BTreeMap<u64, u64> = BTreeMap::new();
            for &(index, secondary, _) in elements {
                let before = of.get(&index).copied();
                let value = match filter {
                    1 => before.map_or(secondary, |b| b.min(secondary)),
                    2 => before.unwrap_or(0) + f32::from_bits(secondary as u32) as u64,
                    _ => before.unwrap_or(0) + secondary,
                };
                of.insert(index, value);
            }
            of
        };
        assert_eq!(digest(&taken), digest(&pushed), "filter {filter}");
        for e in &taken {
            let origin = pushed[e.2 as usize];
            assert_eq!((e.0, place(e.0, 1, 2).1), (origin.0, 0));
            assert!(filter == 2 || e.1 == origin.1, "value and position belong together");
        }
    }
}
