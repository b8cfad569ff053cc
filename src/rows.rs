//! Rows that a command keeps in a JSON file, for the pages of what was checked.

use output::replace;
use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::path::Path;
use testbench::pages::{read, to_json};

/// The rows of a file that may not be there yet.
pub fn kept<T: DeserializeOwned>(path: Option<&Path>) -> Result<Vec<T>> {
    match path {
        Some(path) if path.exists() => Ok(read(path)?),
        _ => Ok(vec![]),
    }
}

pub fn write<T: Serialize>(path: &Path, rows: &[T]) -> Result<()> {
    replace(path, to_json(rows).as_bytes()).with_context(|| format!("{}: cannot write", path.display()))
}
