//! Both ends of `valid` and `ready`.

use sim::units::iru::pins::Offer;
use std::fmt::Debug;

/// Offers items, each until it is taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source {
    stays: bool,
}

impl Source {
    /// Puts the next item on the pins unless the one that is there was not taken; the one that is taken in this cycle.
    #[inline]
    pub fn put<T: Copy>(&mut self, pins: &mut Offer<T>, ready: bool, next: impl FnOnce() -> Option<T>) -> Option<T> {
        if !self.stays {
            pins.show(&next());
        }
        self.stays = pins.valid && !ready;
        pins.get().filter(|_| ready)
    }

    /// An item is on the pins that was not taken.
    pub fn waits(&self) -> bool {
        self.stays
    }
}

/// Takes items, and sees that one that is not taken stays as it is.
#[derive(Clone, Copy, Debug)]
pub struct Sink<T> {
    kept: Option<T>,
    /// The item on the pins was not there in the cycle before.
    pub is_new: bool,
}

impl<T> Default for Sink<T> {
    fn default() -> Self {
        Sink { kept: None, is_new: false }
    }
}

impl<T: Copy + PartialEq + Debug> Sink<T> {
    /// The item that is taken in this cycle.
    #[inline]
    pub fn take(&mut self, pins: &Offer<T>, ready: bool) -> Result<Option<T>, String> {
        let item = pins.get();
        if self.kept.is_some() && self.kept != item {
            return Err(format!("{:?} was not taken, and is {item:?} now", self.kept));
        }
        self.is_new = item.is_some() && self.kept.is_none();
        self.kept = item.filter(|_| !ready);
        Ok(item.filter(|_| ready))
    }
}
