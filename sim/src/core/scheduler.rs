//! A warp scheduler: what its warps wait for, and which one goes first.
//!
//! Greedy-then-oldest: the warp that issued last goes first, then the others by age. Loose round-robin: the next by slot after the
//! warp that issued last.

use super::path::{Path, PATHS};
use crate::config::{SchedulerPolicy, WARPS_PER_SCHEDULER};

/// Sets of a scheduler's warps, one bit each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sets {
    pub resident: u64,
    /// All lanes have ended.
    pub ended: u64,
    pub buffered: u64,
    pub at_barrier: u64,
    pub in_fence: u64,
    pub in_atomic: u64,
    /// The next instruction has been looked at, and waits for an operand.
    pub blocked: u64,
    pub blocked_memory: u64,
    pub blocked_port: u64,
    /// Warps whose next instruction waits only for room on its [`Path`]. A warp stays in this set until it issues.
    pub ready: [u64; PATHS],
}

impl Sets {
    pub fn waiting(&self) -> u64 {
        self.at_barrier | self.in_fence | self.in_atomic | self.ended
    }

    /// Running warps without an instruction.
    #[inline(always)]
    pub fn empty(&self) -> u64 {
        self.resident & !self.ended & !self.buffered
    }

    #[inline(always)]
    pub fn all_ready(&self) -> u64 {
        self.ready.iter().fold(0, |all, set| all | set)
    }

    /// Warps whose next instruction has not been looked at.
    #[inline(always)]
    pub fn unseen(&self) -> u64 {
        self.resident & self.buffered & !self.waiting() & !self.blocked & !self.all_ready()
    }

    /// Warps that wait only for their path, which has room. `room`: one bit a path.
    pub fn ready_for(&self, room: u32) -> u64 {
        let open = |path: usize| self.ready[path] & 0u64.wrapping_sub((room >> path & 1) as u64);
        (0..PATHS).fold(0, |all, path| all | open(path))
    }

    pub fn set_ready(&mut self, bit: u64, path: Path) {
        self.ready[path.index()] |= bit;
    }

    /// A new warp, of which nothing is known.
    pub fn start(&mut self, bit: u64) {
        self.resident |= bit;
        self.ended &= !bit;
        self.buffered &= !bit;
        self.blocked &= !bit;
    }
}

#[derive(Clone, Debug)]
pub struct Scheduler {
    pub sets: Sets,
    policy: SchedulerPolicy,
    /// When each warp came, in turns of this scheduler.
    age: [u32; WARPS_PER_SCHEDULER],
    next_age: u32,
    /// Warps that go before all others, if they can: the one that issued last (greedy), those after it (round-robin).
    first: u64,
}

impl Scheduler {
    pub fn new(policy: SchedulerPolicy) -> Self {
        Scheduler { sets: Sets::default(), policy, age: [0; WARPS_PER_SCHEDULER], next_age: 0, first: 0 }
    }

    pub fn clear(&mut self) {
        *self = Scheduler::new(self.policy);
    }

    /// The youngest warp.
    pub fn add(&mut self, place: usize) {
        self.sets.start(1 << place);
        self.age[place] = self.next_age;
        self.next_age += 1;
    }

    pub fn remove(&mut self, place: usize) {
        self.sets.resident &= !(1 << place);
        if self.policy == SchedulerPolicy::Gto {
            self.first &= !(1 << place);
        }
    }

    pub fn issued(&mut self, place: usize) {
        self.first = match self.policy {
            SchedulerPolicy::Gto => 1 << place,
            SchedulerPolicy::Lrr => u64::MAX << place << 1,
        };
    }

    /// The place of the first of the `candidates` (one bit a warp).
    #[inline(always)]
    pub fn pick(&self, candidates: u64) -> Option<usize> {
        if candidates == 0 {
            return None;
        }
        let first = candidates & self.first;
        match self.policy {
            _ if first != 0 => Some(first.trailing_zeros() as usize),
            SchedulerPolicy::Lrr => Some(candidates.trailing_zeros() as usize),
            SchedulerPolicy::Gto => Some(self.oldest(candidates)),
        }
    }

    fn oldest(&self, mut candidates: u64) -> usize {
        let mut oldest = candidates.trailing_zeros() as usize;
        candidates &= candidates - 1;
        while candidates != 0 {
            let place = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            if self.age[place] < self.age[oldest] {
                oldest = place;
            }
        }
        oldest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greedy_then_oldest() {
        let mut s = Scheduler::new(SchedulerPolicy::Gto);
        [2, 0, 3].iter().for_each(|w| s.add(*w));
        assert_eq!(s.pick(0b1101), Some(2));
        s.issued(3);
        assert_eq!(s.pick(0b1101), Some(3));
        assert_eq!(s.pick(0b0101), Some(2));
        s.remove(2);
        s.add(2);
        assert_eq!(s.pick(0b0101), Some(0));
        assert_eq!(s.pick(0), None);
    }

    #[test]
    fn loose_round_robin() {
        let mut s = Scheduler::new(SchedulerPolicy::Lrr);
        [2, 0, 63].iter().for_each(|w| s.add(*w));
        let all = 1 << 63 | 0b101;
        let turns = (0..4).map(|_| {
            let place = s.pick(all).unwrap();
            s.issued(place);
            place
        });
        assert_eq!(turns.collect::<Vec<_>>(), [0, 2, 63, 0]);
        assert_eq!(s.pick(0b001), Some(0), "loose: nobody waits for a warp that cannot go");
    }
}
