//! The ICRN against `docs/hwwl.md`, in RustHDL's own simulation.

use crate::common::{clock, ready, Word};
use hdl::hwwl::icrn::Icrn;

struct Bench(Box<Icrn<4>>);

impl Bench {
    /// All cores are greedy in both partitions, and take nothing.
    fn new() -> Self {
        let mut b = Bench(ready!(Icrn::<4>::default()));
        b.0.greedy.iter_mut().for_each(|g| g.next = 3.into());
        b
    }

    /// A cycle; who is offered which ID after it.
    fn clock(&mut self) -> Vec<(usize, u64)> {
        clock!(self.0);
        self.0.out_valid.iter_mut().for_each(|v| v.next = false);
        self.0.in_ready.iter_mut().for_each(|v| v.next = false);
        self.arrivals()
    }

    fn arrivals(&self) -> Vec<(usize, u64)> {
        let h = &self.0;
        (0..4).filter(|&c| h.in_valid[c].val()).map(|c| (c, h.in_id[c].word())).collect()
    }

    fn offer(&mut self, core: usize, part: bool, id: u64) {
        assert!(self.0.out_ready[core].val());
        self.0.out_valid[core].next = true;
        self.0.out_part[core].next = part;
        self.0.out_id[core].next = id.into();
    }

    fn held(&self) -> u64 {
        self.0.held.word()
    }
}

#[test]
fn an_id_takes_two_hops_to_a_core_that_is_not_greedy() {
    let mut b = Bench::new();
    b.0.greedy[2].next = 0b10.into();
    b.offer(0, false, 77);
    assert_eq!((b.clock(), b.held()), (vec![], 1));
    assert_eq!((b.clock(), b.held()), (vec![(2, 77)], 1));
    b.0.in_ready[2].next = true;
    assert_eq!((b.clock(), b.held()), (vec![], 0));
}

#[test]
fn if_all_are_greedy_the_others_take_round_robin() {
    let mut b = Bench::new();
    let mut seen = vec![];
    for id in 0..5 {
        b.offer(1, true, id);
        b.clock();
        let arrivals = b.clock();
        assert_eq!(arrivals.len(), 1);
        assert!(b.0.in_part[arrivals[0].0].val());
        seen.push(arrivals[0].0);
        b.0.in_ready[arrivals[0].0].next = true;
        b.clock();
    }
    assert_eq!(seen, [0, 2, 3, 0, 2], "round robin, never back to core 1");
}

#[test]
fn sources_are_served_round_robin_one_id_a_cycle() {
    let mut b = Bench::new();
    b.0.greedy.iter_mut().for_each(|g| g.next = 0.into());
    for round in 0..2 {
        (0..3).for_each(|core| b.offer(core, false, 10 * core as u64 + round));
        b.clock();
    }
    // In the second cycle core 0's first ID went to core 1, the first by round robin that is not its source.
    assert_eq!(b.arrivals(), [(1, 0)]);
    assert_eq!(b.clock(), [(1, 0), (2, 10)]);
    assert_eq!(b.clock(), [(1, 0), (2, 10), (3, 20)]);
    assert_eq!(b.clock(), [(0, 11), (1, 0), (2, 10), (3, 20)], "core 0 has no other destination left");
    assert_eq!(b.clock().len(), 4);
    assert_eq!(b.held(), 6);
}

#[test]
fn a_fifo_takes_two() {
    let mut b = Bench::new();
    // Fill the registers of the others first.
    for id in 0..3 {
        b.offer(0, false, id);
        b.clock();
        b.clock();
    }
    assert_eq!(b.arrivals(), [(1, 0), (2, 1), (3, 2)]);
    for id in 3..5 {
        b.offer(0, false, id);
        b.clock();
    }
    assert!(!b.0.out_ready[0].val() && b.0.out_ready[1].val());
    b.0.in_ready[3].next = true;
    b.clock();
    assert_eq!(b.clock(), [(1, 0), (2, 1), (3, 3)]);
    assert!(b.0.out_ready[0].val());
}

#[test]
fn send_says_that_somebody_else_can_use_work() {
    let mut b = Bench::new();
    b.clock();
    assert!((0..4).all(|c| b.0.send[c].word() == 0));
    b.0.greedy[1].next = 0b01.into();
    b.clock();
    let send: Vec<_> = (0..4).map(|c| b.0.send[c].word()).collect();
    assert_eq!(send, [0b10, 0, 0b10, 0b10]);
}

#[test]
fn all_is_done_two_cycles_after_all_cores_and_the_hub_were_quiet() {
    let mut b = Bench::new();
    let quiet = |b: &mut Bench, quiet: bool| b.0.quiet.iter_mut().for_each(|q| q.next = quiet);
    b.offer(0, false, 5);
    quiet(&mut b, true);
    b.clock();
    b.clock();
    b.clock();
    assert!(!b.0.all_done.val(), "an ID of the pull side is here");
    b.0.pull_part.next = true;
    b.clock();
    assert!(!b.0.all_done.val());
    b.clock();
    assert!(b.0.all_done.val(), "it belongs to the push side now");
    b.0.quiet[3].next = false;
    b.clock();
    assert!(!b.0.all_done.val());
}
