//! The pages of what was checked, which `unruly pages` writes. Commands leave rows in JSON, one a line, and every page is written from those.

pub mod assumptions;
pub mod bugs;
pub mod cosim;
pub mod coverage;
mod exceptions;
mod gates;
mod missing;
pub mod mutants;
pub mod proofs;
pub mod sizes;
mod verification;

use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use serde::Serialize;
use spec::exceptions::EXCEPTIONS;
use std::path::Path;

/// All rows.
pub struct Data {
    pub cosim: Vec<cosim::Row>,
    pub coverage: Vec<coverage::Row>,
    pub mutants: Vec<mutants::Row>,
    pub proofs: Vec<proofs::Row>,
    pub gates: Vec<proofs::Row>,
    pub sizes: Vec<sizes::Row>,
    pub assumptions: Vec<assumptions::Row>,
    pub bugs: Vec<bugs::Row>,
}

impl Data {
    /// The files of a folder.
    ///
    /// # Errors
    /// A file that is not there or not of its form.
    pub fn read(folder: &Path) -> Result<Self> {
        Ok(Data {
            cosim: read(&folder.join("cosim.json"))?,
            coverage: read(&folder.join("coverage.json"))?,
            mutants: read(&folder.join("mutants.json"))?,
            proofs: read(&folder.join("proofs.json"))?,
            gates: read(&folder.join("gates.json"))?,
            sizes: read(&folder.join("sizes.json"))?,
            assumptions: read(&folder.join("assumptions.json"))?,
            bugs: read(&folder.join("bugs.json"))?,
        })
    }

    /// Name and text of each page.
    ///
    /// # Errors
    /// A row of a bug that there is not; a timing exception whose claim does not hold.
    pub fn pages(&self) -> Result<[(&'static str, String); 9]> {
        Ok([
            ("cosim.md", cosim::page(&self.cosim)),
            ("mutants.md", mutants::page(&self.mutants)),
            ("proofs.md", proofs::page(&self.proofs)),
            ("gates.md", gates::page(&self.gates)),
            ("sizes.md", sizes::page(&self.sizes)),
            ("assumptions.md", assumptions::page(&self.assumptions)),
            ("bugs.md", bugs::page(&self.bugs)?),
            ("exceptions.md", exceptions::page(EXCEPTIONS, self)?),
            ("verification.md", verification::page(self)),
        ])
    }
}

/// The rows of a file.
///
/// # Errors
/// A file that cannot be read or is not of this form.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = std::fs::read_to_string(path).map_err(Error::file(path))?;
    serde_json::from_str(&text).map_err(|problem| Error::file(path)(problem.into()))
}

/// Rows as a file has them.
///
/// # Panics
/// Never: keys are strings.
pub fn to_json<T: Serialize>(rows: &[T]) -> String {
    let row = |row| serde_json::to_string(row).expect("keys are strings");
    format!("[\n{}\n]\n", rows.iter().map(row).collect::<Vec<_>>().join(",\n"))
}

/// A digest in a row, which is long enough to tell texts apart.
pub fn short(digest: &str) -> &str {
    &digest[..DIGITS]
}

const DIGITS: usize = 12;

fn code(text: impl std::fmt::Display) -> String {
    format!("`{text}`")
}
