//! Readers of the files that sweeps leave, for plans of each kind of figure.

use super::own_clocks::OwnClocks;
use super::plan::Plan;
use super::points::Spread;
use super::store::{Ending, Finished};
use super::table::{self, Placed};
use super::{plot, redraw, report, stated};
use anyhow::{ensure, Result};
use std::path::Path;
use std::sync::LazyLock;

static PLANS: LazyLock<Vec<(Plan, Spread)>> = LazyLock::new(|| {
    let lines = include_str!("../../plans/hwwl-cores.toml");
    let bars = include_str!("../../plans/iru-hash.toml");
    let activity = include_str!("../../plans/hwwl-buffering.toml");
    let plan = |text| {
        let plan = Plan::parse(Path::new("plan.toml"), text).expect("a good plan");
        let spread = Spread::new(&plan).expect("its runs");
        (plan, spread)
    };
    [lines, bars, activity].map(plan).into()
});

/// A `runs.csv`, with everything that is drawn from it.
///
/// # Errors
/// It is of none of the plans.
pub fn rows(path: &Path) -> Result<()> {
    let mut refused = Vec::new();
    for (plan, spread) in &*PLANS {
        match redraw::endings(plan, spread, path) {
            Ok(endings) => draw(plan, spread, &endings)?,
            Err(error) => refused.push(format!("{error:#}")),
        }
    }
    ensure!(refused.len() < PLANS.len(), "of none of the plans: {}", refused.join("; "));
    Ok(())
}

/// The file of a run, with everything that is drawn if all runs have ended so.
///
/// # Errors
/// It is no such file.
pub fn run(path: &Path) -> Result<()> {
    let finished = Finished::read(path)?;
    for (plan, spread) in &*PLANS {
        draw(plan, spread, &vec![finished.ending.clone(); spread.runs.len()])?;
    }
    Ok(())
}

fn draw(plan: &Plan, spread: &Spread, endings: &[Ending]) -> Result<()> {
    let rows: Vec<Placed> = table::rows(plan, &vec![None; plan.inputs.len()], spread, endings);
    table::csv(plan, &rows)?;
    serde_json::to_vec(&table::json(plan, &rows))?;
    report::text(plan, &rows, &OwnClocks::default(), "plot.svg");
    stated::of_rows(plan, &rows);
    plot::draw(plan, &rows).map(drop)
}
