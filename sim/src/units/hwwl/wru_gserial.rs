//! `wru_gserial`: serial work redistribution over the banks of all cores (gserial).

use super::wru_serial::Serial;
use super::Parameters;
use crate::units::parameter::ParameterError;

/// Bank i of core c is bank `c * lanes + i`.
pub type WruGserial = Serial<true>;

impl WruGserial {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::hwwl::WRU_GSERIAL)?;
        Ok(Self::of_any_size(parameters))
    }

    pub(super) fn of_any_size(parameters: &Parameters) -> Self {
        Serial::over(parameters.cores * parameters.lanes, parameters.entries, parameters.threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Unit;
    use crate::units::hwwl::pins::WruIn;

    /// The cycle after reset of the first pop, and that pop, of a unit that looks at 6 IDs in each bank, but 9 in one of the last core and none
    /// in one of the first.
    fn first_pop(cores: usize, lanes: usize) -> (usize, u64) {
        let mut wru = WruGserial::new(&Parameters { cores, lanes, ..Default::default() }).unwrap();
        let mut pins = WruIn::default();
        pins.pull_occupancy.fill(6);
        (pins.pull_occupancy[1], pins.pull_occupancy[cores * lanes - 2]) = (0, 9);
        let cycle = (0..20).find(|_| {
            let pops = wru.outputs().pop != 0;
            wru.clock(&pins).unwrap();
            pops
        });
        let cycle = cycle.expect("a move");
        wru.reset();
        (0..cycle).for_each(|_| wru.clock(&pins).unwrap());
        (cycle, wru.outputs().pop)
    }

    #[test]
    fn a_bank_of_one_core_gives_to_one_of_another_a_cycle_later_with_more_than_16_banks() {
        assert_eq!(first_pop(2, 4), (4, 1 << 6));
        assert_eq!(first_pop(4, 4), (4, 1 << 14));
        assert_eq!(first_pop(2, 16), (5, 1 << 30));
        assert_eq!(first_pop(4, 16), (5, 1 << 62));
    }

    #[test]
    fn of_64_banks_greedy_is_two_cycles_late() {
        let mut wru = WruGserial::new(&Parameters { cores: 4, ..Default::default() }).unwrap();
        let mut pins = WruIn::default();
        pins.pull_occupancy.fill(6);
        wru.clock(&pins).unwrap();
        assert_eq!(wru.outputs().greedy, 0);
        wru.clock(&pins).unwrap();
        assert_eq!(wru.outputs().greedy, 1);
    }

    #[test]
    fn there_are_64_banks_at_most() {
        let text = WruGserial::new(&Parameters { cores: 8, ..Default::default() }).unwrap_err().to_string();
        assert_eq!(
            text,
            "wru_gserial: cores = 8, but it must be a power of two, at most 64 / lanes, with a unit for all cores"
        );
    }
}
