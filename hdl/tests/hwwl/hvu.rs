//! The virtualization unit against `docs/hwwl.md`, in RustHDL's own simulation, in the place of banks and memory.

use crate::common::{clock, ready, Word};
use hdl::hwwl::hvu::Hvu;
use hdl::hwwl::Refill;

type Hvu4 = Hvu<4>;

const BASE: u64 = 0x12345;

struct Bench(Box<Hvu4>);

/// A request: write, line, tag or count.
type Request = (bool, u64, u64);

impl Bench {
    fn new(refill: Refill, double: bool, lines: u64) -> Self {
        let mut b = Bench(ready!(Hvu4::new(refill)));
        clock!(b.0, init; init_base = BASE, init_lines = lines);
        clock!(b.0, configure; double_buffer = double);
        b
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            clock!(self.0);
            self.0.spill.next = 0.into();
            self.0.fill_accepted.next = 0.into();
            self.0.line_valid.next = false;
            self.0.mem_ready.next = false;
            self.0.swap.next = false;
            self.0.demand.next = false;
        }
    }

    /// `lanes` spill IDs from `first` on; then waits until spills are welcome again.
    fn spill(&mut self, lanes: u64, first: u64) {
        assert!(self.0.push_ready.val());
        self.0.spill.next = lanes.into();
        for i in 0..4 {
            self.0.spill_id[i].next = (first + i as u64).into();
        }
        self.idle(1);
    }

    fn spill_four(&mut self, first: u64) {
        self.spill(0xf, first);
        // Four IDs move, the first of them a cycle later if at most one line is left.
        self.idle(4);
        if !self.0.push_ready.val() {
            self.idle(1);
        }
        assert!(self.0.push_ready.val());
        assert!(!self.0.overflow.val());
    }

    fn request(&self) -> Option<Request> {
        let h = &self.0;
        let write = h.mem_write.val();
        let last = if write { h.mem_count.word() } else { h.mem_tag.word() };
        h.mem_valid.val().then(|| (write, h.mem_line.word(), last))
    }

    fn take(&mut self) {
        self.0.mem_ready.next = true;
        self.idle(1);
    }

    /// Waits for a request and takes it.
    fn next_request(&mut self) -> Request {
        for _ in 0..100 {
            if let Some(request) = self.request() {
                self.take();
                return request;
            }
            self.idle(1);
        }
        panic!("no request");
    }

    fn return_line(&mut self, tag: u64, first: u64) {
        assert!(self.0.line_ready.val());
        self.0.line_valid.next = true;
        self.0.line_tag.next = tag.into();
        for (w, port) in self.0.line_id.iter_mut().enumerate() {
            port.next = (first + w as u64).into();
        }
        self.idle(1);
    }

    fn holds(&self) -> bool {
        self.0.holds.val()
    }
}

#[test]
fn thirty_two_ids_make_a_store() {
    let mut b = Bench::new(Refill::Interval(10), false, 4);
    for i in 0..8 {
        assert_eq!(b.request(), None);
        b.spill(0xf, 10 * i);
        assert!(b.holds());
        for _ in 0..4 {
            assert!(!b.0.push_ready.val());
            b.idle(1);
        }
        assert!(b.0.push_ready.val());
    }
    b.idle(1);
    assert_eq!(b.request(), Some((true, BASE, 32)), "in the cycle after the buffer was full");
    b.spill(0b0101, 900);
    for _ in 0..5 {
        b.idle(1);
        assert_eq!(b.request(), Some((true, BASE, 32)), "stays until it is taken");
        assert!(!b.0.push_ready.val(), "nothing moves meanwhile");
    }
    for i in 0..32 {
        assert_eq!(b.0.mem_id[i].word(), 10 * (i as u64 / 4) + i as u64 % 4, "lowest lane first");
    }
    b.take();
    assert_eq!(b.request(), None);
    assert!(b.0.pull_busy.val(), "in single-buffer mode all IDs are the pull side's");
    assert!(b.holds());
}

#[test]
fn what_does_not_fit_overflows() {
    let mut b = Bench::new(Refill::Interval(10), false, 2);
    for i in 0..7 {
        b.spill_four(10 * i);
    }
    b.spill(0b0111, 100);
    b.idle(3);
    // 31 IDs in the buffer, two lines free.
    b.spill(0b1110, 200);
    assert!(!b.0.overflow.val());
    assert!(b.next_request().0);
    b.idle(4);
    // Two IDs in the buffer, one line free.
    for i in 0..7 {
        b.spill_four(300 + 10 * i);
    }
    b.spill(0b0111, 400);
    assert!(!b.0.overflow.val() && !b.0.push_ready.val(), "found out in this cycle");
    b.idle(1);
    assert!(b.0.overflow.val(), "30 and 3 need two lines");
    assert!(b.0.push_ready.val(), "all of them are dropped");
    b.spill(0b1100, 400);
    assert!(!b.0.overflow.val());
    b.idle(1);
    assert!(!b.0.overflow.val(), "30 and 2 need one");
    assert!(b.holds());
}

#[test]
fn lines_come_back_oldest_first_into_reserved_entries() {
    let mut b = Bench::new(Refill::Interval(10), false, 3);
    for line in 0..3 {
        (0..8).for_each(|i| b.spill_four(1000 * line + 4 * i));
        assert_eq!(b.next_request(), (true, BASE + line, 32));
    }
    b.0.room.next = true;
    let mut reserves = 0;
    while b.request().is_none() {
        b.idle(1);
        reserves += b.0.reserve.val() as usize;
    }
    assert_eq!(reserves, 1, "with the request");
    assert_eq!(b.next_request(), (false, BASE, 0));
    assert_eq!(b.next_request(), (false, BASE + 1, 1));
    b.0.room.next = false;
    b.return_line(1, 5000);
    assert!(!b.0.line_ready.val());
    let mut got = [(); 4].map(|_| vec![]);
    // Bank 2 refuses each of its words once.
    let mut refused = vec![];
    while !b.0.line_ready.val() {
        let pushes = b.0.fill_push.word();
        assert_eq!(b.0.unreserve.word(), 0);
        let ids: Vec<_> = b.0.fill_id.iter().map(|id| id.word()).collect();
        b.idle(1);
        assert_eq!(b.0.fill_push.word() & pushes, 0, "low in the cycle of the answer");
        let mut accepted = pushes;
        for bank in (0..4).filter(|bank| pushes >> bank & 1 == 1) {
            if bank == 2 && !refused.contains(&ids[bank]) {
                refused.push(ids[bank]);
                accepted &= !4;
            } else {
                got[bank].push(ids[bank]);
            }
        }
        b.0.fill_accepted.next = accepted.into();
        b.idle(1);
    }
    for (bank, ids) in got.iter().enumerate() {
        let words: Vec<_> = (0..8).map(|r| 5000 + bank as u64 + 4 * r).collect();
        assert_eq!(*ids, words, "bank {bank}");
    }
    assert_eq!(refused.len(), 8);
    assert!(b.holds());
    b.0.room.next = true;
    assert_eq!(b.next_request(), (false, BASE + 2, 1), "the tag is free again");
}

#[test]
fn a_partial_line_is_stored_at_the_end_of_a_kernel() {
    let mut b = Bench::new(Refill::Demand, true, 9);
    assert!(!b.0.pull_busy.val());
    b.spill(0b0110, 40);
    b.idle(3);
    assert!(!b.0.pull_busy.val(), "the push side does not count");
    b.0.swap.next = true;
    b.idle(1);
    b.0.pull_part.next = true;
    assert!(!b.0.push_ready.val());
    b.idle(1);
    assert_eq!(b.request(), Some((true, BASE + 4, 2)), "into the half of partition 1");
    assert!(b.0.pull_busy.val());
    assert_eq!([b.0.mem_id[0].word(), b.0.mem_id[1].word(), b.0.mem_id[2].word()], [41, 42, 0]);
    b.take();
    assert!(b.0.push_ready.val() && b.0.pull_busy.val());
    assert!(!b.0.pending.val());
    b.0.demand.next = true;
    b.idle(1);
    assert!(b.0.pending.val(), "wished");
    b.idle(1);
    assert!(!b.0.pending.val(), "but there was no room");
    b.0.room.next = true;
    b.0.demand.next = true;
    b.idle(2);
    assert_eq!(b.request(), Some((false, BASE + 4, 0)));
    b.take();
    assert!(b.0.pending.val());
    b.return_line(0, 41);
    // Two words are IDs; the other reserved entries of each bank go back.
    assert_eq!((b.0.fill_push.word(), b.0.unreserve.word()), (0b0011, 0b1100));
    b.idle(1);
    assert_eq!((b.0.fill_push.word(), b.0.unreserve.word()), (0, 0b1100));
    b.0.fill_accepted.next = 0b0011.into();
    b.idle(1);
    for left in [0b1111, 0b1111, 0b1111, 0b1111, 0b1111, 0b1111, 0b0011] {
        assert_eq!((b.0.fill_push.word(), b.0.unreserve.word()), (0, left));
        b.idle(1);
    }
    assert!(b.0.line_ready.val() && !b.0.pending.val() && !b.0.pull_busy.val());
    assert!(!b.holds());
}

#[test]
fn a_few_ids_go_back_without_memory_in_single_buffer_mode() {
    let mut b = Bench::new(Refill::Interval(10), false, 4);
    b.spill(0b1001, 60);
    b.idle(3);
    b.0.room.next = true;
    assert!((0..20).any(|_| {
        b.idle(1);
        b.0.reserve.val()
    }));
    assert_eq!(b.0.fill_push.word(), 0b0011);
    assert_eq!([b.0.fill_id[0].word(), b.0.fill_id[1].word()], [60, 63]);
    assert_eq!(b.request(), None);
}
