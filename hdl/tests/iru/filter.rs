//! The filter of a bank by itself: what a memory with two ports may show.

use crate::iru::{clock, ready};
use hdl::iru::filter::Filter;

fn word((index, secondary, position): (u64, u64, u64)) -> rust_hdl::prelude::Bits<80> {
    let word = (index as u128) << 56 | (secondary as u128) << 24 | position as u128;
    let mut bits = rust_hdl::prelude::Bits::<80>::default();
    for i in 0..80 {
        bits = bits.replace_bit(i, word >> i & 1 == 1);
    }
    bits
}

/// Filter by minimum: slot 0 of set 1 is written in the cycle in which an element of `set` enters, and the slot then shows
/// the index of that element. Gives whether that counts as found.
fn found_in_a_slot_that_was_just_written(set: u64) -> bool {
    let mut f = ready!(Filter::<2>::default());
    f.occupied.next = 1.into();
    let mut cycle = |entering: Option<(u64, u64)>, shown: u64| {
        let (set, index) = entering.unwrap_or((3, 0xbad));
        f.enters.next = entering.is_some();
        f.home_set.next = set.into();
        f.element_word.next = word((index, 4, 9));
        f.slot_value[0].next = (shown << 32 | 8).into();
        clock!(f);
        (f.write.val(), f.write_found.val())
    };
    // Index 5 meets itself in the slot and brings the smaller value.
    cycle(Some((1, 5)), 0);
    cycle(None, 5);
    // Its write is seen after this edge: in the cycle that ends with the next one.
    assert_eq!(cycle(None, 0), (true, true));
    cycle(Some((set, 7)), 0);
    cycle(None, 7);
    let (write, found) = cycle(None, 0);
    assert!(write);
    found
}

#[test]
fn a_slot_read_in_the_cycle_of_its_write_never_counts() {
    assert!(!found_in_a_slot_that_was_just_written(1));
    assert!(found_in_a_slot_that_was_just_written(2), "another set: what is shown was not written");
}
