//! Who has accessed each byte of a CTA's shared memory.

use super::finding::Kind;
use super::order::Order;

/// One access of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The time of its warp; 0: there was none.
    time: u32,
    /// Number in the CTA.
    pub thread: u16,
    pub pc: u32,
}

/// The manner of an access, as races distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Read,
    /// Races with writes only.
    Atomic,
    Write,
}

/// A thread that accesses bytes now.
pub struct Accessor<'a> {
    pub order: &'a Order,
    pub threads_of_warp: u32,
    pub thread: u32,
    pub pc: u32,
}

impl Accessor<'_> {
    fn warp(&self) -> usize {
        (self.thread / self.threads_of_warp) as usize
    }

    fn event(&self) -> Event {
        Event { time: self.order.now(self.warp()), thread: self.thread as u16, pc: self.pc }
    }

    fn is_of_own_warp(&self, event: &Event) -> bool {
        u32::from(event.thread) / self.threads_of_warp == self.thread / self.threads_of_warp
    }

    /// Another warp's access, and no barrier lies in between.
    fn is_apart(&self, event: &Event) -> bool {
        let other = (u32::from(event.thread) / self.threads_of_warp) as usize;
        event.time != 0 && !self.is_of_own_warp(event) && !self.order.knows(self.warp(), other, event.time)
    }
}

/// One byte.
#[derive(Clone, Copy, Debug, Default)]
pub struct Byte {
    pub written: bool,
    /// The last write that is no atomic.
    write: Event,
    /// Reads and atomics since then, of two warps.
    others: [Event; 2],
}

impl Byte {
    /// The race that an access makes. `same`: it writes the value that is there, which two warps may do at once.
    pub fn race(&self, accessor: &Accessor, manner: Manner, same: bool) -> Option<(Kind, Event)> {
        let behind_write = accessor.is_apart(&self.write);
        match manner {
            Manner::Write if behind_write && !same => Some((Kind::WriteAfterWrite, self.write)),
            Manner::Write => {
                let other = self.others.iter().find(|event| accessor.is_apart(event))?;
                Some((Kind::WriteAfterRead, *other))
            }
            Manner::Read | Manner::Atomic => behind_write.then_some((Kind::ReadAfterWrite, self.write)),
        }
    }

    /// Notes an access.
    pub fn note(&mut self, accessor: &Accessor, manner: Manner, same: bool) {
        self.written |= manner != Manner::Read;
        if manner != Manner::Write {
            let known = self.others.iter().position(|event| event.time != 0 && accessor.is_of_own_warp(event));
            let place = known.or_else(|| self.others.iter().position(|event| !accessor.is_apart(event)));
            if let Some(place) = place {
                self.others[place] = accessor.event();
            }
        } else if !(same && accessor.is_apart(&self.write)) {
            (self.write, self.others) = (accessor.event(), [Event::default(); 2]);
        }
    }
}
