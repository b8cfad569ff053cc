//! `swfu`: scalar-wave formation and the scalar-wave status table, SWST (6.3.1, Fig 9).

use super::mask::{round_robin, Paths};
use super::parameters::{MOST_PLACES, MOST_WAVES};
use super::pins::{members, Offer, SwfuIn, SwfuOut, WaveOffer, WavePins};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::bits::bits;
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

/// An entry of the table.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    wave: WavePins,
    age: u8,
    path: u8,
}

/// Waves that have not issued, in the order of their allocation.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    swids: [u8; MOST_WAVES],
    len: usize,
}

impl Queue {
    #[inline]
    fn swids(&self) -> &[u8] {
        &self.swids[..self.len]
    }

    fn push(&mut self, swid: u8) {
        self.swids[self.len] = swid;
        self.len += 1;
    }

    fn remove(&mut self, swid: u8) {
        if let Some(at) = self.swids().iter().position(|other| *other == swid) {
            self.swids.copy_within(at + 1..self.len, at);
            self.len -= 1;
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Swfu {
    parameters: Parameters,
    entries: [Entry; MOST_WAVES],
    /// A bit for each SWID.
    valid: u16,
    open: Queue,
    joined: u64,
    pointer: u32,
    table_full: bool,
    /// Waves do not grow older in this step.
    ageless: bool,
}

impl Swfu {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("swfu")?;
        Ok(Swfu { parameters: *parameters, ..Default::default() })
    }

    #[inline]
    pub(super) fn offer(&self) -> Option<WaveOffer> {
        let swid = *self.open.swids().first()?;
        let Entry { age, path, .. } = self.entries[swid as usize];
        Some(WaveOffer { swid, path, urgent: age == self.parameters.age_cap })
    }

    #[inline]
    pub(super) fn wave(&self, swid: u8) -> &WavePins {
        &self.entries[swid as usize].wave
    }

    pub(super) fn table_full(&self) -> bool {
        self.table_full
    }

    /// A cycle with these `ready` and `scalar` and all other inputs low changes nothing.
    pub(super) fn is_quiet(&self, ready: u64, scalar: u64) -> bool {
        let grows = |swid: &u8| self.entries[*swid as usize].age < self.parameters.age_cap;
        ready & scalar & !self.joined == 0 && !self.table_full && (self.ageless || !self.open.swids().iter().any(grows))
    }

    /// The edge. `candidates`: the places that are ready and scalar.
    #[inline]
    pub(super) fn step(
        &mut self,
        candidates: u64,
        pc: &[u16; MOST_PLACES],
        paths: &Paths,
        issue: Option<u8>,
        done: Option<u8>,
    ) {
        let candidates = candidates & !self.joined;
        let valid = self.valid;
        self.table_full = false;
        self.grow_older();
        if let Some(swid) = issue {
            self.close(swid);
        }
        if let Some(swid) = done {
            assert!(valid >> swid & 1 == 1 && !self.open.swids().contains(&swid), "swfu: {swid} is done, not issued");
            self.valid &= !(1 << swid);
        }
        if let Some(first) = round_robin(candidates, self.pointer) {
            self.form(first, candidates, pc, paths, valid);
        }
    }

    /// Whether waves grow older from now on.
    pub(super) fn let_age(&mut self, ages: bool) {
        self.ageless = !ages;
    }

    fn grow_older(&mut self) {
        if self.ageless {
            return;
        }
        for swid in self.open.swids() {
            let age = &mut self.entries[*swid as usize].age;
            *age += (*age < self.parameters.age_cap) as u8;
        }
    }

    /// The wave issues: nobody joins it any more.
    fn close(&mut self, swid: u8) {
        let WavePins { group, mask, .. } = *self.wave(swid);
        self.open.remove(swid);
        self.joined &= !members(group, mask, self.parameters.wave);
    }

    /// `first` and those like it join a wave. `valid`: entries that were, as the cycle began.
    fn form(&mut self, first: u32, candidates: u64, pcs: &[u16; MOST_PLACES], paths: &Paths, valid: u16) {
        let wave = self.parameters.wave;
        self.pointer = (first + 1) % self.parameters.places() as u32;
        let group = (first as usize / wave) as u8;
        let pc = pcs[first as usize];
        let mut joins = 0;
        for place in bits(candidates & members(group, (u32::MAX >> (32 - wave)) as u16, wave)) {
            joins |= ((pcs[place] == pc) as u64) << place;
        }
        let mask = (joins >> (group as usize * wave)) as u16;
        let fits = |swid: &&u8| self.wave(**swid).pc == pc && self.wave(**swid).group == group;
        if let Some(swid) = self.open.swids().iter().find(fits) {
            self.entries[*swid as usize].wave.mask |= mask;
        } else {
            let swid = valid.trailing_ones() as usize;
            if swid >= self.parameters.swst {
                self.table_full = true;
                return;
            }
            let wave = WavePins { group, mask, pc };
            self.entries[swid] = Entry { wave, age: 0, path: paths.of(first as usize) };
            self.valid |= 1 << swid;
            self.open.push(swid as u8);
        }
        self.joined |= joins;
    }
}

impl Unit for Swfu {
    type In = SwfuIn;
    type Out = SwfuOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> SwfuOut {
        let wave = |swid: usize| Offer { valid: self.valid >> swid & 1 == 1, item: self.entries[swid].wave };
        SwfuOut {
            offer: self.offer().into(),
            joined: self.joined,
            table_full: self.table_full,
            wave: std::array::from_fn(wave),
        }
    }

    fn clock(&mut self, pins: &SwfuIn) {
        let issue = pins.issue_wave.then_some(pins.issue_swid);
        self.step(pins.ready & pins.scalar, &pins.pc, &Paths::new(&pins.path), issue, pins.done.get());
    }

    fn reset(&mut self) {
        *self = Swfu { parameters: self.parameters, ..Default::default() };
    }
}

#[cfg(test)]
mod tests;
