//! Pins of the units that all systems share, as listed in `docs/prim.md`.

mod fp32_add;
mod link;
mod queue;
mod sorter;
mod sram_1r1w;
mod sram_1rw;

use crate::pins::Fields;

pub use fp32_add::{Fp32AddIn, Fp32AddOut};
pub use link::{LinkIn, LinkOut};
pub use queue::{QueueIn, QueueOut};
pub use sorter::{sorter_interface, SorterPins, MAX_ITEMS};
pub use sram_1r1w::{Sram1r1wIn, Sram1r1wOut};
pub use sram_1rw::{Sram1rwIn, Sram1rwOut};

/// Most bits of a word of a memory or a queue.
pub const MAX_WIDTH: u32 = 256;

/// A word of up to [`MAX_WIDTH`] bits, least significant first. Bits above the width are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wide(pub [u64; MAX_WIDTH as usize / 64]);

/// Its pin has as many words as the width of the unit needs.
impl Fields for Wide {
    const FIXED: usize = 0;
    const EACH: usize = 1;
    fn put(&self, words: &mut [u64], number: usize) {
        words.copy_from_slice(&self.0[..number]);
    }
    fn get(&mut self, words: &[u64], number: usize) {
        *self = Wide::default();
        self.0[..number].copy_from_slice(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pins::tests::{agree, check};

    #[test]
    fn pin_lists_agree_with_the_structures() {
        for (width, entries) in [(1, 2), (16, 1_024), (64, 4), (80, 32), (192, 32), (256, 32)] {
            check::<Sram1r1wIn, Sram1r1wOut, _>((width, entries));
            check::<Sram1rwIn, Sram1rwOut, _>((width, entries));
            check::<QueueIn, QueueOut, _>(width);
            check::<LinkIn, LinkOut, _>(width);
        }
        for items in [4, 8, 16, 32, 64] {
            agree::<SorterPins, SorterPins>(sorter_interface(items, 10));
        }
        check::<Fp32AddIn, Fp32AddOut, _>(());
    }
}
