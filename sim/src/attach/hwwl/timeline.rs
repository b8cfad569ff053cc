//! Threads of the GPU that hold a work ID, by time (HWWL, V-C: Fig 8).
//!
//! The cycles are cut into windows of equal length, of which there is a fixed number: when they are used up, neighbours are
//! merged and each is twice as long. So a run of any length costs the same memory, and nothing allocates on the way.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// An even number.
const WINDOWS: usize = 512;

/// Threads that use the worklist, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threads {
    /// They have pulled an ID, and neither pulled again nor ended.
    pub active: u32,
    /// They were told to wait when they pulled last.
    pub waiting: u32,
}

impl AddAssign for Threads {
    fn add_assign(&mut self, other: Threads) {
        self.active += other.active;
        self.waiting += other.waiting;
    }
}

/// Threads times cycles.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    active: u64,
    waiting: u64,
}

/// Grows with the run.
#[derive(Clone, Debug)]
pub struct Timeline {
    sums: Vec<Sum>,
    /// Cycles.
    window: u64,
    /// Cycles that are in the sums.
    passed: u64,
    /// In each cycle since.
    threads: Threads,
}

/// A timeline for people to plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActiveThreads {
    /// Core cycles of a window; the last one may be shorter.
    pub window_cycles: u64,
    /// Threads for which the GPU has room: cores x warps x threads of a warp.
    pub hardware_threads: u64,
    /// Threads with a work ID, percent of `hardware_threads`, averaged over each window.
    pub active_percent: Vec<f64>,
    /// Threads that were told to wait, likewise.
    pub waiting_percent: Vec<f64>,
}

impl Default for Timeline {
    fn default() -> Self {
        Timeline { sums: vec![Sum::default(); WINDOWS], window: 1, passed: 0, threads: Threads::default() }
    }
}

impl Timeline {
    /// In cycle `now`, counted from 1, and until told otherwise these threads use the worklist.
    pub fn set(&mut self, now: u64, threads: Threads) {
        if threads != self.threads {
            self.advance(now - 1);
            self.threads = threads;
        }
    }

    /// Adds the cycles up to and including `to`.
    fn advance(&mut self, to: u64) {
        while self.passed < to {
            let place = (self.passed / self.window) as usize;
            if place == WINDOWS {
                self.merge();
                continue;
            }
            let end = to.min((place as u64 + 1) * self.window);
            let cycles = end - self.passed;
            self.sums[place].active += self.threads.active as u64 * cycles;
            self.sums[place].waiting += self.threads.waiting as u64 * cycles;
            self.passed = end;
        }
    }

    fn merge(&mut self) {
        for i in 0..WINDOWS / 2 {
            let [a, b] = [self.sums[2 * i], self.sums[2 * i + 1]];
            self.sums[i] = Sum { active: a.active + b.active, waiting: a.waiting + b.waiting };
        }
        self.sums[WINDOWS / 2..].fill(Sum::default());
        self.window *= 2;
    }

    /// All cycles up to and including `now`, of a GPU with so many threads.
    pub fn until(&self, now: u64, hardware_threads: u64) -> ActiveThreads {
        let mut all = self.clone();
        all.advance(now);
        let windows = now.div_ceil(all.window);
        let percent = |sum: fn(&Sum) -> u64| {
            let share = |place: u64| {
                let cycles = all.window.min(now - place * all.window);
                100.0 * sum(&all.sums[place as usize]) as f64 / (cycles * hardware_threads) as f64
            };
            (0..windows).map(share).collect()
        };
        ActiveThreads {
            window_cycles: all.window,
            hardware_threads,
            active_percent: percent(|sum| sum.active),
            waiting_percent: percent(|sum| sum.waiting),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 100 hardware threads: a percent is a thread.
    fn timeline(changes: &[(u64, u32)], end: u64) -> ActiveThreads {
        let mut timeline = Timeline::default();
        for &(now, active) in changes {
            timeline.set(now, Threads { active, waiting: active / 2 });
        }
        timeline.until(end, 100)
    }

    #[test]
    fn a_change_counts_from_its_cycle_on() {
        let seen = timeline(&[(2, 10), (4, 40)], 5);
        assert_eq!(seen.window_cycles, 1);
        assert_eq!(seen.active_percent, [0.0, 10.0, 10.0, 40.0, 40.0]);
        assert_eq!(seen.waiting_percent, [0.0, 5.0, 5.0, 20.0, 20.0]);
    }

    #[test]
    fn nothing_ran() {
        assert!(timeline(&[], 0).active_percent.is_empty());
    }

    #[test]
    fn the_last_window_is_an_average_of_its_own_cycles() {
        let seen = timeline(&[(513, 8)], 1025);
        assert_eq!((seen.window_cycles, seen.active_percent.len()), (4, 257));
        assert_eq!((seen.active_percent[127], seen.active_percent[128], seen.active_percent[256]), (0.0, 8.0, 8.0));
    }

    proptest! {
        /// Whatever the length of the run, each window is the average of its cycles, written down one by one.
        #[test]
        fn windows_are_averages(changes in prop::collection::vec((1u64..90, 0u32..100), 1..60)) {
            let mut cycles = Vec::new();
            let (mut at, mut active) = (1, 0);
            let changes: Vec<_> = changes.into_iter().map(|(gap, next)| {
                cycles.resize(at as usize - 1 + gap as usize, active);
                (at, active) = (at + gap, next);
                (at, next)
            }).collect();
            cycles.push(active);
            let seen = timeline(&changes, cycles.len() as u64);
            let averages: Vec<f64> = cycles
                .chunks(seen.window_cycles as usize)
                .map(|window| window.iter().sum::<u32>() as f64 / window.len() as f64)
                .collect();
            prop_assert!(averages.len() <= WINDOWS);
            prop_assert_eq!(averages.len(), seen.active_percent.len());
            for (a, b) in averages.iter().zip(&seen.active_percent) {
                prop_assert!((a - b).abs() < 1e-9, "{} {}", a, b);
            }
        }
    }
}
