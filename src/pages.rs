//! `unruly pages`: the pages that are made from rows.

use crate::exit::CheckFailed;
use crate::sweep::Published;
use crate::{calibrate, claims, microbench, unit_tables};
use anyhow::{ensure, Context, Result};
use gen::layout::page as layout;
use gen::report::{hand, page as area};
use output::replace;
use std::path::{Path, PathBuf};
use testbench::pages::{read, Data};

const DATA: &str = "docs/data";
const RESULTS: &str = "docs/results";
const OUT: &str = "out/pages";

/// Write the pages that are made from rows: of docs/data, and of the sweeps in docs/results
///
/// The pages are area.md, assumptions.md, bugs.md, calibration.md, claims.md, cosim.md, exceptions.md, gates.md, hand.md, layout.md, mutants.md,
/// proofs.md, silicon.md, sizes.md, verification.md, and in results a page and a figure for each plan whose runs are there. They go to out/pages.
/// The tables of pins and parameters in the pages of the units in docs are brought up to date as well.
///
/// Example: unruly pages --check
#[derive(clap::Args)]
pub struct Args {
    /// Write nothing; fail if a page cannot be made, if it lacks a row, or if a figure in docs/results or a table of a unit in docs is
    /// stale
    #[arg(long)]
    check: bool,
}

pub fn main(args: Args) -> Result<()> {
    let rows = Rows::read()?;
    let (pages, published, of_units) = (rows.pages()?, published()?, unit_tables::stale()?);
    if args.check {
        let missing: Vec<_> = rows.missing()?.into_iter().filter(|(_, missing)| !missing.is_empty()).collect();
        if !missing.is_empty() {
            let files: Vec<_> =
                missing.iter().map(|(file, of)| format!("{file}: no row of {}", of.join(", "))).collect();
            let text = format!("{DATA}: {}; {DATA}/README.md says what makes them", files.join("; "));
            return Err(CheckFailed(text).into());
        }
        if !of_units.is_empty() {
            let names: Vec<_> = of_units.iter().map(|(path, _)| path.display().to_string()).collect();
            let text = format!("{}: a table is not what `spec` says, run `unruly pages`", names.join(", "));
            return Err(CheckFailed(text).into());
        }
        let is_stale = |(name, published): &&(String, Published)| {
            let path = Path::new(RESULTS).join(name).join(format!("{name}.svg"));
            std::fs::read_to_string(path).ok().as_ref() != Some(&published.figure)
        };
        let stale: Vec<_> = published.iter().filter(is_stale).map(|(name, _)| name.as_str()).collect();
        if !stale.is_empty() {
            let text = format!("{RESULTS}: {}: not what the rows say, run `make figures`", stale.join(", "));
            return Err(CheckFailed(text).into());
        }
        println!("{} pages can be made", pages.len() + published.len());
        return Ok(());
    }
    let of_sweeps = published.iter().flat_map(|(name, Published { figure, report })| {
        [("md", report), ("svg", figure)].map(|(ending, text)| (format!("results/{name}.{ending}"), text))
    });
    let all = pages.iter().map(|(name, text)| (name.to_string(), text)).chain(of_sweeps);
    std::fs::create_dir_all(Path::new(OUT).join("results"))
        .with_context(|| format!("{OUT}: cannot make the folder"))?;
    let all = all.map(|(name, text)| (Path::new(OUT).join(name), text));
    for (path, text) in all.chain(of_units.iter().map(|(path, text)| (path.clone(), text))) {
        replace(&path, text.as_bytes()).with_context(|| format!("{}: cannot write", path.display()))?;
    }
    println!("{OUT}: {} pages", pages.len() + published.len());
    Ok(())
}

/// The rows of all pages that are not of a sweep, but for those of pages that need all of theirs.
struct Rows {
    checks: Data,
    area: area::Page,
    nangate45: area::Page,
    layout: layout::Page,
    hand: Vec<hand::Row>,
}

impl Rows {
    fn read() -> Result<Self> {
        let data = Path::new(DATA);
        let first = data.join("cosim.json");
        ensure!(first.exists(), "{}: no such file; run this in the folder of a checkout", first.display());
        Ok(Rows {
            checks: Data::read(data)?,
            area: area::Page::read(&data.join("area.json"))?,
            nangate45: area::Page::read(&data.join("area_nangate45.json"))?,
            layout: layout::Page::read(&data.join("layout.json"))?,
            hand: read(&data.join("hand.json"))?,
        })
    }

    /// Name and text of each page.
    fn pages(&self) -> Result<Vec<(&'static str, String)>> {
        let data = Path::new(DATA);
        let others = [
            ("area.md", self.area.markdown(&self.nangate45)),
            ("layout.md", self.layout.markdown()),
            ("hand.md", hand::page(&self.hand)),
            ("claims.md", claims::page()?),
            ("calibration.md", calibrate::page(&data.join("calibration.json"))?),
            ("silicon.md", microbench::Page::open(&data.join("silicon.json"))?.text()?),
        ];
        Ok(self.checks.pages()?.into_iter().chain(others).collect())
    }

    /// The missing rows of each file.
    fn missing(&self) -> Result<Vec<(&'static str, Vec<String>)>> {
        let costs = [
            ("area.json", self.area.missing()),
            ("area_nangate45.json", self.nangate45.missing_tops()),
            ("layout.json", self.layout.missing()),
            ("hand.json", hand::missing(&self.hand)),
        ];
        Ok(self.checks.missing()?.into_iter().chain(costs).collect())
    }
}

/// The name of each sweep whose rows are committed, with what is drawn from them.
fn published() -> Result<Vec<(String, Published)>> {
    let entries = std::fs::read_dir(RESULTS).with_context(|| format!("{RESULTS}: cannot read"))?;
    let mut folders = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    folders.sort();
    let of = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let plan = Path::new("plans").join(&name).with_extension("toml");
        Published::read(&plan, &folder.join("runs.csv")).map(|published| (name, published))
    };
    folders.iter().map(of).collect()
}
