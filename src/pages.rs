//! `unruly pages`: the pages of what was checked, from their rows.

use crate::exit::CheckFailed;
use anyhow::{Context, Result};
use output::replace;
use std::path::PathBuf;
use testbench::pages::Data;

/// Write the pages of what was checked from the rows that campaigns and proofs left in docs/data
///
/// The pages are cosim.md, mutants.md, proofs.md, gates.md, assumptions.md, bugs.md and verification.md.
///
/// Example: unruly pages --check
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the pages; the rows are in `data` there
    #[arg(default_value = "docs", value_name = "DIR")]
    docs: PathBuf,
    /// Write nothing; fail if a page is not what the rows say
    #[arg(long)]
    check: bool,
}

pub fn main(args: Args) -> Result<()> {
    let pages = Data::read(&args.docs.join("data"))?.pages()?;
    let mut stale = vec![];
    for (name, text) in &pages {
        let path = args.docs.join(name);
        if args.check {
            let there = std::fs::read_to_string(&path).with_context(|| format!("{}: cannot read", path.display()))?;
            stale.extend((there != *text).then(|| path.display().to_string()));
        } else {
            replace(&path, text.as_bytes()).with_context(|| format!("{}: cannot write", path.display()))?;
        }
    }
    if !stale.is_empty() {
        return Err(CheckFailed(format!("{}: not what the rows say, run `unruly pages`", stale.join(", "))).into());
    }
    println!("{}: {} pages are what their rows say", args.docs.display(), pages.len());
    Ok(())
}
