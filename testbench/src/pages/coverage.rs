//! Coverage of the stimulus.

use super::short;
use crate::campaign;
use crate::cosim::{CosimReport, Digests};
use crate::places::Place;
use crate::toggles::ranges;
use hdl::catalog::Instance;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An instance of the campaign.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    pub module: String,
    pub cycles: u64,
    /// Cycles of a second run, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub long: Option<u64>,
    /// Digests, shortened.
    pub rtl: String,
    pub stimulus: String,
    /// Bits by pin, as in `7:4, 0`.
    pub still: BTreeMap<String, String>,
    pub waived: BTreeMap<String, String>,
    /// Places of the Verilog.
    pub places: u64,
    pub never: Vec<Place>,
    pub waived_places: u64,
    /// Coverage points that no run came to, and how many there are.
    pub missed: Vec<String>,
    pub events: u64,
}

impl Row {
    /// Coverage of a run, or else of it together with a `longer` one.
    ///
    /// # Panics
    /// If a run did not count places.
    pub fn of(report: &CosimReport, longer: Option<&CosimReport>) -> Self {
        let reached = report.places.as_ref().expect("the run counted places");
        let mut row = Row {
            module: report.module.clone(),
            cycles: report.cycles,
            long: longer.map(|longer| longer.cycles),
            rtl: short(&report.digests.rtl).into(),
            stimulus: short(&report.digests.stimulus).into(),
            still: report.still.clone(),
            waived: report.waived.iter().map(|waived| (waived.pin.clone(), waived.bits.clone())).collect(),
            places: reached.places as u64,
            never: reached.never.clone(),
            waived_places: reached.waived.len() as u64,
            missed: report.missed().into_iter().map(String::from).collect(),
            events: report.coverage.len() as u64,
        };
        if let Some(longer) = longer {
            row.still = in_both(&row.still, &longer.still);
            let never = &longer.places.as_ref().expect("the run counted places").never;
            row.never.retain(|place| never.contains(place));
        }
        row
    }

    /// True if something is not covered.
    pub fn has_gaps(&self) -> bool {
        !self.still.is_empty() || !self.never.is_empty()
    }

    /// True if the row is of today's RTL and stimulus, and of runs as long as today's.
    pub fn is_current(&self, instance: &Instance, today: &Digests) -> bool {
        let is_of = [&self.rtl, &self.stimulus] == [short(&today.rtl), short(&today.stimulus)];
        let needs_long = self.has_gaps() || self.long.is_some();
        is_of && self.cycles == campaign::COVERAGE_CYCLES && (!needs_long || self.long == campaign::long(instance))
    }
}

/// Bits by pin that are in both.
fn in_both(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let both = one.iter().filter_map(|(pin, of_one)| {
        let of_other: Vec<u32> = bits(other.get(pin)?).collect();
        let mut both: Vec<u32> = bits(of_one).filter(|bit| of_other.contains(bit)).collect();
        both.sort_unstable();
        (!both.is_empty()).then(|| (pin.clone(), ranges(&both)))
    });
    both.collect()
}

/// Number of bits.
pub(super) fn count(pins: &BTreeMap<String, String>) -> usize {
    pins.values().flat_map(|text| bits(text)).count()
}

/// 7, 6, 5, 4 and 0 of `7:4, 0`
fn bits(text: &str) -> impl Iterator<Item = u32> + '_ {
    let number = |text: &str| text.parse::<u32>().unwrap_or_default();
    text.split(", ").flat_map(move |part| {
        let (high, low) = part.split_once(':').unwrap_or((part, part));
        (number(low)..=number(high)).rev()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_counted_pin_by_pin() {
        let pins = [("a", "7:4, 0"), ("b", "12")].map(|(pin, bits)| (pin.to_string(), bits.to_string()));
        let pins = pins.into();
        assert_eq!(count(&pins), 6);
        let others = [("a", "9:6, 4"), ("c", "12")].map(|(pin, bits)| (pin.to_string(), bits.to_string())).into();
        assert_eq!(in_both(&pins, &others), [("a".to_string(), "7:6, 4".to_string())].into());
    }
}
