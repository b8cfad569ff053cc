//! Elements on pins.

use crate::pins::{flag, group, Offer};

/// Bits of an index and of a position: arrays of up to 2^24 elements.
pub const INDEX_BITS: u32 = 24;
/// Elements of a line of memory, of a set, and of a warp.
pub const LINE: usize = 32;
/// Elements of a sector of memory, which are classified together.
pub const GROUP: usize = 8;
/// Elements that a set gives at a time.
pub const BEAT: usize = 4;
/// The lower [`INDEX_BITS`].
pub const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

group! {
    /// One entry of the arrays that are reordered.
    Element() {
        index: u32 = INDEX_BITS,
        secondary: u32 = 32,
        position: u32 = INDEX_BITS,
    }
}

group! {
    /// An element with what remains to be known of its hash. On the way to a bank: the set. On the ring: the set, the bank
    /// above it, and above this 1 if the element goes past the next partition.
    Placed(bits: u32) {
        element: Element as "",
        place: u16 = bits,
    }
}

/// Most elements of a bundle.
pub const MOST_IN_BUNDLE: usize = 4;

group! {
    /// Elements of one place that travel together: a first one, and as many more as the unit is wide, without gaps.
    Bundle((bits, bundle): (u32, usize)) {
        first: Placed as "" = Placed::list(bits),
    }
    each (bundle - 1) {
        /// 0 while it is not valid
        more: [Offer<Element>; MOST_IN_BUNDLE - 1] = [vec![flag("valid")], Element::list(())].concat(),
    }
}

impl Bundle {
    /// A bundle of one.
    pub fn of(first: Placed) -> Self {
        Bundle { first, ..Default::default() }
    }

    /// Its elements, the first one first.
    pub fn elements(&self) -> impl Iterator<Item = Element> + '_ {
        let more = self.more.iter().map_while(Offer::get);
        std::iter::once(self.first.element).chain(more)
    }

    pub fn count(&self) -> usize {
        1 + self.more.iter().filter(|more| more.valid).count()
    }

    /// One more element, for which there must be room.
    pub fn push(&mut self, element: Element) {
        let count = self.count();
        self.more[count - 1] = Offer::some(element);
    }

    /// Without the first element, if there are more.
    pub fn rest(&self) -> Option<Self> {
        let element = self.more[0].get()?;
        let mut rest = Bundle::of(Placed { element, ..self.first });
        rest.more[..MOST_IN_BUNDLE - 2].copy_from_slice(&self.more[1..]);
        Some(rest)
    }
}

group! {
    /// The irregular access that the elements are for.
    Access() {
        target: u64 = 39,
        size: u8 = 3,
    }
}
