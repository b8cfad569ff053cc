use super::super::pins::{B32Answer, B32Done, B32Fill, B32SliceIn, Offer};
use super::super::record::{list, pack, Path};
use super::*;

/// Bit 72 of a record.
const FLOW: bool = true;

/// A core around the unit: programs are records by pc; what issues is done so many cycles later.
struct Core {
    unit: B32FrontEnd,
    program: Vec<u128>,
    /// Where a branch goes.
    targets: Vec<(u16, u16)>,
    /// Cycle in which an issue of this pc is told done, from its issue, and the list.
    latency: u64,
    writes: Vec<u32>,
    over: Vec<(u64, usize, B32Done)>,
    /// From issue to answer.
    answer_latency: u64,
    answers: Vec<(u64, usize, B32Answer)>,
    fetched: Option<B32Fetch>,
    cycle: u64,
    /// Cycle, scheduler, place, pc.
    issues: Vec<(u64, usize, u8, u16)>,
    fetches: Vec<B32Fetch>,
    room: u8,
}

impl Core {
    fn new(program: &[(&[u8], &[u8], bool)]) -> Self {
        let parameters = B32Parameters { schedulers: 2, warps: 16, lowest: false };
        Core {
            unit: B32FrontEnd::new(&parameters).unwrap(),
            program: program.iter().map(|(writes, reads, flow)| pack(writes, reads, Path::Sp, *flow)).collect(),
            targets: vec![],
            latency: 6,
            writes: program.iter().map(|(writes, ..)| list(writes) as u32).collect(),
            over: vec![],
            answer_latency: 1,
            answers: vec![],
            fetched: None,
            cycle: 0,
            issues: vec![],
            fetches: vec![],
            room: 15,
        }
    }

    /// A cycle; these places start or are woken.
    fn step(&mut self, start: [u64; 2], wake: u64) {
        let out = self.unit.outputs();
        let record = |pc: u16| self.program.get(pc as usize).copied().unwrap_or_default();
        let fill = self.fetched.take().map(|B32Fetch { scheduler, place, line }| B32Fill {
            scheduler,
            place,
            records: [2 * line, 2 * line + 1].map(record),
        });
        self.fetched = out.fetch.get();
        self.fetches.extend(self.fetched);
        let mut pins = B32In { fetch_room: true, fill: fill.into(), ..Default::default() };
        for s in 0..2 {
            let slice = &mut pins.slices[s];
            *slice = B32SliceIn { start: start[s], room: self.room, ..Default::default() };
            slice.wake = if s == 0 { wake } else { 0 };
            if let Some(place) = out.slices[s].issue.get() {
                let pc = out.slices[s].issue_pc;
                self.issues.push((self.cycle, s, place, pc));
                let target = self.targets.iter().find(|(at, _)| *at == pc).map(|(_, to)| *to);
                let last = pc as usize + 1 == self.program.len() && target.is_none();
                let flow = self.program.get(pc as usize).is_some_and(|record| record >> 72 & 1 == 1);
                if flow || target.is_some() {
                    let (next, pc) = (if last { 2 } else { 0 }, target.unwrap_or(pc + 1));
                    self.answers.push((self.cycle + self.answer_latency, s, B32Answer { place, next, pc }));
                }
                let writes = self.writes[pc as usize];
                if writes != 0 {
                    self.over.push((self.cycle + self.latency, s, B32Done { place, writes }));
                }
            }
            let due = self.answers.iter().position(|(when, of, _)| *when == self.cycle && *of == s);
            slice.answer = due.map(|i| self.answers.remove(i).2).into();
            let due = self.over.iter().position(|(when, of, _)| *when <= self.cycle && *of == s);
            slice.done[0] = due.map(|i| self.over.remove(i).2).into();
        }
        self.unit.clock(&pins).unwrap();
        self.cycle += 1;
    }

    fn run(&mut self, start: [u64; 2], cycles: u64) {
        self.step(start, 0);
        (1..cycles).for_each(|_| self.step([0; 2], 0));
    }

    /// Cycles between the issues of a place of scheduler 0.
    fn distances(&self, place: u8) -> Vec<u64> {
        let cycles: Vec<u64> = self.issues.iter().filter(|i| (i.1, i.2) == (0, place)).map(|i| i.0).collect();
        cycles.windows(2).map(|two| two[1] - two[0]).collect()
    }
}

/// An instruction without registers.
const PLAIN: (&[u8], &[u8], bool) = (&[], &[], !FLOW);
const END: (&[u8], &[u8], bool) = (&[], &[], FLOW);

#[test]
fn two_cycles_within_a_line_and_four_from_line_to_line() {
    let mut core = Core::new(&[PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, END]);
    core.run([1, 0], 60);
    assert_eq!(core.distances(0), [2, 4, 2, 4, 2, 4, 2]);
    assert_eq!(core.issues[0].0, 6, "start, fetch register, arbiter, fetch, fill, check, issue");
    assert!(core.unit.is_quiet());
}

#[test]
fn behind_the_answer_a_taken_branch_takes_five_cycles_and_one_that_is_not_taken_two() {
    let mut core = Core::new(&[(&[], &[], FLOW), PLAIN, PLAIN, END]);
    core.targets = vec![(0, 3)];
    core.run([1, 0], 40);
    assert_eq!((core.distances(0), core.issues[1].3), (vec![6], 3));
    core.targets.clear();
    core.issues.clear();
    core.run([1, 0], 40);
    assert_eq!(core.distances(0), [3, 4, 2]);
    core.issues.clear();
    core.answer_latency = 9;
    core.run([1, 0], 60);
    assert_eq!(core.distances(0), [11, 4, 2]);
}

#[test]
fn a_dependent_instruction_issues_two_cycles_behind_the_done() {
    let mut core = Core::new(&[(&[5], &[], !FLOW), (&[6], &[5], !FLOW), (&[], &[6], !FLOW), END]);
    core.latency = 10;
    core.run([1, 0], 60);
    assert_eq!(core.distances(0), [12, 12, 2]);
}

#[test]
fn warps_issue_in_every_cycle_of_both_schedulers() {
    let mut core = Core::new(&[PLAIN; 64]);
    core.run([0xff, 0xff], 80);
    let of = |s| core.issues.iter().filter(|issue| issue.1 == s && (40..80).contains(&issue.0)).count();
    assert_eq!((of(0), of(1)), (40, 40));
    assert!(core.fetches.windows(2).all(|two| two[0].scheduler != two[1].scheduler), "in turns");
}

#[test]
fn what_passes_without_room_is_ready_and_goes_round_robin() {
    let mut core = Core::new(&[PLAIN, END]);
    core.room = 0;
    core.run([0b101, 0], 20);
    assert!(core.issues.is_empty() && !core.unit.is_quiet());
    assert_eq!(core.unit.outputs().slices[0].ready, 0b101);
    core.room = 1;
    core.run([0; 2], 20);
    let order: Vec<_> = core.issues.iter().map(|issue| (issue.2, issue.3)).collect();
    assert_eq!(order[..2], [(0, 0), (2, 0)]);
    assert_eq!((order.len(), core.unit.outputs().slices[0].ready), (4, 0));
}

#[test]
fn a_halted_warp_waits_for_its_wake_and_keeps_its_buffer() {
    let mut core = Core::new(&[END, PLAIN, PLAIN, END]);
    let mut unit = core.unit.clone();
    let mut pins = B32In { fetch_room: true, ..Default::default() };
    pins.slices[0] = B32SliceIn { start: 1, room: 15, ..Default::default() };
    let mut fetches = 0;
    for cycle in 0..60 {
        let out = unit.outputs();
        pins.fill = core
            .fetched
            .take()
            .map(|B32Fetch { scheduler, place, .. }| B32Fill { scheduler, place, records: [core.program[0], 0] })
            .into();
        core.fetched = out.fetch.get();
        fetches += usize::from(out.fetch.valid);
        let issues = out.slices[0].issue.get().map(|_| out.slices[0].issue_pc);
        pins.slices[0].wake = (cycle == 40) as u64;
        let halts = B32Answer { place: 0, next: 1, pc: 1 };
        pins.slices[0].answer = (cycle == 9).then_some(halts).into();
        // It issues in cycle 6; woken in cycle 40, it is read in 41.
        assert_eq!(issues.is_some(), [6, 42].contains(&cycle), "cycle {cycle}");
        if issues == Some(1) {
            break;
        }
        unit.clock(&pins).unwrap();
        pins.slices[0].start = 0;
    }
    assert_eq!(fetches, 1);
    assert_eq!(unit.outputs().slices[0].issue, Offer::some(0));
}

#[test]
#[should_panic(expected = "an answer to a place that does not wait for one")]
fn an_answer_in_the_cycle_of_the_issue_is_refused() {
    let mut core = Core::new(&[END]);
    core.answer_latency = 0;
    core.run([1, 0], 40);
}

#[test]
#[should_panic(expected = "an answer to a place that does not wait for one")]
fn an_answer_that_the_record_does_not_announce_is_refused() {
    let mut core = Core::new(&[PLAIN, PLAIN, PLAIN, END]);
    core.targets = vec![(1, 3)];
    core.run([1, 0], 40);
}
