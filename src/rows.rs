//! Rows that a command keeps in a JSON file, and that a page is written from.

use crate::record::Written;
use anyhow::{Context, Result};
use output::{replace, Place};
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::path::{Path, PathBuf};
use testbench::pages::{read, to_json};

/// The files of rows that options name.
pub fn written<'a>(options: impl IntoIterator<Item = (&'a str, &'a Option<PathBuf>)>) -> Vec<Written> {
    let named = options.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)));
    named.map(|(option, path)| Written::by_option(option, path)).collect()
}

/// Fails at once if the file cannot be written, so that a bad path does not cost a long run.
pub fn check(path: &Path) -> Result<()> {
    Place::find(path).map(drop).with_context(|| cannot_write(path))
}

/// The rows of a file that may not be there yet. Fails at once if it cannot be written.
pub fn kept<T: DeserializeOwned>(path: Option<&Path>) -> Result<Vec<T>> {
    let Some(path) = path else { return Ok(vec![]) };
    check(path)?;
    Ok(if path.exists() { read(path)? } else { vec![] })
}

/// A row a line.
pub fn write<T: Serialize>(path: &Path, rows: &[T]) -> Result<()> {
    replace(path, to_json(rows).as_bytes()).with_context(|| cannot_write(path))
}

/// Rows that have something in common, a value a line.
pub fn write_pretty<T: Serialize>(path: &Path, rows: &T) -> Result<()> {
    let text = serde_json::to_string_pretty(rows)? + "\n";
    replace(path, text.as_bytes()).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("{}: cannot write", path.display())
}
