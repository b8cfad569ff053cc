//! The bank against `docs/hwwl.md`, in RustHDL's own simulation.

use hdl::hwwl::bank::Bank;
use rust_hdl::prelude::*;

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
}

const IDLE: Drive = Drive {
    reset: false,
    configure: false,
    double: false,
    swap: false,
    pull: false,
    push: None,
    wru_pop: false,
    wru_push: None,
    part: false,
};

#[derive(Debug, PartialEq, Eq)]
struct Answer {
    pulled: Option<u64>,
    wru_popped: Option<u64>,
    accepted: bool,
    overflow: bool,
}

const NOTHING: Answer = Answer { pulled: None, wru_popped: None, accepted: false, overflow: false };

struct Bench(Bank8);

impl Bench {
    fn new() -> Self {
        let mut bank = Bank8::default();
        bank.connect_all();
        check_all(&bank).unwrap();
        let mut bench = Bench(bank);
        bench.cycle(Drive { reset: true, ..IDLE });
        bench
    }

    fn double() -> Self {
        let mut bench = Self::new();
        bench.cycle(Drive { configure: true, double: true, ..IDLE });
        bench
    }

    /// One clock cycle; the answer is what the pins say after its edge.
    fn cycle(&mut self, d: Drive) -> Answer {
        let b = &mut self.0;
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
        for level in [false, true] {
            b.clock.next = level.into();
            assert!(simulate(b, 1000));
        }
        let id = b.id.val().to_u64();
        Answer {
            pulled: b.pull_valid.val().then_some(id),
            wru_popped: b.wru_valid.val().then_some(id),
            accepted: b.wru_accepted.val(),
            overflow: b.overflow.val(),
        }
    }

    fn push(&mut self, id: u64) -> Answer {
        self.cycle(Drive { push: Some(id), ..IDLE })
    }

    fn pull(&mut self) -> Answer {
        self.cycle(Drive { pull: true, ..IDLE })
    }

    fn wru_push(&mut self, part: bool, id: u64) -> Answer {
        self.cycle(Drive { wru_push: Some(id), part, ..IDLE })
    }

    fn wru_pop(&mut self, part: bool) -> Answer {
        self.cycle(Drive { wru_pop: true, part, ..IDLE })
    }

    /// `pull_occupancy`, `push_occupancy`, `empty`, `full`
    fn level(&self) -> (u64, u64, bool, bool) {
        let b = &self.0;
        (b.pull_occupancy.val().to_u64(), b.push_occupancy.val().to_u64(), b.empty.val(), b.full.val())
    }
}

fn pulled(id: u64) -> Answer {
    Answer { pulled: Some(id), ..NOTHING }
}

fn popped(id: u64) -> Answer {
    Answer { wru_popped: Some(id), ..NOTHING }
}

const ACCEPTED: Answer = Answer { accepted: true, ..NOTHING };
const OVERFLOW: Answer = Answer { overflow: true, ..NOTHING };

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
fn pull_of_an_empty_bank_and_push_to_a_full_one_do_nothing_but_answer() {
    let mut b = Bench::new();
    assert_eq!(b.pull(), NOTHING);
    for i in 0..8 {
        b.push(i);
    }
    assert_eq!(b.push(99), OVERFLOW);
    assert_eq!(b.cycle(IDLE), NOTHING, "overflow lasts one cycle");
    assert_eq!(b.level(), (8, 0, false, true));
    for i in 0..8 {
        assert_eq!(b.pull(), pulled(i), "the dropped ID is not in the FIFO");
    }
    assert_eq!(b.pull(), NOTHING);
}

#[test]
fn double_buffer_separates_the_sides() {
    let mut b = Bench::double();
    for i in 0..4 {
        b.push(i);
        assert_eq!(b.level(), (0, i + 1, true, i == 3));
    }
    assert_eq!(b.push(9), OVERFLOW);
    assert_eq!(b.pull(), NOTHING, "what was pushed is on the other side");
    b.cycle(Drive { swap: true, ..IDLE });
    assert_eq!(b.level(), (4, 0, false, false));
    b.push(50);
    assert_eq!(b.level(), (4, 1, false, false));
    b.cycle(Drive { swap: true, ..IDLE });
    assert_eq!(b.level(), (4, 1, false, false), "no swap while the pull side holds IDs");
    for i in 0..4 {
        assert_eq!(b.pull(), pulled(i));
    }
    b.cycle(Drive { swap: true, ..IDLE });
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
    b.cycle(Drive { swap: true, ..IDLE });
    b.push(5);
    assert_eq!(b.level(), (1, 0, false, false));
    assert_eq!(b.pull(), pulled(5));
}

#[test]
fn swap_and_a_push_of_the_wru_in_one_cycle() {
    let mut b = Bench::double();
    b.push(7);
    // Partition 0 is the pull side and empty in this cycle, so the swap is obeyed; the ID goes to partition 0.
    assert_eq!(b.cycle(Drive { swap: true, wru_push: Some(8), part: false, ..IDLE }), ACCEPTED);
    assert_eq!(b.level(), (1, 1, false, false));
    assert_eq!(b.pull(), pulled(7));
    assert_eq!(b.wru_pop(false), popped(8));
}

#[test]
fn configure_is_obeyed_only_by_an_empty_bank() {
    let mut b = Bench::new();
    b.push(1);
    b.cycle(Drive { configure: true, double: true, ..IDLE });
    b.push(2);
    assert_eq!(b.level(), (2, 0, false, false), "still in single-buffer mode");
    b.pull();
    b.pull();
    b.cycle(Drive { configure: true, double: true, ..IDLE });
    b.push(3);
    assert_eq!(b.level(), (0, 1, true, false), "an empty bank takes the mode");
    b.cycle(Drive { configure: true, double: false, ..IDLE });
    assert_eq!(b.level(), (0, 1, true, false), "the push side counts as well");
    b.cycle(Drive { swap: true, ..IDLE });
    assert_eq!(b.pull(), pulled(3));
    b.cycle(Drive { configure: true, double: true, ..IDLE });
    b.push(4);
    b.cycle(Drive { swap: true, ..IDLE });
    assert_eq!(b.pull(), pulled(4), "configure made partition 0 the pull side again");
}

#[test]
fn lanes_come_before_the_wru() {
    let mut b = Bench::new();
    b.push(1);
    b.push(2);
    assert_eq!(b.cycle(Drive { pull: true, wru_pop: true, ..IDLE }), pulled(1));
    assert_eq!(b.cycle(Drive { push: Some(3), wru_push: Some(4), ..IDLE }), NOTHING);
    assert_eq!(b.level().0, 2);
    assert_eq!(b.wru_pop(false), popped(2));
    assert_eq!(b.wru_pop(false), popped(3));
    assert_eq!(b.wru_pop(false), NOTHING);
}

#[test]
fn a_lane_that_finds_nothing_to_do_leaves_the_port_to_the_wru() {
    let mut b = Bench::new();
    assert_eq!(b.cycle(Drive { pull: true, wru_push: Some(5), ..IDLE }), ACCEPTED);
    let mut b = Bench::double();
    b.wru_push(false, 1);
    for i in 0..4 {
        b.push(i);
    }
    let answer = b.cycle(Drive { push: Some(9), wru_pop: true, part: false, ..IDLE });
    assert_eq!(answer, Answer { wru_popped: Some(1), overflow: true, ..NOTHING });
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
    b.cycle(IDLE);
    assert_eq!(b.0.id.val().to_u64(), 0xabcdef);
}

#[test]
fn reset_empties_and_returns_to_single_buffer_mode() {
    let mut b = Bench::double();
    b.push(1);
    b.cycle(Drive { swap: true, ..IDLE });
    assert_eq!(b.cycle(Drive { reset: true, pull: true, ..IDLE }), NOTHING, "no answer out of a reset");
    assert_eq!(b.level(), (0, 0, true, false));
    for i in 0..8 {
        b.push(i);
    }
    assert_eq!(b.level(), (8, 0, false, true));
    assert_eq!(b.pull(), pulled(0));
}
