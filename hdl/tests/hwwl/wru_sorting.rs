//! The sorting redistribution unit against `docs/hwwl.md`, in RustHDL's own simulation, in the place of the banks.

use crate::common::{clock, ready, Word};
use crate::hwwl::wru::{bench, Out, IDLE};
use hdl::hwwl::wru_sorting::WruSorting;

/// 16 lanes of 32 entries.
type Wru = WruSorting<16, 4, 6, 10>;

const THRESHOLD: u64 = 5;
const INTERVAL: u64 = 10;

bench!(Wru, 16, 5);

const MOVING: Out = Out { moving: true, ..IDLE };

impl Bench {
    fn new() -> Self {
        Bench { wru: ready!(Wru::new(THRESHOLD, INTERVAL)), now: 0, pull: [10; 16], push: [10; 16] }
    }

    fn with(others: &[(usize, u64)]) -> Self {
        let mut bench = Self::new();
        bench.occupy(10, others);
        bench
    }

    /// All banks hold so many IDs, but for these.
    fn occupy(&mut self, all: u64, others: &[(usize, u64)]) {
        self.pull = [all; 16];
        others.iter().for_each(|&(bank, ids)| self.pull[bank] = ids);
    }

    fn reset(&mut self) {
        clock!(self.wru, reset);
        self.now = 0;
    }

    /// A cycle that begins with these pins and ends with these answers.
    fn step(&mut self, pins: Out, valid: u64, accepted: u64) {
        assert_eq!(self.out(), pins, "cycle {}", self.now);
        self.cycle(valid, accepted);
    }

    /// Idle cycles up to cycle `t`.
    fn until(&mut self, t: u64, idle: &Out) {
        while self.now < t {
            assert_eq!(&self.out(), idle, "cycle {}", self.now);
            self.cycle(0, 0);
        }
    }
}

#[test]
fn an_event_without_conflicts_takes_the_documented_cycles() {
    let mut b = Bench::with(&[(3, 0), (9, 20)]);
    for tick in [9, 19, 29] {
        b.until(tick + 5, &IDLE);
        // The answer to the pop of t + 5 is looked at in t + 6, and the push is at t + 7.
        b.step(Out { pop: 1 << 9, ..MOVING }, 0, 0);
        b.step(MOVING, 1 << 9, 0);
        assert_eq!(b.wru.push_id[3].word(), 1009);
        b.step(Out { push: 1 << 3, ..MOVING }, 0, 0);
        b.step(MOVING, 0, 1 << 3);
        assert_eq!(b.out(), IDLE, "idle at t + 9");
    }
}

#[test]
fn the_fullest_give_to_the_emptiest() {
    let mut b = Bench::new();
    b.pull = [4, 3, 2, 1, 0, 4, 4, 4, 20, 21, 22, 23, 24, 20, 20, 20];
    // Least first: lanes 4, 3, 2, 1, then those with 4 in the order of their numbers: 0, 5, 6, 7.
    // Most first: 12, 11, 10, 9, then those with 20, higher numbers first: 15, 14, 13, 8.
    let (givers, pairs) = b.event(9);
    assert_eq!(givers, 0xff00);
    assert_eq!(pairs, [(0, 15), (1, 9), (2, 10), (3, 11), (4, 12), (5, 14), (6, 13), (7, 8)]);
}

#[test]
fn ties_go_to_other_lanes_each_time() {
    let mut b = Bench::new();
    b.occupy(5, &[(0, 0)]);
    // Keys are (i + rotation) mod 16: the largest is lane 15, then 14, 13, ...
    for (event, donor) in [(0, 15), (1, 14), (2, 13), (3, 12)] {
        assert_eq!(b.event(9 + 10 * event), (1 << donor, vec![(0, donor)]));
    }
}

#[test]
fn a_pair_needs_a_gap_of_two_and_a_needy_taker() {
    let mut b = Bench::new();
    b.occupy(1, &[(7, 2)]);
    b.until(25, &IDLE);
    b.occupy(5, &[(7, 30)]);
    b.until(45, &IDLE);
    b.pull[2] = 4;
    assert_eq!(b.event(49), (1 << 7, vec![(2, 7)]));
}

#[test]
fn double_buffer_serves_the_pull_side_if_that_helps_else_the_push_side() {
    let mut b = Bench::new();
    b.wru.double_buffer.next = true;
    // The pull side has nobody in need: the push side is levelled, whatever the threshold.
    b.push[1] = 8;
    b.push[6] = 12;
    b.until(10, &IDLE);
    assert!(b.out().part, "the push partition from t + 1 on");
    let (givers, pairs) = b.event(9);
    // 12 to 8; the other banks have 10 each.
    assert_eq!((givers, pairs), (1 << 6, vec![(1, 6)]));
    assert!(b.out().part, "held until the next tick");
    // A lane in need, and another that can help: the pull side.
    b.pull[4] = 0;
    b.until(19, &Out { part: true, ..IDLE });
    let (givers, pairs) = b.event(19);
    assert_eq!(pairs.iter().map(|(taker, _)| *taker).collect::<Vec<_>>(), [4]);
    assert_eq!(givers.count_ones(), 1);
    assert!(!b.out().part);
    // A lane in need and nobody with two: the push side again, which is the other partition now.
    b.pull = [1; 16];
    b.wru.pull_part.next = true;
    b.until(29, &IDLE);
    let (givers, _) = b.event(29);
    assert_eq!(givers, 1 << 6);
    assert!(!b.out().part);
}

#[test]
fn a_pop_is_tried_every_second_cycle_for_one_interval() {
    let mut b = Bench::with(&[(0, 0), (1, 20)]);
    b.until(14, &IDLE);
    for _ in 0..INTERVAL / 2 {
        b.step(Out { pop: 2, ..MOVING }, 0, 0);
        b.step(MOVING, 0, 0);
    }
    // Dropped in cycle 24. The tick of cycle 19 was skipped; the next one is that of cycle 29.
    b.until(34, &IDLE);
    assert_eq!(b.out().pop, 2);
}

#[test]
fn the_last_attempt_still_counts() {
    let mut b = Bench::with(&[(0, 0), (1, 20)]);
    b.until(14, &IDLE);
    for _ in 0..INTERVAL - 1 {
        b.cycle(0, 0);
    }
    b.cycle(2, 0);
    assert_eq!(b.out(), Out { push: 1, ..MOVING });
}

#[test]
fn an_id_is_offered_until_it_is_accepted() {
    let mut b = Bench::with(&[(0, 0), (1, 20)]);
    b.until(14, &IDLE);
    b.cycle(0, 0);
    b.cycle(2, 0);
    for _ in 0..50 {
        assert_eq!(b.wru.push_id[0].word(), 1001);
        b.step(Out { push: 1, ..MOVING }, 0, 0);
        b.step(MOVING, 0, 0);
    }
    b.cycle(0, 0);
    b.cycle(0, 1);
    assert_eq!(b.out(), IDLE);
}

#[test]
fn pairs_go_on_independently() {
    let mut b = Bench::with(&[(0, 0), (1, 1), (14, 20), (15, 21)]);
    b.until(14, &IDLE);
    assert_eq!(b.out().pop, 0xc000);
    b.cycle(0, 0);
    b.cycle(0x4000, 0);
    assert_eq!(b.wru.push_id[1].word(), 1014);
    b.step(Out { pop: 0x8000, push: 2, ..MOVING }, 0, 0);
    b.cycle(0x8000, 0);
    assert_eq!(b.wru.push_id[0].word(), 1015);
    b.step(Out { push: 3, ..MOVING }, 0, 0);
    b.cycle(0, 1);
    b.step(Out { push: 2, ..MOVING }, 0, 0);
    b.cycle(0, 2);
    assert_eq!(b.out(), IDLE);
}

#[test]
fn reset_forgets_the_event() {
    let mut b = Bench::with(&[(0, 0)]);
    b.until(14, &IDLE);
    b.reset();
    b.until(14, &IDLE);
    assert_ne!(b.out(), IDLE, "the counter starts at 0 again");
}

#[test]
fn what_finds_no_taker_is_sent_to_another_core() {
    let mut b = Bench::new();
    // More banks above the threshold than below it; nobody in need.
    b.pull = [7; 16];
    b.push = [0; 16];
    b.pull[4] = 20;
    b.until(2, &IDLE);
    assert_eq!(b.wru.greedy.word(), 1, "of partition 0; partition 1 has nothing");
    b.until(15, &IDLE);
    b.wru.send.next = 0b10.into();
    b.until(25, &IDLE);
    b.wru.send.next = 0b01.into();
    b.until(34, &IDLE);
    // The giver of the first pair.
    b.step(Out { pop: 1 << 4, ..MOVING }, 0, 0);
    b.cycle(1 << 4, 0);
    assert_eq!(b.out(), IDLE, "an ID that waits to leave is not moving");
    for _ in 0..3 {
        assert!(b.wru.out_valid.val());
        assert_eq!((b.wru.out_id.word(), b.wru.out_part.val()), (1004, false));
        b.cycle(0, 0);
    }
    // It still waits when the next event starts: no second one.
    b.until(48, &IDLE);
    assert!(b.wru.out_valid.val());
    b.wru.out_ready.next = true;
    b.cycle(0, 0);
    assert!(!b.wru.out_valid.val());
    b.until(54, &IDLE);
    assert_eq!(b.out().pop, 1 << 4);
}

#[test]
fn a_sender_has_more_than_the_threshold_and_pairs_come_first() {
    let mut b = Bench::new();
    b.wru.send.next = 3.into();
    b.occupy(6, &[(2, 0), (9, 30)]);
    b.until(14, &IDLE);
    // Pair 0 is 9 to 2. Pair 1 has a taker of 6: its giver, the last of the others, sends.
    assert_eq!(b.out().pop, 1 << 9 | 1 << 15);
    b.reset();
    // Greedy, with one bank above the threshold, which gives to the taker: the others may not send.
    b.occupy(5, &[(9, 30)]);
    b.until(10, &IDLE);
    b.pull[2] = 0;
    b.until(24, &IDLE);
    assert_eq!(b.out().pop, 1 << 9);
}
