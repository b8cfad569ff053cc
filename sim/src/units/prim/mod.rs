//! Units that the systems share: memories, a queue, a link, a sorter, an adder. What the units do is in `docs/prim.md`.

pub mod fp32_add;
pub mod link;
pub mod queue;
pub mod sorter;
pub mod sram_1r1w;
pub mod sram_1rw;

pub use fp32_add::Fp32Add;
pub use link::Link;
pub use queue::Queue;
pub use sorter::Sorter;
pub use spec::prim::pins;
pub use sram_1r1w::Sram1r1w;
pub use sram_1rw::Sram1rw;
