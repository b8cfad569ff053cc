//! `unruly area --rows`: what all units of the page `area.md` cost.

use super::Flow;
use crate::exit::Paused;
use crate::rows;
use anyhow::Result;
use gen::elaborate_all;
use gen::liberty::Liberty;
use gen::report::page::{Contents, Page};
use gen::report::{self, Row, Units};
use hdl::catalog::catalog;
use std::collections::BTreeMap;
use std::path::Path;

/// Computes the rows that are missing or stale. After Ctrl-C the file has the rows that are finished.
pub fn write(json: &Path, cache: &Path) -> Result<()> {
    rows::check(json)?;
    let liberty = Liberty::read(None)?;
    let flow = Flow::start(cache, &liberty)?;
    let contents = Contents::beside(&elaborate_all(&catalog())?)?;
    let old = if json.exists() { Some(Page::read(json)?) } else { None }.filter(|old| old.method == flow.method);
    let (mut rows, mut open) = (vec![], vec![]);
    for units in [&contents.shipped, &contents.others] {
        let fresh = fresh(old.as_ref(), units, &liberty);
        open.push(units.only(|module| !fresh.contains_key(module)));
        rows.extend(fresh.into_values());
    }
    let (kept, all) = (rows.len(), contents.shipped.instances().len() + contents.others.instances().len());
    let whole = compute(&flow, &open, &mut rows)?;
    rows.sort_by(|a, b| a.module.cmp(&b.module));
    let (computed, done) = (rows.len() - kept, rows.len());
    rows::write_pretty(json, &Page { method: flow.method, rows })?;
    let state = format!("{done} of {all} rows are in {}", json.display());
    match whole {
        true => println!("{state}, {computed} of them computed now"),
        false => return Err(Paused(format!("{state}: the same command goes on from there")).into()),
    }
    Ok(())
}

/// Rows of `old` that are as if computed today, by module.
fn fresh(old: Option<&Page>, units: &Units, liberty: &Liberty) -> BTreeMap<String, Row> {
    let Some(old) = old else { return BTreeMap::new() };
    let modules = units.instances().iter().map(|i| i.module.as_str());
    let digests: BTreeMap<&str, String> = modules.zip(units.digests(liberty)).collect();
    let is_fresh = |row: &&Row| digests.get(row.module.as_str()) == Some(&row.digest);
    old.rows.iter().filter(is_fresh).map(|row| (row.module.clone(), row.clone())).collect()
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
