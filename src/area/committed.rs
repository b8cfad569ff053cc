//! `unruly area --rows`: what all units of the page `area.md` cost, or those of the systems in another library.

use super::{Args, Flow};
use crate::exit::Paused;
use crate::rows;
use anyhow::{bail, Result};
use gen::elaborate_all;
use gen::liberty::Liberty;
use gen::report::page::{Contents, Page};
use gen::report::{self, Row, Units};
use hdl::catalog::catalog;
use std::path::Path;

/// Computes the rows that are missing or stale, or whose paths are not all measured. After Ctrl-C the file has the rows that are finished,
/// and the others as they were if they are not stale.
pub fn write(json: &Path, args: &Args) -> Result<()> {
    rows::check(json)?;
    let (default, liberty) = (Liberty::read(None)?, Liberty::read(args.liberty.as_deref())?);
    let old = if json.exists() { Some(Page::read(json)?) } else { None };
    if let Some(of) = old.as_ref().map(|old| &old.method.library).filter(|of| **of != liberty.name) {
        bail!("--rows {}: it has rows of the library {of}, not of {}; name another file", json.display(), liberty.name);
    }
    let flow = Flow::start(&args.cache, &liberty, args.orders())?;
    let shipped = elaborate_all(&catalog())?;
    let contents = match liberty.name == default.name {
        true => Contents::beside(&shipped)?,
        false => Contents::tops(&shipped),
    };
    let old = old.filter(|old| old.method == flow.method);
    let is_enough = |row: &Row| row.is_complete() || args.as_written;
    let Kept { mut rows, partial, open } = Kept::of(old.as_ref(), &contents, &default, is_enough);
    let (kept, all) = (rows.len(), contents.shipped.instances().len() + contents.others.instances().len());
    let whole = compute(&flow, &open, &mut rows)?;
    if liberty.name != default.name {
        open.iter().for_each(|units| renew_digests(&mut rows, units, &default));
    }
    let (computed, done) = (rows.len() - kept, rows.len());
    rows.extend(partial.into_iter().filter(|row| is_not_among(row, &rows)).collect::<Vec<_>>());
    rows.sort_by(|a, b| a.module.cmp(&b.module));
    rows::write_pretty(json, &Page { method: flow.method, rows })?;
    let state = format!("{done} of {all} rows are in {}", json.display());
    match whole {
        true => println!("{state}, {computed} of them computed now"),
        false => return Err(Paused(format!("{state}: the same command goes on from there")).into()),
    }
    Ok(())
}

/// The rows of the file that are not stale, and the units that need another one.
struct Kept {
    rows: Vec<Row>,
    /// Rows of units in `open`: they stay if no better one is made.
    partial: Vec<Row>,
    open: [Units; 2],
}

impl Kept {
    fn of(old: Option<&Page>, contents: &Contents, default: &Liberty, is_enough: impl Fn(&Row) -> bool) -> Self {
        let (mut rows, mut partial) = (vec![], vec![]);
        let open = [&contents.shipped, &contents.others].map(|units| {
            let fresh = old.map_or(vec![], |old| old.fresh(units, default)).into_iter().flatten().cloned();
            let (enough, rest): (Vec<Row>, Vec<Row>) = fresh.partition(&is_enough);
            let open = units.only(|module| enough.iter().all(|row| row.module != module));
            rows.extend(enough);
            partial.extend(rest);
            open
        });
        Kept { rows, partial, open }
    }
}

fn is_not_among(row: &Row, rows: &[Row]) -> bool {
    rows.iter().all(|new| new.module != row.module)
}

/// Rows of another library have the digests of the default one.
fn renew_digests(rows: &mut [Row], units: &Units, default: &Liberty) {
    for (instance, digest) in units.instances().iter().zip(units.digests(default)) {
        rows.iter_mut().filter(|row| row.module == instance.module).for_each(|row| row.digest = digest.clone());
    }
}

/// Adds the rows of `open`; `false` if Ctrl-C came before all were finished.
fn compute(flow: &Flow, open: &[Units], rows: &mut Vec<Row>) -> Result<bool> {
    let mut whole = true;
    for units in open {
        let new = if whole { flow.cost(units)? } else { None };
        whole = new.is_some();
        rows.extend(match new {
            Some(new) => new,
            None => report::kept(units, flow.orders, flow.liberty, flow.cache)?.into_iter().flatten().collect(),
        });
    }
    Ok(whole)
}
