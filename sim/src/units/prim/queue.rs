//! `queue`: first in, first out, with its oldest entry on show. Behaviourally: a `VecDeque` and a head.

use super::pins::{QueueIn, QueueOut, Wide};
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use std::collections::VecDeque;

/// A queue of anything.
#[derive(Clone, Debug, Default)]
pub(in crate::units) struct Fifo<T> {
    entries: VecDeque<T>,
    capacity: usize,
    /// The entry on show, which is not in `entries` any more.
    head: Option<T>,
}

impl<T: Copy> Fifo<T> {
    pub fn new(capacity: usize) -> Self {
        Fifo { entries: VecDeque::with_capacity(capacity), capacity, head: None }
    }

    #[inline]
    pub fn head(&self) -> Option<T> {
        self.head
    }

    #[inline]
    pub fn is_full(&self) -> bool {
        self.entries.len() == self.capacity
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.head.is_none()
    }

    /// The edge, at which `push` comes and, with `take`, the head goes.
    #[inline(always)]
    pub fn clock(&mut self, push: Option<T>, take: bool) -> Result<(), Fault> {
        rule(push.is_none() || !self.is_full(), "queue: push while full")?;
        rule(!take || self.head.is_some(), "queue: take without a head")?;
        if take || self.head.is_none() {
            self.head = self.entries.pop_front();
        }
        if let Some(item) = push {
            self.entries.push_back(item);
        }
        Ok(())
    }
}

#[derive(Clone, Debug)]
pub struct Queue {
    width: u32,
    fifo: Fifo<Wide>,
}

impl Queue {
    /// An empty queue for `entries` words of `width` bits.
    pub fn new(width: u32, entries: usize) -> Result<Self, ParameterError> {
        spec::prim::QUEUE.checked(&[("width", width.into()), ("entries", entries as u64)])?;
        Ok(Queue { width, fifo: Fifo::new(entries) })
    }
}

impl Unit for Queue {
    type In = QueueIn;
    type Out = QueueOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(self.width)
    }

    fn outputs(&self) -> QueueOut {
        let head = self.fifo.head();
        QueueOut {
            head_valid: head.is_some(),
            head_data: head.unwrap_or_default(),
            full: self.fifo.is_full(),
            empty: self.fifo.is_empty(),
        }
    }

    fn clock(&mut self, pins: &QueueIn) -> Result<(), Fault> {
        self.fifo.clock(pins.push.then_some(pins.push_data), pins.take)
    }

    fn reset(&mut self) {
        self.fifo = Fifo::new(self.fifo.capacity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn push(value: u64) -> QueueIn {
        QueueIn { push: true, push_data: Wide([value, 0, 0, 0]), take: false }
    }

    #[test]
    fn an_entry_is_the_head_two_cycles_after_its_push() {
        let mut queue = Queue::new(16, 4).unwrap();
        assert!(queue.outputs().empty);
        queue.clock(&push(7)).unwrap();
        assert!(!queue.outputs().head_valid && !queue.outputs().empty);
        queue.clock(&QueueIn::default()).unwrap();
        assert_eq!((queue.outputs().head_valid, queue.outputs().head_data.0[0]), (true, 7));
        queue.clock(&QueueIn { take: true, ..push(8) }).unwrap();
        assert!(!queue.outputs().head_valid && !queue.outputs().empty);
        queue.clock(&QueueIn::default()).unwrap();
        assert_eq!(queue.outputs().head_data.0[0], 8);
    }

    #[test]
    fn the_head_is_not_counted_and_one_entry_a_cycle_goes_through() {
        let mut queue = Queue::new(16, 4).unwrap();
        for i in 0..5 {
            assert!(!queue.outputs().full);
            queue.clock(&push(i)).unwrap();
        }
        assert!(queue.outputs().full);
        queue.clock(&QueueIn { take: true, ..Default::default() }).unwrap();
        for i in 5..20 {
            assert_eq!(queue.outputs().head_data.0[0], i - 4);
            queue.clock(&QueueIn { take: true, ..push(i) }).unwrap();
        }
    }

    #[test]
    fn sizes_out_of_range_are_named() {
        let text = |width, entries| Queue::new(width, entries).err().unwrap().to_string();
        assert_eq!(text(0, 4), "queue: width = 0, but it must be from 1 to 256");
        assert_eq!(text(8, 3), "queue: entries = 3, but it must be a power of two from 2 to 65536");
    }

    proptest! {
        #[test]
        fn entries_leave_in_the_order_in_which_they_came(steps in prop::collection::vec(any::<(bool, bool)>(), 1..300)) {
            let mut queue = Queue::new(64, 8).unwrap();
            let (mut came, mut left) = (0, 0);
            for (wants_push, wants_take) in steps {
                let out = queue.outputs();
                let (push, take) = (wants_push && !out.full, wants_take && out.head_valid);
                if take {
                    prop_assert_eq!(out.head_data.0[0], left);
                    left += 1;
                }
                queue.clock(&QueueIn { push, push_data: Wide([came, 0, 0, 0]), take }).unwrap();
                came += push as u64;
                prop_assert_eq!(queue.outputs().empty, came == left);
            }
        }
    }
}
