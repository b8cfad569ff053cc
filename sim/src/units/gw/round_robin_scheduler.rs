//! `round_robin_scheduler` of the baseline: one warp a cycle, round robin (section 2).

use super::mask::{round_robin, Paths};
use super::pins::{RoundRobinSchedulerIn, RoundRobinSchedulerOut};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
pub struct RoundRobinScheduler {
    warps: usize,
    pointer: u32,
    issue: Option<u8>,
}

impl RoundRobinScheduler {
    pub fn new(warps: usize) -> Result<Self, ParameterError> {
        spec::gw::ROUND_ROBIN_SCHEDULER.checked(&[("warps", warps as u64)])?;
        Ok(RoundRobinScheduler { warps, pointer: 0, issue: None })
    }
}

impl Unit for RoundRobinScheduler {
    type In = RoundRobinSchedulerIn;
    type Out = RoundRobinSchedulerOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(self.warps)
    }

    fn outputs(&self) -> RoundRobinSchedulerOut {
        RoundRobinSchedulerOut { issue: self.issue.into() }
    }

    fn clock(&mut self, pins: &RoundRobinSchedulerIn) -> Result<(), Fault> {
        let issuing = self.issue.map_or(0, |warp| 1u64 << warp);
        let can_go = pins.ready & Paths::new(&pins.path).with(pins.room) & !issuing;
        let first = round_robin(can_go, self.pointer);
        self.pointer = first.map_or(self.pointer, |warp| (warp + 1) % self.warps as u32);
        self.issue = first.map(|warp| warp as u8);
        Ok(())
    }

    fn reset(&mut self) {
        (self.pointer, self.issue) = (0, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warps_go_in_turn_where_there_is_room() {
        let mut scheduler = RoundRobinScheduler::new(24).unwrap();
        let mut pins = RoundRobinSchedulerIn { ready: 1 | 1 << 4 | 1 << 23, room: 0b1001, ..Default::default() };
        (pins.path[4], pins.path[23]) = (2, 3);
        let mut issues = |pins: &RoundRobinSchedulerIn| {
            scheduler.clock(pins).unwrap();
            scheduler.outputs().issue.get()
        };
        assert_eq!([0; 3].map(|_| issues(&pins)), [Some(0), Some(23), Some(0)]);
        pins.room = 0b1111;
        assert_eq!([0; 3].map(|_| issues(&pins)), [Some(4), Some(23), Some(0)]);
        pins.ready = 1;
        assert_eq!([0; 2].map(|_| issues(&pins)), [None, Some(0)], "not in the cycle in which it issues");
    }
}
