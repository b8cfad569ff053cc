//! The order that barriers make sure of between the warps of a CTA: vector clocks.
//!
//! A warp's own clock grows at each barrier that it comes to. At a barrier the warps that wait learn the clocks of those that came. An
//! access of a warp at its time t lies before another warp that knows t.

use crate::exec::Arrival;
use crate::ptx::isa::BARRIERS;

/// By warp, the time up to which all that it did lies before.
type Clock = Vec<u32>;

#[derive(Clone, Debug)]
struct Barrier {
    /// Times that it has opened.
    opened: u32,
    /// Warps that have come since, and what they know.
    arrived: u32,
    gathered: Clock,
    /// It is for all warps that have not ended.
    for_all: bool,
    /// Knowledge of those that waited, when it last opened.
    released: Clock,
}

/// Knowledge of each warp of a CTA.
#[derive(Clone, Debug)]
pub struct Order {
    clocks: Vec<Clock>,
    /// Knowledge of the warps that have ended.
    ended: Clock,
    /// The barrier that each warp waits at, and how often that had opened.
    waits: Vec<Option<(usize, u32)>>,
    barriers: Vec<Barrier>,
}

impl Order {
    pub fn new(warps: usize) -> Self {
        let own = |warp: usize| (0..warps).map(|other| u32::from(other == warp)).collect();
        let nothing = vec![0; warps];
        let barrier =
            Barrier { opened: 0, arrived: 0, gathered: nothing.clone(), for_all: true, released: nothing.clone() };
        Order {
            clocks: (0..warps).map(own).collect(),
            ended: nothing,
            waits: vec![None; warps],
            barriers: vec![barrier; BARRIERS],
        }
    }

    /// The time of a warp.
    pub fn now(&self, warp: usize) -> u32 {
        self.clocks[warp][warp]
    }

    /// Actions of the warp `other` at its `time` lie before the next one of `warp`.
    pub fn knows(&self, warp: usize, other: usize, time: u32) -> bool {
        self.clocks[warp][other] >= time
    }

    /// A warp does something. If it has waited, its barrier has opened.
    pub fn goes_on(&mut self, warp: usize) {
        let Some((id, opened)) = self.waits[warp].take() else { return };
        if self.barriers[id].opened == opened {
            self.open(id);
        }
        join(&mut self.clocks[warp], &self.barriers[id].released);
    }

    /// A warp comes to a barrier.
    pub fn arrive(&mut self, warp: usize, arrival: Arrival) {
        self.goes_on(warp);
        let id = arrival.id as usize;
        let barrier = &mut self.barriers[id];
        barrier.arrived += 1;
        barrier.for_all = arrival.warps.is_none();
        join(&mut barrier.gathered, &self.clocks[warp]);
        self.clocks[warp][warp] += 1;
        if !arrival.passes() {
            self.waits[warp] = Some((id, barrier.opened));
        }
        if arrival.warps.is_some_and(|warps| barrier.arrived >= warps) {
            self.open(id);
        }
    }

    /// All threads of a warp have ended. Nobody waits for them any more.
    pub fn end(&mut self, warp: usize) {
        self.goes_on(warp);
        join(&mut self.ended, &self.clocks[warp]);
    }

    fn open(&mut self, id: usize) {
        let barrier = &mut self.barriers[id];
        if barrier.for_all {
            join(&mut barrier.gathered, &self.ended);
        }
        barrier.opened += 1;
        barrier.arrived = 0;
        barrier.released.clone_from(&barrier.gathered);
        barrier.gathered.fill(0);
    }
}

fn join(clock: &mut Clock, other: &Clock) {
    for (time, known) in clock.iter_mut().zip(other) {
        *time = (*time).max(*known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::op::BarrierAction;

    fn arrival(id: u32, warps: Option<u32>, passes: bool) -> Arrival {
        let action = if passes { BarrierAction::Arrive } else { BarrierAction::Sync };
        Arrival { id, warps, action, lanes: u32::MAX, votes: 0 }
    }

    #[test]
    fn a_barrier_of_all_orders_all() {
        let mut order = Order::new(3);
        assert!(!order.knows(0, 1, order.now(1)));
        let before = order.now(1);
        (0..3).for_each(|warp| order.arrive(warp, arrival(0, None, false)));
        order.goes_on(0);
        assert!(order.knows(0, 1, before) && !order.knows(0, 1, order.now(1)));
        order.arrive(0, arrival(0, None, false));
        order.goes_on(2);
        assert!(order.knows(2, 1, before) && !order.knows(2, 0, order.now(0)), "the second barrier has not opened");
    }

    #[test]
    fn a_producer_does_not_wait_and_learns_nothing() {
        let mut order = Order::new(2);
        let [produced, consumed] = [0, 1].map(|warp| order.now(warp));
        order.arrive(0, arrival(3, Some(2), true));
        order.arrive(1, arrival(3, Some(2), false));
        [0, 1].into_iter().for_each(|warp| order.goes_on(warp));
        assert!(order.knows(1, 0, produced) && !order.knows(0, 1, consumed));
    }

    #[test]
    fn warps_of_another_barrier_stay_apart() {
        let mut order = Order::new(4);
        for warp in 0..4 {
            order.arrive(warp, arrival(warp as u32 / 2, Some(2), false));
        }
        order.goes_on(0);
        assert!(order.knows(0, 1, 1) && !order.knows(0, 2, 1));
    }

    #[test]
    fn who_has_ended_is_not_waited_for() {
        let mut order = Order::new(2);
        let last = order.now(1);
        order.arrive(0, arrival(0, None, false));
        order.end(1);
        order.goes_on(0);
        assert!(order.knows(0, 1, last));
    }
}
