//! SHA-256, by which results name what they were made from.

pub use gen::digest::{hex, sha256};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::path::Path;

/// The SHA-256 of a file's contents, in hexadecimal.
///
/// # Errors
/// A file that cannot be read.
pub fn of_file(path: &Path) -> Result<String> {
    File::open(path).and_then(of_open_file).with_context(|| format!("{}: cannot read", path.display()))
}

fn of_open_file(mut file: File) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    std::io::copy(&mut file, &mut hash)?;
    Ok(hex(hash.finalize()))
}

/// The program that runs, whatever takes the place of its file.
pub struct Program(File);

impl Program {
    /// # Errors
    /// The program's own file cannot be read.
    pub fn open() -> Result<Self> {
        let file = std::env::current_exe().and_then(File::open);
        Ok(Program(file.context("the program's own file: cannot read")?))
    }

    /// # Errors
    /// Errors of [`Self::open`].
    pub fn digest(self) -> Result<String> {
        of_open_file(self.0).context("the program's own file: cannot read")
    }
}
