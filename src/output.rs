//! Files that a command leaves behind: written whole or not at all.

use anyhow::{Context, Result};
use serde::Serialize;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Where a JSON result goes.
pub struct JsonFile {
    path: PathBuf,
}

impl JsonFile {
    /// Fails at once if nothing can be written there, so that a bad path does not cost a long run.
    pub fn check(path: &Path) -> Result<Self> {
        let file = JsonFile { path: path.to_path_buf() };
        file.temporary()?;
        Ok(file)
    }

    pub fn write(&self, value: &impl Serialize) -> Result<()> {
        let mut file = self.temporary()?;
        let context = || format!("--json {}: cannot write", self.path.display());
        serde_json::to_writer_pretty(&mut file, value).with_context(context)?;
        file.write_all(b"\n").with_context(context)?;
        file.persist(&self.path).with_context(context)?;
        Ok(())
    }

    fn temporary(&self) -> Result<NamedTempFile> {
        if self.path.is_dir() {
            anyhow::bail!("--json {}: is a directory; name a file in it", self.path.display());
        }
        temporary(&self.path).with_context(|| format!("--json {}: cannot write", self.path.display()))
    }
}

/// A file beside `path` that can take its place.
pub fn temporary(path: &Path) -> std::io::Result<NamedTempFile> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    tempfile::Builder::new().prefix(".unruly-").permissions(Permissions::from_mode(0o666)).tempfile_in(directory)
}

/// Writes a file in one step.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = temporary(path)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// `Some` file if the user asked for JSON.
pub fn json_file(path: &Option<PathBuf>) -> Result<Option<JsonFile>> {
    path.as_deref().map(JsonFile::check).transpose()
}
