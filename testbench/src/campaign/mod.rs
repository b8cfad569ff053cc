//! The campaigns over all units: which instances they run, and how long.

mod sizes;

use crate::cosim::{digests, units, Digests};
use crate::error::Result;
use hdl::catalog::{self, Instance};
use sizes::{Sizes, COSIM, FEWER, LONG, MUTANTS, MUTATED, PATIENT};

/// The seed of the stimulus in all campaigns.
pub const SEED: u64 = 1;
/// Cycles of lock-step for each instance.
pub const CYCLES: u64 = 10_000_000;
/// Cycles in which the coverage of an instance is measured.
pub const COVERAGE_CYCLES: u64 = 500_000;

/// Cycles of stimulus for each mutant.
pub const MUTANT_CYCLES: u64 = 100_000;

/// Instances of the long co-simulation: each unit with its default parameters, and with those of its list.
pub fn instances() -> Vec<Instance> {
    let lists = |unit: &'static str| COSIM.iter().filter(move |(name, _)| *name == unit).flat_map(|(_, lists)| *lists);
    let all = |unit: &'static str| std::iter::once(&DEFAULT).chain(lists(unit)).flat_map(move |list| sized(unit, list));
    units().into_iter().flat_map(all).collect()
}

const DEFAULT: Sizes = &[];

fn sized(unit: &str, sizes: Sizes) -> Vec<Instance> {
    let with = |sets: Vec<Vec<(&'static str, u64)>>, (name, values): &(&'static str, &[u64])| {
        let of = |set: Vec<_>| values.iter().map(move |value| [&set[..], &[(*name, *value)]].concat());
        sets.into_iter().flat_map(of).collect()
    };
    let sets = sizes.iter().fold(vec![vec![]], with);
    sets.iter().map(|set| catalog::find(unit, set).expect("a size of the catalogue")).collect()
}

/// The instance of each unit whose mutants are made.
pub fn mutated() -> Vec<Instance> {
    let of = |unit| sized(unit, of(MUTATED, unit).unwrap_or(DEFAULT)).remove(0);
    units().into_iter().map(of).collect()
}

/// Mutants of the instance.
pub fn mutants(instance: &Instance) -> u32 {
    of(FEWER, instance.unit).unwrap_or(MUTANTS)
}

/// Cycles of more stimulus for a mutant that is neither killed nor proven equivalent, if other units have `patience`.
pub fn patience(instance: &Instance, patience: u64) -> u64 {
    patience.max(of(PATIENT, instance.unit).unwrap_or(0))
}

/// Cycles of one more run for what a run of [`COVERAGE_CYCLES`] does not cover.
pub fn long(instance: &Instance) -> Option<u64> {
    of(LONG, instance.unit)
}

fn of<T: Copy>(list: &[(&str, T)], unit: &str) -> Option<T> {
    list.iter().find(|(name, _)| *name == unit).map(|(_, value)| *value)
}

/// What a row of the instance would be made with today.
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
    fn each_list_is_of_units_that_can_be_co_simulated() {
        let known = units();
        let sizes = COSIM.iter().map(|(unit, _)| unit).chain(MUTATED.iter().map(|(unit, _)| unit));
        let efforts = FEWER.iter().map(|(unit, _)| unit).chain(LONG.iter().chain(PATIENT).map(|(unit, _)| unit));
        sizes.chain(efforts).for_each(|unit| assert!(known.contains(unit), "{unit}"));
        assert_eq!(mutated().len(), known.len());
    }
}
