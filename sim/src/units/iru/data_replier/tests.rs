//! The data replier by itself, with banks that are played by the test.

use super::*;
use crate::units::iru::pins::Offer;
use crate::units::iru::Element;

/// Partition 1 of 4, a timeout of 16 cycles.
fn unit() -> DataReplier {
    DataReplier::new(&Parameters { timeout: 16, ..Default::default() }).unwrap()
}

fn idle() -> DataReplierIn {
    let bank = BankView { take_ready: true, ..Default::default() };
    DataReplierIn { partition: 1, banks: [bank; 2], reply_ready: true, ..Default::default() }
}

/// A request of `lanes` lanes, with a tag.
fn request(lanes: u16) -> u16 {
    0xab40 | (lanes - 1)
}

/// The outputs of `cycles` cycles with these inputs.
fn with(unit: &mut DataReplier, pins: &DataReplierIn, cycles: usize) -> Vec<DataReplierOut> {
    (0..cycles)
        .map(|_| {
            let out = unit.outputs();
            unit.clock(pins).unwrap();
            out
        })
        .collect()
}

/// A unit in whose next cycle a request of `lanes` lanes is the head for the first time.
fn with_head(lanes: u16) -> DataReplier {
    let mut unit = unit();
    unit.clock(&DataReplierIn { request: Offer::some(request(lanes)), ..idle() }).unwrap();
    assert!(!unit.outputs().request_ready);
    unit.clock(&idle()).unwrap();
    assert!(unit.outputs().request_ready);
    unit.clock(&idle()).unwrap();
    unit
}

fn complete(bank: usize, set: u32) -> DataReplierIn {
    let mut pins = idle();
    pins.banks[bank].complete = Offer::some(set);
    (pins.banks[bank].best_set, pins.banks[bank].best_count) = (set, 32);
    pins
}

fn best(counts: [u8; 2]) -> DataReplierIn {
    let mut pins = idle();
    for (bank, count) in pins.banks.iter_mut().zip(counts) {
        (bank.best_set, bank.best_count) = (9, count);
    }
    pins
}

/// A beat of bank `b`, which is not ready for a take.
fn beat(b: usize, mask: u8, last: bool) -> DataReplierIn {
    let mut pins = idle();
    pins.banks[b].take_ready = false;
    let elements =
        std::array::from_fn(|j| Element { position: j as u32 * (mask >> j & 1) as u32, ..Default::default() });
    pins.banks[b].beat = Offer::some(BankBeat { mask, last, elements });
    pins
}

/// The take of the first of these cycles that has one, with its bank, and the cycle.
fn first_take(seen: &[DataReplierOut]) -> Option<(usize, usize, u32, u8)> {
    let take = |t: usize| (0..2).find_map(|b| seen[t].takes[b].get().map(|order| (t, b, order.set, order.count)));
    (0..seen.len()).find_map(take)
}

/// Request, mask, end and last.
fn beat_of(reply: &Offer<Reply>) -> (u16, u8, bool, bool) {
    let Reply { request, mask, end, last, .. } = reply.get().unwrap();
    (request, mask, end, last)
}

#[test]
fn a_complete_set_is_taken_in_the_next_cycle() {
    let mut unit = with_head(20);
    let seen = with(&mut unit, &complete(1, 77), 3);
    assert_eq!(first_take(&seen), Some((1, 1, 77, 20)));
    assert!(!seen[2].takes[1].valid);
}

#[test]
fn of_two_banks_the_one_that_did_not_serve_last() {
    let both = || {
        let mut pins = complete(0, 3);
        pins.banks[1] = pins.banks[0];
        pins
    };
    let mut unit = with_head(32);
    let banks: Vec<usize> = (0..4)
        .map(|_| {
            let seen = with(&mut unit, &both(), 2);
            let (_, bank, ..) = first_take(&seen).unwrap();
            unit.clock(&DataReplierIn { request: Offer::some(request(32)), ..beat(bank, 0xf, true) }).unwrap();
            with(&mut unit, &idle(), 2);
            bank
        })
        .collect();
    assert_eq!(banks, [0, 1, 0, 1]);
}

#[test]
fn beats_become_a_reply_that_ends_with_the_last() {
    let mut unit = with_head(7);
    with(&mut unit, &complete(0, 5), 2);
    unit.clock(&beat(0, 0b1110, false)).unwrap();
    let first = unit.outputs().reply;
    assert_eq!(beat_of(&first), (request(7), 0b1110, false, false));
    assert_eq!(first.item.elements[3].position, 3);
    unit.clock(&beat(0, 0b1111, true)).unwrap();
    assert_eq!(beat_of(&unit.outputs().reply), (request(7), 0b1111, true, true));
    unit.clock(&idle()).unwrap();
    assert!(!unit.outputs().reply.valid && unit.requests.head().is_none());
}

#[test]
fn after_the_timeout_the_fullest_set_answers_and_the_next_fullest_tops_it_up() {
    let mut unit = with_head(20);
    let seen = with(&mut unit, &best([12, 11]), 18);
    assert_eq!(first_take(&seen), Some((17, 0, 9, 12)), "16 cycles after it became the head, and one");
    unit.clock(&beat(0, 0b1111, true)).unwrap();
    assert!(!unit.outputs().reply.item.end);
    let seen = with(&mut unit, &best([3, 11]), 2);
    assert_eq!(first_take(&seen), Some((1, 1, 9, 8)));
    unit.clock(&beat(1, 0b0011, true)).unwrap();
    assert!(unit.outputs().reply.item.last);
}

#[test]
fn a_bank_that_is_not_ready_is_waited_for() {
    let mut unit = with_head(20);
    let mut pins = best([0, 5]);
    pins.banks[1].take_ready = false;
    pins.rich = 0b1101;
    let seen = with(&mut unit, &pins, 17);
    assert!(seen[1].token.valid, "a rich partition is asked at once");
    let mut unit = with_head(20);
    pins.ending = true;
    let seen = with(&mut unit, &pins, 40);
    assert!(first_take(&seen).is_none() && seen.iter().all(|out| !out.token.valid));
}

#[test]
fn a_request_goes_to_the_next_rich_partition_and_then_none_for_eight_cycles() {
    let mut unit = with_head(20);
    let pins = DataReplierIn { rich: 0b0011, request: Offer::some(request(3)), ..idle() };
    let seen = with(&mut unit, &pins, 30);
    let tokens: Vec<_> = seen.iter().enumerate().filter_map(|(t, out)| Some((t, out.token.get()?))).collect();
    assert_eq!(tokens[0], (1, Token { destination: 0, request: request(20) }));
    let cycles: Vec<_> = tokens.iter().map(|(t, _)| *t).collect();
    assert_eq!(cycles, [1, 10, 19, 28]);
    let mut unit = with_head(20);
    let seen = with(&mut unit, &DataReplierIn { rich: 0b1001, ..idle() }, 2);
    assert_eq!(seen[1].token.item.destination, 3);
}

#[test]
fn tokens_pass_and_those_for_here_go_before_the_input_register() {
    let mut unit = with_head(20);
    let token = |destination, request| Offer::some(Token { destination, request });
    let pins = DataReplierIn { rich: 1, token: token(2, 0x55), ..idle() };
    let seen = with(&mut unit, &pins, 5);
    assert!(seen[1..].iter().all(|out| out.token.get() == Some(Token { destination: 2, request: 0x55 })));
    unit.clock(&DataReplierIn { request: Offer::some(0x66), ..idle() }).unwrap();
    for _ in 0..3 {
        unit.clock(&DataReplierIn { token: token(1, 0x77), ..idle() }).unwrap();
        assert!(!unit.outputs().request_ready && !unit.outputs().token.valid);
    }
    unit.clock(&idle()).unwrap();
    assert!(unit.outputs().request_ready);
}

#[test]
fn what_is_left_of_a_request_goes_on_after_a_closing_beat() {
    let mut unit = with_head(20);
    with(&mut unit, &best([12, 0]), 18);
    unit.clock(&beat(0, 0b1111, true)).unwrap();
    let seen = with(&mut unit, &DataReplierIn { rich: 0b0100, ..idle() }, 3);
    assert_eq!(seen[1].token.get(), Some(Token { destination: 2, request: request(8) }));
    assert_eq!(beat_of(&seen[1].reply), (request(20), 0, true, false));
}

#[test]
fn at_the_end_lanes_are_disabled_but_not_in_the_four_cycles_after_a_start() {
    let end = DataReplierIn { ending: true, all_empty: true, ..idle() };
    let mut unit = with_head(20);
    unit.clock(&end).unwrap();
    assert_eq!(beat_of(&unit.outputs().reply), (request(20), 0, true, true));

    let mut unit = with_head(20);
    unit.clock(&DataReplierIn { start: true, ..idle() }).unwrap();
    let valid: Vec<_> = with(&mut unit, &end, 7).iter().map(|out| out.reply.valid).collect();
    assert_eq!(valid, [false, false, false, false, false, true, false]);
}

#[test]
fn it_is_rich_with_elements_that_nobody_asks_for() {
    let mut unit = unit();
    unit.clock(&best([5, 0])).unwrap();
    assert!(!unit.outputs().rich);
    unit.clock(&DataReplierIn { ending: true, ..best([5, 0]) }).unwrap();
    assert!(unit.outputs().rich);
    unit.clock(&DataReplierIn { ending: true, ..idle() }).unwrap();
    assert!(!unit.outputs().rich);
    unit.clock(&DataReplierIn { request: Offer::some(request(1)), ..complete(1, 2) }).unwrap();
    assert!(unit.outputs().rich);
    unit.clock(&complete(1, 2)).unwrap();
    assert!(!unit.outputs().rich, "the request was in the input register");
}
