//! `link`: a way of some cycles, with credits. Behaviourally: elements with the cycle in which each arrives, and credits with
//! the cycle in which each comes home.

use super::pins::{LinkIn, LinkOut, Wide};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use std::collections::VecDeque;

/// A link for anything.
#[derive(Clone, Debug, Default)]
pub(in crate::units) struct Way<T> {
    stages: u64,
    credits: usize,
    now: u64,
    /// What is inside, oldest first, and from when it is at the other end.
    inside: VecDeque<(T, u64)>,
    /// When the credits on their way back are home.
    returning: VecDeque<u64>,
}

impl<T: Copy> Way<T> {
    /// So many cycles there and so many back, with the least power of two of credits that lets an element a cycle through.
    pub fn new(stages: usize) -> Self {
        let credits = (2 * stages + 3).next_power_of_two();
        Way { stages: stages as u64, credits, now: 0, inside: VecDeque::new(), returning: VecDeque::new() }
    }

    #[inline]
    pub fn is_ready(&self) -> bool {
        self.inside.len() + self.returning.len() < self.credits
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.inside.is_empty() && self.returning.is_empty()
    }

    /// The element at the other end.
    #[inline]
    pub fn out(&self) -> Option<T> {
        self.inside.front().filter(|(_, arrives)| *arrives <= self.now).map(|(element, _)| *element)
    }

    /// The edge, at which `element` enters if there is a credit, and the one at the other end leaves with `take`.
    #[inline]
    pub fn clock(&mut self, element: Option<T>, take: bool) {
        let enters = element.filter(|_| self.is_ready());
        if take && self.out().is_some() {
            self.inside.pop_front();
            self.returning.push_back(self.now + self.stages + 1);
        }
        self.inside.extend(enters.map(|element| (element, self.now + self.stages + 2)));
        self.now += 1;
        while self.returning.front().is_some_and(|home| *home <= self.now) {
            self.returning.pop_front();
        }
    }
}

#[derive(Clone, Debug)]
pub struct Link {
    width: u32,
    stages: usize,
    way: Way<Wide>,
}

impl Link {
    /// An empty link of so many stages for words of `width` bits.
    pub fn new(width: u32, stages: usize) -> Result<Self, ParameterError> {
        spec::prim::LINK.checked(&[("width", width.into()), ("stages", stages as u64)])?;
        Ok(Link { width, stages, way: Way::new(stages) })
    }
}

impl Unit for Link {
    type In = LinkIn;
    type Out = LinkOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(self.width)
    }

    fn outputs(&self) -> LinkOut {
        let out = self.way.out();
        LinkOut {
            in_ready: self.way.is_ready(),
            out_valid: out.is_some(),
            out_data: out.unwrap_or_default(),
            empty: self.way.is_empty(),
        }
    }

    fn clock(&mut self, pins: &LinkIn) -> Result<(), Fault> {
        self.way.clock(pins.in_valid.then_some(pins.in_data), pins.out_ready);
        Ok(())
    }

    fn reset(&mut self) {
        self.way = Way::new(self.stages);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(value: u64) -> Wide {
        Wide([value, 0, 0, 0])
    }

    #[test]
    fn an_element_is_inside_from_its_entry_until_its_credit_is_home() {
        for stages in 1..=8 {
            let mut link = Link::new(16, stages).unwrap();
            link.clock(&LinkIn { in_valid: true, in_data: word(7), out_ready: true }).unwrap();
            let (mut out, mut home) = (None, None);
            for t in 1..40 {
                let pins = link.outputs();
                if pins.out_valid {
                    assert_eq!((out, pins.out_data), (None, word(7)));
                    out = Some(t);
                }
                home = home.or(pins.empty.then_some(t));
                link.clock(&LinkIn { out_ready: true, ..Default::default() }).unwrap();
            }
            assert_eq!((out, home), (Some(stages + 2), Some(2 * stages + 3)));
        }
    }

    #[test]
    fn one_a_cycle_goes_through_and_as_many_as_there_are_credits_fit() {
        for (stages, credits) in [(1, 8), (2, 8), (3, 16), (6, 16), (7, 32), (8, 32)] {
            let mut link = Link::new(16, stages).unwrap();
            for i in 0..100 {
                assert!(link.outputs().in_ready, "{stages} stages");
                link.clock(&LinkIn { in_valid: true, in_data: word(i), out_ready: true }).unwrap();
            }
            let mut link = Link::new(16, stages).unwrap();
            let enters = |link: &mut Link| {
                let ready = link.outputs().in_ready;
                link.clock(&LinkIn { in_valid: true, ..Default::default() }).unwrap();
                ready
            };
            assert_eq!((0..60).filter(|_| enters(&mut link)).count(), credits);
        }
    }

    #[test]
    fn sizes_out_of_range_are_named() {
        let text = |width, stages| Link::new(width, stages).err().unwrap().to_string();
        assert_eq!(text(0, 2), "link: width = 0, but it must be from 1 to 256");
        assert_eq!(text(8, 9), "link: stages = 9, but it must be from 1 to 8");
    }
}
