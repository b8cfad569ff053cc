//! A line of preprocessed Verilog, which remembers its place.

/// A line of the text, and where it comes from.
pub(crate) struct Line {
    /// Index of the source.
    pub source: usize,
    pub number: usize,
    pub text: String,
}

/// Number and file of `` `line 7 "a.v" 1 ``.
pub(crate) fn directive(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.strip_prefix("`line ")?.split_once(" \"")?;
    Some((number.parse().ok()?, rest.rsplit_once('"')?.0))
}
