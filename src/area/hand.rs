//! `unruly area --hand`: rows of units beside the same written by hand.

use super::Flow;
use crate::rows;
use anyhow::Result;
use gen::liberty::Liberty;
use gen::order::Orders;
use gen::report::hand::{Row, MODULES};
use gen::report::Units;
use hdl::catalog::catalog;
use std::path::Path;

const FOLDER: &str = "testbench/hand";

/// Computes the rows that are missing or stale.
pub fn write(json: &Path, cache: &Path) -> Result<()> {
    let old: Vec<Row> = rows::kept(json)?;
    let liberty = Liberty::read(None)?;
    let flow = Flow::start(cache, &liberty, Orders::All)?;
    let (mut rows, mut computed) = (vec![], 0);
    for module in MODULES {
        let both = [Units::elaborate(&[module.instance()], &catalog())?, module.by_hand(Path::new(FOLDER))?];
        let digests = both.each_ref().map(|units| units.digests(&liberty).remove(0));
        let is_fresh = |row: &&Row| [&row.ours.digest, &row.hand.digest] == digests.each_ref();
        let fresh = old.iter().filter(|row| row.file == module.file).find(is_fresh);
        rows.push(match fresh {
            Some(row) => row.clone(),
            None => {
                computed += 1;
                let [ours, hand] = both.each_ref().map(|units| flow.finish(units));
                module.row([&ours?[0], &hand?[0]])
            }
        });
    }
    rows::write(json, &rows)?;
    println!("{} rows are in {}, {computed} of them computed now", rows.len(), json.display());
    Ok(())
}
