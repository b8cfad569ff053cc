//! The runtime library that programs are linked with: its sources come with the command.

use anyhow::Result;
use std::path::PathBuf;

/// The folder with `libcudart.so`.
pub fn folder() -> Result<PathBuf> {
    Ok(std::env::var_os("UNRULY_LIB").map(PathBuf::from).unwrap_or_default())
}
