//! Entries of a plan's lists.

use anyhow::{ensure, Context, Result};
use std::collections::BTreeSet;

/// Each entry, read; there must be one, and none twice.
pub fn distinct<T>(field: &str, entries: &[String], read: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    ensure!(!entries.is_empty(), "{field}: is empty; name at least one");
    let mut seen = BTreeSet::new();
    let mut read_all = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        ensure!(seen.insert(entry), "{field}[{i}]: `{entry}` is there twice");
        read_all.push(read(entry).with_context(|| format!("{field}[{i}]"))?);
    }
    Ok(read_all)
}

/// As in `--set`.
pub fn shown(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
