//! The pair scheduler of 8 places with two entries in the SWST.

use crate::common::{clock, ready, Word};
use hdl::gw::pair_scheduler::PairScheduler;

type Scheduler = PairScheduler<8, 4, 2, 1>;

#[derive(Debug, PartialEq)]
enum Issue {
    Nothing,
    Even(u64),
    Odd(u64),
    Pair(u64),
    Wave(u64),
}

fn scheduler() -> Box<Scheduler> {
    let mut s = ready!(Scheduler::default());
    s.room.next = 0b1111u64.into();
    s.pairs_on.next = true;
    s
}

/// What issues in the next cycle.
fn next(s: &mut Scheduler) -> Issue {
    clock!(s);
    let pair = s.issue_pair.word();
    match (s.issue_even.val(), s.issue_odd.val(), s.issue_wave.val()) {
        (false, false, false) => Issue::Nothing,
        (true, false, false) => Issue::Even(pair),
        (false, true, false) => Issue::Odd(pair),
        (true, true, false) => Issue::Pair(pair),
        (false, false, true) => Issue::Wave(s.issue_swid.word()),
        more => panic!("{more:?}"),
    }
}

#[test]
fn pairs_at_one_pc_go_first_then_warps_round_robin() {
    let mut s = scheduler();
    s.ready.next = 0b1101_1011u64.into();
    s.same.next = 0b1010u64.into();
    assert_eq!(next(&mut s), Issue::Pair(3));
    assert_eq!(next(&mut s), Issue::Even(0), "pair 3 is issuing; pair 0 has two pcs");
    assert_eq!(next(&mut s), Issue::Pair(3), "it is still said to be ready");
    assert_eq!(next(&mut s), Issue::Even(0));
    s.ready.next = 0b0000_1010u64.into();
    assert_eq!(next(&mut s), Issue::Odd(0));
    assert_eq!(next(&mut s), Issue::Odd(1));
    assert_eq!(next(&mut s), Issue::Odd(0));
    s.pairs_on.next = false;
    s.ready.next = 0b0000_1100u64.into();
    assert_eq!(next(&mut s), Issue::Even(1), "without pairs, a half at a time");
    assert_eq!(next(&mut s), Issue::Odd(1));
    s.reset.next = true;
    assert_eq!(next(&mut s), Issue::Nothing);
}

#[test]
fn pairs_go_round_robin_from_the_pair_that_is_next() {
    let mut s = scheduler();
    s.ready.next = 0b0000_0100u64.into();
    assert_eq!(next(&mut s), Issue::Even(1));
    s.ready.next = 0b0111_1100u64.into();
    s.same.next = 0b1111u64.into();
    assert_eq!(next(&mut s), Issue::Pair(2), "place 2 is issuing");
    s.ready.next = 0b1111_1111u64.into();
    assert_eq!(next(&mut s), Issue::Pair(3));
    assert_eq!(next(&mut s), Issue::Pair(0));
    s.ready.next = 0b0000_0100u64.into();
    assert_eq!(next(&mut s), Issue::Even(1));
    s.ready.next = 0u64.into();
    assert_eq!(next(&mut s), Issue::Nothing);
    s.ready.next = 0b1111_1111u64.into();
    assert_eq!(next(&mut s), Issue::Pair(1), "the place that is next is the second of this pair");
}

#[test]
fn only_where_the_path_has_room() {
    let mut s = scheduler();
    s.ready.next = 0b0000_0011u64.into();
    s.same.next = 0b1u64.into();
    s.path[1].next = 3u64.into();
    s.room.next = 0b0111u64.into();
    assert_eq!(next(&mut s), Issue::Even(0));
    assert_eq!(next(&mut s), Issue::Nothing);
    (s.offer_valid.next, s.offer_path.next) = (true, 3u64.into());
    s.ready.next = 0u64.into();
    assert_eq!(next(&mut s), Issue::Nothing);
    s.room.next = 0b1000u64.into();
    assert_eq!(next(&mut s), Issue::Wave(0));
}

#[test]
fn a_wave_goes_when_nothing_else_can_and_first_when_it_is_urgent() {
    let mut s = scheduler();
    s.ready.next = 0b1110_0001u64.into();
    s.scalar.next = 0b1110_0000u64.into();
    (s.offer_valid.next, s.offer_swid.next) = (true, 1u64.into());
    assert_eq!(next(&mut s), Issue::Even(0));
    assert_eq!(next(&mut s), Issue::Wave(1), "place 0 is issuing, the others are scalar");
    assert_eq!(next(&mut s), Issue::Even(0));
    s.offer_urgent.next = true;
    assert_eq!(next(&mut s), Issue::Wave(1));
    assert_eq!(next(&mut s), Issue::Even(0), "wave 1 is issuing");
    s.offer_swid.next = 0u64.into();
    assert_eq!(next(&mut s), Issue::Wave(0));
}
