//! `unruly claims`: every quantitative claim of the three papers, ours beside the paper's.

mod book;
mod page;

pub use book::{others, Book, Paper};

use crate::record::{Files, Record, Recorded};
use crate::sweep::Standing;
use anyhow::Result;
use std::path::PathBuf;

/// Print how the papers' claims stand beside our committed numbers
///
/// Claims are those of the plans in `plans/` that have a row, beside the rows in `docs/results`; and those of `docs/data/claims.toml`, which no plan
/// measures. `unruly pages` writes the page of them.
///
/// Example: unruly claims --json out/claims.json
#[derive(clap::Args)]
pub struct Args {
    /// Write all claims to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        Files { json: self.json.clone(), ..Files::default() }
    }
}

pub fn main(_: Args, record: &mut Record) -> Result<()> {
    let book = Book::read()?;
    record.write(&book)?;
    print(&book);
    Ok(())
}

/// The page `claims.md`.
///
/// # Errors
/// Errors of [`Book::read`].
pub fn page() -> Result<String> {
    Ok(page::text(&Book::read()?))
}

fn print(book: &Book) {
    for standing in Standing::ALL {
        println!("{:>4} {}", book.count(standing), standing.name());
    }
}
