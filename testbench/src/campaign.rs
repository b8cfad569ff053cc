//! The campaigns over all units: which instances they run, and how long. The sizes of the instances are in `spec`.

use crate::by_name::{digests, units};
use crate::cosim::Digests;
use crate::error::Result;
use hdl::catalog::{self, Instance};
use spec::unit::{Size, Sizes};

/// The seed of the stimulus in all campaigns.
pub const SEED: u64 = 1;
/// Cycles of lock-step for each instance.
pub const CYCLES: u64 = 10_000_000;
/// Cycles in which the coverage of an instance is measured.
pub const COVERAGE_CYCLES: u64 = 500_000;
/// Cycles of stimulus for each mutant.
pub const MUTANT_CYCLES: u64 = 100_000;

/// Cycles of one more run without fresh implementations, for bits that stay untoggled and places that are not reached in shorter segments:
/// its stimulus fills what is large, or comes to the end of a long job.
const LONG: [(&str, u64); 5] = [
    ("hwwl_core", 5_000_000),
    ("hwwl", 4_600_000),
    ("prefetcher", 3_000_000),
    ("iru_partition", 5_500_000),
    ("iru", 3_500_000),
];

/// Cycles of more stimulus for mutants that are neither killed nor proven equivalent, at least: the model checker takes half an hour for a
/// mutant of such a unit that is not equivalent.
const PATIENT: [(&str, u64); 1] = [("iru", 10_000_000)];

/// Instances of the long co-simulation: each unit with its default parameters, and with those of its sizes.
pub fn instances() -> Vec<Instance> {
    let all = |unit| std::iter::once(&DEFAULT).chain(sizes(unit).campaign).map(move |size| sized(unit, size));
    units().into_iter().flat_map(all).collect()
}

const DEFAULT: Size = &[];

fn sizes(unit: &str) -> &'static Sizes {
    let known = catalog::units().into_iter().find(|known| known.name == unit);
    &known.expect("a unit of the catalogue").sizes
}

fn sized(unit: &str, size: Size) -> Instance {
    catalog::find(unit, size).expect("a size of the catalogue")
}

/// The instance of each unit whose mutants are made.
pub fn mutated() -> Vec<Instance> {
    units().into_iter().map(|unit| sized(unit, sizes(unit).mutants)).collect()
}

/// Mutants of the instance.
pub fn mutants(instance: &Instance) -> u32 {
    sizes(instance.unit).mutant_count as u32
}

/// Cycles of more stimulus for a mutant that is neither killed nor proven equivalent, if other units have `patience`.
pub fn patience(instance: &Instance, patience: u64) -> u64 {
    patience.max(of(&PATIENT, instance).unwrap_or(0))
}

/// Cycles of one more run for what a run of [`COVERAGE_CYCLES`] does not cover.
pub fn long(instance: &Instance) -> Option<u64> {
    of(&LONG, instance)
}

fn of(list: &[(&str, u64)], instance: &Instance) -> Option<u64> {
    list.iter().find(|(name, _)| *name == instance.unit).map(|(_, cycles)| *cycles)
}

/// Digests with which a row of the instance would be made today.
///
/// # Errors
/// RTL that does not elaborate.
pub fn digests_of(instance: &Instance) -> Result<Digests> {
    digests(instance.unit, &instance.parameters, SEED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_effort_is_of_a_unit_that_can_be_co_simulated() {
        let known = units();
        LONG.iter().chain(&PATIENT).for_each(|(unit, _)| assert!(known.contains(unit), "{unit}"));
    }
}
