//! `fetch_arbiter`: one fetch a cycle, round robin over the schedulers; warps that wait for the same line are served by one (6.2).

use super::parameters::MOST_SCHEDULERS;
use super::pins::{Ask, FetchArbiterIn, FetchArbiterOut, Offer, Want};
use super::Parameters;
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
pub struct FetchArbiter {
    parameters: Parameters,
    pointer: usize,
    ask: Option<Ask>,
    /// The ask that was over in the previous cycle: those that want its line do not know it yet.
    over: Option<Ask>,
}

impl FetchArbiter {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        let Parameters { schedulers, warps, .. } = *parameters;
        let places = warps / schedulers.max(1);
        spec::gw::FETCH_ARBITER.checked(&[("schedulers", schedulers as u64), ("warps", places as u64)])?;
        Ok(FetchArbiter { parameters: *parameters, pointer: 0, ask: None, over: None })
    }

    #[inline]
    pub(super) fn ask(&self) -> &Option<Ask> {
        &self.ask
    }

    /// A cycle in which nothing is wanted changes nothing.
    pub(super) fn is_quiet(&self) -> bool {
        self.ask.is_none() && self.over.is_none()
    }

    /// `ask` serves this want too. Without reuse it serves its own warp alone.
    fn serves(&self, ask: &Option<Ask>, want: &Ask) -> bool {
        ask.is_some_and(|ask| if self.parameters.reuse { ask.line == want.line } else { ask == *want })
    }

    fn next(&self, wants: &[Offer<Want>; MOST_SCHEDULERS]) -> Option<Ask> {
        let schedulers = self.parameters.schedulers;
        let round_robin = (self.pointer..schedulers).chain(0..self.pointer);
        let ask = |s: usize| {
            let Want { place, line } = wants[s].get()?;
            Some(Ask { scheduler: s as u8, place, line })
        };
        round_robin.filter_map(ask).find(|want| !self.serves(&self.ask, want) && !self.serves(&self.over, want))
    }
}

impl Unit for FetchArbiter {
    type In = FetchArbiterIn;
    type Out = FetchArbiterOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> FetchArbiterOut {
        FetchArbiterOut { ask: self.ask.into() }
    }

    fn clock(&mut self, pins: &FetchArbiterIn) -> Result<(), Fault> {
        let dealt_with = pins.fetch_room && !pins.fill_valid;
        if self.ask.is_some() && !dealt_with {
            self.over = None;
            return Ok(());
        }
        let next = self.next(&pins.want);
        self.over = self.ask;
        self.ask = next;
        if let Some(ask) = next {
            self.pointer = (ask.scheduler as usize + 1) % self.parameters.schedulers;
        }
        Ok(())
    }

    fn reset(&mut self) {
        (self.pointer, self.ask, self.over) = (0, None, None);
    }
}

#[cfg(test)]
mod tests;
