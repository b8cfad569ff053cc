//! Coverage of the stimulus. `scripts/coverage_campaign.py` makes the rows.

use serde::Deserialize;
use std::collections::BTreeMap;

/// An instance of the campaign.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    pub module: String,
    pub cycles: u64,
    /// Cycles of a second run, if there was one.
    pub long: Option<u64>,
    /// Digests, shortened.
    pub rtl: String,
    pub traffic: String,
    /// Bits by pin, as in `7:4, 0`.
    pub still: BTreeMap<String, String>,
    pub waived: BTreeMap<String, String>,
    /// Places of the Verilog.
    pub places: u64,
    pub never: Vec<Place>,
    pub waived_places: u64,
}

/// A place of the Verilog that no run came to.
#[derive(Clone, Debug, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: u64,
    pub text: String,
    pub way: String,
}

/// How many bits there are.
pub(super) fn count(pins: &BTreeMap<String, String>) -> u64 {
    pins.values().flat_map(|bits| bits.split(", ")).map(width).sum()
}

/// 4 in `7:4`
fn width(bits: &str) -> u64 {
    let number = |text: &str| text.parse::<u64>().unwrap_or_default();
    bits.split_once(':').map_or(1, |(high, low)| number(high) - number(low) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_counted_pin_by_pin() {
        let pins = [("a", "7:4, 0"), ("b", "12")].map(|(pin, bits)| (pin.to_string(), bits.to_string()));
        assert_eq!(count(&pins.into()), 6);
    }
}
