//! `unruly mutate --rows`: mutants of all units.

use crate::progress::Progress;
use crate::rows::{Part, RowsOptions};
use anyhow::Result;
use hdl::catalog::Instance;
use testbench::campaign::{digests_of, mutants, mutated, patience, MUTANT_CYCLES, SEED};
use testbench::mutants::{Effort, Mutants, MutationReport};
use testbench::pages::mutants::Row;
use testbench::watch::Watch;

/// The reports that were made. A unit whose row is of today, and has mutants that survive and have not had this patience, is looked at again.
pub fn reports(
    options: &RowsOptions,
    more_cycles: u64,
    seconds: u32,
    watch: &Watch,
    progress: &Progress,
) -> Result<Vec<MutationReport>> {
    let old: Vec<Row> = options.kept()?;
    let row = |instance: &Instance| old.iter().find(|row| row.report.module == instance.module);
    let row_of_today = |instance: &Instance| match row(instance) {
        Some(row) => Ok(row.is_of(instance, &digests_of(instance)?).then_some(row)),
        None => anyhow::Ok(None),
    };
    let part = |instance: &Instance| {
        let of_today = row_of_today(instance)?;
        let is_current = of_today.is_some_and(|row| !row.has_open(patience(instance, more_cycles)));
        Ok(Part { rows: row(instance).cloned().into_iter().collect(), is_current })
    };
    let make = |instance: &Instance| {
        let effort = Effort { cycles: MUTANT_CYCLES, patience: patience(instance, more_cycles), seconds };
        let report = match row_of_today(instance)? {
            Some(row) => Mutants::again(row.report.clone(), effort, watch)?,
            None => fresh(instance, effort, watch)?,
        };
        let row = Row { asked: mutants(instance), report: report.clone() };
        Ok((vec![row], report))
    };
    options.make(&mutated(), |instance| instance.module.clone(), part, make, progress)
}

/// The model checker is slowest with mutants that are not equivalent: it comes when the stimulus has killed most of them.
fn fresh(instance: &Instance, effort: Effort, watch: &Watch) -> testbench::Result<MutationReport> {
    let mutants = Mutants::new(instance.unit, &instance.parameters, mutants(instance), SEED)?;
    let report = mutants.run(Effort { seconds: 0, ..effort }, watch)?;
    match report.survivors.is_empty() {
        true => Ok(report),
        false => Mutants::again(report, effort, watch),
    }
}
