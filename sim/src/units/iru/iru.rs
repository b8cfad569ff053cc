//! `iru`: the partitions on their ring (3.2).

use super::element::{Bundle, Job};
use super::pins::{IruIn, IruOut, Offer, RingIn, RingOut, Token};
use super::{IruPartition, Parameters};
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::past::Past;
use crate::units::pins::interface;
use crate::units::prim::link::Way;

#[derive(Clone, Debug)]
pub struct Iru {
    parameters: Parameters,
    partitions: Vec<IruPartition>,
    /// Outputs of each partition to the others in this cycle.
    ring_out: Vec<RingOut>,
    ring_in: Vec<RingIn>,
    /// Links cw and ccw that begin at each partition; none without a way.
    links: Vec<[Way<Bundle>; 2]>,
    /// Tokens on their way from each partition.
    tokens: Vec<Past<Offer<Token>>>,
    /// Which partitions were rich.
    rich: Past<u8>,
    /// All partitions were quiet, and all links empty.
    quiet: Past<bool>,
    vacant: Past<bool>,
    links_were_empty: bool,
    /// Cycles in which `ending` is of the job before.
    starting: usize,
    /// It was at rest in the previous cycle, and nothing came.
    resting: bool,
}

impl Iru {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::iru::IRU)?;
        let (number, link) = (parameters.partitions, parameters.link);
        let links = if link > 0 { number } else { 0 };
        Ok(Iru {
            parameters: *parameters,
            partitions: (0..number).map(|_| IruPartition::new(parameters)).collect::<Result<_, _>>()?,
            ring_out: vec![RingOut::default(); number],
            ring_in: vec![RingIn::default(); number],
            links: vec![[Way::new(link), Way::new(link)]; links],
            tokens: vec![Past::new(link); number],
            rich: Past::new(number / 2 * link),
            quiet: Past::new(2 * link + 1),
            vacant: Past::new(2 * link + 1),
            links_were_empty: false,
            starting: 0,
            resting: false,
        })
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Nothing is in the unit, and no partition has anything to say: a job may start.
    pub fn is_at_rest(&self) -> bool {
        self.resting
            || self.has_ended()
                && self.starting == 0
                && self.quiet.is_all(true)
                && self.vacant.is_all(true)
                && self.rich.is_all(0)
                && self.links_are_empty()
                && self.links_were_empty
                && self.tokens.iter().all(|past| past.iter().all(|token| !token.valid))
                && self.partitions.iter().all(IruPartition::is_at_rest)
    }

    /// `ending` and `all_empty` at the partitions.
    fn end(&self) -> [bool; 2] {
        let cycles = 2 * self.parameters.link + 1;
        [self.starting == 0 && self.quiet.ago(cycles, false), self.vacant.ago(cycles, false)]
    }

    fn has_ended(&self) -> bool {
        self.end() == [true; 2]
    }

    fn links_are_empty(&self) -> bool {
        self.links.iter().flatten().all(Way::is_empty)
    }

    /// Of which partitions `p` knows that they are rich: it takes a way's cycles from each to the next.
    fn known_rich(&self, p: usize, now: u8) -> u8 {
        let number = self.partitions.len();
        let ways = |q: usize| ((q + number - p) % number).min((p + number - q) % number);
        (0..number).fold(0, |mask, q| mask | self.rich.ago(ways(q) * self.parameters.link, now) & 1 << q)
    }

    fn rich_now(&self) -> u8 {
        (0..).zip(&self.ring_out).fold(0, |mask, (q, out)| mask | (out.rich as u8) << q)
    }

    /// Connects the outputs of the partitions to each other's inputs in this cycle.
    fn connect(&mut self) {
        for (partition, out) in self.partitions.iter().zip(&mut self.ring_out) {
            partition.show_ring(out);
        }
        let number = self.partitions.len();
        let (rich, [ending, all_empty]) = (self.rich_now(), self.end());
        for p in 0..number {
            let (before, after) = ((p + number - 1) % number, (p + 1) % number);
            let (came, goes) = (&self.ring_out[before], &self.ring_out[after]);
            let known = self.known_rich(p, rich);
            let pins = &mut self.ring_in[p];
            if self.links.is_empty() {
                pins.arrival[0].show(&came.link[0].get());
                pins.arrival[1].show(&goes.link[1].get());
                pins.link_ready = [goes.arrival_ready[0], came.arrival_ready[1]];
            } else {
                pins.arrival[0].show(&self.links[before][0].out());
                pins.arrival[1].show(&self.links[after][1].out());
                pins.link_ready = [0, 1].map(|d| self.links[p][d].is_ready());
            }
            pins.token = self.tokens[before].ago(self.parameters.link, came.token);
            (pins.rich, pins.ending, pins.all_empty) = (known, ending, all_empty);
        }
    }

    /// The edge of what is between the partitions.
    fn pass(&mut self, starts: bool) {
        self.quiet.push(self.links_were_empty && self.ring_out.iter().all(|out| out.quiet));
        self.links_were_empty = self.links_are_empty();
        self.vacant.push(self.ring_out.iter().all(|out| out.vacant));
        self.starting = if starts { 2 * self.parameters.link + 2 } else { self.starting.saturating_sub(1) };
        if self.links.is_empty() {
            return;
        }
        self.rich.push(self.rich_now());
        let number = self.partitions.len();
        for (p, links) in self.links.iter_mut().enumerate() {
            let out = &self.ring_out[p];
            let (before, after) = (&self.ring_out[(p + number - 1) % number], &self.ring_out[(p + 1) % number]);
            links[0].clock(out.link[0].get(), after.arrival_ready[0]);
            links[1].clock(out.link[1].get(), before.arrival_ready[1]);
            self.tokens[p].push(out.token);
        }
    }

    fn step(&mut self, start: Option<&Job>, pins: &IruIn) -> Result<(), Fault> {
        self.connect();
        self.pass(start.is_some());
        for (p, (partition, ring)) in (0..).zip(self.partitions.iter_mut().zip(&self.ring_in)) {
            partition.step(start, p, &pins.partitions[p as usize], ring)?;
        }
        Ok(())
    }
}

/// Some input arrives in this cycle.
fn comes(pins: &IruIn) -> bool {
    pins.job.start || pins.partitions.iter().any(|pins| pins.request.valid || pins.sector.valid)
}

impl Unit for Iru {
    type In = IruIn;
    type Out = IruOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> IruOut {
        let mut pins = IruOut::new(self.partitions.len());
        self.sample(&mut pins);
        pins
    }

    /// A value beside a valid pin that is low stays as it was.
    fn sample(&self, pins: &mut IruOut) {
        for (partition, pins) in self.partitions.iter().zip(&mut pins.partitions) {
            partition.show_core(pins);
        }
    }

    fn clock(&mut self, pins: &IruIn) -> Result<(), Fault> {
        assert!(pins.partitions.len() == self.partitions.len(), "iru: pins of another number of partitions");
        rule(!pins.job.start || self.has_ended(), "iru: start before the job before has ended")?;
        self.resting = !comes(pins) && self.is_at_rest();
        if !self.resting {
            self.step(Job::of_pins(&pins.job)?.as_ref(), pins)?;
        }
        Ok(())
    }

    fn reset(&mut self) {
        *self = Self::new(&self.parameters).expect("parameters that were checked");
    }
}

#[cfg(test)]
mod tests;
