//! HWWL: hardware worklists (MICRO 2014). What the units do is in `docs/hwwl.md`.

pub mod bank;
pub mod core;
pub mod pins;
pub mod sorter;
pub mod wru_sorting;

use crate::units::parameter::{require, ParameterError};
use pins::MAX_LANES;

pub use bank::Bank;
pub use core::HwwlCore;
pub use sorter::Sorter;
pub use wru_sorting::WruSorting;

/// What a core's worklist is built with. The default is the paper's (Table IV, IV-C).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Banks, one a lane: a power of two from 2 to 32.
    pub lanes: usize,
    /// IDs that a bank holds: a power of two from 4 to 65,536.
    pub entries: usize,
    /// A bank with fewer IDs on its pull side takes from others: 1 to 65,536.
    pub threshold: u32,
    /// Cycles between two redistributions: even, 10 to 65,536.
    pub interval: u32,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { lanes: 16, entries: 32, threshold: 5, interval: 10 }
    }
}

impl Parameters {
    /// `Err` names the first parameter that is out of range, in the name of `unit`.
    pub fn check(&self, unit: &'static str) -> Result<(), ParameterError> {
        let Parameters { lanes, entries, threshold, interval } = *self;
        let lanes_hold = lanes.is_power_of_two() && (2..=MAX_LANES).contains(&lanes);
        require(lanes_hold, unit, "lanes", lanes, "a power of two from 2 to 32")?;
        bank::check_entries(entries, unit)?;
        require((1..=65_536).contains(&threshold), unit, "threshold", threshold, "from 1 to 65536")?;
        let interval_holds = interval % 2 == 0 && (10..=65_536).contains(&interval);
        require(interval_holds, unit, "interval", interval, "even and from 10 to 65536")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_out_of_range_are_named_with_value_and_rule() {
        let good = Parameters::default();
        let bad = [
            (Parameters { lanes: 12, ..good }, "hwwl_core: lanes is 12; it must be a power of two from 2 to 32"),
            (Parameters { lanes: 64, ..good }, "hwwl_core: lanes is 64; it must be a power of two from 2 to 32"),
            (Parameters { entries: 2, ..good }, "hwwl_core: entries is 2; it must be a power of two from 4 to 65536"),
            (Parameters { threshold: 65_537, ..good }, "hwwl_core: threshold is 65537; it must be from 1 to 65536"),
            (Parameters { threshold: 0, ..good }, "hwwl_core: threshold is 0; it must be from 1 to 65536"),
            (Parameters { interval: 11, ..good }, "hwwl_core: interval is 11; it must be even and from 10 to 65536"),
            (Parameters { interval: 8, ..good }, "hwwl_core: interval is 8; it must be even and from 10 to 65536"),
        ];
        for (parameters, text) in bad {
            assert_eq!(HwwlCore::new(&parameters).err().map(|e| e.to_string()).as_deref(), Some(text));
        }
        assert!(HwwlCore::new(&good).is_ok());
    }
}
