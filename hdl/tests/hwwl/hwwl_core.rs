//! A whole core against `docs/hwwl.md`, in RustHDL's own simulation, with an ICRN that serves it alone.

use crate::common::{clock, ready, Word};
use hdl::hwwl::hwwl_core::{HwwlCore, Options};
use hdl::hwwl::{Refill, Scheme};

/// 4 lanes of 4 entries: a few pushes fill a bank. There is no room for a refill, and none happens here.
type Core = HwwlCore<4, 2, 8, 2, 3, 5>;

const LANES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pulled {
    Nothing,
    Id(u64),
    Wait,
    Done,
}
use Pulled::{Done, Id, Nothing, Wait};

struct Bench(Box<Core>);

impl Bench {
    fn new(scheme: Scheme) -> Self {
        let options = Options { scheme, threshold: 4, interval: 10, refill: Refill::Interval(10), bins: false };
        let mut bench = Bench(ready!(Core::new(options)));
        bench.idle(1);
        bench
    }

    fn sorting() -> Self {
        Self::new(Scheme::LocalSorting)
    }

    /// The ICRN of one core: it holds nothing, so that all is done two cycles after the core was quiet.
    fn clock(&mut self) {
        let quiet = self.0.quiet.val();
        clock!(self.0);
        self.0.all_done.next = quiet;
        for vector in [&mut self.0.pull, &mut self.0.push, &mut self.0.leave] {
            vector.next = 0.into();
        }
        for bit in [&mut self.0.configure, &mut self.0.kernel_end, &mut self.0.init, &mut self.0.in_valid] {
            bit.next = false;
        }
    }

    fn idle(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.clock());
    }

    /// The mode after it.
    fn configure(&mut self, double: bool) -> bool {
        self.0.configure.next = true;
        self.0.double_buffer.next = double;
        self.clock();
        self.0.double_mode.val()
    }

    fn init(&mut self, lines: u64) {
        self.0.init.next = true;
        self.0.init_base.next = 500.into();
        self.0.init_lines.next = lines.into();
        self.clock();
    }

    /// The end of a kernel; the side to pull from after it.
    fn kernel_end(&mut self) -> bool {
        self.0.kernel_end.next = true;
        self.clock();
        self.0.pull_part.val()
    }

    fn pull(&mut self, lanes: u64) -> [Pulled; LANES] {
        self.pull_again(lanes, 0)
    }

    /// A pull in which the threads of `leave` are done with what they had.
    fn pull_again(&mut self, lanes: u64, leave: u64) -> [Pulled; LANES] {
        self.0.pull.next = lanes.into();
        self.0.leave.next = leave.into();
        self.clock();
        let status = self.0.status.word();
        std::array::from_fn(|i| match status >> (2 * i) & 3 {
            0 => Nothing,
            1 => Id(self.0.id[i].word()),
            2 => Wait,
            _ => Done,
        })
    }

    /// Lanes push `first_id` + their number.
    fn push(&mut self, lanes: u64, first_id: u64) {
        assert!(self.0.push_ready.val());
        self.0.push.next = lanes.into();
        for (i, port) in self.0.push_id.iter_mut().enumerate() {
            port.next = (first_id + i as u64).into();
        }
        self.clock();
    }

    /// Four pushes by these lanes.
    fn fill(&mut self, lanes: u64) {
        (0..4).for_each(|id| self.push(lanes, id));
    }

    /// An ID from another core, taken in this cycle.
    fn arrive(&mut self, part: bool, id: u64) {
        assert!(self.0.in_ready.val());
        self.0.in_valid.next = true;
        self.0.in_part.next = part;
        self.0.in_id.next = id.into();
        self.clock();
    }

    fn count(&self) -> u64 {
        self.0.count.word()
    }
}

#[test]
fn lanes_push_and_pull_their_own_banks() {
    let mut b = Bench::sorting();
    b.push(0b1011, 100);
    assert_eq!(b.count(), 3);
    b.push(0b1111, 200);
    assert_eq!(b.count(), 7);
    assert_eq!(b.pull(0b1001), [Id(100), Nothing, Nothing, Id(103)]);
    assert_eq!(b.count(), 7, "an ID counts in the cycle in which it is handed out");
    assert_eq!(b.pull(0b1111), [Id(200), Id(101), Id(202), Id(203)]);
    assert_eq!(b.pull(0b1110), [Nothing, Id(201), Wait, Wait]);
    assert_eq!(b.pull(0), [Nothing; 4]);
    assert_eq!(b.count(), 0);
}

#[test]
fn done_waits_for_those_that_work_in_single_buffer_mode() {
    let mut b = Bench::sorting();
    b.push(0b0001, 7);
    assert_eq!(b.pull(0b0001)[0], Id(7));
    for _ in 0..20 {
        assert_eq!(b.pull(0b1110), [Nothing, Wait, Wait, Wait], "lane 0 could still push");
    }
    // Left in cycle t: quiet in t + 1, all done in t + 3.
    assert_eq!(b.pull_again(0b0001, 0b0001)[0], Wait);
    assert_eq!(b.pull(0b1111), [Wait; 4]);
    assert_eq!(b.pull(0b1111), [Wait; 4]);
    assert_eq!(b.pull(0b1111), [Done; 4]);
}

#[test]
fn done_waits_until_nothing_has_changed_for_four_cycles() {
    let mut b = Bench::sorting();
    b.configure(true);
    b.idle(10);
    assert_eq!(b.pull(0b0001)[0], Done);
    b.push(0b0001, 1);
    for _ in 0..4 {
        assert_eq!(b.pull(0b0001)[0], Wait, "a push was in the four cycles before");
    }
    assert_eq!(b.pull(0b0001)[0], Done);
}

#[test]
fn what_finds_its_bank_full_is_spilled() {
    let mut b = Bench::sorting();
    b.init(8);
    b.configure(true);
    b.push(0b0011, 10);
    b.push(0b0011, 20);
    b.push(0b1011, 30);
    assert!(!b.0.overflow.val());
    assert_eq!(b.count(), 7, "two of them in the holding register");
    assert!(!b.0.push_ready.val());
    b.idle(1);
    assert!(!b.0.push_ready.val(), "one moves in a cycle");
    b.idle(1);
    assert!(b.0.push_ready.val());
    assert_eq!(b.count(), 7);
}

#[test]
fn without_an_overflow_buffer_spills_are_dropped_and_reported() {
    let mut b = Bench::sorting();
    b.configure(true);
    b.push(0b0111, 10);
    b.push(0b0111, 20);
    b.push(0b1111, 30);
    assert!(!b.0.overflow.val());
    assert_eq!(b.count(), 10, "found out in this cycle");
    b.idle(1);
    assert!(b.0.overflow.val());
    assert_eq!(b.count(), 7, "lane 3's bank had room");
    b.idle(1);
    assert!(!b.0.overflow.val());
    assert_eq!(b.count(), 7);
}

#[test]
fn kernel_end_exchanges_the_sides_of_a_drained_core() {
    let mut b = Bench::sorting();
    b.idle(10);
    assert!(!b.kernel_end(), "ignored in single-buffer mode");
    b.configure(true);
    b.push(0b1111, 20);
    assert!(!b.kernel_end(), "ignored while the push is recent");
    b.idle(4);
    assert!(b.kernel_end());
    b.push(0b0001, 50);
    b.idle(10);
    assert!(b.kernel_end(), "ignored while a pull side holds IDs");
    assert_eq!(b.pull(0b1111), [Id(20), Id(21), Id(22), Id(23)]);
    b.idle(10);
    assert!(!b.kernel_end());
    assert_eq!(b.count(), 1);
}

#[test]
fn configure_is_obeyed_only_by_a_core_that_holds_nothing() {
    let mut b = Bench::sorting();
    b.push(0b0001, 7);
    assert!(!b.configure(true));
    assert_eq!(b.pull(0b0001)[0], Id(7), "still in single-buffer mode");
    assert!(!b.configure(true), "the ID still counts");
    assert!(!b.configure(true), "it counted in the cycle before");
    assert!(b.configure(true));
    b.push(0b0001, 8);
    assert!(b.configure(false), "the push side counts");
}

#[test]
fn work_of_one_lane_reaches_the_others() {
    for (scheme, pulled) in [(Scheme::LocalSorting, 4), (Scheme::None, 1)] {
        let mut b = Bench::new(scheme);
        b.fill(0b0001);
        b.idle(50);
        assert_eq!(b.count(), 4);
        let ids = b.pull(0b1111).iter().filter(|p| matches!(p, Id(_))).count();
        assert_eq!(ids, pulled, "{scheme:?}");
    }
}

#[test]
fn arrivals_go_round_robin_through_the_banks() {
    let mut b = Bench::new(Scheme::None);
    b.fill(0b0010);
    b.arrive(false, 70);
    assert_eq!(b.count(), 5);
    assert!(!b.0.in_ready.val());
    b.idle(1);
    assert!(!b.0.in_ready.val(), "the attempt's answer is looked at in this cycle");
    b.idle(1);
    assert!(b.0.in_ready.val());
    // Bank 1 is full: bank 2 is next after one more attempt. There is no buffer to spill to.
    b.init(8);
    b.arrive(false, 71);
    b.idle(2);
    assert!(b.0.in_ready.val(), "spilled in its attempt at the full bank");
    b.arrive(false, 72);
    b.idle(2);
    assert_eq!(b.pull(0b1101), [Id(70), Nothing, Id(72), Wait]);
    assert_eq!(b.count(), 7);
    b.idle(1);
    assert_eq!(b.count(), 5);
}

#[test]
fn an_arrival_of_the_pull_side_tries_the_next_bank() {
    let mut b = Bench::new(Scheme::None);
    b.configure(true);
    for (bank, id) in [(0, 80), (1, 81), (2, 82), (3, 83), (0, 84), (1, 85), (2, 86), (3, 87)] {
        b.arrive(false, id);
        b.idle(2);
        assert!(b.0.in_ready.val(), "bank {bank}");
    }
    b.arrive(false, 88);
    for _ in 0..5 {
        b.idle(2);
        assert!(!b.0.in_ready.val(), "all pull sides are full");
    }
    assert_eq!(b.pull(0b0100)[2], Id(82));
    b.idle(8);
    assert!(b.0.in_ready.val());
    assert_eq!(b.pull(0b0100)[2], Id(86));
    assert_eq!(b.pull(0b0100)[2], Id(88));
}

#[test]
fn an_arrival_that_is_dropped_is_no_longer_counted() {
    let mut b = Bench::new(Scheme::None);
    b.fill(0b0001);
    b.arrive(false, 70);
    assert_eq!(b.count(), 5);
    b.idle(2);
    assert!(b.0.overflow.val(), "bank 0 is full, and there is no buffer");
    assert_eq!(b.count(), 4);
    assert!(b.0.in_ready.val());
    b.idle(1);
    assert_eq!(b.count(), 4);
}
