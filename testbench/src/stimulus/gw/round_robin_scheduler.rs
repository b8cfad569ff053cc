//! Legal random inputs of `round_robin_scheduler`: warps that are ready until they issue, and paths that have room when they
//! like. The warp that issues is the first of the round robin that can, and nothing issues only if none can.

use super::places::{all, round_robin, some, those};
use crate::stimulus::{bits, events, phases, Chance, Phases, Rng, Stimulus};
use sim::units::gw::pins::{RoundRobinSchedulerIn, RoundRobinSchedulerOut};

events! { RoundRobinSchedulerStimulus:
    Issue = "a warp issues",
    OneOfMany = "a warp issues and others wait",
    Stream = "warps issue in cycles that follow each other",
    TurnWraps = "the turn wraps",
    LastWarp = "the last warp issues",
    Passed = "a warp is passed for want of room",
    NoRoom = "all that is ready waits for room",
    NoneReady = "nothing is ready",
    Leaves = "the only one that is ready issues in this very cycle",
    AllReady = "every warp is ready",
    ReadyAtReset = "a warp is ready straight after a reset",
    Reset = "reset while a warp issues",
}

phases! {
    PHASES: Phase (comes, room)
    (20, 200) (256, 256) (256, 60) (2, 256) (60, 20) (5, 128)
}

#[derive(Default)]
pub struct RoundRobinSchedulerStimulus {
    rng: Rng,
    warps: usize,
    phase: Phases<Phase>,
    ready: u64,
    path: Vec<u8>,
    pointer: usize,
    due: Option<usize>,
    /// The unit was reset in the cycle before.
    was_reset: bool,
    findings: Findings,
}

impl RoundRobinSchedulerStimulus {
    pub fn new(warps: usize, seed: u64) -> Self {
        RoundRobinSchedulerStimulus {
            rng: Rng::new(seed),
            warps,
            phase: Phases::new(PHASES, 20..420, 8),
            path: vec![0; 64],
            ..Default::default()
        }
    }

    /// Warp that issues in the next cycle, while `now` issues in this one.
    fn decide(&mut self, now: Option<usize>, room: u8) -> Option<usize> {
        let waiting = self.ready & !now.map_or(0, |warp| 1 << warp);
        let can_go = those(waiting, |warp| room >> self.path[warp] & 1 == 1);
        let first = round_robin(can_go, self.pointer);
        let c = &mut self.findings;
        c.count(Event::NoneReady, self.ready == 0);
        c.count(Event::AllReady, self.ready == all(self.warps));
        c.count(Event::Leaves, self.ready != 0 && waiting == 0);
        c.count(Event::NoRoom, waiting != 0 && can_go == 0);
        if let Some(warp) = first {
            c.count(Event::Issue, true);
            c.count(Event::OneOfMany, can_go.count_ones() > 1);
            c.count(Event::Stream, now.is_some());
            c.count(Event::TurnWraps, warp < self.pointer);
            c.count(Event::LastWarp, warp == self.warps - 1);
            c.count(Event::Passed, round_robin(waiting, self.pointer) != first);
            self.pointer = warp + 1;
        }
        first
    }
}

impl Stimulus for RoundRobinSchedulerStimulus {
    type In = RoundRobinSchedulerIn;
    type Out = RoundRobinSchedulerOut;

    fn next(&mut self, outputs: &RoundRobinSchedulerOut, pins: &mut RoundRobinSchedulerIn) -> bool {
        let now = outputs.issue.get().map(usize::from);
        if now != self.due {
            self.findings.complain(format!("{now:?} issues, due was {:?}", self.due));
        }
        if self.phase.next(&mut self.rng) {
            self.findings.count(Event::Reset, self.due.is_some());
            (self.ready, self.pointer, self.due, self.was_reset) = (0, 0, None, true);
            return true;
        }
        // A warp that issued in the cycle before is ready no more, and may be again with another instruction.
        let was_reset = std::mem::take(&mut self.was_reset);
        let comes = if was_reset { Chance(60) } else { self.phase.comes };
        let new = some(&mut self.rng, comes, all(self.warps) & !self.ready);
        self.findings.count(Event::ReadyAtReset, was_reset && new != 0);
        for warp in bits(new) {
            self.path[warp] = self.rng.below(4) as u8;
        }
        self.ready |= new;
        pins.ready = self.ready;
        pins.path[..self.warps].copy_from_slice(&self.path[..self.warps]);
        pins.room = self.phase.room.of_each(&mut self.rng, 15) as u8;
        self.due = self.decide(now, pins.room);
        self.ready &= !now.map_or(0, |warp| 1 << warp);
        false
    }
}
