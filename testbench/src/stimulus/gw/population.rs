//! The warps of a small core around a front end: how many are still to start, run and have halted, and that none hangs.

use super::places::{any, some};
use crate::stimulus::{Chance, Rng};

/// Cycles without any issue after which a processor with warps that could go on hangs. The rarest event that they wait for comes
/// every 20 cycles.
const PATIENCE: u64 = 3_000;

/// State of a warp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum State {
    #[default]
    Idle,
    Runs,
    /// Its last instruction waits for its answer.
    Asks,
    Halted,
}

/// Numbers of warps.
#[derive(Default)]
pub struct Population {
    pub to_start: u32,
    pub running: u32,
    halted: u32,
    /// The last cycle in which a warp issued, or in which none ran.
    pub last_issue: u64,
}

impl Population {
    /// Nobody is there, and nobody is to start.
    pub fn of_cycle(cycle: u64) -> Self {
        Population { last_issue: cycle, ..Default::default() }
    }

    pub fn is_over(&self) -> bool {
        self.running + self.halted + self.to_start == 0
    }

    pub fn halt(&mut self) {
        self.running -= 1;
        self.halted += 1;
    }

    pub fn end(&mut self) {
        self.running -= 1;
    }

    /// Places of one scheduler where warps start, and places where they go on. Of `halted` ones, some go on; of `free` places,
    /// one or more are taken, but only one if fewer than `few` warps are to start.
    pub fn change(
        &mut self,
        rng: &mut Rng,
        [starts, wakes]: [Chance; 2],
        halted: impl FnOnce() -> u64,
        free: impl FnOnce() -> u64,
        few: u32,
    ) -> (u64, u64) {
        let (mut start, mut wake) = (0, 0);
        if self.halted > 0 && wakes.happens(rng) {
            wake = some(rng, Chance(100), halted());
        }
        if self.to_start > 0 && starts.happens(rng) {
            let free = free();
            start = match rng.below(3) {
                0 => any(rng, free).map_or(0, |place| 1 << place),
                _ if self.to_start < few => any(rng, free).map_or(0, |place| 1 << place),
                1 => some(rng, Chance(128), free),
                _ => free,
            };
        }
        self.to_start = self.to_start.saturating_sub(start.count_ones());
        self.running += start.count_ones() + wake.count_ones();
        self.halted -= wake.count_ones();
        (start, wake)
    }

    /// Some warp issues now and then, if any runs.
    pub fn check_progress(&mut self, cycle: u64) -> Result<(), String> {
        if self.running == 0 {
            self.last_issue = cycle;
        }
        match cycle - self.last_issue > PATIENCE {
            true => Err(format!("{} warps hang", self.running)),
            false => Ok(()),
        }
    }
}
