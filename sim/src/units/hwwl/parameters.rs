//! What the worklist is built with.

use super::bank::{check_entries, check_lanes};
use super::pins::{LINE_IDS, MAX_BANKS, MAX_CORES};
use crate::units::parameter::{require, ParameterError};
use serde::{Deserialize, Serialize};

/// How work moves between banks (III-C).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// Not at all.
    None,
    /// From banks above the threshold to banks below it, within a core; what is too much goes to another core.
    Threshold,
    /// From the most occupied banks to the least occupied, within a core; what is too much goes to another core.
    #[serde(rename = "lsorting")]
    LocalSorting,
    /// From the most occupied banks of all cores to the least occupied.
    #[serde(rename = "gsorting")]
    GlobalSorting,
}

/// When IDs come back from the overflow buffer (III-D).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refill {
    /// Every [`Parameters::refill_interval`] cycles, if every bank has room.
    Interval,
    /// When a pull finds its bank empty.
    Demand,
}

/// The default is the paper's (Table IV, IV-C).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Banks of a core, one a lane: a power of two from 4 to 32.
    pub lanes: usize,
    /// Cores: 1 to 16. With gsorting `cores * lanes` is a power of two, at most 64.
    pub cores: usize,
    /// IDs that a bank holds: a power of two from 4 to 65,536; half of it is at least 32 / lanes + 2.
    pub entries: usize,
    /// A bank with fewer IDs on its pull side takes from others: 1 to `entries`.
    pub threshold: u32,
    /// Cycles between two redistributions: even, 10 to 65,536.
    pub interval: u32,
    pub scheme: Scheme,
    pub refill: Refill,
    /// Cycles between two checks whether a refill is possible: 2 to 65,536.
    pub refill_interval: u32,
    /// Bins in which spilled IDs gather before they become lines: 64, or 0 for none.
    pub bins: usize,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            lanes: 16,
            cores: 4,
            entries: 32,
            threshold: 5,
            interval: 10,
            scheme: Scheme::LocalSorting,
            refill: Refill::Interval,
            refill_interval: 10,
            bins: 0,
        }
    }
}

impl Parameters {
    /// Words of a line that belong to each bank.
    pub fn refill_words(&self) -> usize {
        LINE_IDS / self.lanes
    }

    /// What a redistribution unit needs. `Err` names the first parameter that is out of range, in the name of `unit`.
    pub fn check_wru(&self, unit: &'static str) -> Result<(), ParameterError> {
        let Parameters { lanes, entries, threshold, interval, .. } = *self;
        check_lanes(lanes, unit)?;
        check_entries(entries, unit)?;
        let threshold_holds = (1..=entries).contains(&(threshold as usize));
        require(threshold_holds, unit, "threshold", threshold, "from 1 to entries: a bank never holds more")?;
        let interval_holds = interval % 2 == 0 && (10..=65_536).contains(&interval);
        require(interval_holds, unit, "interval", interval, "even and from 10 to 65536")
    }

    /// What the virtualization unit needs.
    pub fn check_hvu(&self, unit: &'static str) -> Result<(), ParameterError> {
        check_lanes(self.lanes, unit)?;
        let refill_interval = self.refill_interval;
        let holds = (2..=65_536).contains(&refill_interval);
        require(holds, unit, "refill_interval", refill_interval, "from 2 to 65536")?;
        let bins = self.bins;
        require(matches!(bins, 0 | 64), unit, "bins", bins, "0 or 64")
    }

    /// What the ICRN needs.
    pub fn check_cores(&self, unit: &'static str) -> Result<(), ParameterError> {
        require((1..=MAX_CORES).contains(&self.cores), unit, "cores", self.cores, "from 1 to 16")
    }

    /// Banks of all cores under one redistribution unit.
    pub fn check_global(&self, unit: &'static str) -> Result<(), ParameterError> {
        self.check_cores(unit)?;
        let banks = self.cores * self.lanes;
        let holds = banks.is_power_of_two() && banks <= MAX_BANKS;
        require(holds, unit, "cores * lanes", banks, "a power of two up to 64 with gsorting")
    }

    /// What a core needs.
    pub fn check_core(&self, unit: &'static str) -> Result<(), ParameterError> {
        self.check_wru(unit)?;
        self.check_hvu(unit)?;
        let room = self.entries / 2 >= self.refill_words() + 2;
        require(room, unit, "entries", self.entries, "at least 2 * (32 / lanes + 2): a refill and two more a side")
    }

    /// What the whole system needs.
    pub fn check(&self, unit: &'static str) -> Result<(), ParameterError> {
        self.check_core(unit)?;
        self.check_cores(unit)?;
        if self.scheme == Scheme::GlobalSorting {
            self.check_global(unit)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::hwwl::Hwwl;

    #[test]
    fn parameters_out_of_range_are_named_with_value_and_rule() {
        let good = Parameters::default();
        let bad = [
            (Parameters { lanes: 12, ..good }, "lanes is 12; it must be a power of two from 4 to 32"),
            (Parameters { lanes: 2, ..good }, "lanes is 2; it must be a power of two from 4 to 32"),
            (Parameters { entries: 0, ..good }, "entries is 0; it must be a power of two from 4 to 65536"),
            (Parameters { entries: 2, ..good }, "entries is 2; it must be a power of two from 4 to 65536"),
            (
                Parameters { entries: 4, threshold: 2, ..good },
                "entries is 4; it must be at least 2 * (32 / lanes + 2): a refill and two more a side",
            ),
            (
                Parameters { lanes: 4, entries: 16, ..good },
                "entries is 16; it must be at least 2 * (32 / lanes + 2): a refill and two more a side",
            ),
            (
                Parameters { threshold: 33, ..good },
                "threshold is 33; it must be from 1 to entries: a bank never holds more",
            ),
            (
                Parameters { threshold: 0, ..good },
                "threshold is 0; it must be from 1 to entries: a bank never holds more",
            ),
            (Parameters { interval: 11, ..good }, "interval is 11; it must be even and from 10 to 65536"),
            (Parameters { interval: 8, ..good }, "interval is 8; it must be even and from 10 to 65536"),
            (Parameters { refill_interval: 1, ..good }, "refill_interval is 1; it must be from 2 to 65536"),
            (Parameters { cores: 0, ..good }, "cores is 0; it must be from 1 to 16"),
            (Parameters { cores: 17, ..good }, "cores is 17; it must be from 1 to 16"),
            (
                Parameters { scheme: Scheme::GlobalSorting, cores: 3, ..good },
                "cores * lanes is 48; it must be a power of two up to 64 with gsorting",
            ),
        ];
        for (parameters, text) in bad {
            let error = Hwwl::new(&parameters).err().map(|e| e.to_string());
            assert_eq!(error, Some(format!("hwwl: {text}")));
        }
        assert!(Hwwl::new(&good).is_ok());
        assert!(Hwwl::new(&Parameters { threshold: 32, ..good }).is_ok());
        assert!(Hwwl::new(&Parameters { lanes: 4, entries: 32, ..good }).is_ok());
    }
}
