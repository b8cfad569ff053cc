//! The parts of a conversion of `printf`.

/// One conversion, without its argument.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conversion {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    pub space: bool,
    /// `#`
    pub alternative: bool,
    /// `0`
    pub zero: bool,
    pub width: usize,
    pub precision: Option<usize>,
}
