//! Parameters of memories, queue, link and sorter.

use crate::choice;
use crate::parameter::Parameter;

choice! {
    /// The network of a sorter.
    Network {
        /// The best network known: of 16 items the one of the fewest cells, 60; else odd-even merge.
        Best = "best",
        OddEvenMerge = "odd_even_merge",
        Bitonic = "bitonic",
        /// The network of 16 items with the fewest layers and nearly as few cells: 61.
        Shallow = "shallow",
    }
}

pub const fn words(name: &'static str, description: &'static str) -> Parameter {
    Parameter::new(name, description, 32)
        .must_be("a power of two from 2 to 65536", |v| v.is_power_of_two() && (2..=65536).contains(&v))
}

pub const fn width(default: u64) -> Parameter {
    Parameter::new("width", "bits of a word", default).must_be("from 1 to 256", |v| (1..=256).contains(&v))
}

pub const STAGES: Parameter = Parameter::new("stages", "cycles of the way, and of the way back", 2)
    .must_be("from 1 to 8", |v| (1..=8).contains(&v));

pub const ITEMS: Parameter = Parameter::new("items", "words in a set", 16)
    .must_be("a power of two from 2 to 64", |v| v.is_power_of_two() && (2..=64).contains(&v));

pub const CUT: Parameter =
    Parameter::new("cut", "layers between registers", 3).must_be("from 1 to 21", |v| (1..=21).contains(&v));

pub const NETWORK: Parameter = Parameter::new(
    "network",
    "0 best known (odd-even merge if not 16 items), 1 odd-even merge, 2 bitonic, 3 shallow",
    0,
)
.must_be("0 (best known), 1 (odd-even merge), 2 (bitonic) or 3 (shallow)", |v| v < Network::ALL.len() as u64);

pub const SORTED_WIDTH: Parameter =
    Parameter::new("width", "bits of a word", 10).must_be("from 1 to 32", |v| (1..=32).contains(&v));
