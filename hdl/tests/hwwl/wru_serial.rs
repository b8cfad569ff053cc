//! The serial redistribution unit against `docs/hwwl/wru.md`, in RustHDL's own simulation, in the place of the banks.

use crate::common::{clock, ready, Random, Word};
use crate::hwwl::wru::{Out, IDLE};
use hdl::hwwl::wru_serial::WruSerial;

const THRESHOLD: u64 = 5;

/// 8 lanes of 32 entries.
struct Bench {
    wru: Box<WruSerial<8, 3, 6>>,
    pull: [u64; 8],
    push: [u64; 8],
}

impl Bench {
    fn new() -> Self {
        Bench { wru: ready!(WruSerial::new(THRESHOLD)), pull: [5; 8], push: [0; 8] }
    }

    fn out(&self) -> Out {
        let w = &self.wru;
        Out { pop: w.pop.word(), push: w.push.word(), part: w.part.val(), moving: w.moving.val() }
    }

    /// Ends the current cycle with these answers on the pins. Bank i offers ID 1000 + i.
    fn cycle(&mut self, valid: u64, accepted: u64) {
        let w = &mut *self.wru;
        w.wru_valid.next = valid.into();
        w.wru_accepted.next = accepted.into();
        for i in 0..8 {
            w.pull_occupancy[i].next = self.pull[i].into();
            w.push_occupancy[i].next = self.push[i].into();
            w.id[i].next = (1000 + i as u64).into();
        }
        clock!(w);
    }

    /// The move that these occupancies start within six cycles: its giver and its taker. From its pop on, all banks have five IDs.
    fn moves(&mut self, pull: [u64; 8], push: [u64; 8]) -> Option<(u64, u64)> {
        (self.pull, self.push) = (pull, push);
        for _ in 0..6 {
            if self.out().pop != 0 {
                break;
            }
            self.cycle(0, 0);
        }
        (self.pull, self.push) = ([5; 8], [5; 8]);
        let giver = self.out().pop;
        self.cycle(0, 0);
        self.cycle(giver, 0);
        let taker = self.out().push;
        if taker != 0 {
            let lane = taker.trailing_zeros() as usize;
            assert_eq!(self.wru.push_id[lane].word(), 1000 + u64::from(giver.trailing_zeros()));
        }
        self.cycle(0, 0);
        self.cycle(0, taker);
        assert!(!self.wru.moving.val());
        (giver != 0).then_some((giver, taker))
    }
}

#[test]
fn a_move_takes_the_documented_cycles() {
    let mut b = Bench::new();
    (b.pull[3], b.pull[6]) = (20, 0);
    for _ in 0..3 {
        assert_eq!(b.out(), IDLE);
        b.cycle(0, 0);
    }
    for _ in 0..3 {
        assert_eq!(b.out(), Out { pop: 1 << 3, moving: true, ..IDLE });
        b.cycle(0, 0);
        assert_eq!(b.out(), Out { moving: true, ..IDLE });
        b.cycle(1 << 3, 0);
        assert_eq!(b.out(), Out { push: 1 << 6, moving: true, ..IDLE });
        b.cycle(0, 0);
        assert_eq!(b.out(), Out { moving: true, ..IDLE });
        b.cycle(0, 1 << 6);
    }
}

#[test]
fn the_most_occupied_bank_gives_to_the_least_occupied() {
    let (mut b, mut random, mut rotation) = (Bench::new(), Random(1), 0);
    for _ in 0..300 {
        let pull: [u64; 8] = std::array::from_fn(|_| 2 + random.below(6));
        let order = |lane: &u64| (pull[*lane as usize], lane ^ rotation);
        let (giver, taker) = ((0..8).max_by_key(order).unwrap(), (0..8).min_by_key(order).unwrap());
        let (most, least) = (pull[giver as usize], pull[taker as usize]);
        let expected = (most >= least + 2 && least < THRESHOLD).then_some((1 << giver, 1 << taker));
        assert_eq!(b.moves(pull, [5; 8]), expected, "{pull:?}");
        rotation = (rotation + u64::from(expected.is_some())) % 8;
    }
}

#[test]
fn double_buffer_serves_the_pull_side_if_that_helps_else_the_push_side() {
    let mut b = Bench::new();
    b.wru.double_buffer.next = true;
    let push = [4, 4, 4, 4, 4, 4, 9, 3];
    assert_eq!(b.moves([1; 8], push), Some((1 << 6, 1 << 7)));
    assert!(b.wru.part.val());
    // The side is that of the cycle before.
    let pull = [1, 1, 1, 1, 6, 1, 1, 1];
    b.pull = pull;
    b.cycle(0, 0);
    assert_eq!(b.moves(pull, push).unwrap().0, 1 << 4);
    assert!(!b.wru.part.val());
}

#[test]
fn a_giver_without_a_needy_taker_sends() {
    let mut b = Bench::new();
    b.wru.send.next = 1.into();
    let greedy = [6, 6, 5, 9, 6, 6, 6, 6];
    assert_eq!(b.moves(greedy, [5; 8]), Some((1 << 3, 0)));
    assert!(b.wru.out_valid.val() && !b.wru.out_part.val());
    assert_eq!(b.wru.out_id.word(), 1003);
    assert_eq!(b.moves(greedy, [5; 8]), None, "the port is taken");
    b.wru.out_ready.next = true;
    b.cycle(0, 0);
    assert!(!b.wru.out_valid.val());
    assert_eq!(b.moves(greedy, [5; 8]), Some((1 << 3, 0)));
}
