//! The error in a PTX file, in one line.

use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}: {message}")]
pub struct PtxError {
    pub file: String,
    /// From 1.
    pub line: u32,
    pub message: String,
}
