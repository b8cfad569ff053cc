//! `b32_front_end`: the front end of one SIMD processor of the baseline (section 2). Each warp has an instruction buffer of its
//! own; a scheduler reads ahead, checks one instruction a cycle, and issues what passes.

use super::parameters::{B32Parameters, MOST_SCHEDULERS};
use super::pins::{B32Fetch, B32In, B32Out};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use scheduler::Scheduler;

mod scheduler;

#[derive(Clone, Debug)]
pub struct B32FrontEnd {
    parameters: B32Parameters,
    schedulers: Vec<Scheduler>,
    /// The scheduler whose fetch goes first.
    pointer: usize,
    fetch: Option<B32Fetch>,
}

impl B32FrontEnd {
    /// # Errors
    /// A parameter that is out of range.
    pub fn new(parameters: &B32Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::gw::B32_FRONT_END)?;
        let schedulers = vec![Scheduler::new(parameters.places(), parameters.lowest); parameters.schedulers];
        Ok(B32FrontEnd { parameters: *parameters, schedulers, pointer: 0, fetch: None })
    }

    /// The fetch of the next cycle.
    fn arbitrate(&mut self, fetch_room: bool) -> Option<B32Fetch> {
        if !fetch_room {
            return None;
        }
        let schedulers = self.parameters.schedulers;
        let mut round_robin = (self.pointer..schedulers).chain(0..self.pointer);
        let (s, (place, line)) = round_robin.find_map(|s| Some((s, self.schedulers[s].wanted()?)))?;
        self.pointer = (s + 1) % schedulers;
        Some(B32Fetch { scheduler: s as u8, place, line })
    }
}

impl Unit for B32FrontEnd {
    type In = B32In;
    type Out = B32Out;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> B32Out {
        let mut pins = B32Out::default();
        self.sample(&mut pins);
        pins
    }

    fn sample(&self, pins: &mut B32Out) {
        pins.fetch = self.fetch.into();
        for (pins, scheduler) in pins.slices.iter_mut().zip(&self.schedulers) {
            *pins = scheduler.outputs();
        }
    }

    fn clock(&mut self, pins: &B32In) -> Result<(), Fault> {
        self.fetch = self.arbitrate(pins.fetch_room);
        let granted: [bool; MOST_SCHEDULERS] =
            std::array::from_fn(|s| self.fetch.is_some_and(|fetch| fetch.scheduler as usize == s));
        for (s, scheduler) in self.schedulers.iter_mut().enumerate() {
            let fill = pins.fill.get().filter(|fill| fill.scheduler as usize == s);
            scheduler.clock(&pins.slices[s], fill.as_ref(), granted[s])?;
        }
        Ok(())
    }

    fn is_quiet(&self) -> bool {
        self.fetch.is_none() && self.schedulers.iter().all(Scheduler::is_quiet)
    }

    fn reset(&mut self) {
        *self = Self::new(&self.parameters).expect("parameters that were checked");
    }
}

#[cfg(test)]
mod tests;
