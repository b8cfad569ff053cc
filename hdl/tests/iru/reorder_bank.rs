//! A bank of 4 sets, partition 0, bank 0, of 2 partitions with 8 sets.

use crate::iru::{clock, indices_of, place, put, ready, Element, Random, Word};
use hdl::iru::reorder_bank::ReorderBank;
use std::collections::{BTreeMap, BTreeSet};

/// 2 bits of set.
type Bank = ReorderBank<2, 8, 82, 5>;

struct Bench(Box<Bank>);

/// Elements of a take, and in which cycles its beats came.
struct Taken {
    elements: Vec<Element>,
    beats: Vec<usize>,
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
            put!(self.0.local, None);
            put!(self.0.cw, None);
            put!(self.0.ccw, None);
            self.0.take.next = false;
        }
    }

    fn local(&mut self, element: Element) {
        self.offer(Some(&element));
    }

    /// A cycle with an element from this partition, or without.
    fn offer(&mut self, element: Option<&Element>) {
        assert!(element.is_none() || self.0.local_ready.val());
        put!(self.0.local, element.copied());
        self.idle(1);
    }

    /// One after the other, and until all are in.
    fn fill(&mut self, elements: &[Element]) {
        elements.iter().for_each(|&e| self.local(e));
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

    fn best(&self) -> (u64, u64) {
        (self.0.best_set.word(), self.0.best_count.word())
    }

    /// Element `j` of the beat on the pins.
    fn element(&self, j: usize) -> Element {
        let b = &self.0;
        (b.beat_index[j].word(), b.beat_secondary[j].word(), b.beat_position[j].word())
    }

    fn start_take(&mut self, set: u64, count: u64) {
        assert!(self.0.take_ready.val());
        self.0.take.next = true;
        self.0.take_set.next = set.into();
        self.0.take_count.next = count.into();
    }

    /// Takes, and gives what comes; cycle 0 is that of `take`.
    fn take(&mut self, set: u64, count: u64) -> Taken {
        self.start_take(set, count);
        self.collect()
    }

    fn collect(&mut self) -> Taken {
        let mut taken = Taken { elements: vec![], beats: vec![] };
        for cycle in 1..200 {
            self.idle(1);
            if self.0.beat_valid.val() {
                taken.beats.push(cycle);
                let mask = self.0.beat_mask.word();
                for j in 0..4 {
                    match mask >> j & 1 {
                        1 => taken.elements.push(self.element(j)),
                        _ => assert_eq!(self.element(j), (0, 0, 0)),
                    }
                }
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

#[test]
fn an_element_is_appended_at_the_end_of_the_fourth_cycle() {
    let mut b = Bench::new(0);
    // Pushed at the end of cycle t: after this call it is t + 1.
    b.local(elements(2, 1)[0]);
    for _ in 1..5 {
        assert_eq!(b.count(), 0);
        assert!(!b.0.idle.val());
        b.idle(1);
    }
    assert_eq!(b.count(), 1, "visible in t + 5");
    assert!(b.0.idle.val());
    assert_eq!(b.best().1, 0);
    b.idle(2);
    assert_eq!(b.best(), (2, 1), "two cycles later");
}

#[test]
fn a_full_set_is_complete_and_takes_no_more() {
    let mut b = Bench::new(0);
    let all = elements(1, 40);
    for &e in &all[..36] {
        b.local(e);
    }
    b.idle(10);
    assert_eq!(b.count(), 32);
    assert!(b.0.complete_valid.val());
    assert_eq!(b.0.complete_set.word(), 1);
    assert!(!b.0.idle.val(), "four wait");
    // A take of the upper ten: slots 22 to 31.
    b.start_take(1, 10);
    let taken = b.collect();
    assert_eq!(taken.elements, all[22..32]);
    assert_eq!(taken.beats, [3, 4, 5], "occupancy falls in cycle 1, groups 5, 6 and 7 are read from cycle 2 on");
    assert!(!b.0.take_ready.val(), "in u + 1");
    b.idle(1);
    assert!(!b.0.take_ready.val());
    b.idle(1);
    assert!(b.0.take_ready.val(), "in u + 3");
    b.settle();
    assert_eq!(b.count(), 26, "those that waited went into slots 22 to 25");
    assert_eq!(b.take(1, 32).elements, [&all[..22], &all[32..36]].concat());
    b.idle(2);
    assert_eq!(b.count(), 0);
}

#[test]
fn beats_wait_for_room() {
    let mut b = Bench::new(0);
    let all = elements(0, 9);
    b.fill(&all);
    b.start_take(0, 5);
    b.0.beat_room.next = false;
    for _ in 0..6 {
        b.idle(1);
        assert!(!b.0.beat_valid.val());
    }
    b.0.beat_room.next = true;
    let taken = b.collect();
    assert_eq!(taken.elements, all[4..9]);
    assert_eq!(taken.beats, [1, 2], "slots 4 to 7, then 8");
    b.idle(3);
    assert_eq!(b.best(), (0, 4));
}

#[test]
fn complete_sets_come_round_robin_and_the_fullest_first_of_equals() {
    let mut b = Bench::new(0);
    for set in [3, 1] {
        b.fill(&elements(set, 32));
    }
    assert_eq!(b.0.complete_set.word(), 1);
    assert_eq!(b.best(), (1, 32));
    b.take(1, 1);
    b.idle(3);
    assert_eq!((b.0.complete_valid.val(), b.0.complete_set.word()), (true, 3));
    assert_eq!(b.best(), (3, 32));
    let again = (elements(1, 33)[32].0, 7, 7);
    b.fill(&[again]);
    assert_eq!(b.0.complete_set.word(), 3, "set 3 is the first behind 2");
    assert_eq!(b.best(), (1, 32));
}

#[test]
fn the_ring_goes_before_local_but_not_more_than_eight_times() {
    let mut b = Bench::new(0);
    // All of one full set: stage 2 stalls, and the queues fill.
    b.fill(&elements(0, 32));
    let blocked = elements(0, 33)[32].0;
    b.local((blocked, 0, 0));
    b.local((blocked, 0, 0));
    b.idle(5);
    let all = elements(1, 30);
    let (ring, local) = all.split_at(27);
    for n in 0..14 {
        put!(b.0.cw, ring.get(2 * n).copied());
        put!(b.0.ccw, ring.get(2 * n + 1).copied());
        put!(b.0.local, local.get(n).copied());
        b.idle(1);
    }
    b.idle(3);
    assert_eq!(b.count(), 32, "both stages are taken");
    b.take(0, 32);
    b.settle();
    assert_eq!(b.count(), 2 + 30);
    // cw and ccw alternate, and a local one comes after each eight of them.
    let wanted =
        [&ring[..8], &local[..1], &ring[8..16], &local[1..2], &ring[16..24], &local[2..], &ring[24..]].concat();
    assert_eq!(b.take(1, 30).elements, wanted);
}

#[test]
fn minimum_merges_what_has_the_same_index() {
    let mut b = Bench::new(1);
    let of = elements(3, 3);
    let (x, y) = (of[0].0, of[1].0);
    // Back to back, so that each finds what the one before it left.
    let all = [(x, 50, 1), (x, 40, 2), (x, 45, 3), (y, 9, 4), (x, 40, 5), (y, 3, 6), (x, 0xffff_ffff, 7)];
    let (_, merged) = arrivals(&mut b, &all);
    assert_eq!(merged.len(), 5);
    assert_eq!(b.count(), 2);
    assert_eq!(b.take(3, 2).elements, [(x, 40, 2), (y, 3, 6)]);
}

#[test]
fn addition_sums_up_and_keeps_the_first_position() {
    let mut b = Bench::new(2);
    let x = elements(0, 1)[0].0;
    let y = elements(2, 1)[0].0;
    let bits = |v: f32| v.to_bits() as u64;
    for (n, v) in [0.5f32, 0.25, 3.0, 1e-3].into_iter().enumerate() {
        b.local((x, bits(v), n as u64));
        b.local((y, bits(2.0 * v), 10 + n as u64));
    }
    b.settle();
    assert_eq!(b.count(), 2);
    let sum = ((0.5f32 + 0.25) + 3.0) + 1e-3;
    assert_eq!(b.take(0, 1).elements, [(x, bits(sum), 0)]);
    b.idle(3);
    assert_eq!(b.take(2, 1).elements, [(y, bits(2.0 * sum), 10)]);
}

#[test]
fn an_element_is_in_flight_until_its_write() {
    // Written in t + 3 (minimum) or t + 6 (addition), where t is the first cycle in stage 2.
    for (filter, flight) in [(1, 3), (2, 6)] {
        let mut b = Bench::new(filter);
        b.local(elements(0, 1)[0]);
        let appended = (1..40).find(|_| {
            b.idle(1);
            b.count() == 1
        });
        // Cycle 0 is that of the push; stage 2 in cycle 4; the count shows in the cycle after the write.
        assert_eq!(appended, Some(4 + flight), "filter {filter}: idle(1) number n shows cycle n + 1");
        assert!(b.0.idle.val());
    }
}

/// Pushes one element a cycle, from cycle 0 on, and gives the cycles in which `count` has grown and those in which
/// `merged` is high.
fn arrivals(b: &mut Bench, elements: &[Element]) -> (Vec<usize>, Vec<usize>) {
    let (mut grown, mut merged) = (vec![], vec![]);
    let mut count = b.count();
    for cycle in 1..elements.len() + 60 {
        b.offer(elements.get(cycle - 1));
        if b.count() > count {
            count = b.count();
            grown.push(cycle);
        }
        if b.0.merged.val() {
            merged.push(cycle);
        }
    }
    (grown, merged)
}

#[test]
fn one_element_a_cycle_also_with_filter() {
    for (filter, write) in [(1, 4 + 3), (2, 4 + 6)] {
        let mut b = Bench::new(filter);
        // All of one set, then all of them once more.
        let all = elements(1, 20);
        let (grown, merged) = arrivals(&mut b, &[&all[..], &all[..]].concat());
        assert_eq!(grown, (write + 1..write + 21).collect::<Vec<_>>());
        assert_eq!(merged, (write + 21..write + 41).collect::<Vec<_>>());
    }
}

#[test]
fn an_element_waits_for_its_index_alone() {
    for (filter, flight) in [(1, 3), (2, 6)] {
        let mut b = Bench::new(filter);
        let [x, y, z] = elements(1, 3)[..] else { unreachable!() };
        let (grown, merged) = arrivals(&mut b, &[y, x, x, z]);
        // y leaves stage 2 in cycle 4, x in 5, the other x in the cycle after the write of x, z after it.
        assert_eq!(grown, [4 + flight + 1, 5 + flight + 1, 5 + flight + 2 + flight + 1]);
        assert_eq!(merged, [5 + flight + 1 + flight + 1]);
    }
}

#[test]
fn what_is_in_flight_claims_a_slot_until_it_is_known_to_be_merged() {
    for (filter, flight) in [(1, 3), (2, 6)] {
        let of = elements(2, 34);
        let after = |filled: usize, pushed: &[usize]| {
            let mut b = Bench::new(filter);
            b.fill(&of[..filled]);
            let (grown, merged) = arrivals(&mut b, &pushed.iter().map(|&n| of[n]).collect::<Vec<_>>());
            assert!(!b.0.idle.val(), "one waits for good");
            (grown, merged)
        };
        // Two slots free: the merging one does not keep the two others back, but the third of them waits.
        assert_eq!(after(30, &[3, 30, 31, 32]), (vec![5 + flight + 1, 6 + flight + 1], vec![4 + flight + 1]));
        // One free: it is claimed for a cycle. A full set takes not even a duplicate.
        assert_eq!(after(31, &[3, 31, 3]), (vec![6 + flight + 1], vec![4 + flight + 1]));
        // One free, and claimed by a newcomer until it is written: the set is full then.
        let (grown, merged) = after(31, &[31, 3]);
        assert_eq!((grown.len(), merged.len()), (1, 0));
    }
}

#[test]
fn takes_go_before_elements_that_enter_the_filter() {
    let mut b = Bench::new(1);
    b.fill(&elements(0, 32));
    let all = elements(1, 12);
    b.start_take(0, 32);
    let mut beats = vec![];
    let mut grown = vec![];
    for cycle in 1..40 {
        b.offer(all.get(cycle - 1));
        if b.0.beat_valid.val() {
            beats.push(cycle);
        }
        // Cycle 1 ends with the occupancy at 0.
        if cycle > 1 && b.count() > grown.len() as u64 {
            grown.push(cycle);
        }
    }
    // Groups are read in cycles 2 to 9; elements are in stage 2 from 4 on, the first leaves in 10.
    assert_eq!(beats, (3..11).collect::<Vec<_>>());
    assert_eq!(grown, (10 + 3 + 1..10 + 3 + 1 + 12).collect::<Vec<_>>());
}

#[test]
fn elements_are_appended_beside_a_take() {
    let mut b = Bench::new(0);
    b.fill(&elements(0, 32));
    b.start_take(0, 32);
    let mut beats = vec![];
    for (n, &e) in elements(1, 12).iter().enumerate() {
        b.local(e);
        if b.0.beat_valid.val() {
            beats.push(n + 1);
        }
        // The occupancy of the taken set falls at the end of cycle 1; elements are in stage 2 from cycle 4 on.
        let appended = n.saturating_sub(3) as u64;
        assert_eq!(b.count(), if n == 0 { 32 } else { appended });
    }
    assert_eq!(beats, (3..11).collect::<Vec<_>>());
}

#[test]
fn a_take_waits_for_what_is_in_flight_on_its_set() {
    for (filter, write) in [(1, 4 + 3), (2, 4 + 6)] {
        let mut b = Bench::new(filter);
        let all = elements(0, 3);
        b.fill(&all[..2]);
        b.local(all[2]);
        // In stage 2 in cycle 4, which is that of `take`; it leaves all the same.
        b.idle(3);
        let taken = b.take(0, 32);
        assert_eq!(taken.elements, all);
        // Cycle 0 of the take is cycle 4 here. The occupancy falls in the cycle after the write.
        assert_eq!(taken.beats, [write - 4 + 3]);
    }
}

/// Random elements of few indices on all three inputs, random takes, and room for beats at times.
#[test]
fn no_element_is_lost_and_none_comes_twice() {
    let bits = |v: u64| (v as f32).to_bits() as u64;
    for (filter, seed) in [(0, 1), (1, 2), (2, 3)] {
        let mut b = Bench::new(filter);
        let mut random = Random(seed);
        // A set more than holds 32; the others seldom do.
        let indices: Vec<u64> = (0..4).flat_map(|set| indices_of((0, 0, set), 1, 2, 12 + 10 * set as usize)).collect();
        let mut pushed: Vec<Element> = vec![];
        let mut taken: Vec<Element> = vec![];
        let mut merged = 0;
        let mut set_of_take = None;
        let mut part: Vec<u64> = vec![];
        for cycle in 0..4_000 {
            let drains = cycle >= 1_200;
            if drains && b.0.idle.val() && b.count() == 0 && set_of_take.is_none() {
                break;
            }
            let mut element = |ready: bool| {
                let comes = ready && !drains && random.tenths(6);
                comes.then(|| {
                    let value = random.below(50);
                    let secondary = if filter == 2 { bits(value) } else { value };
                    let e = (indices[random.below(indices.len() as u64) as usize], secondary, pushed.len() as u64);
                    pushed.push(e);
                    e
                })
            };
            put!(b.0.local, element(b.0.local_ready.val()));
            put!(b.0.cw, element(b.0.cw_ready.val()));
            put!(b.0.ccw, element(b.0.ccw_ready.val()));
            b.0.beat_room.next = drains || random.tenths(7);
            let (set, count) = b.best();
            b.0.take.next = b.0.take_ready.val() && count > 0 && (drains || random.tenths(2));
            if b.0.take.next {
                assert_eq!(set_of_take.replace(set), None);
                b.0.take_set.next = set.into();
                b.0.take_count.next = if drains { 32 } else { 1 + random.below(32) }.into();
            }
            clock!(b.0);
            merged += b.0.merged.val() as usize;
            if b.0.beat_valid.val() {
                for j in (0..4).filter(|j| b.0.beat_mask.word() >> j & 1 == 1) {
                    let e = b.element(j);
                    taken.push(e);
                    assert_eq!(Some(place(e.0, 1, 2).2), set_of_take);
                    part.push(e.0);
                }
                if b.0.beat_last.val() {
                    let different: BTreeSet<_> = part.iter().collect();
                    assert!(filter == 0 || different.len() == part.len(), "an index is in a set once");
                    part.clear();
                    set_of_take = None;
                }
            }
        }
        assert!(b.0.idle.val());
        assert_eq!(b.count(), 0);
        assert_eq!(pushed.len(), taken.len() + merged);
        assert_eq!(merged > 50, filter > 0, "{merged} of {}", pushed.len());
        let positions: BTreeSet<_> = taken.iter().map(|e| e.2).collect();
        assert_eq!(positions.len(), taken.len(), "each position at most once");
        // One value per index: all, the smallest value, or the sum.
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
            assert_eq!(e.0, origin.0);
            assert!(filter == 2 || e.1 == origin.1, "value and position belong together");
        }
    }
}
