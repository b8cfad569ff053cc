//! `classifier`: sends each element to the bank that its hash names, or to the ring (3.2.1).

use super::element::{Access, Bundle, Element, Placed, GROUP, INDEX_MASK};
use super::iru_hash::{Hasher, Place};
use super::pins::{ClassifierIn, ClassifierOut, ElementGroup, BANK_0, CCW, CW};
use super::Parameters;
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub struct Classifier {
    parameters: Parameters,
    hasher: Hasher,
    stage_1: Option<ElementGroup>,
    /// Cycles until it is known where stage 1's elements go.
    unknown: u8,
    /// Stage 2's bundles, by where they go.
    stage_2: [VecDeque<Bundle>; 4],
    /// The output registers.
    way: [Option<Bundle>; 4],
}

/// Cycles after its arrival in which it is not known where a group's elements go: the hashes take one, and bundles another.
fn way_latency(parameters: &Parameters) -> u8 {
    1 + (parameters.bundle > 1) as u8
}

/// The way from partition `own` to `place`: half-way round the ring, even partitions go one way and odd ones the other.
fn way_to(place: Place, own: u8, partitions: usize) -> usize {
    let (half, steps) = (partitions as u8 / 2, (place.partition.wrapping_sub(own)) % partitions as u8);
    if steps == 0 {
        BANK_0 + place.bank as usize
    } else if steps < half || steps == half && own & 1 == 0 {
        CW
    } else {
        CCW
    }
}

impl Classifier {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::iru::CLASSIFIER)?;
        Ok(Classifier {
            parameters: *parameters,
            hasher: Hasher::new(parameters),
            stage_1: None,
            unknown: 0,
            stage_2: std::array::from_fn(|_| VecDeque::with_capacity(GROUP)),
            way: [None; 4],
        })
    }

    /// The output registers, by [`BANK_0`] ... [`CCW`].
    pub(super) fn ways(&self) -> &[Option<Bundle>; 4] {
        &self.way
    }

    pub(super) fn group_ready(&self) -> bool {
        // A wide one sees a cycle ahead that stage 1's group will pass.
        let passes = self.parameters.bundle > 1 && self.unknown == 0 && self.stage_2_is_empty();
        self.stage_1.is_none() || passes
    }

    /// The place that travels with an element that goes from partition `own` to another one.
    fn on_the_ring(&self, place: Place, own: u8) -> u16 {
        let partitions = self.parameters.partitions as u8;
        let steps = place.partition.wrapping_sub(own) % partitions;
        let is_next = steps == 1 || steps == partitions - 1;
        ((!is_next as u16) << 1 | place.bank as u16) << self.parameters.set_bits() | place.set
    }

    fn stage_2_is_empty(&self) -> bool {
        self.stage_2.iter().all(VecDeque::is_empty)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.stage_1.is_none() && self.way.iter().all(Option::is_none) && self.stage_2_is_empty()
    }

    /// The elements of a group, in bundles.
    fn sort(&mut self, group: &ElementGroup, access: &Access, own: u8) {
        for i in 0..group.count as usize {
            let position = (group.position + i as u32) & INDEX_MASK;
            let element = Element { index: group.index[i], secondary: group.secondary[i], position };
            let place = self.hasher.place(element.index, access);
            let way = way_to(place, own, self.parameters.partitions);
            let place = if way < CW { place.set } else { self.on_the_ring(place, own) };
            let placed = Placed { element, place };
            let bundles = &mut self.stage_2[way];
            let joins = |bundle: &&mut Bundle| bundle.first.place == place && bundle.count() < self.parameters.bundle;
            match bundles.iter_mut().find(joins) {
                Some(bundle) => bundle.push(element),
                None => bundles.push_back(Bundle::of(placed)),
            }
        }
    }

    /// The edge. `ready`: of each output.
    pub(super) fn step(&mut self, group: Option<&ElementGroup>, access: &Access, own: u8, ready: [bool; 4]) {
        let takes = self.group_ready();
        for ((way, waiting), ready) in self.way.iter_mut().zip(&mut self.stage_2).zip(ready) {
            if way.is_none() || ready {
                *way = waiting.pop_front();
            }
        }
        if self.unknown > 0 {
            self.unknown -= 1;
        } else if self.stage_2_is_empty() {
            if let Some(group) = self.stage_1.take() {
                self.sort(&group, access, own);
            }
        }
        if let Some(group) = group.filter(|_| takes) {
            self.stage_1 = Some(*group);
            self.unknown = way_latency(&self.parameters);
        }
    }
}

impl Unit for Classifier {
    type In = ClassifierIn;
    type Out = ClassifierOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> ClassifierOut {
        ClassifierOut { group_ready: self.group_ready(), empty: self.is_empty(), way: self.way.map(Into::into) }
    }

    fn clock(&mut self, pins: &ClassifierIn) -> Result<(), Fault> {
        let group = pins.group.valid.then_some(&pins.group.item);
        let count = group.map_or(0, |group| group.count);
        rule(count as usize <= GROUP, format_args!("classifier: a group of {count} elements"))?;
        self.step(group, &pins.access, pins.partition, pins.ready);
        Ok(())
    }

    fn reset(&mut self) {
        *self = Self::new(&self.parameters).expect("parameters that were checked");
    }
}

#[cfg(test)]
mod tests;
