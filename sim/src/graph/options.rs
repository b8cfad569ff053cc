//! Options for reading a graph's file.

use super::error::GraphError;
use super::format::Format;
use super::shown::shown;
use std::str::FromStr;

/// Options for files alone: built-in and generated graphs have their own form, directions and lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// `None`: the format is found from the contents.
    pub format: Option<Format>,
    pub lengths: Lengths,
    /// Edges keep their directions.
    pub directed: bool,
}

/// Where the lengths of edges come from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Lengths {
    /// The file's, or a hash where it has none.
    #[default]
    File,
    /// A hash, whatever the file has.
    Hash,
    /// The file's times this number, rounded to whole numbers.
    Scale(f64),
}

impl FromStr for Lengths {
    type Err = GraphError;
    fn from_str(text: &str) -> Result<Lengths, GraphError> {
        let factor = |text: &str| text.parse().ok().filter(|factor: &f64| factor.is_finite() && *factor > 0.0);
        match (text, text.strip_prefix("scale:").and_then(factor)) {
            ("file", _) => Ok(Lengths::File),
            ("hash", _) => Ok(Lengths::Hash),
            (_, Some(factor)) => Ok(Lengths::Scale(factor)),
            _ => Err(GraphError::Lengths { text: shown(text) }),
        }
    }
}
