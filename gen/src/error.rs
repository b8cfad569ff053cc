//! Errors between a RustHDL block and its report: one line each, what, where, what to do.

use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The RustHDL block is not hardware that can be written as Verilog with the same meaning.
    #[error("{block}: {problem}")]
    Design { block: String, problem: String },
    /// Two different designs want one module name, or one design two.
    #[error("module name {name}: {problem}")]
    Name { name: String, problem: String },
    #[error("{path}: {problem}", path = path.display())]
    File { path: PathBuf, problem: String },
    /// A directory of Verilog, as `verilog-out`, differs from what the units say.
    #[error("{path} is stale ({problem})", path = directory.join(file).display())]
    Stale { directory: PathBuf, file: String, problem: String },
    /// A program or library that has to be installed is not there.
    #[error("{tool} not found: install it with `apt-get install {package}`")]
    MissingTool { tool: &'static str, package: &'static str },
    /// A program ran and did not do what was asked.
    #[error("{tool} failed on {subject}: {problem}")]
    Tool { tool: &'static str, subject: String, problem: String },
    /// A program ran for too long, and was killed.
    #[error("{tool} failed on {subject}: it did not end within {seconds} s")]
    Late { tool: &'static str, subject: String, seconds: f64 },
    /// The user asked for the end.
    #[error("interrupted")]
    Interrupted,
    #[error("Liberty file {path}: {problem}", path = path.display())]
    Liberty { path: PathBuf, problem: String },
}

impl Error {
    pub(crate) fn design(block: impl Into<String>, problem: impl Into<String>) -> Self {
        Error::Design { block: block.into(), problem: problem.into() }
    }

    pub(crate) fn file(path: impl Into<PathBuf>, problem: impl ToString) -> Self {
        Error::File { path: path.into(), problem: problem.to_string() }
    }

    /// The cure is to install something (the command then exits with 3).
    pub fn is_missing_tool(&self) -> bool {
        matches!(self, Error::MissingTool { .. })
    }
}
