//! A plan's kernels and the variants that they run in, as the plan has them.

use crate::kernel::Size;
use crate::sweep::entries::distinct;
use crate::user_unit::At;
use anyhow::{ensure, Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelEntry {
    name: Option<String>,
    file: PathBuf,
    entry: Option<String>,
    grid: Size,
    block: Size,
    #[serde(default)]
    shared: u32,
    #[serde(default)]
    args: Vec<String>,
    configure_iru: Option<String>,
    check: CheckEntry,
}

/// The judge of the result.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "a check is a command, as a list of words, or a table of written files with the files that they must equal"
)]
pub enum CheckEntry {
    Command(Vec<String>),
    Files(BTreeMap<String, PathBuf>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WayEntry {
    #[serde(default)]
    define: Vec<String>,
    unit: Option<String>,
    #[serde(default)]
    at: At,
}

/// A kernel on its arguments.
#[derive(Debug, PartialEq, Eq)]
pub struct Kernel {
    pub name: String,
    /// The plan's, in which all files are.
    pub folder: PathBuf,
    pub file: PathBuf,
    pub entry: Option<String>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared: u32,
    pub args: Vec<String>,
    pub configure_iru: Option<String>,
    pub check: CheckEntry,
}

/// A variant of all kernels of a plan.
#[derive(Debug)]
pub struct Way {
    pub name: String,
    /// Macros.
    pub define: Vec<String>,
    /// As `--unit` has it.
    pub unit: Option<String>,
    /// Where the unit is.
    pub at: At,
}

/// Tells kernels of a plan apart as graphs do workloads.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let size = |[x, y, z]: [u32; 3]| match (y, z) {
            (1, 1) => x.to_string(),
            (_, 1) => format!("{x} x {y}"),
            _ => format!("{x} x {y} x {z}"),
        };
        write!(f, "grid {}, block {}", size(self.grid), size(self.block))
    }
}

impl KernelEntry {
    fn read(self, folder: &Path) -> Result<Kernel> {
        let stem = || self.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let name = self.name.unwrap_or_else(stem);
        ensure!(!name.trim().is_empty(), "name: is empty");
        Ok(Kernel {
            name,
            folder: folder.to_owned(),
            file: self.file,
            entry: self.entry,
            grid: self.grid.dimensions("grid")?,
            block: self.block.dimensions("block")?,
            shared: self.shared,
            args: self.args,
            configure_iru: self.configure_iru,
            check: self.check,
        })
    }
}

/// All kernels of a plan in `folder`.
pub fn kernels(entries: Vec<KernelEntry>, folder: &Path) -> Result<Vec<Arc<Kernel>>> {
    let read = |(i, entry): (usize, KernelEntry)| entry.read(folder).with_context(|| format!("kernel[{i}]"));
    let kernels = entries.into_iter().enumerate().map(read).collect::<Result<Vec<_>>>()?;
    distinct("kernel", &kernels.iter().map(|kernel| kernel.name.clone()).collect::<Vec<_>>(), |_| Ok(()))?;
    Ok(kernels.into_iter().map(Arc::new).collect())
}

/// All variants of a plan.
pub fn ways(entries: BTreeMap<String, WayEntry>) -> Vec<Arc<Way>> {
    entries.into_iter().map(|(name, WayEntry { define, unit, at })| Arc::new(Way { name, define, unit, at })).collect()
}
