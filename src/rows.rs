//! Rows that a command keeps in a JSON file, and that a page is written from.

use anyhow::{Context, Result};
use output::{replace, Place};
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::path::{Path, PathBuf};
use testbench::pages::{read, to_json};

/// Where the rows of a page are: in the folder `data` beside it.
pub fn of_page(page: &Path) -> PathBuf {
    let name = page.file_name().unwrap_or_default();
    page.with_file_name("data").join(name).with_extension("json")
}

/// The file of a page's rows; fails at once if one of the two cannot be written, so that a bad path does not cost a long run.
pub fn writable(page: &Path, option: &str) -> Result<PathBuf> {
    let rows = of_page(page);
    let is_writable = Place::find(page).and_then(|_| Place::find(&rows));
    is_writable.with_context(|| format!("{option} {}: cannot write it or {}", page.display(), rows.display()))?;
    Ok(rows)
}

/// The rows of a file that may not be there yet. Fails at once if it cannot be written, so that a bad path does not cost a long run.
pub fn kept<T: DeserializeOwned>(path: Option<&Path>) -> Result<Vec<T>> {
    let Some(path) = path else { return Ok(vec![]) };
    Place::find(path).with_context(|| cannot_write(path))?;
    Ok(if path.exists() { read(path)? } else { vec![] })
}

pub fn write<T: Serialize>(path: &Path, rows: &[T]) -> Result<()> {
    replace(path, to_json(rows).as_bytes()).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("{}: cannot write", path.display())
}
