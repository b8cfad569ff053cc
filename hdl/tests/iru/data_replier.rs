//! The data replier of partition 1 of 4, its banks played by the test.

use crate::iru::{clock, ready, Word};
use hdl::iru::data_replier::DataReplier;

/// 4 sets a bank, 16 requests, timeout 20.
type Replier = DataReplier<4, 2, 2, 4, 5>;

const TIMEOUT: u64 = 20;

struct Bench(Box<Replier>);

/// A beat of a reply: request, mask, end, last.
type Reply = (u64, u64, bool, bool);

impl Bench {
    fn new() -> Self {
        let mut replier = ready!(Replier::new(TIMEOUT));
        replier.partition.next = 1.into();
        replier.take_ready.iter_mut().for_each(|ready| ready.next = true);
        Bench(replier)
    }

    fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            clock!(self.0);
            let r = &mut self.0;
            r.request_valid.next = false;
            r.token_in_valid.next = false;
            r.start.next = false;
            r.beat_valid.iter_mut().for_each(|valid| valid.next = false);
        }
    }

    /// A request of `lanes` lanes; it is the head 3 cycles later, which is when this returns.
    fn request(&mut self, number: u64, lanes: u64) {
        assert!(self.0.request_ready.val());
        self.0.request_valid.next = true;
        self.0.request.next = (number << 5 | (lanes - 1)).into();
        self.idle(3);
    }

    fn complete(&mut self, bank: usize, set: Option<u64>) {
        self.0.complete_valid[bank].next = set.is_some();
        self.0.complete_set[bank].next = set.unwrap_or(3).into();
    }

    fn best(&mut self, bank: usize, set: u64, count: u64) {
        self.0.best_set[bank].next = set.into();
        self.0.best_count[bank].next = count.into();
    }

    fn takes(&self) -> Vec<(usize, u64, u64)> {
        let take = |b: usize| {
            let take = (b, self.0.take_set[b].word(), self.0.take_count[b].word());
            self.0.take[b].val().then_some(take)
        };
        (0..2).filter_map(take).collect()
    }

    /// The takes of the next cycle.
    fn next_takes(&mut self) -> Vec<(usize, u64, u64)> {
        self.idle(1);
        self.takes()
    }

    /// A token for a partition comes.
    fn token_in(&mut self, destination: u64, request: u64) {
        self.0.token_in_valid.next = true;
        self.0.token_in_destination.next = destination.into();
        self.0.token_in_request.next = request.into();
        self.idle(1);
    }

    /// Destination and request of the token that leaves.
    fn token_out(&self) -> Option<(u64, u64)> {
        let token = (self.0.token_out_destination.word(), self.0.token_out_request.word());
        self.0.token_out_valid.val().then_some(token)
    }

    fn beat(&mut self, bank: usize, mask: u64, last: bool) {
        let r = &mut self.0;
        r.beat_valid[bank].next = true;
        r.beat_mask[bank].next = mask.into();
        r.beat_last[bank].next = last;
        for j in 0..4 {
            let there = mask >> j & 1;
            r.beat_index[j][bank].next = (there * (10 + j as u64)).into();
            r.beat_secondary[j][bank].next = (there * (20 + j as u64)).into();
            r.beat_position[j][bank].next = (there * (30 + j as u64)).into();
        }
        self.idle(1);
    }

    fn reply(&self) -> Option<Reply> {
        let r = &self.0;
        let (request, mask) = (r.reply_request.word(), r.reply_mask.word());
        for j in 0..4 {
            let element = [r.reply_index[j].word(), r.reply_secondary[j].word(), r.reply_position[j].word()];
            let there = mask >> j & 1;
            let wanted = [10 + j as u64, 20 + j as u64, 30 + j as u64].map(|v| there * v);
            assert!(!r.reply_valid.val() || element == wanted);
        }
        r.reply_valid.val().then(|| (request, mask, r.reply_end.val(), r.reply_last.val()))
    }

    /// Takes the reply on the pins.
    fn next_reply(&mut self) -> Reply {
        let reply = self.reply().expect("a reply");
        self.0.reply_ready.next = true;
        self.idle(1);
        self.0.reply_ready.next = false;
        reply
    }
}

#[test]
fn a_complete_set_answers_at_once() {
    let mut b = Bench::new();
    b.request(5, 6);
    b.complete(1, Some(2));
    assert_eq!(b.next_takes(), [(1, 2, 6)], "TAKE in the cycle after WAIT");
    b.complete(1, None);
    assert_eq!(b.next_takes(), []);
    assert!(b.0.beat_room.val());
    b.beat(1, 0b1100, false);
    assert_eq!(b.reply(), Some((5 << 5 | 5, 0b1100, false, false)), "in the FIFO in the next cycle");
    b.beat(1, 0b1111, true);
    assert!(!b.0.beat_room.val(), "two beats");
    b.next_reply();
    assert_eq!(b.next_reply(), (5 << 5 | 5, 0b1111, true, true));
    assert_eq!(b.reply(), None);
}

#[test]
fn two_banks_with_complete_sets_go_round_robin() {
    let mut b = Bench::new();
    b.0.reply_ready.next = true;
    for (number, bank) in [(0, 0), (1, 1), (2, 0)] {
        b.request(number, 4);
        b.complete(0, Some(1));
        b.complete(1, Some(0));
        assert_eq!(b.next_takes(), [(bank, 1 - bank as u64, 4)]);
        b.complete(0, None);
        b.complete(1, None);
        b.idle(1);
        b.beat(bank, 0b1111, true);
    }
}

#[test]
fn after_the_timeout_the_fullest_sets_serve_until_no_lane_is_left() {
    let mut b = Bench::new();
    b.request(9, 5);
    b.best(0, 1, 2);
    b.best(1, 3, 7);
    // The head is there in this cycle: age 0.
    for _ in 0..TIMEOUT {
        assert_eq!(b.next_takes(), []);
    }
    b.best(1, 3, 2);
    assert_eq!(b.next_takes(), [(0, 1, 2)], "bank 0 of equals, as many as it has");
    b.idle(1);
    b.best(0, 0, 0);
    b.beat(0, 0b0011, true);
    assert_eq!(b.next_reply(), (9 << 5 | 4, 0b0011, false, false), "no end: it goes on here");
    assert_eq!(b.takes(), [(1, 3, 2)]);
    b.idle(1);
    b.best(1, 2, 32);
    b.0.take_ready[1].next = false;
    b.beat(1, 0b0110, true);
    b.next_reply();
    b.idle(3);
    assert_eq!(b.takes(), [], "it is just not ready");
    b.0.take_ready[1].next = true;
    assert_eq!(b.next_takes(), [(1, 2, 1)]);
    b.idle(1);
    b.beat(1, 0b1000, true);
    assert_eq!(b.next_reply(), (9 << 5 | 4, 0b1000, true, true));
}

#[test]
fn a_request_goes_to_a_rich_partition() {
    let mut b = Bench::new();
    // Its own bit says nothing.
    b.0.rich_in.next = 0b0010.into();
    b.request(3, 32);
    b.idle(3);
    assert!(!b.0.token_out_valid.val());
    b.0.rich_in.next = 0b0001.into();
    b.idle(1);
    // Forwarded in t.
    assert_eq!(b.token_out(), Some((0, 3 << 5 | 31)));
    b.0.rich_in.next = 0b1001.into();
    b.request(4, 1);
    for _ in 4..9 {
        assert_eq!(b.token_out(), None, "the pause lasts until t + 8");
        b.idle(1);
    }
    assert_eq!(b.token_out(), None);
    // In t + 9 a token passes: this one has to wait.
    b.token_in(2, 77);
    assert_eq!(b.token_out(), Some((2, 77)));
    b.idle(1);
    assert_eq!(b.token_out(), Some((3, 4 << 5)), "the first, round robin, behind this one");
    assert_eq!(b.reply(), None, "nothing of it was served here");
}

#[test]
fn what_was_served_in_part_closes_before_it_goes_on() {
    let mut b = Bench::new();
    b.request(1, 8);
    b.0.ending.next = true;
    b.best(0, 0, 3);
    assert_eq!(b.next_takes(), [(0, 0, 3)]);
    b.best(0, 0, 0);
    b.idle(1);
    b.beat(0, 0b0111, true);
    b.0.rich_in.next = 0b1000.into();
    b.idle(1);
    assert_eq!(b.token_out(), Some((3, 1 << 5 | 4)), "five lanes are left");
    assert_eq!(b.next_reply(), (1 << 5 | 7, 0b0111, false, false));
    assert_eq!(b.next_reply(), (1 << 5 | 7, 0, true, false));
}

#[test]
fn at_the_end_requests_are_closed_with_nothing() {
    let mut b = Bench::new();
    b.0.ending.next = true;
    b.0.all_empty.next = true;
    b.0.start.next = true;
    b.idle(1);
    // t + 1 to t + 4: the old end does not count. The head is there in t + 4.
    b.request(2, 32);
    b.idle(1);
    assert_eq!(b.reply(), None);
    b.idle(1);
    assert_eq!(b.reply(), Some((2 << 5 | 31, 0, true, true)));
}

#[test]
fn a_token_for_here_goes_before_the_core() {
    let mut b = Bench::new();
    assert!(!b.0.rich.val());
    b.complete(0, Some(0));
    b.idle(1);
    assert!(b.0.rich.val(), "a complete set and nobody who wants it");
    b.0.request_valid.next = true;
    b.0.request.next = 0.into();
    b.idle(1);
    assert!(!b.0.request_ready.val());
    b.token_in(1, 6 << 5 | 3);
    assert!(!b.0.request_ready.val() && !b.0.token_out_valid.val() && !b.0.rich.val());
    b.idle(1);
    assert!(b.0.request_ready.val());
    assert_eq!(b.next_takes(), [(0, 0, 4)], "the token's");
}
