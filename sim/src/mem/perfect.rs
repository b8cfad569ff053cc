//! A memory that no hardware could be, to show the limit: it answers every request after the same time, however many there are. In place of networks, L2 and DRAM.

use super::request::{Kind, Request};
use std::collections::VecDeque;

pub struct Perfect {
    /// Core cycles.
    latency: u64,
    now: u64,
    /// In order of time, with the cycle in which each is answered.
    flight: VecDeque<(u64, Request)>,
    /// Answers, by core.
    replies: Vec<VecDeque<Request>>,
}

impl Perfect {
    /// `requests`: of each core on their way at a time, for which there is room from the start.
    pub fn new(latency: u64, cores: usize, requests: usize) -> Self {
        let replies = || VecDeque::with_capacity(requests);
        Perfect {
            latency,
            now: 0,
            flight: VecDeque::with_capacity(requests * cores),
            replies: (0..cores).map(|_| replies()).collect(),
        }
    }

    pub fn send(&mut self, request: Request) {
        self.flight.push_back((self.now + self.latency, request));
    }

    /// One core cycle. `answered` sees the parts of each request, as a slice would; `arrived` is told the core of each reply.
    pub fn step(&mut self, now: u64, mut answered: impl FnMut(&Request), mut arrived: impl FnMut(usize)) {
        self.now = now;
        while let Some((_, request)) = self.flight.pop_front_if(|(at, _)| *at <= now) {
            let touched = || (0..request.sectors()).filter(|n| request.touches(*n)).map(|n| request.sector(n));
            touched().for_each(|part| answered(&part));
            let replies = &mut self.replies[request.core as usize];
            match request.kind {
                Kind::WriteBack | Kind::PortWrite => continue,
                // The core's own accesses: one reply for all sectors, so that the way back is as wide as the way there.
                Kind::Uncached | Kind::Write | Kind::Atomic => replies.push_back(request),
                // A system beside a partition, whose kinds are the last two, needs a real one.
                Kind::Instruction
                | Kind::Constant
                | Kind::Texture
                | Kind::Read
                | Kind::PortRead
                | Kind::Message
                | Kind::Beside => replies.extend(touched()),
            }
            arrived(request.core as usize);
        }
    }

    pub fn receive(&mut self, core: usize) -> Option<Request> {
        self.replies[core].pop_front()
    }

    /// A reply waits for the core.
    pub fn has_reply(&self, core: usize) -> bool {
        !self.replies[core].is_empty()
    }

    /// Next cycle in which a request is answered.
    pub fn next_event(&self) -> u64 {
        self.flight.front().map_or(u64::MAX, |(at, _)| *at)
    }

    pub fn is_idle(&self) -> bool {
        self.flight.is_empty() && self.replies.iter().all(VecDeque::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::mem::system::MemorySystem;

    fn system(latency: u64) -> MemorySystem {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        config.set("memory.perfect=true").unwrap();
        config.set(&format!("memory.perfect_latency={latency}")).unwrap();
        MemorySystem::new(&config)
    }

    /// A hundred requests on the same bank of the same channel take as long as one.
    #[test]
    fn nobody_waits_for_anybody() {
        let mut system = system(50);
        system.step(7, |_| {});
        for n in 0..100 {
            let request = Request::read(Kind::Uncached, n % 4, 0xC000_0000 + n as u64 * (1 << 20), 128);
            assert!(system.has_room(&request));
            system.send(request);
        }
        assert_eq!(system.next_event(7), 57);
        system.step(56, |_| panic!("too early"));
        assert!((0..4).all(|core| system.arrival(core) > 56));
        let mut answered = 0;
        system.step(57, |_| answered += 1);
        assert_eq!(answered, 400, "sectors");
        for core in 0..4 {
            assert_eq!((0..).map_while(|_| system.receive(core, 57)).count(), 25);
            assert_eq!(system.arrival(core), u64::MAX);
        }
        assert!(system.is_idle());
    }

    /// A write-back and a spill are not acknowledged; a cache gets its line sector by sector.
    #[test]
    fn every_kind_has_its_replies() {
        let mut system = system(1);
        let replies = |system: &mut MemorySystem, now: u64, request: Request| {
            system.step(now, |_| {});
            system.send(request);
            system.step(now + 1, |_| {});
            (0..).map_while(|_| system.receive(0, now + 1)).map(|reply| reply.replies()).collect::<Vec<_>>()
        };
        let line = |kind| Request { written: u128::MAX, ..Request::read(kind, 0, 0xC000_0000, 128) };
        assert_eq!(replies(&mut system, 1, line(Kind::WriteBack)), [0; 0]);
        assert_eq!(replies(&mut system, 3, line(Kind::PortWrite)), [0; 0]);
        assert_eq!(replies(&mut system, 5, line(Kind::Instruction)), [1, 1, 1, 1]);
        assert_eq!(replies(&mut system, 7, line(Kind::PortRead)), [1, 1, 1, 1]);
        assert_eq!(replies(&mut system, 9, line(Kind::Write)), [4]);
        assert_eq!(replies(&mut system, 11, line(Kind::Uncached)), [4]);
    }
}
