//! Units with properties, and the parameters that they are proven with.

use super::units;
use crate::error::{Error, Result};
use spec::unit::Size;
use spec::{gw, hwwl, iru};

/// Properties of a unit. docs/proofs.md says how the Verilog is written.
pub(super) struct Properties {
    pub unit: &'static str,
    /// The parameters that the proofs are made with; the others have their defaults.
    pub parameters: Size,
    /// Its registers are those of this size alone.
    pub is_of_one_size: bool,
    /// Behind the last line of the unit's module.
    pub verilog: &'static str,
}

/// Properties in the files `properties/SYSTEM/FILE.v`.
macro_rules! properties {
    ($unit:literal, $($file:literal)+, only $size:expr) => {
        properties!($unit, $($file)+, $size, true)
    };
    ($unit:literal, $($file:literal)+, $size:expr) => {
        properties!($unit, $($file)+, $size, false)
    };
    ($unit:literal, $($file:literal)+, $size:expr, $is_of_one_size:literal) => {
        Properties {
            unit: $unit,
            parameters: $size,
            is_of_one_size: $is_of_one_size,
            verilog: concat!($(include_str!(concat!("../../properties/", $file, ".v"))),+),
        }
    };
}

/// A unit may be there more than once, with other properties of another size.
pub(super) static PROPERTIES: &[Properties] = &[
    properties!("sram_1rw", "prim/sram_1rw", &[("words", 4), ("width", 4)]),
    properties!("sram_1r1w", "prim/sram_1r1w", &[("words", 4), ("width", 4)]),
    properties!("queue", "prim/queue", &[("entries", 4), ("width", 4)]),
    properties!("link", "prim/link", only & [("stages", 1), ("width", 4)]),
    properties!("sorter", "prim/sorter", &[("items", 4), ("width", 5)]),
    properties!("sorter", "prim/sorter_zero_one", &[("items", 16), ("width", 8), ("cut", 10)]),
    properties!("fp32_add", "prim/fp32_add", &[]),
    properties!("bank", "hwwl/bank", &[("entries", 4)]),
    properties!("wru_threshold", "hwwl/wru_threshold" "hwwl/wru" "hwwl/wru_pairs", hwwl::FOUR_LANES),
    properties!("wru_sorting", "hwwl/wru_sorting" "hwwl/wru" "hwwl/wru_pairs", hwwl::FOUR_LANES),
    properties!("wru_serial", "hwwl/wru" "hwwl/wru_serial", hwwl::FOUR_LANES),
    properties!("wru_global", "hwwl/wru_global", only hwwl::TWO_SMALL_CORES),
    properties!("hvu", "hwwl/hvu_registers" "hwwl/lines" "hwwl/hvu", only hwwl::FOUR_LANES),
    properties!("hwwl_core", "hwwl/hwwl_core_registers" "hwwl/lines" "hwwl/hwwl_core" "hwwl/ledger", only hwwl::FOUR_LANES),
    properties!("hvu_bins", "hwwl/hvu_bins", only hwwl::FOUR_LANES),
    properties!("hwwl", "hwwl/hwwl", only hwwl::TWO_SMALL_CORES),
    properties!("icrn", "hwwl/icrn", &[]),
    properties!("edge_expander", "hwwl/edge_expander", &[("lanes", 4), ("nodes", 4)]),
    properties!("iru_hash", "iru/iru_hash", &[]),
    properties!("iru_hash", "iru/iru_hash", &[("hash", 1)]),
    properties!("iru_hash", "iru/iru_hash", &[("hash", 2)]),
    properties!("prefetcher", "iru/prefetcher_lines" "iru/prefetcher", &[]),
    properties!("prefetcher", "iru/prefetcher_lines", &[]),
    properties!("classifier", "iru/classifier", only & []),
    properties!("ring_stop", "iru/ring_stop", &[]),
    properties!("ring_stop", "iru/ring_stop_credit", iru::EIGHT_SETS),
    properties!("reorder_bank", "iru/reorder_bank_reference" "iru/reorder_bank_control", only iru::EIGHT_SETS),
    properties!("reorder_bank", "iru/reorder_bank_reference" "iru/reorder_bank_slots", only iru::EIGHT_SETS),
    properties!("data_replier", "iru/data_replier", &[]),
    properties!("data_replier", "iru/data_replier_rules", iru::HASTY),
    properties!("iru_partition", "iru/iru_partition", only iru::HASTY),
    properties!("fetch_arbiter", "gw/fetch_arbiter", &[]),
    properties!("instruction_buffer", "gw/instruction_buffer", gw::EIGHT_WARPS),
    properties!("gw_front_end", "gw/gw_front_end_paper" "gw/gw_front_end", only gw::SMALL_FRONT_END),
    properties!("gw_front_end", "gw/gw_front_end_steps" "gw/gw_front_end", only gw::FAST_FRONT_END),
    properties!("round_robin_scheduler", "gw/round_robin_scheduler", &[]),
    properties!("b32_front_end", "gw/b32_front_end", only gw::SIXTEEN_WARPS),
    properties!("b32_front_end", "gw/b32_front_end_fills", only gw::SIXTEEN_WARPS),
];

/// Properties of `unit`.
pub(super) fn of(unit: &str) -> impl Iterator<Item = &'static Properties> + '_ {
    PROPERTIES.iter().filter(move |properties| properties.unit == unit)
}

/// The text of those of a part's unit.
///
/// # Errors
/// A unit that has none, or more than one set.
pub(super) fn of_part(unit: &str) -> Result<String> {
    let mut all = of(unit);
    let one = all
        .next()
        .ok_or_else(|| Error::NoProperties { unit: unit.into(), available: spelling::listed(unit, units()) })?;
    match all.next() {
        None => Ok(one.verilog.into()),
        Some(_) => {
            let problem = "`// part` takes a unit with one set of them, and there is more than one".into();
            Err(Error::Properties { unit: unit.into(), problem })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_one_set_of_properties() {
        assert!(of_part("hwwl_core").unwrap().contains("// invariant counted: "));
        let problem = |unit| of_part(unit).unwrap_err().to_string();
        assert!(problem("nothing").starts_with("no properties of unit nothing: there are those of "));
        let many = "properties of prefetcher: `// part` takes a unit with one set of them, and there is more than one";
        assert_eq!(problem("prefetcher"), many);
    }
}
