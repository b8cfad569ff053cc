//! One core, cycle by cycle: write-back, execute, issue, decode, fetch. The core sleeps while nothing can move.

use super::back_end::{BackEnd, World};
use super::fetch::Buffers;
use super::front_end::FrontEnd;
use super::kernel::Kernel;
use super::path::PORTS;
use super::port::{Answers, Port};
use super::residents::Residents;
use crate::config::Config;
use crate::mem::request::Kind;
use crate::mem::system::MemorySystem;
use crate::stats::{Counters, Stats};
use std::any::Any;

pub struct Core {
    pub index: usize,
    pub back: BackEnd,
    front_end: Box<dyn FrontEnd>,
    last_step: u64,
    /// Cycle in which the core has to be stepped.
    pub wake: u64,
}

impl Core {
    /// `front_end`: of a system; `None`: instruction buffers. `ports`: of systems, in the order of their numbers.
    pub fn new(index: usize, config: &Config, front_end: Option<Box<dyn FrontEnd>>, ports: Vec<Box<dyn Port>>) -> Self {
        assert!(ports.len() <= PORTS, "a core has room for the ports of {PORTS} systems, not of {}", ports.len());
        let front_end = front_end.unwrap_or_else(|| Box::new(Buffers::new(index, config)));
        let residents = Residents::new(config, front_end.is_unit(), front_end.hears_early());
        let back = BackEnd::new(index, config, ports, residents);
        Core { index, back, front_end, last_step: 0, wake: u64::MAX }
    }

    /// Makes room for the CTAs of a kernel. `new_code`: it is not the kernel of the previous launch.
    pub fn prepare(&mut self, kernel: &Kernel, now: u64, new_code: bool) {
        self.back.prepare(kernel);
        self.last_step = now;
        self.wake = u64::MAX;
        if new_code {
            self.front_end.clear();
        }
    }

    /// Every instruction that is marked scalar is checked when it is executed.
    pub fn set_check_scalars(&mut self, on: bool) {
        self.back.check_scalars = on;
    }

    /// The front end that a system has made.
    pub fn front_end<F: FrontEnd>(&mut self) -> &mut F {
        let front_end: &mut dyn Any = &mut *self.front_end;
        front_end.downcast_mut().expect("a system knows the front end that it made")
    }

    /// Its front end is a unit, which has the instruction buffers.
    pub fn has_front_end_unit(&self) -> bool {
        self.front_end.is_unit()
    }

    /// Why the front end can no longer be trusted.
    pub fn front_end_fault(&self) -> Option<String> {
        self.front_end.fault()
    }

    /// The port of this number, which its system has made, and what the port reaches when it answers behind the core's cycle.
    pub fn answering<'a, P: Port>(&'a mut self, number: u8, kernel: &'a Kernel<'a>) -> (&'a mut P, Answers<'a>) {
        self.back.answering(number, kernel)
    }

    /// A CTA slot whose warps have all left.
    pub fn free_cta(&self) -> Option<usize> {
        self.back.free_cta()
    }

    pub fn start_cta(&mut self, now: u64, kernel: &Kernel, slot: usize, number: u64) {
        self.catch_up_to_end(now);
        self.back.start_cta(now, kernel, slot, number);
        self.back.ctas[slot].live.iter().for_each(|id| self.front_end.start(id));
        self.wake = now + 1;
    }

    /// CTAs that have started and not ended.
    pub fn running_ctas(&self) -> u64 {
        self.back.running_ctas()
    }

    pub fn has_warps(&self) -> bool {
        self.back.has_warps()
    }

    /// Nothing is in flight, warps or not.
    pub fn is_idle(&self) -> bool {
        self.back.is_idle() && self.front_end.is_idle()
    }

    /// Requests of the core's own wait for the network.
    pub fn is_sending(&self) -> bool {
        self.back.is_sending()
    }

    /// Counts the cycles before `now` in which the core slept: all like the last one before.
    fn catch_up(&mut self, now: u64) {
        let slept = (now - self.last_step).saturating_sub(1);
        if slept > 0 {
            self.count_cycles(slept);
        }
    }

    /// As `catch_up`, including cycle `now`.
    pub fn catch_up_to_end(&mut self, now: u64) {
        self.catch_up(now + 1);
        self.last_step = now;
    }

    fn count_cycles(&mut self, cycles: u64) {
        let active = self.has_warps();
        self.back.count_stalls(cycles);
        self.front_end.count_cycles(cycles, active, &mut self.back.stats);
        if active {
            self.back.count_outcomes(cycles);
        }
    }

    /// One cycle.
    pub fn step(&mut self, now: u64, kernel: &Kernel, world: &mut World) {
        self.catch_up(now);
        let mut moved = self.receive(now, world.mem);
        moved |= self.back.write_back(now, kernel);
        moved |= self.back.execute(now, kernel, world.mem);
        moved |= self.front_end.step(now, kernel, &mut self.back, world);
        self.count_cycles(1);
        moved |= self.back.retire(now);
        self.last_step = now;
        self.back.drive_ports();
        self.wake = if moved || !self.back.ports_are_idle() { now + 1 } else { self.next_event(now) };
    }

    fn receive(&mut self, now: u64, mem: &mut MemorySystem) -> bool {
        if !self.back.can_receive() {
            return false;
        }
        let Some(reply) = mem.receive(self.index, now) else { return false };
        match reply.kind {
            Kind::Instruction => self.front_end.fill(reply.address),
            _ => self.back.receive(reply),
        }
        true
    }

    fn next_event(&self, now: u64) -> u64 {
        if self.front_end.is_sending() {
            return now + 1;
        }
        self.back.next_event(now)
    }

    /// Adds the core's counters.
    pub fn count(&self, stats: &mut Stats) {
        self.back.count(stats);
        stats.l1i.add(self.front_end.cache_stats());
    }
}
