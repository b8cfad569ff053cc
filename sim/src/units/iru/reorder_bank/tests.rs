//! One bank by itself: the cycles that the page names, and what happens to elements that meet.

use super::*;
use crate::units::iru::element::Placed;
use crate::units::iru::pins::Offer;

const NONE: u8 = 0;
const MINIMUM: u8 = 1;
const ADDITION: u8 = 2;

/// Four sets.
fn bank() -> ReorderBank {
    ReorderBank::new(&Parameters { sets: 8, ..Default::default() }).unwrap()
}

fn element(index: u32, secondary: u32, position: u32) -> Element {
    Element { index, secondary, position }
}

/// The set is the index modulo 4.
fn placed(element: Element) -> Bundle {
    Bundle::of(Placed { element, place: (element.index % 4) as u16 })
}

fn idle(filter: u8) -> ReorderBankIn {
    ReorderBankIn { filter, beat_room: true, ..Default::default() }
}

fn local(filter: u8, element: Element) -> ReorderBankIn {
    ReorderBankIn { local: Offer::some(placed(element)), ..idle(filter) }
}

fn take(filter: u8, set: u32, count: u8) -> ReorderBankIn {
    ReorderBankIn { take: Offer::some(TakeOrder { set, count }), ..idle(filter) }
}

/// The outputs of the following cycles, in which nothing comes.
fn wait(bank: &mut ReorderBank, filter: u8, cycles: usize) -> Vec<ReorderBankOut> {
    let mut seen = Vec::new();
    for _ in 0..cycles {
        seen.push(bank.outputs());
        bank.clock(&idle(filter)).unwrap();
    }
    seen
}

/// Puts elements in and waits until they are in their sets.
fn fill(bank: &mut ReorderBank, filter: u8, elements: &[Element]) {
    for element in elements {
        while !bank.outputs().local_ready {
            bank.clock(&idle(filter)).unwrap();
        }
        bank.clock(&local(filter, *element)).unwrap();
    }
    wait(bank, filter, 600);
    assert!(bank.outputs().idle);
}

fn filled(filter: u8, numbers: std::ops::Range<u32>, element: impl Fn(u32) -> Element) -> ReorderBank {
    let mut bank = bank();
    fill(&mut bank, filter, &numbers.map(element).collect::<Vec<_>>());
    bank
}

/// All elements of a set, in the order of their slots.
fn drain(bank: &mut ReorderBank, filter: u8, set: u32, count: u8) -> Vec<Element> {
    bank.clock(&take(filter, set, count)).unwrap();
    let mut elements = Vec::new();
    for out in wait(bank, filter, 40) {
        let beat = out.beat.get().unwrap_or_default();
        elements.extend((0..BEAT).filter(|j| beat.mask >> j & 1 == 1).map(|j| beat.elements[j]));
    }
    assert!(bank.outputs().take_ready);
    elements
}

/// The first cycle, of those that follow the push, in which the bank counts `count` elements.
fn cycle_of_count(filter: u8, pushes: &[(u64, Element)], count: u32) -> Option<u64> {
    let mut bank = bank();
    for now in 0..60 {
        if bank.outputs().count == count {
            return Some(now);
        }
        let pins = pushes.iter().find(|(at, _)| *at == now).map(|(_, element)| local(filter, *element));
        bank.clock(&pins.unwrap_or(idle(filter))).unwrap();
    }
    None
}

#[test]
fn an_element_is_appended_at_the_end_of_the_fourth_cycle_after_its_push() {
    assert_eq!(cycle_of_count(NONE, &[(0, element(1, 0, 0))], 1), Some(5));
}

#[test]
fn with_a_filter_it_is_written_three_or_six_cycles_later() {
    assert_eq!(cycle_of_count(MINIMUM, &[(0, element(1, 0, 0))], 1), Some(8));
    assert_eq!(cycle_of_count(MINIMUM, &[(1, element(1, 0, 0))], 1), Some(9));
    assert_eq!(cycle_of_count(ADDITION, &[(0, element(1, 0, 0))], 1), Some(11));
}

#[test]
fn elements_enter_in_every_cycle_also_those_of_one_set() {
    let apart = [(0, element(1, 0, 0)), (1, element(2, 0, 1)), (2, element(3, 0, 2))];
    let together = [(0, element(1, 0, 0)), (1, element(5, 0, 1)), (2, element(9, 0, 2))];
    for elements in [apart, together] {
        assert_eq!(cycle_of_count(NONE, &elements, 3), Some(7));
        assert_eq!(cycle_of_count(MINIMUM, &elements, 3), Some(10));
        assert_eq!(cycle_of_count(ADDITION, &elements, 3), Some(13));
    }
}

#[test]
fn an_element_waits_for_an_equal_one_in_flight() {
    // The second is compared once the first is written, at the end of cycle 7 or 10; the third is behind it.
    let elements = [(0, element(1, 9, 0)), (1, element(1, 9, 1)), (2, element(2, 9, 2))];
    assert_eq!(cycle_of_count(MINIMUM, &elements, 2), Some(13));
    assert_eq!(cycle_of_count(ADDITION, &elements, 2), Some(19));
}

/// The last place of a set goes to the first newcomer, unless that one is merged, as is known after two cycles.
#[test]
fn no_more_elements_enter_than_the_set_may_have_room_for() {
    for (filter, latency) in [(MINIMUM, 3), (ADDITION, 6)] {
        for (index, last) in [(500, 0), (8, 2)] {
            let mut bank = filled(filter, 0..31, |i| element(4 * i, 0, i));
            bank.clock(&local(filter, element(index, 0, 31))).unwrap();
            bank.clock(&local(filter, element(504, 0, 32))).unwrap();
            // Pushed in cycles 0 and 1: the first enters in cycle 4, the second in cycle 6 if the first is merged.
            let counts: Vec<_> = wait(&mut bank, filter, 20).iter().map(|out| out.count).collect();
            let full = counts.iter().position(|&count| count == 32).map(|n| n + 2);
            assert_eq!((full, counts[19]), (Some(5 + last + latency), 32));
            assert_eq!(bank.outputs().idle, last == 2, "an element waits for its set to be taken from");
        }
    }
}

#[test]
fn a_read_of_a_take_goes_before_an_element_for_the_filter() {
    let mut bank = filled(MINIMUM, 0..12, |i| element(4 * i + 1, 0, i));
    // Slots are read in cycles 3, 4 and 5; the element is in stage 2 from cycle 4 on.
    bank.clock(&local(MINIMUM, element(2, 0, 12))).unwrap();
    bank.clock(&take(MINIMUM, 1, 12)).unwrap();
    let counts: Vec<_> = wait(&mut bank, MINIMUM, 10).iter().map(|out| out.count).collect();
    // It enters in cycle 6 and is written at the end of cycle 9.
    assert_eq!(counts, [12, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
}

#[test]
fn a_merge_shows_in_the_cycle_after_the_write() {
    let mut bank = bank();
    bank.clock(&local(ADDITION, element(1, 0, 0))).unwrap();
    bank.clock(&local(ADDITION, element(1, 0, 1))).unwrap();
    let merged: Vec<usize> =
        (2..).zip(wait(&mut bank, ADDITION, 30)).filter(|(_, out)| out.merged > 0).map(|(t, _)| t).collect();
    assert_eq!(merged, [18]);
    assert_eq!(bank.outputs().count, 1);
}

#[test]
fn equal_indices_stay_apart_without_a_filter() {
    let mut bank = bank();
    let elements = [element(1, 5, 0), element(1, 4, 1), element(5, 3, 2), element(1, 5, 3)];
    fill(&mut bank, NONE, &elements);
    assert_eq!(drain(&mut bank, NONE, 1, 32), elements);
}

#[test]
fn the_smallest_secondary_stays_with_its_position() {
    let mut bank = bank();
    let elements = [element(1, 5, 0), element(5, 9, 1), element(1, 5, 2), element(1, 0x8000_0000, 3), element(1, 4, 4)];
    fill(&mut bank, MINIMUM, &elements);
    assert_eq!(drain(&mut bank, MINIMUM, 1, 32), [element(1, 4, 4), element(5, 9, 1)]);
}

#[test]
fn secondaries_are_summed_and_the_first_position_stays() {
    let mut bank = bank();
    let one = |index, value: f32, position| element(index, value.to_bits(), position);
    fill(&mut bank, ADDITION, &[one(1, 0.5, 7), one(5, 1.0, 8), one(1, 2.0, 9), one(1, -0.25, 10)]);
    assert_eq!(drain(&mut bank, ADDITION, 1, 32), [one(1, 2.25, 7), one(5, 1.0, 8)]);
}

#[test]
fn a_full_set_is_complete_and_takes_nothing_not_even_a_duplicate() {
    for filter in [NONE, MINIMUM, ADDITION] {
        let mut bank = bank();
        let elements: Vec<_> = (0..32).map(|i| element(4 * i + 3, 0, i)).collect();
        fill(&mut bank, filter, &elements);
        bank.clock(&local(filter, elements[0])).unwrap();
        wait(&mut bank, filter, 30);
        let out = bank.outputs();
        assert_eq!((out.complete.get(), out.best_set, out.best_count, out.count), (Some(3), 3, 32, 32));
        assert!(!out.idle);
        assert_eq!(drain(&mut bank, filter, 3, 32), elements);
        wait(&mut bank, filter, 10);
        assert_eq!((bank.outputs().count, bank.outputs().idle), (1, true));
    }
}

#[test]
fn complete_and_best_show_the_sets_of_one_and_two_cycles_ago() {
    let mut bank = filled(NONE, 0..31, |i| element(4 * i + 2, 0, i));
    bank.clock(&local(NONE, element(2, 0, 31))).unwrap();
    // Pushed in cycle 0, appended at the end of cycle 4, a full set in cycle 5.
    let seen = wait(&mut bank, NONE, 9);
    let at = |cycle: usize| &seen[cycle - 1];
    assert_eq!((at(4).count, at(5).count), (31, 32));
    assert_eq!((at(5).complete.valid, at(6).complete.get()), (false, Some(2)));
    assert_eq!((at(6).best_count, at(7).best_count), (31, 32));
}

#[test]
fn the_lowest_of_equal_sets_is_the_best() {
    let mut bank = bank();
    fill(&mut bank, NONE, &[element(3, 0, 0), element(2, 0, 1), element(1, 0, 2), element(2, 0, 3), element(1, 0, 4)]);
    assert_eq!((bank.outputs().best_set, bank.outputs().best_count), (1, 2));
}

#[test]
fn complete_sets_are_offered_in_turn_from_the_one_after_the_last_taken() {
    let mut bank = bank();
    let elements: Vec<_> = (0..64).map(|i| element(if i < 32 { 1 } else { 3 }, 0, i)).collect();
    fill(&mut bank, NONE, &elements);
    assert_eq!(bank.outputs().complete.get(), Some(1));
    drain(&mut bank, NONE, 1, 4);
    fill(&mut bank, NONE, &[element(1, 0, 64), element(1, 0, 65), element(1, 0, 66), element(1, 0, 67)]);
    assert_eq!(bank.outputs().complete.get(), Some(3));
}

#[test]
fn a_take_reads_the_upper_slots_group_by_group() {
    let mut bank = filled(NONE, 0..30, |i| element(1, 0, i));
    bank.clock(&take(NONE, 1, 5)).unwrap();
    // Taken in cycle 0, counted out at the end of cycle 1; slots 25 to 29 are read in cycles 2 and 3.
    let seen = wait(&mut bank, NONE, 7);
    let at = |cycle: usize| &seen[cycle - 1];
    assert_eq!((at(1).count, at(2).count), (30, 25));
    assert!((1..=7).all(|t| at(t).beat.valid == (t == 3 || t == 4)));
    let (first, second) = (at(3).beat.item, at(4).beat.item);
    assert_eq!((first.mask, first.last, second.mask, second.last), (0b1110, false, 0b0011, true));
    assert_eq!(first.elements.map(|e| e.position), [0, 25, 26, 27]);
    assert_eq!(second.elements.map(|e| e.position), [28, 29, 0, 0]);
    assert!((1..=7).all(|t| at(t).take_ready == (t >= 6)));
}

#[test]
fn beats_wait_for_room() {
    let mut bank = filled(NONE, 0..8, |i| element(1, 0, i));
    bank.clock(&ReorderBankIn { beat_room: false, ..take(NONE, 1, 8) }).unwrap();
    for _ in 0..20 {
        bank.clock(&ReorderBankIn { beat_room: false, ..idle(NONE) }).unwrap();
        assert!(!bank.outputs().beat.valid);
    }
    let seen = wait(&mut bank, NONE, 4);
    assert_eq!(seen.iter().map(|out| out.beat.valid).collect::<Vec<_>>(), [false, true, true, false]);
}

#[test]
fn a_set_that_is_taken_from_lets_nothing_in() {
    let mut bank = filled(NONE, 0..4, |i| element(1, 0, i));
    bank.clock(&local(NONE, element(1, 0, 9))).unwrap();
    wait(&mut bank, NONE, 2);
    // The element is in stage 2 from the next cycle but one on; the take is waiting for room then.
    bank.clock(&ReorderBankIn { beat_room: false, ..take(NONE, 1, 4) }).unwrap();
    for _ in 0..10 {
        bank.clock(&ReorderBankIn { beat_room: false, ..idle(NONE) }).unwrap();
    }
    assert_eq!((bank.outputs().count, bank.outputs().idle), (0, false));
    // Read in cycle 0: the set opens in cycle 1, at the end of which the element enters.
    let counts: Vec<_> = wait(&mut bank, NONE, 4).iter().map(|out| out.count).collect();
    assert_eq!(counts, [0, 0, 1, 1]);
}

#[test]
fn elements_are_appended_while_groups_are_read() {
    let mut bank = filled(NONE, 0..4, |i| element(1, 0, i));
    // An element for slot 0 of set 2 is written in cycle 4, in which slots 0 to 3 of set 1 are read.
    bank.clock(&local(NONE, element(2, 0, 9))).unwrap();
    wait(&mut bank, NONE, 1);
    bank.clock(&take(NONE, 1, 4)).unwrap();
    let seen = wait(&mut bank, NONE, 5);
    assert_eq!(seen.iter().map(|out| out.beat.valid).collect::<Vec<_>>(), [false, false, true, false, false]);
    assert_eq!(seen.iter().map(|out| out.count).collect::<Vec<_>>(), [4, 0, 1, 1, 1]);
}

#[test]
fn a_take_waits_for_the_element_in_flight() {
    let mut bank = bank();
    fill(&mut bank, ADDITION, &[element(1, 0, 0)]);
    bank.clock(&local(ADDITION, element(5, 0, 1))).unwrap();
    wait(&mut bank, ADDITION, 4);
    // It left in cycle 4 and is written in cycle 11.
    let elements = drain(&mut bank, ADDITION, 1, 32);
    assert_eq!(elements, [element(1, 0, 0), element(5, 0, 1)]);
}

#[test]
fn the_ring_goes_first_but_eight_times_at_most() {
    let mut bank = bank();
    for i in 0..30 {
        let [local, cw, ccw] = [100, 200, 300].map(|from| Offer::some(placed(element(1, from, i))));
        bank.clock(&ReorderBankIn { local, cw, ccw, ..idle(NONE) }).unwrap();
    }
    wait(&mut bank, NONE, 40);
    let from: Vec<u32> = drain(&mut bank, NONE, 1, 32).iter().map(|element| element.secondary / 100).collect();
    assert_eq!(from[..20], [2, 3, 2, 3, 2, 3, 2, 3, 1, 2, 3, 2, 3, 2, 3, 2, 3, 1, 2, 3]);
}

#[test]
fn reset_empties_it() {
    let mut bank = filled(NONE, 0..40, |i| element(i % 3, 0, i));
    bank.clock(&local(NONE, element(1, 0, 0))).unwrap();
    bank.reset();
    assert_eq!(bank.outputs(), super::tests::bank().outputs());
    wait(&mut bank, NONE, 10);
    assert_eq!(bank.outputs().count, 0);
}

/// A bank that takes two elements a cycle.
fn wide() -> ReorderBank {
    ReorderBank::new(&Parameters { sets: 8, bundle: 2, ..Default::default() }).unwrap()
}

fn pair(filter: u8, first: Element, second: Element) -> ReorderBankIn {
    let mut bundle = placed(first);
    bundle.push(second);
    ReorderBankIn { local: Offer::some(bundle), ..idle(filter) }
}

/// Queue 2 cycles, stages 2, and both are in their set.
#[test]
fn a_pair_is_appended_in_one_cycle() {
    let mut bank = wide();
    bank.clock(&pair(NONE, element(1, 0, 0), element(5, 0, 1))).unwrap();
    let counts: Vec<u32> = wait(&mut bank, NONE, 8).iter().map(|out| out.count).collect();
    assert_eq!(counts, [0, 0, 0, 0, 2, 2, 2, 2]);
}

#[test]
fn a_pair_is_merged_in_one_cycle() {
    let mut bank = wide();
    bank.clock(&pair(MINIMUM, element(1, 9, 0), element(5, 9, 1))).unwrap();
    wait(&mut bank, MINIMUM, 20);
    bank.clock(&pair(MINIMUM, element(5, 7, 2), element(1, 8, 3))).unwrap();
    let merged: Vec<u8> = wait(&mut bank, MINIMUM, 12).iter().map(|out| out.merged).filter(|m| *m > 0).collect();
    assert_eq!((merged, bank.outputs().count), (vec![0b11], 2));
}

/// Slots 0 to 11 of set 1 are read in cycles 3, 4 and 5; an element for set 2, which holds a few, is in stage 2 from cycle 4 on.
#[test]
fn a_wide_filter_waits_only_for_a_read_of_slots_that_its_set_holds() {
    for (held, enters) in [(0, 4), (4, 4), (5, 5), (8, 5), (9, 6)] {
        let mut bank = wide();
        let elements: Vec<_> =
            (0..12 + held).map(|i| element(if i < 12 { 4 * i + 1 } else { 4 * i + 2 }, 0, i)).collect();
        fill(&mut bank, MINIMUM, &elements);
        bank.clock(&local(MINIMUM, element(2, 0, 99))).unwrap();
        bank.clock(&take(MINIMUM, 1, 12)).unwrap();
        let counts = wait(&mut bank, MINIMUM, 12).into_iter().map(|out| out.count);
        // The write comes at the end of the third cycle after the one in which the element enters.
        let written = (2..).zip(counts).find(|(_, count)| *count == held + 1).map(|(cycle, _)| cycle);
        assert_eq!(written, Some(enters + 4), "{held} elements");
    }
}

/// Neither an element of the same pair nor one in flight is waited for: equals stay apart, and the next goes to the lower one.
#[test]
fn equals_that_come_together_stay_apart() {
    let mut bank = wide();
    bank.clock(&pair(ADDITION, element(1, 0, 0), element(1, 0, 1))).unwrap();
    bank.clock(&local(ADDITION, element(1, 0, 2))).unwrap();
    wait(&mut bank, ADDITION, 30);
    assert_eq!(bank.outputs().count, 3);
    bank.clock(&local(ADDITION, element(1, 0, 3))).unwrap();
    let merged = wait(&mut bank, ADDITION, 30).iter().filter(|out| out.merged == 1).count();
    assert_eq!((merged, bank.outputs().count), (1, 3));
}

#[test]
fn of_a_pair_for_the_last_slot_one_waits_until_the_set_is_taken() {
    let mut bank = wide();
    fill(&mut bank, NONE, &(0..31).map(|n| element(1, 0, n)).collect::<Vec<_>>());
    bank.clock(&pair(NONE, element(1, 0, 31), element(1, 0, 32))).unwrap();
    wait(&mut bank, NONE, 20);
    assert_eq!((bank.outputs().count, bank.outputs().idle), (32, false));
    bank.clock(&take(NONE, 1, 32)).unwrap();
    wait(&mut bank, NONE, 30);
    assert_eq!((bank.outputs().count, bank.outputs().idle), (1, true));
}
