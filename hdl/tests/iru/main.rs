//! The reorder unit against `docs/iru.md`, in RustHDL's own simulation.

mod classifier;
#[path = "../common/mod.rs"]
mod common;
mod data_replier;
mod filter;
mod prefetcher;
mod reorder_bank;
mod ring_stop;
mod whole;

pub(crate) use common::{clock, ready};

/// Index, secondary value, position.
type Element = (u64, u64, u64);

/// The element on an output port while it is valid.
macro_rules! on_pins {
    ($port:expr) => {
        $port
            .valid
            .val()
            .then(|| ($port.index.val().to_u64(), $port.secondary.val().to_u64(), $port.position.val().to_u64()))
    };
}
pub(crate) use on_pins;

/// Puts an element, or none, on an input port.
macro_rules! put {
    ($port:expr, $element:expr) => {{
        let element: Option<crate::Element> = $element;
        let (index, secondary, position) = element.unwrap_or((0xbad, 0xbad, 0xbad));
        $port.valid.next = element.is_some();
        $port.index.next = index.into();
        $port.secondary.next = secondary.into();
        $port.position.next = position.into();
    }};
}
pub(crate) use put;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    /// True in `n` of ten cases.
    fn tenths(&mut self, n: u64) -> bool {
        self.below(10) < n
    }
}

/// Where an element of 4 bytes of an array at address 0 belongs by the multiplicative hash: partition, bank, set.
fn place(index: u64, partition_bits: u32, set_bits: u32) -> (u64, u64, u64) {
    let bits = partition_bits + 1 + set_bits;
    let product = (index * 4 >> 7) * 2_105_409 % (1 << 32);
    let hash = (0..32).step_by(bits as usize).fold(0, |sum, from| sum ^ (product >> from) % (1 << bits));
    (hash >> (set_bits + 1), hash >> set_bits & 1, hash % (1 << set_bits))
}

/// `count` different indices that belong there.
fn indices_of(place_wanted: (u64, u64, u64), partition_bits: u32, set_bits: u32, count: usize) -> Vec<u64> {
    (0..1 << 24).filter(|&i| place(i, partition_bits, set_bits) == place_wanted).take(count).collect()
}
