//! `scalar_register_map`: in which form each register of a warp is, one lane of a shared entry or an entry of its own (6.3.3).

use super::parameters::MOST_PLACES;
use super::pins::{ScalarRegisterMapIn, ScalarRegisterMapOut};
use super::record::{Record, Registers};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::bits::bits;
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
pub struct ScalarRegisterMap {
    parameters: Parameters,
    /// Registers in scalar form.
    forms: [Registers; MOST_PLACES],
    scalar: u64,
    /// Their record comes in this cycle.
    checked: u64,
}

impl ScalarRegisterMap {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("scalar_register_map")?;
        Ok(ScalarRegisterMap { parameters: *parameters, forms: [0; MOST_PLACES], scalar: 0, checked: 0 })
    }

    #[inline]
    pub(super) fn scalar(&self) -> u64 {
        self.scalar
    }

    /// A cycle with all inputs low changes nothing.
    pub(super) fn is_quiet(&self) -> bool {
        self.checked == 0
    }

    /// The edge. `record` is that of the places that were checked in the previous cycle.
    #[inline]
    pub(super) fn step(&mut self, start: u64, check: u64, record: &Record, full: u64, waves_on: bool) {
        let checked = std::mem::replace(&mut self.checked, check);
        let may = if waves_on && record.scalar { checked & full } else { 0 };
        self.scalar &= !checked;
        for place in bits(checked) {
            let forms = &mut self.forms[place];
            let scalar = may >> place & 1 == 1 && record.reads & !*forms == 0;
            *forms = if scalar { *forms | record.writes } else { *forms & !record.writes };
            self.scalar |= (scalar as u64) << place;
        }
        self.scalar &= !start;
        bits(start).for_each(|place| self.forms[place] = 0);
    }
}

impl Unit for ScalarRegisterMap {
    type In = ScalarRegisterMapIn;
    type Out = ScalarRegisterMapOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> ScalarRegisterMapOut {
        ScalarRegisterMapOut { scalar: self.scalar }
    }

    fn clock(&mut self, pins: &ScalarRegisterMapIn) {
        self.step(pins.start, pins.check_warps, &Record::unpack(pins.record), pins.full, pins.waves_on);
    }

    fn reset(&mut self) {
        (self.forms, self.scalar, self.checked) = ([0; MOST_PLACES], 0, 0);
    }
}

#[cfg(test)]
mod tests;
