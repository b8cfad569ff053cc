//! The page `assumptions.md`: claims under stimulus.

use super::{code, short};
use crate::prove::TrafficReport;
use gen::elaborate::parameter_list;
use gen::table::{markdown, numbers, words, Column};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const COLUMNS: [Column; 8] = [
    words("module"),
    words("unit"),
    words("parameters"),
    numbers("assumptions"),
    numbers("other claims"),
    numbers("cycles"),
    words("result"),
    words("digest"),
];

/// The claims about a unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub module: String,
    pub unit: String,
    pub parameters: BTreeMap<String, u64>,
    pub assumptions: usize,
    pub others: usize,
    pub cycles: u64,
    /// The claim that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// SHA-256, shortened.
    pub digest: String,
}

impl Row {
    /// The row of a run that has just ended.
    pub fn of(report: &TrafficReport) -> Self {
        Row {
            module: report.module.clone(),
            unit: report.unit.clone(),
            parameters: report.parameters.clone(),
            assumptions: report.assumptions,
            others: report.others,
            cycles: report.cycles,
            broken: report.broken.as_ref().map(|broken| broken.claim.name.clone()),
            digest: short(&report.digest).into(),
        }
    }

    /// True if the row was made with today's RTL, properties and stimulus of `unit`, and without a failure.
    pub fn is_current(&self, unit: &str, digest: &str) -> bool {
        self.unit == unit && self.digest == short(digest) && self.broken.is_none()
    }
}

pub(super) fn page(rows: &[Row]) -> String {
    include_str!("assumptions.md").to_string() + &markdown(&COLUMNS, rows.iter().map(cells))
}

fn cells(row: &Row) -> [String; 8] {
    [
        code(&row.module),
        row.unit.clone(),
        parameter_list(&row.parameters),
        row.assumptions.to_string(),
        row.others.to_string(),
        row.cycles.to_string(),
        row.broken.as_ref().map_or("all held".into(), |name| format!("FAILED: `{name}`")),
        code(&row.digest),
    ]
}
