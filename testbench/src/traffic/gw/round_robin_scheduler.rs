//! Legal random inputs of `round_robin_scheduler`: warps that are ready until they issue, and paths that have room when they
//! like. The warp that issues is the first in turn that can, and nothing issues only if none can.

use super::places::{all, in_turn, some};
use crate::traffic::chance::Chance;
use crate::traffic::{bits, events, Coverage, Rng, Traffic};
use sim::units::gw::pins::{RoundRobinSchedulerIn, RoundRobinSchedulerOut};

events! {
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
    Reset = "reset while a warp issues",
}

pub struct RoundRobinSchedulerTraffic {
    rng: Rng,
    warps: usize,
    comes: Chance,
    room: Chance,
    remaining: u32,
    ready: u64,
    path: [u8; 64],
    turn: usize,
    due: Option<usize>,
    counters: Counters,
    violation: Option<String>,
}

/// Chances that a warp becomes ready, and that a path has room.
const PHASES: [(u16, u16); 6] = [(20, 200), (256, 256), (256, 60), (2, 256), (60, 20), (5, 128)];

impl RoundRobinSchedulerTraffic {
    pub fn new(warps: usize, seed: u64) -> Self {
        RoundRobinSchedulerTraffic {
            rng: Rng::new(seed),
            warps,
            comes: Chance::NEVER,
            room: Chance::NEVER,
            remaining: 0,
            ready: 0,
            path: [0; 64],
            turn: 0,
            due: None,
            counters: Counters::default(),
            violation: None,
        }
    }

    /// Which warp issues in the next cycle, while `now` does in this one.
    fn decide(&mut self, now: Option<usize>, room: u8) -> Option<usize> {
        let waiting = self.ready & !now.map_or(0, |warp| 1 << warp);
        let with_room = |warp: &usize| room >> self.path[*warp] & 1 == 1;
        let can_go = bits(waiting).filter(with_room).fold(0, |mask, warp| mask | 1 << warp);
        let first = in_turn(can_go, self.turn);
        let c = &mut self.counters;
        c.count(Event::NoneReady, self.ready == 0);
        c.count(Event::AllReady, self.ready == all(self.warps));
        c.count(Event::Leaves, self.ready != 0 && waiting == 0);
        c.count(Event::NoRoom, waiting != 0 && can_go == 0);
        if let Some(warp) = first {
            c.count(Event::Issue, true);
            c.count(Event::OneOfMany, can_go.count_ones() > 1);
            c.count(Event::Stream, now.is_some());
            c.count(Event::TurnWraps, warp < self.turn);
            c.count(Event::LastWarp, warp == self.warps - 1);
            c.count(Event::Passed, in_turn(waiting, self.turn) != first);
            self.turn = warp + 1;
        }
        first
    }
}

impl Traffic for RoundRobinSchedulerTraffic {
    type In = RoundRobinSchedulerIn;
    type Out = RoundRobinSchedulerOut;

    fn next(&mut self, outputs: &RoundRobinSchedulerOut, pins: &mut RoundRobinSchedulerIn) -> bool {
        let now = outputs.issue.get().map(usize::from);
        if now != self.due {
            let due = self.due;
            self.violation.get_or_insert_with(|| format!("{now:?} issues, due was {due:?}"));
        }
        if self.remaining == 0 {
            let (comes, room) = PHASES[self.rng.below(PHASES.len() as u32) as usize];
            (self.comes, self.room) = (Chance(comes), Chance(room));
            self.remaining = 20 + self.rng.below(400);
            if self.rng.one_in(8) {
                self.counters.count(Event::Reset, self.due.is_some());
                (self.ready, self.turn, self.due) = (0, 0, None);
                return true;
            }
        }
        self.remaining -= 1;
        // A warp that issued in the cycle before is ready no more, and may be again with another instruction.
        let new = some(&mut self.rng, self.comes, all(self.warps) & !self.ready);
        for warp in bits(new) {
            self.path[warp] = self.rng.below(4) as u8;
        }
        self.ready |= new;
        pins.ready = self.ready;
        pins.path[..self.warps].copy_from_slice(&self.path[..self.warps]);
        pins.room = self.room.of_each(&mut self.rng, 15) as u8;
        self.due = self.decide(now, pins.room);
        self.ready &= !now.map_or(0, |warp| 1 << warp);
        false
    }

    fn coverage(&self) -> Coverage {
        self.counters.coverage(&[])
    }

    fn violation(&self) -> Option<&str> {
        self.violation.as_deref()
    }
}
