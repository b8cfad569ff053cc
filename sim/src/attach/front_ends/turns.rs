//! Warp inputs of a front end that is a unit: which start, halt and go on, what may issue, and why nothing does.

use crate::core::back_end::BackEnd;
use crate::core::issue_outcome::IssueOutcome;
use crate::core::path::Path;
use crate::core::residents::Residents;
use crate::core::scoreboard::Writer;
use crate::core::warp_set::{WarpId, WarpSet};
use crate::core::Kernel;
use crate::units::gw::pins::next::{ENDS, GOES_ON, HALTS};

#[derive(Debug, Default)]
pub struct Turns {
    /// Warps that start with the next clock edge.
    starting: WarpSet,
    /// Warps that were told to halt and not yet to go on.
    halted: WarpSet,
    /// Warps that are told so in this cycle.
    halting: WarpSet,
}

impl Turns {
    pub fn start(&mut self, warp: WarpId) {
        self.starting.insert(warp);
    }

    /// Next step of a warp that has issued: it goes on, halts or ends; and its pc.
    pub fn answer(&mut self, back: &BackEnd, id: WarpId) -> (u8, u16) {
        let Some((pc, _)) = back.residents.warps[id].stack.top() else { return (ENDS, 0) };
        if back.residents.sets(id).waiting() & id.bit() == 0 {
            return (GOES_ON, pc as u16);
        }
        self.halting.insert(id);
        (HALTS, pc as u16)
    }

    /// Warps of a scheduler that start, and those that go on. True if it is told anything.
    pub fn tell(&mut self, s: usize, residents: &Residents, start: &mut u64, wake: &mut u64) -> bool {
        *start = std::mem::take(&mut self.starting.0[s]);
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
