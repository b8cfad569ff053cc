//! The edge expander against `docs/hwwl/edge_expander.md`, in RustHDL's own simulation.

use crate::common::{clock, ready, Word};
use hdl::hwwl::edge_expander::EdgeExpander;

struct Bench(Box<EdgeExpander<4, 8, 2, 4>>);

impl Bench {
    /// The worklist takes what it is asked, and so does the memory.
    fn new() -> Self {
        let mut b = Bench(ready!(EdgeExpander::<4, 8, 2, 4>::default()));
        (b.0.bank_ready.next, b.0.row_ready.next) = (true, true);
        b.0.set_rows.next = true;
        b.0.rows_line.next = 100u64.into();
        b.clock();
        b
    }

    /// A cycle; inputs that are told last for it alone.
    fn clock(&mut self) {
        clock!(self.0);
        let h = &mut self.0;
        (h.set_rows.next, h.row_valid.next) = (false, false);
        (h.edge_pull.next, h.edge_leave.next, h.status.next) = (0u64.into(), 0u64.into(), 0u64.into());
    }

    fn pull(&mut self, lanes: u64, patient: bool) {
        (self.0.edge_pull.next, self.0.patient.next) = (lanes.into(), patient);
        self.clock();
    }

    fn row(&mut self, tag: u64, first: u64, second: u64) {
        let h = &mut self.0;
        (h.row_valid.next, h.row_tag.next) = (true, tag.into());
        (h.row_first.next, h.row_second.next) = (first.into(), second.into());
        self.clock();
    }

    /// The banks answer the next pull of the expander.
    fn answer(&mut self, status: u64, id: u64) {
        while self.0.bank_pull.word() == 0 {
            self.clock();
        }
        self.clock();
        self.0.status.next = ((0..4).fold(0, |all, lane| all | status << (2 * lane))).into();
        self.0.id.iter_mut().for_each(|pin| pin.next = id.into());
        self.clock();
    }

    /// The request for a row, when it comes.
    fn request(&mut self) -> (u64, u64, bool, u64) {
        while !self.0.read_valid.val() {
            self.clock();
        }
        let h = &self.0;
        let request = (h.read_line.word(), h.read_word.word(), h.read_both.val(), h.read_tag.word());
        self.clock();
        request
    }

    /// The next answers to lanes, and the first two edges.
    fn edges(&mut self) -> (u64, [u64; 2]) {
        while self.0.edge_status.word() == 0 {
            self.clock();
        }
        let edges = [0, 1].map(|lane| self.0.edge_index[lane].word());
        let status = self.0.edge_status.word();
        self.clock();
        (status, edges)
    }
}

#[test]
fn edges_of_two_nodes_go_to_one_pass() {
    let mut b = Bench::new();
    b.pull(0b1111, true);
    b.answer(1, 70);
    assert_eq!(b.request(), (102, 6, true, 0));
    b.answer(1, 33);
    assert_eq!(b.request(), (101, 1, true, 1));
    b.row(1, 20, 30);
    b.row(0, 8, 10);
    assert_eq!(b.edges(), (0b0101, [8, 9]), "the older node first");
    assert_eq!(b.0.edge_status.word(), 0b0101_0000);
    assert_eq!((b.0.edge_index[2].word(), b.0.edge_index[3].word(), b.0.owner.word()), (20, 21, 33));
}

#[test]
fn a_row_in_two_lines_takes_two_requests() {
    let mut b = Bench::new();
    b.pull(0b0001, true);
    b.answer(1, 31);
    assert_eq!((b.request(), b.request()), ((100, 31, false, 4), (101, 0, false, 8)));
    b.row(8, 5, 0);
    b.row(4, 4, 0);
    let (status, edges) = b.edges();
    assert_eq!((status, edges[0]), (1, 4));
}

#[test]
fn impatient_lanes_are_told_to_wait_and_all_that_it_is_over() {
    let mut b = Bench::new();
    b.pull(0b0010, false);
    assert_eq!(b.edges().0, 0b1000);
    b.pull(0b0010, true);
    b.answer(3, 0);
    assert_eq!(b.edges().0, 0b1100);
}
