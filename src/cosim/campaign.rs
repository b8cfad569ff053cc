//! `unruly cosim --rows`: the long co-simulation of all units, and with `--coverage` what their stimulus covers.

use crate::exit::CheckFailed;
use crate::progress::Progress;
use crate::rows::{job, Part, RowsOptions};
use anyhow::Result;
use hdl::catalog::Instance;
use std::path::Path;
use testbench::campaign::{digests_of, instances, long, COVERAGE_CYCLES, CYCLES, SEED};
use testbench::cosim::{Cosim, CosimReport};
use testbench::pages::{cosim, coverage};
use testbench::verilate::Verilator;

/// Lock-step of each instance for [`CYCLES`].
pub fn lockstep(options: &RowsOptions, evidence: &Path, progress: &Progress) -> Result<()> {
    let old: Vec<cosim::Row> = options.kept()?;
    let part = |instance: &Instance| {
        let row = old.iter().find(|row| row.module == instance.module);
        let is_current = match row {
            Some(row) => row.is_current(&digests_of(instance)?),
            None => false,
        };
        let row = row.cloned().unwrap_or_else(|| cosim::Row::missing(instance));
        Ok(Part { rows: vec![row], is_current })
    };
    let make = |instance: &Instance| {
        let cosim = Cosim::new(instance.unit, &instance.parameters)?;
        let report = run(&cosim, instance, CYCLES, evidence, progress)?;
        Ok(match report.failure() {
            None => (vec![cosim::Row::of(&report)], None),
            failure => (vec![cosim::Row::missing(instance)], failure),
        })
    };
    let failures: Vec<String> = options.make(&instances(), name, part, make, progress)?.into_iter().flatten().collect();
    match failures.is_empty() {
        true => Ok(()),
        false => Err(CheckFailed(failures.join("; ")).into()),
    }
}

/// Coverage of each instance in [`COVERAGE_CYCLES`], and in one longer segment for what stays uncovered in these.
pub fn coverage(options: &RowsOptions, evidence: &Path, progress: &Progress) -> Result<()> {
    let old: Vec<coverage::Row> = options.kept()?;
    let part = |instance: &Instance| {
        let row = old.iter().find(|row| row.module == instance.module);
        let is_current = match row {
            Some(row) => row.is_current(instance, &digests_of(instance)?),
            None => false,
        };
        Ok(Part { rows: row.cloned().into_iter().collect(), is_current })
    };
    let verilator = Verilator::find()?.counting_places();
    let make = |instance: &Instance| {
        let cosim = || Cosim::built_by(&verilator, instance.unit, &instance.parameters);
        let equal = |cosim: &Cosim, cycles| {
            let report = run(cosim, instance, cycles, evidence, progress)?;
            let difference = report.difference.as_ref().map(|difference| difference.to_string());
            difference.or_else(|| report.violation.clone()).map_or(Ok(report), |text| Err(CheckFailed(text).into()))
        };
        let short: CosimReport = equal(&cosim()?, COVERAGE_CYCLES)?;
        let row = coverage::Row::of(&short, None);
        Ok(match long(instance) {
            Some(cycles) if row.has_gaps() => {
                let longer: Result<CosimReport> = equal(&cosim()?.in_segments_of(cycles)?, cycles);
                (vec![coverage::Row::of(&short, Some(&longer?))], ())
            }
            _ => (vec![row], ()),
        })
    };
    options.make(&instances(), name, part, make, progress).map(drop)
}

fn name(instance: &Instance) -> String {
    instance.module.clone()
}

fn run(
    cosim: &Cosim,
    instance: &Instance,
    cycles: u64,
    evidence: &Path,
    progress: &Progress,
) -> testbench::Result<CosimReport> {
    let say = &mut |cycle| progress.say(job(), format!("{}: {cycle} of {cycles} cycles", instance.module));
    cosim.run(cycles, SEED, evidence, say)
}
