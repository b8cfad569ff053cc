//! Pins of the units of HWWL, as listed in `docs/hwwl/`.

mod bank;
mod edge_expander;
mod hvu;
mod hwwl;
mod hwwl_core;
mod icrn;
mod wru;

pub use super::limits::{LINE_IDS, MAX_BANKS, MAX_CORES, MAX_LANES};
pub use bank::{BankIn, BankOut};
pub use edge_expander::{row, ExpanderIn, ExpanderOut, RowIn, RowOut};
pub use hvu::{HvuIn, HvuOut, MemoryIn, MemoryOut};
pub use hwwl::{HwwlIn, HwwlOut};
pub use hwwl_core::{
    BankAnswers, BankRequests, CoreIn, CoreOut, ExternalCoreIn, ExternalCoreOut, FromIcrn, HwwlCoreIn, HwwlCoreOut,
    ToIcrn,
};
pub use icrn::{IcrnIn, IcrnOut};
pub use wru::{WruIn, WruOut};

/// Bits of a work ID (III-B: 24, "supporting up to 17M unique work IDs").
pub const ID_BITS: u32 = 24;
/// Bits of `count` and `held`: IDs of a whole core.
pub const COUNT_BITS: u32 = 22;

/// Answer of a pull, two bits a lane (III-A; the tokens in the register are [`WAIT_TOKEN`] and [`DONE_TOKEN`]).
pub mod status {
    pub const NONE: u64 = 0;
    pub const ID: u64 = 1;
    pub const WAIT: u64 = 2;
    pub const DONE: u64 = 3;
}
pub const WAIT_TOKEN: u32 = 0xffff_fffe;
pub const DONE_TOKEN: u32 = 0xffff_ffff;

/// Bits of a tag of the edge expander: a place of `nodes` (a power of two), and two bits.
pub fn node_tag_bits(nodes: usize) -> u32 {
    nodes.ilog2() + 2
}

/// Bits that count 0 ..= `entries` (a power of two).
pub fn count_bits(entries: usize) -> u32 {
    entries.ilog2() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hwwl::Parameters;
    use crate::pins::tests::{check, word};
    use crate::pins::Listed;

    #[test]
    fn pin_lists_agree_with_the_structures() {
        check::<BankIn, BankOut, _>(32);
        check::<WruIn, WruOut, _>((64, 32));
        for lanes in [4, 8, 16, 32] {
            check::<WruIn, WruOut, _>((lanes, 32));
            check::<HvuIn, HvuOut, _>(lanes);
            check::<CoreIn, CoreOut, _>(lanes);
            check::<ExternalCoreIn, ExternalCoreOut, _>((lanes, 32));
            check::<ExpanderIn, ExpanderOut, _>((lanes, 16));
            for cores in [1, 2, 3, 16] {
                let parameters = Parameters { cores, lanes, ..Default::default() };
                check::<HwwlIn, HwwlOut, _>(&parameters);
            }
        }
        for cores in [1, 4, 16] {
            check::<IcrnIn, IcrnOut, _>(cores);
        }
    }

    #[test]
    fn fields_carry_the_names_of_their_pins() {
        let inputs = HwwlIn::list(&Parameters { cores: 2, lanes: 4, ..Default::default() });
        let mut pins = HwwlIn::new(2);
        pins.cores[1].push_id[3] = 99;
        pins.cores[0].memory.line_id[31] = 98;
        let value = |name: &str| word(&inputs, &pins, name);
        assert_eq!((value("push_id_3_1"), value("line_id_31_0"), value("push_id_3_0")), (99, 98, 0));
    }
}
