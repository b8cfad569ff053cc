//! `unruly area --route`: a unit placed and routed. `unruly area --layouts`: the rows of the page `layout.md`.

use super::{state, Args};
use crate::exit::{self, Interrupted, Paused};
use crate::progress::Progress;
use crate::record::Record;
use crate::rows;
use anyhow::{Context, Result};
use gen::elaborate_all;
use gen::layout::page::{self, Page};
use gen::layout::{self, render, Layout, Row};
use gen::liberty::Liberty;
use gen::report::{Running, Units};
use hdl::catalog::{self, Instance};
use serde::Serialize;
use std::path::Path;
use std::sync::Mutex;

#[derive(Serialize)]
struct Report<'a> {
    layouts: &'a [Row],
}

pub fn main(instances: &[Instance], args: &Args, record: &mut Record) -> Result<()> {
    let liberty = Liberty::read(None)?;
    record.add_input(&liberty.path)?;
    let units = Units::elaborate(instances, &catalog::catalog())?;
    let layouts = routed(&units, &liberty, &args.cache, args.large, &|_| Ok(()))?;
    let pictures = layouts.iter().map(|layout| save(layout, &args.out)).collect::<Result<Vec<_>>>()?;
    let rows: Vec<Row> = layouts.into_iter().map(|layout| layout.row).collect();
    record.write(&Report { layouts: &rows })?;
    print!("{}", if args.markdown { render::markdown(&rows) } else { render::text(&rows) });
    pictures.iter().for_each(|picture| println!("{picture}"));
    Ok(())
}

/// Routes the units whose rows are missing or stale. The file is written after each: an interrupted command goes on from there.
pub fn write(json: &Path, cache: &Path, out: &Path) -> Result<()> {
    rows::check(json)?;
    let (liberty, units) = (Liberty::read(None)?, page::units(&elaborate_all(&catalog::catalog())?));
    let rows = if json.exists() { Page::read(json)?.fresh(&units, &liberty) } else { vec![] };
    let open = units.only(|module| rows.iter().all(|row| row.module != module));
    let page = Mutex::new(Page { rows });
    let keep = |layout: &Layout| {
        let mut page = page.lock().expect("nobody panics with it");
        page.add(layout.row.clone());
        save(layout, out)
            .and_then(|_| rows::write_pretty(json, &*page))
            .map_err(|problem| gen::Error::File { path: json.into(), problem: format!("{problem:#}") })
    };
    let new = routed(&open, &liberty, cache, true, &keep);
    let page = page.into_inner().expect("nobody panics with it");
    let state = format!("{} of {} rows are in {}", page.rows.len(), units.instances().len(), json.display());
    let new = new.map_err(|error| match error.is::<Interrupted>() {
        true => anyhow::Error::from(Paused(format!("{state}: the same command goes on from there"))),
        false => error,
    })?;
    rows::write_pretty(json, &page)?;
    println!("{state}, {} of them routed now", new.len());
    Ok(())
}

/// Routes with progress, until Ctrl-C; `keep` gets each layout at once.
fn routed(
    units: &Units,
    liberty: &Liberty,
    cache: &Path,
    large: bool,
    keep: &(dyn Fn(&Layout) -> gen::Result<()> + Sync),
) -> Result<Vec<Layout>> {
    std::fs::create_dir_all(cache).with_context(|| format!("--cache {}", cache.display()))?;
    let (interrupt, progress) = (exit::interrupt_flag()?, Progress::new(1));
    let say = |done: usize, all: usize, running: &[Running]| progress.say(0, state("layout", done, all, running));
    let layouts = layout::route(units, liberty, cache, large, keep, &interrupt, &say);
    progress.finish();
    match layouts {
        Err(gen::Error::Interrupted) => Err(Interrupted::default().into()),
        layouts => Ok(layouts?),
    }
}

/// Leaves a picture and a DEF; says where.
fn save(layout: &Layout, out: &Path) -> Result<String> {
    output::make_folder(out).with_context(|| format!("--out {}", out.display()))?;
    let file = |extension: &str| out.join(format!("{}.{extension}", layout.row.module));
    let (png, def) = (file("png"), file("def"));
    for (path, bytes) in [(&png, layout.png.as_slice()), (&def, layout.def.as_bytes())] {
        output::replace(path, bytes).with_context(|| format!("--out {}", out.display()))?;
    }
    Ok(format!("Picture: {}, layout: {}", png.display(), def.display()))
}
