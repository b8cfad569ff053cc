//! The page `cosim.md`: the long co-simulation.

use super::{code, short, DIGITS};
use crate::campaign;
use crate::cosim::{CosimReport, Digests};
use gen::elaborate::parameter_list;
use gen::table::{markdown, numbers, with_commas, words, Column};
use hdl::catalog::Instance;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const COLUMNS: [Column; 10] = [
    words("module"),
    words("unit"),
    words("parameters"),
    numbers("cycles"),
    numbers("pins compared"),
    numbers("mismatches"),
    numbers("coverage points reached"),
    words("rarest coverage point"),
    words("RTL"),
    words("model and stimulus"),
];

/// An instance of the campaign.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    pub module: String,
    pub unit: String,
    pub parameters: BTreeMap<String, u64>,
    /// `None`: it was not run yet, or it has failed.
    #[serde(flatten)]
    pub run: Option<Run>,
}

impl Row {
    /// An instance that was not run.
    pub fn missing(instance: &Instance) -> Self {
        let (module, unit) = (instance.module.clone(), instance.unit.into());
        Row { module, unit, parameters: instance.parameters_by_name(), run: None }
    }

    /// A run that has just ended, and did not fail.
    ///
    /// # Panics
    /// Without a coverage point.
    pub fn of(report: &CosimReport) -> Self {
        let points = &report.coverage;
        let rarest =
            points.iter().min_by_key(|(event, times)| (**times, *event)).expect("each unit has coverage points");
        let run = Run {
            seed: report.seed,
            cycles: report.cycles,
            comparisons: report.comparisons,
            mismatches: report.mismatches,
            events: points.len() as u64,
            reached: points.values().filter(|times| **times > 0).count() as u64,
            rarest: Rarest { event: rarest.0.clone(), times: *rarest.1 },
            rtl: short(&report.digests.rtl).into(),
            stimulus: short(&report.digests.stimulus).into(),
        };
        let (module, unit, parameters) = (report.module.clone(), report.unit.clone(), report.parameters.clone());
        Row { module, unit, parameters, run: Some(run) }
    }

    /// True if the row is of a whole run without a mismatch, of today's RTL and stimulus.
    pub fn is_current(&self, today: &Digests) -> bool {
        self.run.as_ref().is_some_and(|run| {
            let is_of = [&run.rtl, &run.stimulus] == [short(&today.rtl), short(&today.stimulus)];
            is_of && run.cycles == campaign::CYCLES && run.mismatches == 0
        })
    }
}

/// A run of an instance.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Run {
    pub seed: u64,
    pub cycles: u64,
    /// Pins compared, in all cycles together.
    pub comparisons: u64,
    pub mismatches: u64,
    pub events: u64,
    pub reached: u64,
    pub rarest: Rarest,
    /// Digests, shortened.
    pub rtl: String,
    pub stimulus: String,
}

/// The coverage point that came least often.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Rarest {
    pub event: String,
    pub times: u64,
}

/// Instances that have been run.
pub fn runs(rows: &[Row]) -> impl Iterator<Item = (&Row, &Run)> {
    rows.iter().filter_map(|row| Some((row, row.run.as_ref()?)))
}

pub(super) fn page(rows: &[Row]) -> String {
    let table = markdown(&COLUMNS, runs(rows).map(cells));
    let sum = |of: fn(&Run) -> u64| with_commas(runs(rows).map(|(_, run)| of(run)).sum());
    let (cycles, comparisons, mismatches) =
        (sum(|run| run.cycles), sum(|run| run.comparisons), sum(|run| run.mismatches));
    let missing: Vec<_> = rows.iter().filter(|row| row.run.is_none()).map(|row| row.module.as_str()).collect();
    let missing = match missing[..] {
        [] => String::new(),
        _ => format!("\nWithout a report (not run yet, or failed): {}.\n", missing.join(", ")),
    };
    let head = format!(
        include_str!("cosim.md"),
        cycles = runs(rows).map(|(_, run)| run.cycles).max().unwrap_or(0),
        seed = runs(rows).map(|(_, run)| run.seed).max().unwrap_or(0),
        digits = DIGITS
    );
    format!(
        "{head}{table}\nTogether {cycles} cycles, {comparisons} pin comparisons, {mismatches} mismatches.\n{missing}"
    )
}

fn cells((row, run): (&Row, &Run)) -> [String; 10] {
    [
        code(&row.module),
        row.unit.clone(),
        parameter_list(&row.parameters),
        with_commas(run.cycles),
        with_commas(run.comparisons),
        run.mismatches.to_string(),
        format!("{} of {}", run.reached, run.events),
        format!("{}: {}", run.rarest.event, with_commas(run.rarest.times)),
        code(&run.rtl),
        code(&run.stimulus),
    ]
}
