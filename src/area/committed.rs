//! `unruly area --rows`: what all units of the page `area.md` cost, or those of the systems in another library.

use super::Flow;
use crate::exit::Paused;
use crate::rows;
use anyhow::Result;
use gen::elaborate_all;
use gen::liberty::Liberty;
use gen::order::Orders;
use gen::report::page::{Contents, Page};
use gen::report::{self, Row, Units};
use hdl::catalog::catalog;
use std::path::Path;

/// Computes the rows that are missing or stale, or whose paths are not all measured. After Ctrl-C the file has the rows that are finished,
/// and the others as they were if they are not stale.
pub fn write(json: &Path, cache: &Path, other: Option<&Path>) -> Result<()> {
    rows::check(json)?;
    let (default, liberty) = (Liberty::read(None)?, Liberty::read(other)?);
    let flow = Flow::start(cache, &liberty, Orders::All)?;
    let shipped = elaborate_all(&catalog())?;
    let contents = match other {
        Some(_) => Contents::tops(&shipped),
        None => Contents::beside(&shipped)?,
    };
    let old = if json.exists() { Some(Page::read(json)?) } else { None }.filter(|old| old.method == flow.method);
    let (mut rows, mut partial, mut open) = (vec![], vec![], vec![]);
    for units in [&contents.shipped, &contents.others] {
        let fresh = old.as_ref().map_or(vec![], |old| old.fresh(units, &default)).into_iter().flatten().cloned();
        let (complete, rest): (Vec<Row>, Vec<Row>) = fresh.partition(Row::is_complete);
        open.push(units.only(|module| complete.iter().all(|row| row.module != module)));
        rows.extend(complete);
        partial.extend(rest);
    }
    let (kept, all) = (rows.len(), contents.shipped.instances().len() + contents.others.instances().len());
    let whole = compute(&flow, &open, &mut rows)?;
    for units in &open {
        for (instance, digest) in units.instances().iter().zip(units.digests(&default)) {
            rows.iter_mut().filter(|row| row.module == instance.module).for_each(|row| row.digest = digest.clone());
        }
    }
    let (computed, done) = (rows.len() - kept, rows.len());
    partial.retain(|row| rows.iter().all(|new| new.module != row.module));
    rows.extend(partial);
    rows.sort_by(|a, b| a.module.cmp(&b.module));
    rows::write_pretty(json, &Page { method: flow.method, rows })?;
    let state = format!("{done} of {all} rows are complete in {}", json.display());
    match whole {
        true => println!("{state}, {computed} of them computed now"),
        false => return Err(Paused(format!("{state}: the same command goes on from there")).into()),
    }
    Ok(())
}

/// Adds the rows of `open`; `false` if Ctrl-C came before all were finished.
fn compute(flow: &Flow, open: &[Units], rows: &mut Vec<Row>) -> Result<bool> {
    let mut whole = true;
    for units in open {
        let new = if whole { flow.cost(units)? } else { None };
        whole = new.is_some();
        rows.extend(match new {
            Some(new) => new,
            None => report::kept(units, flow.liberty, flow.cache)?.into_iter().flatten().collect(),
        });
    }
    Ok(whole)
}
