//! The bank against `docs/hwwl.md`, in RustHDL's own simulation.

use crate::common::{clock, connected, Word};
use hdl::hwwl::bank::Bank;

/// 8 entries.
type Bank8 = Bank<3, 4>;

/// The answer to one cycle: bits that are named are high in it, other pins have what is given, and the rest says nothing.
macro_rules! cycle {
    ($b:expr $(, $bit:ident)* $(; $($pin:ident = $value:expr),+)?) => {{
        $b.rest();
        $($b.0.$bit.next = true;)*
        $($($b.0.$pin.next = $value.into();)+)?
        clock!($b.0);
        $($b.0.$bit.next = false;)*
        $b.answer()
    }};
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
        cycle!(bench, reset);
        bench
    }

    fn double() -> Self {
        let mut bench = Self::new();
        cycle!(bench, configure; double_buffer = true);
        bench
    }

    /// Pins other than those that ask for something.
    fn rest(&mut self) {
        let b = &mut *self.0;
        for id in [&mut b.push_id, &mut b.wru_id, &mut b.fill_id] {
            id.next = 0xbad.into();
        }
        for bit in [&mut b.double_buffer, &mut b.wru_part, &mut b.fill_reserved, &mut b.fill_part] {
            bit.next = false;
        }
    }

    /// The pins after the edge.
    fn answer(&self) -> Answer {
        let b = &self.0;
        let id = b.id.word();
        Answer {
            pulled: b.pull_valid.val().then_some(id),
            wru_popped: b.wru_valid.val().then_some(id),
            accepted: b.wru_accepted.val(),
            filled: b.fill_accepted.val(),
        }
    }

    fn push(&mut self, id: u64) -> Answer {
        cycle!(self, push; push_id = id)
    }

    fn pull(&mut self) -> Answer {
        cycle!(self, pull)
    }

    fn wru_push(&mut self, part: bool, id: u64) -> Answer {
        cycle!(self, wru_push; wru_id = id, wru_part = part)
    }

    fn wru_pop(&mut self, part: bool) -> Answer {
        cycle!(self, wru_pop; wru_part = part)
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
    cycle!(b, swap);
    assert_eq!(b.level(), (4, 0, false, false));
    b.push(50);
    assert_eq!(b.level(), (4, 1, false, false));
    cycle!(b, swap);
    assert_eq!(b.level(), (4, 1, false, false), "no swap while the pull side holds IDs");
    for i in 0..4 {
        assert_eq!(b.pull(), pulled(i));
    }
    cycle!(b, swap);
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
    cycle!(b, swap);
    b.push(5);
    assert_eq!(b.level(), (1, 0, false, false));
    assert_eq!(b.pull(), pulled(5));
}

#[test]
fn swap_and_a_push_of_the_wru_in_one_cycle() {
    let mut b = Bench::double();
    b.push(7);
    // Partition 0 is the pull side and empty in this cycle, so the swap is obeyed; the ID goes to partition 0.
    assert_eq!(cycle!(b, swap, wru_push; wru_id = 8, wru_part = false), ACCEPTED);
    assert_eq!(b.level(), (1, 1, false, false));
    assert_eq!(b.pull(), pulled(7));
    assert_eq!(b.wru_pop(false), popped(8));
}

#[test]
fn configure_is_obeyed_only_by_an_empty_bank() {
    let mut b = Bench::new();
    b.push(1);
    cycle!(b, configure; double_buffer = true);
    b.push(2);
    assert_eq!(b.level(), (2, 0, false, false), "still in single-buffer mode");
    b.pull();
    b.pull();
    cycle!(b, configure; double_buffer = true);
    b.push(3);
    assert_eq!(b.level(), (0, 1, true, false), "an empty bank takes the mode");
    cycle!(b, configure; double_buffer = false);
    assert_eq!(b.level(), (0, 1, true, false), "the push side counts as well");
    cycle!(b, swap);
    assert_eq!(b.pull(), pulled(3));
    cycle!(b, configure; double_buffer = true);
    b.push(4);
    cycle!(b, swap);
    assert_eq!(b.pull(), pulled(4), "configure made partition 0 the pull side again");
}

#[test]
fn lanes_come_before_the_wru() {
    let mut b = Bench::new();
    b.push(1);
    b.push(2);
    assert_eq!(cycle!(b, pull, wru_pop), pulled(1));
    assert_eq!(cycle!(b, push, wru_push; push_id = 3, wru_id = 4), NOTHING);
    assert_eq!(b.level().0, 2);
    assert_eq!(b.wru_pop(false), popped(2));
    assert_eq!(b.wru_pop(false), popped(3));
    assert_eq!(b.wru_pop(false), NOTHING);
}

#[test]
fn a_lane_that_finds_nothing_to_do_leaves_the_port_to_the_wru() {
    let mut b = Bench::new();
    assert_eq!(cycle!(b, pull, wru_push; wru_id = 5), ACCEPTED);
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
    cycle!(b);
    assert_eq!(b.0.id.word(), 0xabcdef);
}

#[test]
fn reset_empties_and_returns_to_single_buffer_mode() {
    let mut b = Bench::double();
    b.push(1);
    cycle!(b, swap);
    assert_eq!(cycle!(b, reset, pull), NOTHING, "no answer out of a reset");
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
    assert_eq!(cycle!(b, push, fill_push; push_id = 1, fill_id = 50), NOTHING);
    assert_eq!(cycle!(b, wru_push, fill_push; wru_id = 2, fill_id = 50), ACCEPTED);
    assert_eq!(cycle!(b, wru_pop, fill_push; fill_id = 50), popped(1));
    assert_eq!(cycle!(b, pull, fill_push; fill_id = 50), pulled(2));
    assert_eq!(cycle!(b, pull, wru_pop, fill_push; fill_id = 50), FILLED, "nobody took the port");
    assert_eq!(b.pull(), pulled(50));
}

#[test]
fn fills_meet_full_partitions() {
    let mut b = Bench::double();
    for i in 0..4 {
        assert_eq!(cycle!(b, fill_push; fill_id = i, fill_part = true), FILLED);
    }
    assert_eq!(cycle!(b, fill_push; fill_id = 4, fill_part = true), NOTHING);
    assert_eq!(b.level(), (0, 4, true, true));
    assert_eq!(cycle!(b, fill_push; fill_id = 7, fill_part = false), FILLED);
    assert_eq!(b.level(), (1, 4, false, true));
    assert_eq!(b.0.held.word(), 5);
}

#[test]
fn reserved_entries_are_occupied_for_everyone_but_a_pull() {
    let mut b = Bench::double();
    cycle!(b, reserve);
    assert_eq!(b.level(), (2, 0, false, false));
    assert_eq!(b.0.held.word(), 0);
    assert_eq!(b.pull(), NOTHING, "a reserved entry is no ID");
    assert_eq!(b.wru_pop(false), NOTHING);
    assert_eq!(b.wru_push(false, 1), ACCEPTED);
    assert_eq!(b.wru_push(false, 2), ACCEPTED);
    assert_eq!(b.wru_push(false, 3), NOTHING, "full with two reserved");
    cycle!(b, swap);
    assert_eq!(b.level(), (4, 0, false, false), "no swap with reserved entries");
    assert_eq!(cycle!(b, fill_push; fill_id = 60, fill_reserved = true), FILLED, "its entry is kept for it");
    assert_eq!(b.level(), (4, 0, false, false));
    cycle!(b, unreserve);
    assert_eq!(b.level(), (3, 0, false, false));
    for id in [1, 2, 60] {
        assert_eq!(b.pull(), pulled(id));
    }
    assert_eq!(b.level(), (0, 0, true, false));
}

#[test]
fn reservations_add_up_in_one_cycle() {
    let mut b = Bench::new();
    cycle!(b, reserve);
    assert_eq!(cycle!(b, reserve, unreserve, fill_push; fill_id = 5, fill_reserved = true), FILLED);
    // 2 + 2 - 1 entries, one of them with an ID by now.
    assert_eq!(b.level().0, 3);
    assert_eq!(cycle!(b, unreserve, pull), pulled(5));
    assert_eq!(b.level().0, 1);
    cycle!(b, configure; double_buffer = true);
    cycle!(b, unreserve);
    b.push(9);
    assert_eq!(b.level(), (1, 0, false, false), "no configure with a reserved entry");
}

#[test]
fn a_full_bank_counts_reserved_entries() {
    let mut b = Bench::new();
    for i in 0..6 {
        b.push(i);
    }
    cycle!(b, reserve);
    assert_eq!(b.level(), (8, 0, false, true));
}
