//! The reorder unit against `docs/iru.md`, in RustHDL's own simulation.

mod classifier;
mod data_replier;
mod filter;
#[allow(clippy::module_inception)] // A unit and its system may have one name.
mod iru;
mod iru_hash;
mod iru_partition;
mod prefetcher;
mod reorder_bank;
mod ring_stop;
mod wide_bank;

use rust_hdl::prelude::*;

pub(crate) use crate::common::{clock, ready, Random, Word};

/// Index, secondary value, position.
type Element = (u64, u64, u64);

/// The element on an output port while it is valid.
macro_rules! on_pins {
    ($port:expr) => {
        $port.valid.val().then(|| {
            (
                crate::iru::Word::word(&$port.index),
                crate::iru::Word::word(&$port.secondary),
                crate::iru::Word::word(&$port.position),
            )
        })
    };
}
pub(crate) use on_pins;

/// Puts an element, or none, on an input port.
macro_rules! put {
    ($port:expr, $element:expr) => {{
        let element: Option<crate::iru::Element> = $element;
        let (index, secondary, position) = element.unwrap_or((0xbad, 0xbad, 0xbad));
        $port.valid.next = element.is_some();
        $port.index.next = index.into();
        $port.secondary.next = secondary.into();
        $port.position.next = position.into();
        crate::iru::put_place(&mut $port.place, index);
    }};
}
pub(crate) use put;

/// The lower bits of the hash as the place of an element, with 2 partitions of 8 sets. On the ring the upper one of them is
/// the partition: to partition 0 come elements for 0, and for 1, which is the next one.
fn put_place<const W: usize>(port: &mut Signal<In, Bits<W>>, index: u64) {
    let (partition, bank, set) = place(index, 1, 2);
    port.next = ((partition << 3 | bank << 2 | set) % (1 << W)).into();
}

/// Where an element of 4 bytes of an array at address 0 belongs by the multiplicative hash: partition, bank, set.
fn place(index: u64, partition_bits: u32, set_bits: u32) -> (u64, u64, u64) {
    let bits = partition_bits + 1 + set_bits;
    let product = ((index * 4) >> 7) * 2_105_409 % (1 << 32);
    let hash = (0..32).step_by(bits as usize).fold(0, |sum, from| sum ^ ((product >> from) % (1 << bits)));
    (hash >> (set_bits + 1), hash >> set_bits & 1, hash % (1 << set_bits))
}

/// `count` different indices that belong there.
fn indices_of(place_wanted: (u64, u64, u64), partition_bits: u32, set_bits: u32, count: usize) -> Vec<u64> {
    (0..1 << 24).filter(|&i| place(i, partition_bits, set_bits) == place_wanted).take(count).collect()
}
