//! `unruly claims`: every quantitative claim of the three papers, ours beside the paper's, on one page.

mod book;
mod page;

pub use book::{others, Book, Paper};

use crate::exit::CheckFailed;
use crate::record::{Files, Record, Recorded};
use crate::sweep::Standing;
use anyhow::{Context, Result};
use std::path::PathBuf;

/// Print how the papers' claims stand beside our committed numbers, or write the page of them
///
/// Claims are those of the plans in `plans/` that have a row, beside the rows in `docs/results`; and those of `docs/claims.toml`, which no plan
/// measures.
///
/// Example: unruly claims --page docs/claims.md
#[derive(clap::Args)]
pub struct Args {
    /// Write the page
    #[arg(long, value_name = "FILE.md")]
    page: Option<PathBuf>,
    /// Write nothing; fail if the page is not what plans and results say
    #[arg(long, requires = "page")]
    check: bool,
    /// Write all claims to this file as well, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        Files { json: self.json.clone(), ..Files::default() }
    }
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    let book = Book::read()?;
    let outcome = written(&args, &book);
    record.write_with(&book, &outcome)?;
    outcome
}

/// The page, or only how many claims stand how.
fn written(args: &Args, book: &Book) -> Result<()> {
    let Some(path) = &args.page else {
        print(book);
        return Ok(());
    };
    let text = page::text(book);
    if args.check {
        let there = std::fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))?;
        if there != text {
            let path = path.display();
            return Err(CheckFailed(format!("{path}: is stale: unruly claims --page {path}")).into());
        }
        println!("{}: is what plans and results say", path.display());
        return Ok(());
    }
    output::replace(path, text.as_bytes()).with_context(|| format!("{}: cannot write", path.display()))?;
    print(book);
    Ok(())
}

fn print(book: &Book) {
    for standing in Standing::ALL {
        println!("{:>4} {}", book.count(standing), standing.name());
    }
}
