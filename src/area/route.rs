//! `unruly area --route`: a unit placed and routed. `unruly area --layouts`: the rows of the page `layout.md`.

use super::{state, Args};
use crate::exit::{self, Interrupted};
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

#[derive(Serialize)]
struct Report<'a> {
    layouts: &'a [Row],
}

pub fn main(instances: &[Instance], args: &Args, record: &mut Record) -> Result<()> {
    let liberty = Liberty::read(None)?;
    record.add_input(&liberty.path)?;
    let layouts = routed(&Units::elaborate(instances, &catalog::catalog())?, &liberty, &args.cache, args.large)?;
    let pictures = save(&layouts, &args.out)?;
    let rows: Vec<Row> = layouts.into_iter().map(|layout| layout.row).collect();
    record.write(&Report { layouts: &rows })?;
    print!("{}", if args.markdown { render::markdown(&rows) } else { render::text(&rows) });
    pictures.iter().for_each(|picture| println!("{picture}"));
    Ok(())
}

/// Routes the units whose rows are missing or stale.
pub fn write(json: &Path, cache: &Path, out: &Path) -> Result<()> {
    rows::check(json)?;
    let (liberty, units) = (Liberty::read(None)?, page::units(&elaborate_all(&catalog::catalog())?));
    let mut rows = if json.exists() { Page::read(json)?.fresh(&units, &liberty) } else { vec![] };
    let open = units.only(|module| rows.iter().all(|row| row.module != module));
    let layouts = routed(&open, &liberty, cache, false)?;
    save(&layouts, out)?;
    let (all, new) = (units.instances().len(), layouts.len());
    rows.extend(layouts.into_iter().map(|layout| layout.row));
    rows.sort_by(|a, b| a.module.cmp(&b.module));
    rows::write_pretty(json, &Page { rows })?;
    println!("{all} rows are in {}, {new} of them routed now", json.display());
    Ok(())
}

/// Routes with progress, until Ctrl-C.
fn routed(units: &Units, liberty: &Liberty, cache: &Path, large: bool) -> Result<Vec<Layout>> {
    std::fs::create_dir_all(cache).with_context(|| format!("--cache {}", cache.display()))?;
    let (interrupt, progress) = (exit::interrupt_flag()?, Progress::new(1));
    let say = |done: usize, all: usize, running: &[Running]| progress.say(0, state("layout", done, all, running));
    let layouts = layout::route(units, liberty, cache, large, &interrupt, &say);
    progress.finish();
    match layouts {
        Err(gen::Error::Interrupted) => Err(Interrupted::default().into()),
        layouts => Ok(layouts?),
    }
}

/// Leaves a picture and a DEF of each; says where.
fn save(layouts: &[Layout], out: &Path) -> Result<Vec<String>> {
    output::make_folder(out).with_context(|| format!("--out {}", out.display()))?;
    let save = |layout: &Layout| {
        let file = |extension: &str| out.join(format!("{}.{extension}", layout.row.module));
        let (png, def) = (file("png"), file("def"));
        output::replace(&png, &layout.png)?;
        output::replace(&def, layout.def.as_bytes())?;
        Ok(format!("Picture: {}, layout: {}", png.display(), def.display()))
    };
    layouts.iter().map(save).collect::<std::io::Result<_>>().with_context(|| format!("--out {}", out.display()))
}
