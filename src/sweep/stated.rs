//! The claims of a plan beside the numbers of its rows.

use super::claim::Claim;
use super::found::{found, standing, with_addition, Standing};
use super::plan::Plan;
use super::points::Spread;
use super::redraw;
use super::report;
use super::table::{self, Placed};
use anyhow::{Context, Result};
use std::path::Path;

/// A claim, and what our numbers say to it.
pub struct Stated {
    pub claim: Claim,
    /// The paper's number or range, as text; empty if its words have none.
    pub paper: String,
    /// The measure that is compared, and its cells.
    pub scope: String,
    /// Empty if there are no rows.
    pub ours: String,
    /// The same with what we add; empty if the plan adds nothing.
    pub with_addition: String,
    pub standing: Standing,
}

/// The claims of a plan's file that have a number among all claims, beside the rows of `csv`, where there is such a file.
///
/// # Errors
/// A plan that cannot be; rows that are not the plan's.
pub fn stated(plan: &Path, csv: &Path) -> Result<Vec<Stated>> {
    let file = plan;
    let plan = Plan::read(file)?;
    if plan.claims.iter().all(|claim| claim.row.is_none()) {
        return Ok(Vec::new());
    }
    if !csv.exists() {
        return Ok(of_rows(&plan, &[]));
    }
    let spread = Spread::new(&plan).with_context(|| file.display().to_string())?;
    let endings = redraw::endings(&plan, &spread, csv).with_context(|| csv.display().to_string())?;
    let rows = table::rows(&plan, &vec![None; plan.inputs.len()], &spread, &endings);
    Ok(of_rows(&plan, &rows))
}

/// The numbered claims beside these rows.
pub fn of_rows(plan: &Plan, rows: &[Placed]) -> Vec<Stated> {
    let of = |claim: &Claim| {
        let ours = found(plan, rows, claim);
        Stated {
            standing: standing(claim, ours.as_ref()),
            scope: plan.measure(claim).map_or(String::new(), |measure| report::scope(measure, claim)),
            paper: report::papers_number(plan.measure(claim), claim),
            with_addition: with_addition(plan, rows, claim).map_or(String::new(), |found| found.to_string()),
            ours: ours.map_or(String::new(), |found| found.to_string()),
            claim: claim.clone(),
        }
    };
    plan.claims.iter().filter(|claim| claim.row.is_some()).map(of).collect()
}
