//! The bank against `docs/hwwl.md`, in RustHDL's own simulation.

use crate::common::{clock, connected, Word};
use hdl::hwwl::bank::Bank;

/// 8 entries.
type Bank8 = Bank<3, 4>;

/// Inputs of one cycle; what is not named is low.
#[derive(Clone, Copy, Default)]
struct Drive {
    reset: bool,
    configure: bool,
    double: bool,
    swap: bool,
    pull: bool,
    push: Option<u64>,
    wru_pop: bool,
    wru_push: Option<u64>,
    part: bool,
    fill: Option<u64>,
    reserved: bool,
    fill_part: bool,
    reserve: bool,
    unreserve: bool,
}

fn idle() -> Drive {
    Drive::default()
}

#[derive(Debug, PartialEq, Eq)]
struct Answer {
    pulled: Option<u64>,
    wru_popped: Option<u64>,
    accepted: bool,
    filled: bool,
}

const NOTHING: Answer = Answer { pulled: None, wru_popped: None, accepted: false, filled: false };

struct Bench(Box<Bank8>);

impl Bench {
    fn new() -> Self {
        let mut bench = Bench(connected!(Bank8::new(2)));
        bench.cycle(Drive { reset: true, ..idle() });
        bench
    }

    fn double() -> Self {
        let mut bench = Self::new();
        bench.cycle(Drive { configure: true, double: true, ..idle() });
        bench
    }

    /// One clock cycle; the answer is what the pins say after its edge.
    fn cycle(&mut self, d: Drive) -> Answer {
        let b = &mut *self.0;
        b.reset.next = d.reset;
        b.configure.next = d.configure;
        b.double_buffer.next = d.double;
        b.swap.next = d.swap;
        b.pull.next = d.pull;
        b.push.next = d.push.is_some();
        b.push_id.next = d.push.unwrap_or(0xbad).into();
        b.wru_pop.next = d.wru_pop;
        b.wru_push.next = d.wru_push.is_some();
        b.wru_id.next = d.wru_push.unwrap_or(0xbad).into();
        b.wru_part.next = d.part;
        b.fill_push.next = d.fill.is_some();
        b.fill_id.next = d.fill.unwrap_or(0xbad).into();
        b.fill_reserved.next = d.reserved;
        b.fill_part.next = d.fill_part;
        b.reserve.next = d.reserve;
        b.unreserve.next = d.unreserve;
        clock!(b);
        let id = b.id.word();
        Answer {
            pulled: b.pull_valid.val().then_some(id),
            wru_popped: b.wru_valid.val().then_some(id),
            accepted: b.wru_accepted.val(),
            filled: b.fill_accepted.val(),
        }
    }

    fn push(&mut self, id: u64) -> Answer {
        self.cycle(Drive { push: Some(id), ..idle() })
    }

    fn pull(&mut self) -> Answer {
        self.cycle(Drive { pull: true, ..idle() })
    }

    fn wru_push(&mut self, part: bool, id: u64) -> Answer {
        self.cycle(Drive { wru_push: Some(id), part, ..idle() })
    }

    fn wru_pop(&mut self, part: bool) -> Answer {
        self.cycle(Drive { wru_pop: true, part, ..idle() })
    }

    /// `pull_occupancy`, `push_occupancy`, `empty`, `full`
    fn level(&self) -> (u64, u64, bool, bool) {
        let b = &self.0;
        (b.pull_occupancy.word(), b.push_occupancy.word(), b.empty.val(), b.full.val())
    }
}

fn pulled(id: u64) -> Answer {
    Answer { pulled: Some(id), ..NOTHING }
}

fn popped(id: u64) -> Answer {
    Answer { wru_popped: Some(id), ..NOTHING }
}

const ACCEPTED: Answer = Answer { accepted: true, ..NOTHING };
const FILLED: Answer = Answer { filled: true, ..NOTHING };

#[test]
fn single_buffer_is_one_fifo_of_all_entries() {
    let mut b = Bench::new();
    assert_eq!(b.level(), (0, 0, true, false));
    for round in 0..3 {
        for i in 0..8 {
            assert_eq!(b.push(100 * round + i), NOTHING);
            assert_eq!(b.level(), (i + 1, 0, false, i == 7));
        }
        for i in 0..8 {
            assert_eq!(b.pull(), pulled(100 * round + i));
        }
        assert_eq!(b.level(), (0, 0, true, false));
        // Leaves the pointers in the middle for the next round.
        b.push(1);
        b.pull();
    }
}

#[test]
fn pull_of_an_empty_bank_does_nothing() {
    let mut b = Bench::new();
    assert_eq!(b.pull(), NOTHING);
    assert_eq!(b.level(), (0, 0, true, false));
}

#[test]
fn double_buffer_separates_the_sides() {
    let mut b = Bench::double();
    for i in 0..4 {
        b.push(i);
        assert_eq!(b.level(), (0, i + 1, true, i == 3));
    }
    assert_eq!(b.pull(), NOTHING, "what was pushed is on the other side");
    b.cycle(Drive { swap: true, ..idle() });
    assert_eq!(b.level(), (4, 0, false, false));
    b.push(50);
    assert_eq!(b.level(), (4, 1, false, false));
    b.cycle(Drive { swap: true, ..idle() });
    assert_eq!(b.level(), (4, 1, false, false), "no swap while the pull side holds IDs");
    for i in 0..4 {
        assert_eq!(b.pull(), pulled(i));
    }
    b.cycle(Drive { swap: true, ..idle() });
    assert_eq!(b.level(), (1, 0, false, false));
    assert_eq!(b.pull(), pulled(50));
}

#[test]
fn each_half_wraps_within_itself() {
    let mut b = Bench::double();
    for round in 0..10 {
        for i in 0..3 {
            b.wru_push(false, 1000 + 10 * round + i);
            b.wru_push(true, 2000 + 10 * round + i);
        }
        for i in 0..3 {
            assert_eq!(b.wru_pop(false), popped(1000 + 10 * round + i));
            assert_eq!(b.wru_pop(true), popped(2000 + 10 * round + i));
        }
    }
}

#[test]
fn swap_is_ignored_in_single_buffer_mode() {
    let mut b = Bench::new();
    b.cycle(Drive { swap: true, ..idle() });
    b.push(5);
    assert_eq!(b.level(), (1, 0, false, false));
    assert_eq!(b.pull(), pulled(5));
}

#[test]
fn swap_and_a_push_of_the_wru_in_one_cycle() {
    let mut b = Bench::double();
    b.push(7);
    // Partition 0 is the pull side and empty in this cycle, so the swap is obeyed; the ID goes to partition 0.
    assert_eq!(b.cycle(Drive { swap: true, wru_push: Some(8), part: false, ..idle() }), ACCEPTED);
    assert_eq!(b.level(), (1, 1, false, false));
    assert_eq!(b.pull(), pulled(7));
    assert_eq!(b.wru_pop(false), popped(8));
}

#[test]
fn configure_is_obeyed_only_by_an_empty_bank() {
    let mut b = Bench::new();
    b.push(1);
    b.cycle(Drive { configure: true, double: true, ..idle() });
    b.push(2);
    assert_eq!(b.level(), (2, 0, false, false), "still in single-buffer mode");
    b.pull();
    b.pull();
    b.cycle(Drive { configure: true, double: true, ..idle() });
    b.push(3);
    assert_eq!(b.level(), (0, 1, true, false), "an empty bank takes the mode");
    b.cycle(Drive { configure: true, double: false, ..idle() });
    assert_eq!(b.level(), (0, 1, true, false), "the push side counts as well");
    b.cycle(Drive { swap: true, ..idle() });
    assert_eq!(b.pull(), pulled(3));
    b.cycle(Drive { configure: true, double: true, ..idle() });
    b.push(4);
    b.cycle(Drive { swap: true, ..idle() });
    assert_eq!(b.pull(), pulled(4), "configure made partition 0 the pull side again");
}

#[test]
fn lanes_come_before_the_wru() {
    let mut b = Bench::new();
    b.push(1);
    b.push(2);
    assert_eq!(b.cycle(Drive { pull: true, wru_pop: true, ..idle() }), pulled(1));
    assert_eq!(b.cycle(Drive { push: Some(3), wru_push: Some(4), ..idle() }), NOTHING);
    assert_eq!(b.level().0, 2);
    assert_eq!(b.wru_pop(false), popped(2));
    assert_eq!(b.wru_pop(false), popped(3));
    assert_eq!(b.wru_pop(false), NOTHING);
}

#[test]
fn a_lane_that_finds_nothing_to_do_leaves_the_port_to_the_wru() {
    let mut b = Bench::new();
    assert_eq!(b.cycle(Drive { pull: true, wru_push: Some(5), ..idle() }), ACCEPTED);
}

#[test]
fn the_wru_meets_full_and_empty_partitions() {
    let mut b = Bench::double();
    for i in 0..4 {
        assert_eq!(b.wru_push(true, i), ACCEPTED);
    }
    assert_eq!(b.wru_push(true, 4), NOTHING);
    assert_eq!(b.level(), (0, 4, true, true));
    assert_eq!(b.wru_push(false, 10), ACCEPTED);
    assert_eq!(b.level(), (1, 4, false, true));
}

#[test]
fn an_id_stays_on_the_pins_until_the_next_read() {
    let mut b = Bench::new();
    b.push(0xabcdef);
    b.pull();
    b.push(1);
    b.cycle(idle());
    assert_eq!(b.0.id.word(), 0xabcdef);
}

#[test]
fn reset_empties_and_returns_to_single_buffer_mode() {
    let mut b = Bench::double();
    b.push(1);
    b.cycle(Drive { swap: true, ..idle() });
    assert_eq!(b.cycle(Drive { reset: true, pull: true, ..idle() }), NOTHING, "no answer out of a reset");
    assert_eq!(b.level(), (0, 0, true, false));
    for i in 0..8 {
        b.push(i);
    }
    assert_eq!(b.level(), (8, 0, false, true));
    assert_eq!(b.pull(), pulled(0));
}

#[test]
fn fills_come_last() {
    let mut b = Bench::new();
    assert_eq!(b.cycle(Drive { push: Some(1), fill: Some(50), ..idle() }), NOTHING);
    assert_eq!(b.cycle(Drive { wru_push: Some(2), fill: Some(50), ..idle() }), ACCEPTED);
    assert_eq!(b.cycle(Drive { wru_pop: true, fill: Some(50), ..idle() }), popped(1));
    assert_eq!(b.cycle(Drive { pull: true, fill: Some(50), ..idle() }), pulled(2));
    assert_eq!(b.cycle(Drive { pull: true, wru_pop: true, fill: Some(50), ..idle() }), FILLED, "nobody took the port");
    assert_eq!(b.pull(), pulled(50));
}

#[test]
fn fills_meet_full_partitions() {
    let mut b = Bench::double();
    for i in 0..4 {
        assert_eq!(b.cycle(Drive { fill: Some(i), fill_part: true, ..idle() }), FILLED);
    }
    assert_eq!(b.cycle(Drive { fill: Some(4), fill_part: true, ..idle() }), NOTHING);
    assert_eq!(b.level(), (0, 4, true, true));
    assert_eq!(b.cycle(Drive { fill: Some(7), fill_part: false, ..idle() }), FILLED);
    assert_eq!(b.level(), (1, 4, false, true));
    assert_eq!(b.0.held.word(), 5);
}

#[test]
fn reserved_entries_are_occupied_for_everyone_but_a_pull() {
    let mut b = Bench::double();
    b.cycle(Drive { reserve: true, ..idle() });
    assert_eq!(b.level(), (2, 0, false, false));
    assert_eq!(b.0.held.word(), 0);
    assert_eq!(b.pull(), NOTHING, "a reserved entry is no ID");
    assert_eq!(b.wru_pop(false), NOTHING);
    assert_eq!(b.wru_push(false, 1), ACCEPTED);
    assert_eq!(b.wru_push(false, 2), ACCEPTED);
    assert_eq!(b.wru_push(false, 3), NOTHING, "full with two reserved");
    b.cycle(Drive { swap: true, ..idle() });
    assert_eq!(b.level(), (4, 0, false, false), "no swap with reserved entries");
    assert_eq!(b.cycle(Drive { fill: Some(60), reserved: true, ..idle() }), FILLED, "its entry is kept for it");
    assert_eq!(b.level(), (4, 0, false, false));
    b.cycle(Drive { unreserve: true, ..idle() });
    assert_eq!(b.level(), (3, 0, false, false));
    for id in [1, 2, 60] {
        assert_eq!(b.pull(), pulled(id));
    }
    assert_eq!(b.level(), (0, 0, true, false));
}

#[test]
fn reservations_add_up_in_one_cycle() {
    let mut b = Bench::new();
    b.cycle(Drive { reserve: true, ..idle() });
    assert_eq!(b.cycle(Drive { reserve: true, unreserve: true, fill: Some(5), reserved: true, ..idle() }), FILLED);
    // 2 + 2 - 1 entries, one of them with an ID by now.
    assert_eq!(b.level().0, 3);
    assert_eq!(b.cycle(Drive { unreserve: true, pull: true, ..idle() }), pulled(5));
    assert_eq!(b.level().0, 1);
    b.cycle(Drive { configure: true, double: true, ..idle() });
    b.cycle(Drive { unreserve: true, ..idle() });
    b.push(9);
    assert_eq!(b.level(), (1, 0, false, false), "no configure with a reserved entry");
}

#[test]
fn a_full_bank_counts_reserved_entries() {
    let mut b = Bench::new();
    for i in 0..6 {
        b.push(i);
    }
    b.cycle(Drive { reserve: true, ..idle() });
    assert_eq!(b.level(), (8, 0, false, true));
}
