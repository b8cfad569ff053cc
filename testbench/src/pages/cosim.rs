//! The page `cosim.md`: the long co-simulation. `scripts/cosim_campaign.py` makes the rows.

use super::{code, DIGITS};
use gen::elaborate::parameter_list;
use gen::table::{markdown, numbers, with_commas, words, Column};
use serde::Deserialize;
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
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    pub module: String,
    pub unit: String,
    pub parameters: BTreeMap<String, u64>,
    /// `None`: it was not run yet, or it has failed.
    #[serde(flatten)]
    pub run: Option<Run>,
}

/// A run of an instance.
#[derive(Clone, Debug, Deserialize)]
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
    pub traffic: String,
}

/// The coverage point that came least often.
#[derive(Clone, Debug, Deserialize)]
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
        code(&run.traffic),
    ]
}
