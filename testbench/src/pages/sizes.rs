//! The page `sizes.md`: a row for each module of `unruly verilog` in each size.

use super::proofs::result;
use super::{code, short};
use crate::prove::{Outcome, ProofReport, Verdict};
use gen::elaborate::parameter_list;
use gen::table::{markdown, words, Column};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

const COLUMNS: [Column; 5] = [words("module"), words("values"), words("flat module"), words("result"), words("digest")];

/// A module with values against its flat module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub module: String,
    pub parameters: BTreeMap<String, u64>,
    pub flat: String,
    pub outcome: Outcome,
    /// SHA-256, shortened.
    pub digest: String,
}

impl Row {
    /// The rows of a proof that was just made.
    pub fn all(report: &ProofReport) -> Vec<Self> {
        let row = |verdict: &Verdict| Row {
            module: report.unit.clone(),
            parameters: report.parameters.clone(),
            flat: report.module.clone(),
            outcome: verdict.outcome,
            digest: short(&report.digest).into(),
        };
        report.verdicts.iter().map(row).collect()
    }

    /// The rows of a flat module as it is today, if it is proven.
    pub fn kept(rows: &[Self], flat: &str, digest: &str) -> Option<Vec<Self>> {
        let of_it: Vec<_> =
            rows.iter().filter(|row| row.flat == flat && row.digest == short(digest)).cloned().collect();
        (!of_it.is_empty() && of_it.iter().all(|row| row.outcome.is_good())).then_some(of_it)
    }
}

pub(super) fn page(rows: &[Row]) -> String {
    let modules = rows.iter().map(|row| &row.module).collect::<BTreeSet<_>>().len();
    let proven = rows.iter().filter(|row| row.outcome == Outcome::Proven).count();
    format!(
        "{}{}\nTogether {proven} of {} sizes of {modules} modules are proven.\n",
        include_str!("sizes.md"),
        markdown(&COLUMNS, rows.iter().map(cells)),
        rows.len()
    )
}

fn cells(row: &Row) -> [String; 5] {
    [code(&row.module), parameter_list(&row.parameters), code(&row.flat), result(row.outcome, None), code(&row.digest)]
}
