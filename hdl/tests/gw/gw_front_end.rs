//! The front end: 2 schedulers of 8 places, waves of 4, an SWST of 2, 4 sets of 2 ways.

use crate::common::{clock, ready, Word};
use crate::gw::record;
use hdl::gw::gw_front_end::GwFrontEnd;
use rust_hdl::prelude::{bit_cast, Bits};

type FrontEnd = GwFrontEnd<2, 8, 4, 4, 2, 8, 1, 3, 2, 1, 1, 3, 2, 32, 0, 0, 0>;

/// Cycles from a fetch to its fill.
const FETCH: u64 = 10;

/// The instruction at a pc: its record, and where the warp goes on if that is told.
#[derive(Clone, Copy)]
struct Instruction {
    record: Bits<75>,
    writes: bool,
    plain: bool,
    next: u64,
}

fn instruction(writes: &[u64], reads: &[u64], scalar: bool, plain: bool, next: u64) -> Instruction {
    let common: Bits<75> = bit_cast::<75, 73>(record(writes, reads, 0, scalar));
    let plain_bit: Bits<75> = bit_cast::<75, 64>((plain as u64).into());
    Instruction { record: common | (plain_bit << 73), writes: !writes.is_empty(), plain, next }
}

/// A core whose instructions take `latency` cycles. It answers in the cycle behind the issue.
struct Core {
    front_end: Box<FrontEnd>,
    program: Vec<Instruction>,
    latency: u64,
    cycle: u64,
    fills: Vec<(u64, u64, u64)>,
    /// Cycle, pair, slot of the even half.
    flights: Vec<(u64, u64, u64)>,
    /// Even half, odd half, pair, pc.
    question: Option<(bool, bool, u64, u64)>,
    /// Cycle, even half, odd half, pc.
    issues: Vec<(u64, bool, bool, u64)>,
    /// Cycle, mask, pc.
    waves: Vec<(u64, u64, u64)>,
}

impl Core {
    fn new(program: &[Instruction], latency: u64, start: u64) -> Self {
        let mut front_end = ready!(FrontEnd::new(4, 8, false));
        let f = &mut *front_end;
        (f.fetch_room.next, f.pairs_on.next, f.waves_on.next) = (true, true, true);
        for s in 0..2 {
            f.room[s].next = 0xf.into();
            (f.even_full[s].next, f.odd_full[s].next) = (true, true);
        }
        f.start[0].next = start.into();
        let program = program.to_vec();
        let (fills, flights, issues, waves) = (vec![], vec![], vec![], vec![]);
        Core { front_end, program, latency, cycle: 0, fills, flights, question: None, issues, waves }
    }

    fn at(&self, pc: u64) -> Instruction {
        self.program[pc as usize % self.program.len()]
    }

    fn step(&mut self) {
        self.issue();
        self.fill();
        let f = &mut *self.front_end;
        clock!(f);
        f.start[0].next = 0.into();
        self.cycle += 1;
    }

    /// Executes what issues on scheduler 0, and tells what is done.
    fn issue(&mut self) {
        let (even, odd) = (self.front_end.issue_even[0].val(), self.front_end.issue_odd[0].val());
        let (pc, pair) = (self.front_end.issue_pc[0].word(), self.front_end.issue_pair[0].word());
        let done = self.flights.iter().position(|flight| flight.0 == self.cycle).map(|at| self.flights.remove(at));
        let answer = self.question.take();
        if even || odd {
            if !self.at(pc).plain {
                self.question = Some((even, odd, pair, self.at(pc).next));
            }
            self.issues.push((self.cycle, even, odd, pc));
            if self.at(pc).writes {
                self.flights.push((self.cycle + self.latency, pair, self.front_end.even_slot[0].word()));
            }
        }
        let f = &mut *self.front_end;
        let (even, odd, answered, next) = answer.unwrap_or_default();
        (f.answer_even[0].next, f.answer_odd[0].next) = (even, odd);
        f.answer_pair[0].next = answered.into();
        (f.even_pc[0].next, f.odd_pc[0].next) = (next.into(), next.into());
        f.done_even[0][0].next = done.is_some();
        let (_, pair, slot) = done.unwrap_or_default();
        (f.done_pair[0][0].next, f.done_even_slot[0][0].next) = (pair.into(), slot.into());
        if f.issue_wave[0].val() {
            self.waves.push((self.cycle, f.wave_mask[0].word(), f.wave_pc[0].word()));
        }
        f.done_wave[0].next = self.waves.last().is_some_and(|wave| wave.0 + 1 == self.cycle);
        f.done_swid[0].next = 0.into();
    }

    fn fill(&mut self) {
        if self.front_end.fetch_valid.val() {
            let (entry, line) = (self.front_end.fetch_entry.word(), self.front_end.fetch_line.word());
            self.fills.push((self.cycle + FETCH, entry, line));
        }
        let fill = self.fills.iter().find(|fill| fill.0 == self.cycle).copied();
        let (_, entry, line) = fill.unwrap_or_default();
        let records = [self.at(2 * line).record, self.at(2 * line + 1).record];
        let f = &mut *self.front_end;
        f.fill_valid.next = fill.is_some();
        f.fill_entry.next = entry.into();
        (f.fill_record[0].next, f.fill_record[1].next) = (records[0], records[1]);
    }
}

/// Cycles between the issues of the third round of `program`, which warp 0 executes alone. The first round fetches its
/// lines, and the second one finds their links.
fn distances(program: &[Instruction], latency: u64) -> Vec<u64> {
    let mut core = Core::new(program, latency, 1);
    for _ in 0..300 {
        core.step();
    }
    assert!(core.issues.iter().all(|&(_, even, odd, _)| even && !odd));
    let cycles: Vec<u64> = core.issues.iter().map(|issue| issue.0).collect();
    cycles[2 * program.len()..=3 * program.len()].windows(2).map(|two| two[1] - two[0]).collect()
}

#[test]
fn a_branch_is_answered_five_cycles_before_what_is_behind_it_issues() {
    assert_eq!(distances(&[instruction(&[], &[], false, false, 0)], 0), [1 + 5]);
}

#[test]
fn a_long_run_of_independent_instructions_issues_one_every_three_cycles() {
    let mut program: Vec<_> = (1..=8).map(|next| instruction(&[], &[], false, true, next)).collect();
    program[7] = instruction(&[], &[], false, false, 0);
    assert_eq!(distances(&program, 0), [3, 3, 3, 3, 3, 3, 3, 6]);
}

#[test]
fn a_result_lets_what_waits_for_it_issue_two_cycles_later_and_the_next_one_with_it() {
    let program = [
        instruction(&[1], &[], false, true, 1),
        instruction(&[2], &[1], false, true, 2),
        instruction(&[], &[], false, true, 3),
        instruction(&[], &[2], false, false, 0),
    ];
    assert_eq!(distances(&program, 20), [22, 1, 21, 6]);
}

#[test]
fn a_pair_issues_together_and_scalars_of_a_group_go_as_a_wave() {
    let mut core = Core::new(&[instruction(&[], &[], false, false, 0)], 0, 0b11);
    for _ in 0..60 {
        core.step();
    }
    assert!(core.issues.len() > 3 && core.issues.iter().all(|&(_, even, odd, pc)| even && odd && pc == 0));

    let program: Vec<_> = (1..=16).map(|next| instruction(&[], &[], true, true, next)).collect();
    let mut core = Core::new(&program, 0, 0b1101_0000);
    for _ in 0..60 {
        core.step();
    }
    assert!(core.issues.is_empty());
    let waves: Vec<_> = core.waves.iter().map(|&(_, mask, pc)| (mask, pc)).collect();
    assert_eq!(waves[..2], [(0b1101, 0), (0b1101, 1)]);
}
