//! Plays the threads of a core: on each lane they pull, push, and leave IDs that they have done with.

use super::ledger::{Label, Ledger};
use crate::stimulus::{bits, Chance, Rng};
use sim::units::hwwl::pins::{status, MAX_LANES};

/// Lanes that take part.
#[derive(Clone, Copy, Debug, Default)]
pub enum Lanes {
    #[default]
    All,
    Random,
    /// A few lanes, the same in the whole phase: the others live from redistribution.
    Fixed,
}

/// Behaviour of threads for a while. In a cycle they pull, or push, or do nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    pub pull: u8,
    pub push: u8,
    /// A lane that holds an ID has done with it.
    pub leave: Chance,
    pub pullers: Lanes,
    pub pushers: Lanes,
}

impl Manner {
    pub const fn new(pull: (u8, Lanes), push: (u8, Lanes), leave: u16) -> Self {
        Manner { pull: pull.0, push: push.0, leave: Chance(leave), pullers: pull.1, pushers: push.1 }
    }
}

/// Cycles without requests that `kernel_end` needs before it.
pub const QUIET: u32 = 4;
/// Cycles for which a core with a large buffer is filled, which is done once in a while at the beginning.
pub const FILLING: u32 = 30_000;
/// IDs that are enough.
pub const FULL: u32 = 16_500;
/// A fill that is none of the phases.
pub const FILL: Manner = Manner::new((0, Lanes::All), (255, Lanes::All), 256);
/// A count of IDs that only a core with a large buffer comes to.
pub const THOUSANDS: u32 = 4_096;

/// Requests of a cycle.
pub struct Request<'a> {
    pub pull: &'a mut u32,
    pub push: &'a mut u32,
    pub leave: &'a mut u32,
    pub push_id: &'a mut [u32; MAX_LANES],
}

/// Requests that are allowed in a cycle.
#[derive(Clone, Copy, Debug)]
pub struct May {
    pub pull: bool,
    pub push: bool,
    /// Only lanes whose threads hold an ID push.
    pub active_alone: bool,
}

/// Lanes by the answer to their pull.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answers {
    pub ids: u32,
    /// Their ID was pushed by another lane; by another core, or came from one.
    pub moved: u32,
    pub foreign: u32,
    pub waits: u32,
    pub dones: u32,
}

/// Owner of IDs that come from outside.
pub const FOREIGN: u16 = (1 << 14) - 1;

#[derive(Clone, Debug, Default)]
pub struct Threads {
    core: usize,
    lanes: usize,
    fixed: u32,
    /// IDs that the threads on each lane hold.
    held: [u16; MAX_LANES],
    active: u32,
    /// Lanes that pulled in the last cycle.
    asked: u32,
}

impl Threads {
    pub fn new(core: usize, lanes: usize) -> Self {
        Threads { core, lanes, fixed: 1, ..Default::default() }
    }

    pub fn clear(&mut self) {
        (self.held, self.active, self.asked) = ([0; MAX_LANES], 0, 0);
    }

    pub fn all_lanes(&self) -> u32 {
        u32::MAX >> (32 - self.lanes)
    }

    /// IDs that threads hold.
    pub fn active(&self) -> u32 {
        self.active
    }

    pub fn asked(&self) -> u32 {
        self.asked
    }

    pub fn choose_fixed(&mut self, rng: &mut Rng) {
        self.fixed = 1 << rng.below(self.lanes as u32);
        if rng.one_in(2) {
            self.fixed |= 1 << rng.below(self.lanes as u32);
        }
    }

    /// Takes the answers to the pulls of the last cycle, in which `part` was the pull side.
    #[inline]
    pub fn answers(
        &mut self,
        answer: u64,
        ids: &[u32; MAX_LANES],
        part: bool,
        ledger: &mut Ledger,
    ) -> Result<Answers, String> {
        let mut answers = Answers::default();
        let core = self.core;
        for (lane, &id) in ids[..self.lanes].iter().enumerate() {
            let (status, asked) = (answer >> (2 * lane) & 3, self.asked >> lane & 1 == 1);
            if asked != (status != status::NONE) {
                return Err(format!("core {core}, lane {lane}: status {status} does not go with its request"));
            }
            match status {
                status::ID => {
                    answers.ids |= 1 << lane;
                    let label = self.receive(lane, id, part, ledger)?;
                    answers.moved |= u32::from(label.owner as usize & 31 != lane) << lane;
                    answers.foreign |= u32::from(label.owner as usize >> 5 != core) << lane;
                }
                status::WAIT => answers.waits |= 1 << lane,
                status::DONE => answers.dones |= 1 << lane,
                _ => {}
            }
        }
        Ok(answers)
    }

    fn receive(&mut self, lane: usize, id: u32, part: bool, ledger: &mut Ledger) -> Result<Label, String> {
        self.held[lane] += 1;
        self.active += 1;
        let core = self.core;
        match ledger.take(id) {
            None => Err(format!("core {core}, lane {lane}: ID {id:#x} is pulled, but it is not inside")),
            Some(label) if label.part != part => {
                Err(format!("core {core}, lane {lane}: ID {id:#x} of the push side is pulled"))
            }
            Some(label) => Ok(label),
        }
    }

    fn lanes_that_hold(&self) -> u32 {
        (0..self.lanes).fold(0, |mask, lane| mask | u32::from(self.held[lane] > 0) << lane)
    }

    fn choose_lanes(&self, rng: &mut Rng, lanes: Lanes) -> u32 {
        match lanes {
            Lanes::All => self.all_lanes(),
            Lanes::Random => rng.draw() as u32 & self.all_lanes(),
            Lanes::Fixed => self.fixed,
        }
    }

    /// Nothing is asked in this cycle.
    pub fn rest(&mut self, request: Request) {
        self.asked = 0;
        (*request.pull, *request.push, *request.leave) = (0, 0, 0);
    }

    /// Requests of a cycle. IDs that are pushed belong to partition `part`.
    #[inline]
    pub fn ask(&mut self, rng: &mut Rng, manner: &Manner, may: May, part: bool, ledger: &mut Ledger, request: Request) {
        let Request { pull, push, leave, push_id } = request;
        (*pull, *push, *leave) = (0, 0, 0);
        let choice = (rng.draw() >> 56) as u8;
        if choice < manner.pull {
            if may.pull {
                *pull = self.choose_lanes(rng, manner.pullers);
            }
        } else if choice < manner.pull.saturating_add(manner.push) && may.push {
            *push = self.choose_lanes(rng, manner.pushers);
            if may.active_alone {
                *push &= self.lanes_that_hold();
            }
        }
        if self.active > 0 && (manner.leave.0 == 256 || choice & 3 == 0) {
            *leave = manner.leave.of_each(rng, self.lanes_that_hold());
            for lane in bits(u64::from(*leave)) {
                self.held[lane] -= 1;
            }
            self.active -= leave.count_ones();
        }
        for lane in bits(u64::from(*push)) {
            push_id[lane] = ledger.issue(Label { part, owner: (self.core << 5 | lane) as u16 });
        }
        self.asked = *pull;
    }
}
