//! The front end of the baseline: 2 schedulers of 8 places.

use crate::common::{clock, ready, Word};
use crate::gw::{list, record};
use hdl::gw::b32_front_end::B32FrontEnd;

type FrontEnd = B32FrontEnd<2, 8, 1, 3>;

/// An instruction: its writes and reads, its path, and its flow.
#[derive(Clone, Copy, Default)]
struct Instruction {
    writes: &'static [u64],
    reads: &'static [u64],
    path: u64,
    flow: bool,
}

const PLAIN: Instruction = Instruction { writes: &[], reads: &[], path: 0, flow: false };
const FLOW: Instruction = Instruction { flow: true, ..PLAIN };

/// A core that fills a line in the cycle after its fetch.
struct Core {
    front_end: Box<FrontEnd>,
    cycle: u64,
    program: Vec<Instruction>,
    /// What follows an instruction with flow, if not pc + 1: next and pc.
    answers: Vec<(u64, (u64, u64))>,
    /// From issue to answer.
    latency: u64,
    /// Cycle, scheduler, place, next, pc.
    questions: Vec<(u64, usize, u64, (u64, u64))>,
    /// Scheduler, place, line.
    fetched: Option<(u64, u64, u64)>,
    lines: Vec<u64>,
    /// Cycle, scheduler, place, pc.
    issues: Vec<(u64, usize, u64, u64)>,
}

impl Core {
    fn new(program: &[Instruction]) -> Self {
        let mut front_end = ready!(FrontEnd::new(false));
        front_end.fetch_room.next = true;
        front_end.room.iter_mut().for_each(|room| room.next = 0xfu64.into());
        let (answers, questions, lines, issues) = (vec![], vec![], vec![], vec![]);
        let program = program.to_vec();
        Core { front_end, cycle: 0, program, answers, latency: 1, questions, fetched: None, lines, issues }
    }

    fn step(&mut self) {
        let f = &mut *self.front_end;
        for s in 0..2 {
            let (place, pc) = (f.issue_place[s].word(), f.issue_pc[s].word());
            if f.issue_valid[s].val() {
                self.issues.push((self.cycle, s, place, pc));
            }
            if f.issue_valid[s].val() && self.program.get(pc as usize).is_some_and(|instruction| instruction.flow) {
                let answer = self.answers.iter().find(|(at, _)| *at == pc).map_or((0, pc + 1), |(_, answer)| *answer);
                self.questions.push((self.cycle + self.latency, s, place, answer));
            }
            let due = self.questions.iter().position(|question| question.0 == self.cycle && question.1 == s);
            f.answer_valid[s].next = due.is_some();
            if let Some((_, _, place, (next, pc))) = due.map(|i| self.questions.remove(i)) {
                f.answer_place[s].next = place.into();
                (f.answer_next[s].next, f.answer_pc[s].next) = (next.into(), pc.into());
            }
        }
        f.fill_valid.next = self.fetched.is_some();
        if let Some((scheduler, place, line)) = self.fetched {
            (f.fill_scheduler.next, f.fill_place.next) = (scheduler.into(), place.into());
            for (slot, pc) in [2 * line, 2 * line + 1].into_iter().enumerate() {
                let Instruction { writes, reads, path, flow } =
                    self.program.get(pc as usize).copied().unwrap_or_default();
                f.fill_record[slot].next = record(writes, reads, path, flow);
            }
        }
        let fetch = (f.fetch_scheduler.word(), f.fetch_place.word(), f.fetch_line.word());
        self.fetched = f.fetch_valid.val().then_some(fetch);
        self.lines.extend(self.fetched.map(|fetch| fetch.2));
        clock!(f);
        for s in 0..2 {
            (f.start[s].next, f.wake[s].next) = (0u64.into(), 0u64.into());
            f.done_valid[0][s].next = false;
        }
        self.cycle += 1;
    }

    fn run(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step());
    }

    fn start(&mut self, s: usize, places: u64) {
        self.front_end.start[s].next = places.into();
    }

    /// Cycles and pcs of a place's issues.
    fn of(&self, s: usize, place: u64) -> Vec<(u64, u64)> {
        let of = self.issues.iter().filter(|issue| (issue.1, issue.2) == (s, place));
        of.map(|issue| (issue.0, issue.3)).collect()
    }
}

#[test]
fn a_warp_issues_every_two_cycles_in_a_line_and_four_across() {
    let mut core = Core::new(&[PLAIN; 6]);
    core.start(1, 0b100);
    core.run(24);
    let first: Vec<_> = core.of(1, 2).into_iter().take(6).collect();
    assert_eq!(first, [(6, 0), (8, 1), (12, 2), (14, 3), (18, 4), (20, 5)]);
    assert_eq!(core.lines[..3], [0, 1, 2]);
}

#[test]
fn a_taken_branch_drops_the_line_and_begins_with_slot_1() {
    let mut core = Core::new(&[FLOW, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN]);
    core.answers = vec![(0, (0, 5))];
    core.start(0, 1);
    core.run(14);
    assert_eq!(core.of(0, 0), [(6, 0), (12, 5)]);
    assert_eq!(core.lines[..2], [0, 2]);
}

#[test]
fn behind_an_answer_that_says_pc_plus_1_the_line_goes_on_two_cycles_later() {
    let mut core = Core::new(&[FLOW, PLAIN, FLOW, PLAIN]);
    core.latency = 9;
    core.start(0, 1);
    core.run(40);
    assert_eq!(core.of(0, 0)[..4], [(6, 0), (17, 1), (21, 2), (32, 3)]);
    assert_eq!(core.lines[..2], [0, 1]);
}

#[test]
fn a_reader_waits_for_the_done_of_its_writer() {
    let writer = Instruction { writes: &[9, 33], ..PLAIN };
    let reader = Instruction { reads: &[1, 33], ..PLAIN };
    let mut core = Core::new(&[writer, reader]);
    core.start(0, 1);
    core.run(30);
    assert_eq!(core.of(0, 0), [(6, 0)]);
    let f = &mut core.front_end;
    (f.done_valid[0][0].next, f.done_place[0][0].next) = (true, 0u64.into());
    f.done_writes[0][0].next = list(&[9, 33]).into();
    core.run(3);
    assert_eq!(core.of(0, 0), [(6, 0), (32, 1)]);
}

#[test]
fn a_halted_warp_goes_on_when_it_is_woken_and_an_ended_one_does_not() {
    let mut core = Core::new(&[FLOW, FLOW]);
    core.answers = vec![(0, (1, 1)), (1, (2, 0))];
    core.start(0, 0b10);
    core.run(40);
    assert_eq!(core.of(0, 1), [(6, 0)]);
    core.front_end.wake[0].next = 0b10u64.into();
    core.run(20);
    assert_eq!(core.of(0, 1), [(6, 0), (42, 1)]);
    assert_eq!(core.lines, [0], "the slot behind it was kept");
    core.start(0, 0b10);
    core.run(20);
    assert_eq!(core.of(0, 1).len(), 3, "it starts again");
}

#[test]
fn what_has_no_room_is_ready_and_then_goes_round_robin() {
    let mut core = Core::new(&[Instruction { path: 2, flow: true, ..PLAIN }]);
    core.answers = vec![(0, (2, 0))];
    core.front_end.room[0].next = 0b1011u64.into();
    core.start(0, 0b1000_0101);
    core.run(20);
    assert_eq!((core.front_end.ready[0].word(), core.issues.len()), (0b1000_0101, 0));
    core.front_end.room[0].next = 0b0100u64.into();
    core.run(5);
    let order: Vec<_> = core.issues.iter().map(|issue| (issue.0, issue.2)).collect();
    assert_eq!(order, [(21, 0), (22, 2), (23, 7)]);
}

#[test]
fn all_warps_of_both_schedulers_keep_them_busy() {
    let mut core = Core::new(&[PLAIN; 200]);
    (0..2).for_each(|s| core.start(s, 0xff));
    core.run(80);
    for s in 0..2 {
        assert_eq!(core.issues.iter().filter(|i| i.1 == s && (40..80).contains(&i.0)).count(), 40, "scheduler {s}");
    }
}
