//! What a unit's longest path may take: a cycle of the GPU that its paper simulates, in FO4.

use hdl::catalog;

/// Delay of a FO4 at the slow corner, picoseconds a nanometre of feature size.
const FO4_PS_PER_NM: f64 = 0.5;
/// Part of a cycle that wires and clock skew take: our judgement.
const OVERHEAD: f64 = 0.35;
/// The target is no more exact than this.
const ROUNDED_TO: f64 = 5.0;

/// The clock of a paper's GPU.
pub struct Target {
    /// The system whose units work at it, see [`catalog::system`].
    system: &'static str,
    mhz: f64,
    node_nm: f64,
}

pub const TARGETS: [Target; 3] = [
    Target { system: "hwwl", mhz: 700.0, node_nm: 40.0 },
    Target { system: "iru", mhz: 1270.0, node_nm: 28.0 },
    Target { system: "gw", mhz: 1150.0, node_nm: 40.0 },
];

impl Target {
    /// Of a unit; `None` for one of no paper.
    pub fn of(unit: &str) -> Option<&'static Target> {
        let system = catalog::system(unit)?;
        TARGETS.iter().find(|target| target.system == system)
    }

    /// FO4 in a cycle.
    fn cycle(&self) -> f64 {
        1e6 / self.mhz / (FO4_PS_PER_NM * self.node_nm)
    }

    /// FO4 that logic may take.
    pub fn fo4(&self) -> f64 {
        (self.cycle() * (1.0 - OVERHEAD) / ROUNDED_TO).round() * ROUNDED_TO
    }

    fn shown(&self) -> String {
        let Target { system, mhz, node_nm } = self;
        let system = system.to_uppercase();
        format!("{system} {:.0} ({mhz} MHz at {node_nm} nm: {:.0} FO4 a cycle)", self.fo4(), self.cycle())
    }
}

/// All targets with what they assume, in one line.
pub fn assumptions() -> String {
    format!(
        "Target: FO4 that a cycle of the paper's GPU leaves to logic; an FO4 takes {FO4_PS_PER_NM} ps a nanometre, {:.0} % go to \
         wires and clock skew (our judgement), rounded to {ROUNDED_TO}: {}.",
        OVERHEAD * 100.0,
        TARGETS.iter().map(Target::shown).collect::<Vec<_>>().join(", "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_paper_has_its_target_and_primitives_have_none() {
        let fo4 = |unit: &str| Target::of(unit).map(Target::fo4);
        assert_eq!(["bank", "iru_partition", "gw_front_end"].map(fo4), [Some(45.0), Some(35.0), Some(30.0)]);
        assert_eq!((fo4("queue"), fo4("no_such_unit")), (None, None));
    }

    #[test]
    fn every_system_of_a_paper_has_a_target() {
        let names = || catalog::units().into_iter().map(|unit| unit.name);
        let without = names().filter(|unit| Target::of(unit).is_none());
        let of_no_system = names().filter(|unit| catalog::system(unit) == Some("prim"));
        assert_eq!(without.collect::<Vec<_>>(), of_no_system.collect::<Vec<_>>());
    }
}
