//! `wru_global`: sorting work redistribution over the banks of all cores (III-C, gsorting).

use super::mover::Wru;
use super::wru_sorting::Sorting;
use super::Parameters;
use crate::units::parameter::ParameterError;

/// Bank i of core c is bank `c * lanes + i`.
pub type WruGlobal = Wru<Sorting<true>>;

impl WruGlobal {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::hwwl::WRU_GLOBAL)?;
        Ok(Self::of_any_size(parameters))
    }

    pub(super) fn of_any_size(parameters: &Parameters) -> Self {
        Wru::over(parameters.cores * parameters.lanes, parameters, Sorting::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Unit;
    use crate::units::hwwl::pins::WruIn;

    #[test]
    fn the_banks_of_all_cores_are_ranked() {
        let mut wru = WruGlobal::new(&Parameters { cores: 4, ..Default::default() }).unwrap();
        let mut pins = WruIn::default();
        pins.pull_occupancy.fill(6);
        (pins.pull_occupancy[3], pins.pull_occupancy[60]) = (0, 20);
        (0..19).for_each(|_| wru.clock(&pins).unwrap());
        assert_eq!(wru.outputs().pop, 1 << 60);
        let bad = Parameters { cores: 8, ..Default::default() };
        let text = WruGlobal::new(&bad).unwrap_err().to_string();
        assert_eq!(
            text,
            "wru_global: cores = 8, but it must be a power of two, at most 64 / lanes, with global sorting"
        );
    }
}
