//! The systems: the units of each paper, and the clock of its GPU.

use crate::unit::Unit;
use crate::{gw, hwwl, iru, prim};

/// The units of a paper, or of none.
pub struct System {
    /// Files of these units are in folders of this name.
    pub name: &'static str,
    pub units: &'static [&'static Unit],
    /// The clock that the units are for. `None`: they are of no paper.
    pub clock: Option<Clock>,
}

/// The clock of a paper's GPU, and the feature size of its process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    pub mhz: f64,
    pub node_nm: f64,
}

/// Delay of a FO4 at the slow corner, picoseconds a nanometre of feature size.
pub const FO4_PS_PER_NM: f64 = 0.5;

impl Clock {
    /// FO4 in a cycle.
    pub fn cycle_fo4(self) -> f64 {
        1e6 / self.mhz / (FO4_PS_PER_NM * self.node_nm)
    }
}

/// Units of no paper, then those of each paper.
pub static SYSTEMS: [System; 4] = [
    System { name: "prim", units: prim::UNITS, clock: None },
    System { name: "hwwl", units: hwwl::UNITS, clock: Some(Clock { mhz: 700.0, node_nm: 40.0 }) },
    System { name: "iru", units: iru::UNITS, clock: Some(Clock { mhz: 1270.0, node_nm: 28.0 }) },
    System { name: "gw", units: gw::UNITS, clock: Some(Clock { mhz: 1150.0, node_nm: 40.0 }) },
];

/// The system of a unit. `None`: no system of ours has a unit of this name.
pub fn system_of(unit: &str) -> Option<&'static System> {
    SYSTEMS.iter().find(|system| system.units.iter().any(|known| known.name == unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_of_a_paper_has_a_clock() {
        let without: Vec<_> =
            SYSTEMS.iter().filter(|system| system.clock.is_none()).map(|system| system.name).collect();
        assert_eq!(without, ["prim"]);
    }

    #[test]
    fn a_unit_is_of_one_system_and_its_default_size_keeps_all_rules() {
        for unit in SYSTEMS.iter().flat_map(|system| system.units) {
            assert_eq!(
                SYSTEMS.iter().flat_map(|system| system.units).filter(|other| other.name == unit.name).count(),
                1
            );
            assert!(unit.values(&[]).is_ok(), "{}", unit.name);
            for size in unit.shipped() {
                assert_eq!(unit.values(&size.0), Ok(size));
            }
        }
    }
}
