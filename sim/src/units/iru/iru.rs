//! `iru`: the partitions on their ring (3.2).

use super::element::Job;
use super::pins::{IruIn, IruOut, RingIn, RingOut};
use super::{IruPartition, Parameters};
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
pub struct Iru {
    parameters: Parameters,
    partitions: Vec<IruPartition>,
    /// Outputs of each partition to the others in this cycle.
    ring_out: Vec<RingOut>,
    ring_in: Vec<RingIn>,
    ending: bool,
    all_empty: bool,
    /// It was at rest in the previous cycle, and nothing came.
    resting: bool,
}

impl Iru {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::iru::IRU)?;
        let number = parameters.partitions;
        Ok(Iru {
            parameters: *parameters,
            partitions: (0..number).map(|_| IruPartition::new(parameters)).collect::<Result<_, _>>()?,
            ring_out: vec![RingOut::default(); number],
            ring_in: vec![RingIn::default(); number],
            ending: false,
            all_empty: false,
            resting: false,
        })
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Nothing is in the unit, and no partition has anything to say: a job may start.
    pub fn is_at_rest(&self) -> bool {
        self.resting || self.ending && self.all_empty && self.partitions.iter().all(IruPartition::is_at_rest)
    }

    /// Connects the outputs of the partitions to each other's inputs in this cycle.
    fn connect(&mut self) {
        for (partition, out) in self.partitions.iter().zip(&mut self.ring_out) {
            partition.show_ring(out);
        }
        let number = self.partitions.len();
        let rich = (0..).zip(&self.ring_out).fold(0, |mask, (q, out)| mask | (out.rich as u8) << q);
        for (p, pins) in self.ring_in.iter_mut().enumerate() {
            let (before, after) = (&self.ring_out[(p + number - 1) % number], &self.ring_out[(p + 1) % number]);
            pins.arrival = [before.link[0], after.link[1]];
            pins.link_ready = [after.arrival_ready[0], before.arrival_ready[1]];
            pins.token = before.token;
            (pins.rich, pins.ending, pins.all_empty) = (rich, self.ending, self.all_empty);
        }
    }

    fn step(&mut self, start: Option<&Job>, pins: &IruIn) -> Result<(), Fault> {
        self.connect();
        self.ending = self.ring_out.iter().all(|out| out.quiet);
        self.all_empty = self.ring_out.iter().all(|out| out.vacant);
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
        rule(!pins.job.start || self.ending && self.all_empty, "iru: start before the job before has ended")?;
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
