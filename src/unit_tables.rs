//! The tables of pins and parameters in the pages of the units.

use anyhow::{anyhow, Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 4] = ["docs", "docs/hwwl", "docs/iru", "docs/gw"];

/// Each page with a table that is not what the specification says, as it should be.
pub fn stale() -> Result<Vec<(PathBuf, String)>> {
    let mut stale = vec![];
    for folder in FOLDERS.map(Path::new).into_iter().filter(|folder| folder.is_dir()) {
        let entries = fs::read_dir(folder).with_context(|| format!("{}: cannot read", folder.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
        paths.sort();
        for path in paths.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
            let there = fs::read_to_string(&path).with_context(|| format!("{}: cannot read", path.display()))?;
            let filled = spec::page::filled(&there).map_err(|problem| anyhow!("{}: {problem}", path.display()))?;
            if filled != there {
                stale.push((path, filled));
            }
        }
    }
    Ok(stale)
}
