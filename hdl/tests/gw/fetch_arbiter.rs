//! The arbiter of 4 schedulers with 8 places each.

use crate::common::{clock, ready, Word};
use hdl::gw::fetch_arbiter::FetchArbiter;

type Arbiter = FetchArbiter<4, 2, 3>;

fn want(a: &mut Arbiter, scheduler: usize, place: u64, line: u64) {
    a.want_valid[scheduler].next = true;
    a.want_place[scheduler].next = place.into();
    a.want_line[scheduler].next = line.into();
}

/// Scheduler, place and line of the ask.
fn ask(a: &Arbiter) -> Option<(u64, u64, u64)> {
    let pins = (a.ask_scheduler.word(), a.ask_place.word(), a.ask_line.word());
    a.ask_valid.val().then_some(pins)
}

/// The ask of the next cycle.
fn next(a: &mut Arbiter) -> Option<(u64, u64, u64)> {
    clock!(a);
    ask(a)
}

#[test]
fn asks_round_robin_and_a_line_once() {
    let mut a = ready!(Arbiter::default());
    a.fetch_room.next = true;
    for (scheduler, line) in [10, 20, 10, 30].into_iter().enumerate() {
        want(&mut a, scheduler, scheduler as u64 + 3, line);
    }
    assert_eq!(ask(&a), None);
    assert_eq!(next(&mut a), Some((0, 3, 10)));
    assert_eq!(next(&mut a), Some((1, 4, 20)), "who wants the line of the ask that is over waits");
    // The answer to line 10 has come: schedulers 0 and 2 want it no more.
    (a.want_valid[0].next, a.want_valid[2].next) = (false, false);
    assert_eq!(next(&mut a), Some((3, 6, 30)));
    a.want_valid[3].next = false;
    assert_eq!(next(&mut a), None, "line 20 was over in the cycle before");
    assert_eq!(next(&mut a), Some((1, 4, 20)), "asked again: nothing came of it");
    assert_eq!(next(&mut a), None, "its own line");
    assert_eq!(next(&mut a), None, "the line that was over in the previous cycle");
    assert_eq!(next(&mut a), Some((1, 4, 20)));
}

#[test]
fn an_ask_stands_until_it_is_dealt_with() {
    let mut a = ready!(Arbiter::default());
    want(&mut a, 2, 7, 99);
    clock!(a);
    want(&mut a, 0, 1, 5);
    for (room, fill) in [(false, false), (false, true), (true, true)] {
        assert_eq!(ask(&a), Some((2, 7, 99)));
        (a.fetch_room.next, a.fill_valid.next) = (room, fill);
        clock!(a);
    }
    assert_eq!(ask(&a), Some((2, 7, 99)));
    (a.fetch_room.next, a.fill_valid.next) = (true, false);
    assert_eq!(next(&mut a), Some((0, 1, 5)));
    a.reset.next = true;
    assert_eq!(next(&mut a), None);
}
