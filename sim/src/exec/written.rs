//! Bytes of a memory that somebody has written.

use std::ops::Range;

/// A flag for each byte. Off, it takes no room, and all bytes count as written.
#[derive(Clone, Debug, Default)]
pub struct Written(Option<Vec<bool>>);

impl Written {
    /// On, for a memory of so many bytes that nobody has written.
    pub fn nothing_of(bytes: usize) -> Self {
        Written(Some(vec![false; bytes]))
    }

    /// From now on. The bytes that are there count as written.
    pub fn start(&mut self, bytes: usize) {
        self.0.get_or_insert_with(|| vec![true; bytes]);
    }

    /// The memory grows if the bytes lie behind its end.
    #[inline(always)]
    pub fn set(&mut self, bytes: Range<usize>, written: bool) {
        if let Some(flags) = &mut self.0 {
            if flags.len() < bytes.end {
                flags.resize(bytes.end, false);
            }
            flags[bytes].fill(written);
        }
    }

    /// None of the bytes, which are one or more, has been written.
    pub fn is_none(&self, bytes: Range<usize>) -> bool {
        self.0.as_ref().and_then(|flags| flags.get(bytes)).is_some_and(|flags| !flags.contains(&true))
    }
}
