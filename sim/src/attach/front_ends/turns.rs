//! Warp inputs of a front end that is a unit: which start, halt and go on, what may issue, and why nothing does.
//!
//! The core executes an instruction as it issues, and tells what follows for its warps `core.answer_latency` cycles later.

use crate::config::MAX_SCHEDULERS;
use crate::core::back_end::BackEnd;
use crate::core::issue_outcome::IssueOutcome;
use crate::core::path::Path;
use crate::core::residents::Residents;
use crate::core::scoreboard::Writer;
use crate::core::warp_set::{WarpId, WarpSet};
use crate::core::Kernel;
use crate::units::bits::bits;
use crate::units::gw::pins::next::{ENDS, GOES_ON, HALTS};
use std::collections::VecDeque;

/// Warps of a scheduler that issued together, and wait for their answer.
#[derive(Clone, Copy, Debug)]
struct Question {
    due: u64,
    places: u64,
}

#[derive(Debug)]
pub struct Turns {
    /// From issue to answer.
    latency: u64,
    /// Of each scheduler, the one that is due next in front.
    questions: [VecDeque<Question>; MAX_SCHEDULERS],
    /// Warps that start with the next clock edge, or as soon as the front end knows that their place is free.
    starting: WarpSet,
    /// Warps that have ended, and the front end does not know.
    ended: WarpSet,
    /// Warps that are told to end in this cycle.
    ending: WarpSet,
    /// Warps that were told to halt and not yet to go on.
    halted: WarpSet,
    /// Warps that are told so in this cycle.
    halting: WarpSet,
}

impl Turns {
    pub fn new(latency: u64) -> Self {
        Turns {
            latency,
            questions: std::array::from_fn(|_| VecDeque::with_capacity(latency as usize + 1)),
            starting: WarpSet::default(),
            ended: WarpSet::default(),
            ending: WarpSet::default(),
            halted: WarpSet::default(),
            halting: WarpSet::default(),
        }
    }

    /// Warps are answered in the cycle of the issue.
    pub fn are_at_once(&self) -> bool {
        self.latency == 0
    }

    pub fn start(&mut self, warp: WarpId) {
        self.starting.insert(warp);
    }

    /// These warps have issued an instruction together that is to be answered. An end is one from now on.
    pub fn ask(&mut self, back: &BackEnd, s: usize, places: u64) {
        for id in bits(places).map(|place| WarpId::at(s, place)) {
            if back.residents.warps[id].stack.top().is_none() {
                self.ended.insert(id);
            }
        }
        self.questions[s].push_back(Question { due: back.residents.now + self.latency, places });
    }

    /// The warps of a scheduler that are answered in this cycle.
    pub fn due(&mut self, now: u64, s: usize) -> u64 {
        let questions = &mut self.questions[s];
        match questions.front() {
            Some(question) if question.due <= now => questions.pop_front().map_or(0, |question| question.places),
            _ => 0,
        }
    }

    /// Every instruction is answered.
    pub fn are_quiet(&self) -> bool {
        self.questions.iter().all(VecDeque::is_empty)
    }

    /// Next step of a warp that is answered: it goes on, halts or ends; and its pc.
    pub fn answer(&mut self, back: &BackEnd, id: WarpId) -> (u8, u16) {
        if self.ended.contains(id) {
            self.ending.insert(id);
            return (ENDS, 0);
        }
        let (pc, _) = back.residents.warps[id].stack.top().expect("a warp that has not ended");
        if back.residents.sets(id).waiting() & id.bit() == 0 {
            return (GOES_ON, pc as u16);
        }
        self.halting.insert(id);
        (HALTS, pc as u16)
    }

    /// Warps of a scheduler that start, and those that go on. True if it is told anything.
    pub fn tell(&mut self, s: usize, residents: &Residents, start: &mut u64, wake: &mut u64) -> bool {
        let known = !self.ended.0[s];
        *start = self.starting.0[s] & known;
        self.starting.0[s] &= !known;
        self.ended.0[s] &= !std::mem::take(&mut self.ending.0[s]);
        *wake = self.halted.0[s] & !residents.schedulers[s].sets.waiting();
        let halting = std::mem::take(&mut self.halting.0[s]);
        self.halted.0[s] = self.halted.0[s] & !*wake | halting;
        (*start | *wake | halting) != 0
    }
}

/// The paths with room for the scheduler whose turn this is, where each path takes so many instructions.
pub fn room(turn: usize, room: [usize; 4]) -> u8 {
    (0..room.len()).filter(|path| turn < room[*path]).fold(0, |set, path| set | 1 << path)
}

/// The lanes in which a warp executes the instruction at `pc`, if that is its next and can go.
///
/// # Errors
/// Why the front end must not issue it.
pub fn lanes(back: &BackEnd, id: WarpId, pc: u32, kernel: &Kernel) -> Result<u32, String> {
    let place = id.place();
    if !back.residents.is_resident(id) || back.residents.sets(id).waiting() & id.bit() != 0 {
        return Err(format!("the warp at place {place} issues, but is not there or waits"));
    }
    let top = back.residents.warps[id].stack.top();
    let Some((_, lanes)) = top.filter(|(next, _)| *next == pc) else {
        let next = top.map_or("none".into(), |(next, _)| next.to_string());
        return Err(format!("the warp at place {place} issues instruction {pc}; its next is {next}"));
    };
    if back.residents.conflict(id, pc, kernel).is_some() {
        return Err(format!("the warp at place {place} issues instruction {pc} while a register of it is pending"));
    }
    Ok(lanes)
}

/// Why a scheduler has nothing to issue, while these of its warps wait for their path alone.
pub fn stall_reason(back: &BackEnd, s: usize, ready: u64, kernel: &Kernel) -> IssueOutcome {
    let next = |place: u32| {
        let id = WarpId::at(s, place as usize);
        (id, back.residents.warps[id].stack.top().map_or(0, |(pc, _)| pc))
    };
    let sets = &back.residents.schedulers[s].sets;
    let ready = ready & sets.resident;
    if ready != 0 {
        let (_, pc) = next(ready.trailing_zeros());
        return match kernel.issue[pc as usize].path {
            Path::Memory => IssueOutcome::PipelineMemory,
            _ => IssueOutcome::PipelineArithmetic,
        };
    }
    let mut running = sets.resident & !sets.waiting();
    let mut waits = None;
    while running != 0 && waits != Some(Writer::Memory) {
        let (id, pc) = next(running.trailing_zeros());
        running &= running - 1;
        waits = back.residents.conflict(id, pc, kernel).or(waits);
    }
    match waits {
        Some(Writer::Memory) => IssueOutcome::ScoreboardMemory,
        Some(_) => IssueOutcome::ScoreboardArithmetic,
        None if sets.resident & sets.waiting() & !sets.ended != 0 => IssueOutcome::Synchronisation,
        None => IssueOutcome::Idle,
    }
}
