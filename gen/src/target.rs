//! The limit of a unit's longest path: a cycle of the GPU that its paper simulates, in FO4.

use spec::system::{Clock, FO4_PS_PER_NM};
use spec::{system_of, System, SYSTEMS};

/// Part of a cycle that wires and clock skew take: our judgement.
const OVERHEAD: f64 = 0.35;
/// The same for a unit that is too large for a layout in which wires add a few per cent.
const LARGE_OVERHEAD: f64 = 0.45;
/// NAND2 equivalents of logic from which a unit is large.
const LARGE: f64 = 10_000.0;
/// The goal is no more exact than this.
const ROUNDED_TO: f64 = 5.0;

/// The clock of a paper's GPU.
pub struct Target {
    system: &'static str,
    clock: Clock,
}

/// The targets of all systems that are of a paper.
pub fn targets() -> impl Iterator<Item = Target> {
    SYSTEMS.iter().filter_map(Target::of_system)
}

impl Target {
    fn of_system(system: &System) -> Option<Target> {
        system.clock.map(|clock| Target { system: system.name, clock })
    }

    /// The target of a unit; `None` for one of no paper.
    pub fn of(unit: &str) -> Option<Target> {
        system_of(unit).and_then(Target::of_system)
    }

    pub fn mhz(&self) -> f64 {
        self.clock.mhz
    }

    /// FO4 that the logic of a unit of `gates` NAND2 equivalents may take.
    pub fn fo4(&self, gates: f64) -> f64 {
        fo4(self.clock, gates)
    }

    /// FO4 for which all its units are mapped, whatever their size.
    pub fn goal_fo4(&self) -> f64 {
        (self.clock.cycle_fo4() * (1.0 - OVERHEAD) / ROUNDED_TO).round() * ROUNDED_TO
    }

    fn shown(&self) -> String {
        let Target { system, clock: Clock { mhz, node_nm } } = self;
        let [small, large] = [0.0, LARGE].map(|gates| self.fo4(gates));
        format!(
            "{} {small:.0} and {large:.0} ({mhz} MHz at {node_nm} nm: {:.0} FO4 a cycle; mapped for {:.0})",
            system.to_uppercase(),
            self.clock.cycle_fo4(),
            self.goal_fo4(),
        )
    }
}

/// FO4 that the logic of a unit of `gates` NAND2 equivalents may take in a cycle of this clock.
pub fn fo4(clock: Clock, gates: f64) -> f64 {
    let overhead = if gates < LARGE { OVERHEAD } else { LARGE_OVERHEAD };
    (clock.cycle_fo4() * (1.0 - overhead)).round().max(1.0)
}

/// All targets with what they assume, in one line.
pub fn assumptions() -> String {
    format!(
        "Target: FO4 that a cycle of the paper's GPU leaves to logic; an FO4 takes {FO4_PS_PER_NM} ps a nanometre; {:.0} % go to \
         wires and clock skew, and {:.0} % of a unit of {:.0} kGE or more (our judgement): {}. A unit is mapped for a goal: {0:.0} % \
         whatever its size, rounded to {ROUNDED_TO}.",
        OVERHEAD * 100.0,
        LARGE_OVERHEAD * 100.0,
        LARGE / 1000.0,
        targets().map(|target| target.shown()).collect::<Vec<_>>().join(", "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_paper_has_its_target_and_primitives_have_none() {
        let goal = |unit: &str| Target::of(unit).map(|target| target.goal_fo4());
        assert_eq!(["bank", "iru_partition", "gw_front_end"].map(goal), [Some(45.0), Some(35.0), Some(30.0)]);
        assert_eq!((goal("queue"), goal("no_such_unit")), (None, None));
    }

    /// 55 % of 71.4, 56.2 and 43.5 FO4, and 65 % of 71.4.
    #[test]
    fn a_large_unit_leaves_more_of_a_cycle_to_its_wires() {
        let fo4 = |unit: &str, gates| Target::of(unit).unwrap().fo4(gates);
        assert_eq!(["bank", "iru_partition", "gw_front_end"].map(|unit| fo4(unit, 10_000.0)), [39.0, 31.0, 24.0]);
        assert_eq!(fo4("bank", 9_999.0), 46.0);
    }

    #[test]
    fn a_target_follows_from_clock_and_feature_size() {
        // A cycle at 800 MHz is 1250 ps: 62.5 FO4 of 20 ps at 40 nm, of which 65 % are 40.6 and 55 % are 34.4.
        let small = |mhz, node_nm| fo4(Clock { mhz, node_nm }, 0.0);
        assert_eq!([small(800.0, 40.0), small(500.0, 40.0), small(1000.0, 28.0)], [41.0, 65.0, 46.0]);
        assert_eq!(fo4(Clock { mhz: 800.0, node_nm: 40.0 }, 10_000.0), 34.0);
        // 400 ps are 20 FO4 at 40 nm, and 40 FO4 at 20 nm.
        assert_eq!([small(2500.0, 40.0), small(2500.0, 20.0)], [13.0, 26.0]);
        assert_eq!(small(100_000.0, 1000.0), 1.0, "there is always something to divide by");
    }
}
