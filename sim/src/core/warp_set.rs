//! Names of a core's warp slots, and sets of them.

use crate::config::{MAX_SCHEDULERS, WARPS_PER_SCHEDULER};

/// The deal of warp slots to the schedulers: one by one in turns, or two by two, an even and an odd one that are
/// neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub schedulers: usize,
    pub in_twos: bool,
}

impl Layout {
    #[inline(always)]
    pub fn id(self, slot: usize) -> WarpId {
        match self.in_twos {
            true => WarpId::at(slot / 2 % self.schedulers, slot / 2 / self.schedulers * 2 + slot % 2),
            false => WarpId::at(slot % self.schedulers, slot / self.schedulers),
        }
    }

    #[inline(always)]
    pub fn slot(self, warp: WarpId) -> usize {
        match self.in_twos {
            true => (warp.place() / 2 * self.schedulers + warp.scheduler()) * 2 + warp.place() % 2,
            false => warp.place() * self.schedulers + warp.scheduler(),
        }
    }
}

/// A warp slot, as the scheduler that it belongs to and its place there ([`Layout`]). So a set of a scheduler's warps is one
/// word, however many schedulers a core has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarpId(u8);

impl WarpId {
    #[inline(always)]
    pub fn at(scheduler: usize, place: usize) -> Self {
        WarpId((scheduler * WARPS_PER_SCHEDULER + place) as u8)
    }

    /// The warps of a scheduler at these places, one bit each, in that order.
    #[inline(always)]
    pub fn of(scheduler: usize, mut places: u64) -> impl Iterator<Item = WarpId> {
        std::iter::from_fn(move || {
            let place = (places != 0).then(|| places.trailing_zeros() as usize)?;
            places &= places - 1;
            Some(WarpId::at(scheduler, place))
        })
    }

    #[inline(always)]
    pub fn scheduler(self) -> usize {
        self.0 as usize / WARPS_PER_SCHEDULER
    }

    #[inline(always)]
    pub fn place(self) -> usize {
        self.0 as usize % WARPS_PER_SCHEDULER
    }

    /// The warp in a set of its scheduler's warps.
    #[inline(always)]
    pub fn bit(self) -> u64 {
        1 << self.place()
    }

    /// The even (0) or the odd (1) one of the two neighbours of which the warp is one.
    #[inline(always)]
    pub fn neighbour(self, neighbour: usize) -> Self {
        WarpId(self.0 & !1 | neighbour as u8)
    }

    /// As a request to memory carries it.
    #[inline(always)]
    pub fn number(self) -> u16 {
        self.0.into()
    }

    #[inline(always)]
    pub fn from_number(number: u16) -> Self {
        WarpId(number as u8)
    }
}

/// A set of a core's warps: a word for each scheduler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarpSet(pub [u64; MAX_SCHEDULERS]);

impl WarpSet {
    pub fn insert(&mut self, warp: WarpId) {
        self.0[warp.scheduler()] |= warp.bit();
    }

    pub fn remove(&mut self, warp: WarpId) {
        self.0[warp.scheduler()] &= !warp.bit();
    }

    pub fn contains(&self, warp: WarpId) -> bool {
        self.0[warp.scheduler()] & warp.bit() != 0
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; MAX_SCHEDULERS]
    }

    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// By scheduler, and there by slot.
    pub fn iter(self) -> impl Iterator<Item = WarpId> {
        self.0.into_iter().enumerate().flat_map(|(s, word)| WarpId::of(s, word))
    }

    /// Those that are not in `other`.
    pub fn without(&self, other: &WarpSet) -> WarpSet {
        WarpSet(std::array::from_fn(|s| self.0[s] & !other.0[s]))
    }

    /// The first warp, by slot, after the slot of `last`; after the last slot comes the first.
    pub fn next_after(&self, last: WarpId) -> Option<WarpId> {
        let behind = |s: usize| u64::MAX << last.place() << (s <= last.scheduler()) as u32;
        let key = |s: usize| {
            let (all, later) = (self.0[s], self.0[s] & behind(s));
            let round = WARPS_PER_SCHEDULER * MAX_SCHEDULERS * (later == 0) as usize;
            let place = if later == 0 { all } else { later }.trailing_zeros() as usize;
            (all != 0).then_some(round + place * MAX_SCHEDULERS + s)
        };
        let first = (0..MAX_SCHEDULERS).filter_map(key).min()?;
        Some(WarpId::at(first % MAX_SCHEDULERS, first / MAX_SCHEDULERS % WARPS_PER_SCHEDULER))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_go_by_slot_whatever_the_number_of_schedulers() {
        for schedulers in 1..=MAX_SCHEDULERS {
            let layout = Layout { schedulers, in_twos: false };
            let id = |slot| layout.id(slot);
            let slots = [0, 1, 5, 6, 40, 63];
            let mut set = WarpSet::default();
            slots.iter().for_each(|slot| set.insert(id(*slot)));
            for (i, slot) in slots.iter().enumerate() {
                let next = slots[(i + 1) % slots.len()];
                assert_eq!(set.next_after(id(*slot)).map(|w| layout.slot(w)), Some(next));
            }
            assert_eq!(set.next_after(id(39)), Some(id(40)));
            assert_eq!(set.len(), 6);
            slots.iter().for_each(|slot| set.remove(id(*slot)));
            assert!(set.is_empty() && set.next_after(id(3)).is_none());
        }
    }

    #[test]
    fn neighbours_have_one_scheduler() {
        let layout = Layout { schedulers: 4, in_twos: true };
        for slot in 0..192 {
            let id = layout.id(slot);
            assert_eq!((id.scheduler(), id.place()), (slot / 2 % 4, 2 * (slot / 8) + slot % 2));
            assert_eq!((layout.slot(id), id.neighbour(slot % 2), id.neighbour(0).place() % 2), (slot, id, 0));
        }
    }
}
