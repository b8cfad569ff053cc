//! The threshold redistribution unit against `docs/hwwl.md`, in RustHDL's own simulation, in the place of the banks.

use crate::common::{ready, Random, Word};
use crate::hwwl::wru::{bench, Out, IDLE};
use hdl::hwwl::wru_threshold::WruThreshold;

const THRESHOLD: u64 = 5;

// 8 lanes of 32 entries.
bench!(WruThreshold<8, 3, 6>, 8, 3);

impl Bench {
    fn new() -> Self {
        Bench { wru: ready!(WruThreshold::new(THRESHOLD, 10)), now: 0, pull: [5; 8], push: [0; 8] }
    }
}

/// The pairs as the specification counts them.
fn expected(occupancy: &[u64; 8], rotation: u64) -> Vec<(u64, u64)> {
    let order = || (0..8).map(move |i| (i + rotation) % 8);
    let greedy = order().filter(|&i| occupancy[i as usize] > THRESHOLD);
    let needy = order().filter(|&i| occupancy[i as usize] < THRESHOLD);
    let mut pairs: Vec<_> = needy.zip(greedy).collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn the_kth_greedy_bank_gives_to_the_kth_needy_one_from_a_rotating_start() {
    let mut b = Bench::new();
    let mut random = Random(1);
    for event in 0..200 {
        for i in 0..8 {
            b.pull[i] = 3 + random.below(5);
        }
        let (givers, pairs) = b.event(9 + 10 * event);
        assert_eq!(pairs, expected(&b.pull, event % 8), "event {event}, {:?}", b.pull);
        assert_eq!(givers, pairs.iter().map(|(_, donor)| 1 << donor).sum::<u64>());
    }
}

#[test]
fn an_event_takes_the_documented_cycles() {
    let mut b = Bench::new();
    b.pull[3] = 20;
    b.pull[6] = 0;
    for tick in [9, 19] {
        while b.now < tick + 3 {
            assert_eq!(b.out(), IDLE);
            b.cycle(0, 0);
        }
        assert_eq!(b.out(), Out { pop: 1 << 3, moving: true, ..IDLE }, "pop at t + 3");
        b.cycle(0, 0);
        b.cycle(1 << 3, 0);
        assert_eq!(b.out(), Out { push: 1 << 6, moving: true, ..IDLE }, "push at t + 5");
        b.cycle(0, 0);
        b.cycle(0, 1 << 6);
        assert_eq!(b.out(), IDLE, "idle at t + 7");
    }
}

#[test]
fn double_buffer_serves_the_pull_side_if_that_helps_else_the_push_side() {
    let mut b = Bench::new();
    b.wru.double_buffer.next = true;
    b.pull[1] = 0;
    b.push = [0, 0, 0, 0, 0, 0, 9, 0];
    // Nobody is greedy on the pull side.
    assert_eq!(b.event(9), (1 << 6, vec![(0, 6)]));
    assert!(b.wru.part.val());
    b.pull[4] = 6;
    assert_eq!(b.event(19), (1 << 4, vec![(1, 4)]));
    assert!(!b.wru.part.val());
}

#[test]
fn the_first_greedy_bank_without_a_partner_sends() {
    let mut b = Bench::new();
    b.wru.send.next = 1.into();
    b.pull = [9, 9, 0, 9, 9, 5, 5, 5];
    assert_eq!(b.event(9), (0b11, vec![(2, 0)]), "bank 0 to bank 2; bank 1 sends");
    assert!(b.wru.out_valid.val());
    assert_eq!((b.wru.out_id.word(), b.wru.out_part.val()), (1001, false));
    // The event after that starts at bank 1, but the first ID still waits.
    assert_eq!(b.event(19), (0b10, vec![(2, 1)]));
    b.wru.out_ready.next = true;
    assert_eq!(b.event(29), (0b11000, vec![(2, 3)]), "from bank 2 upwards: 3 gives, 4 sends");
    b.pull[5] = 0;
    b.pull[6] = 0;
    b.pull[7] = 0;
    assert_eq!(b.event(39).0.count_ones(), 4, "as many needy as greedy: nobody sends");
    assert_eq!(b.wru.greedy.word(), 0);
}
