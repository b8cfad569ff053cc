//! What the checks of the pins' rules share.

/// Cycles without anything on the pins after which a unit that has something to do is given up.
pub const PATIENCE: u64 = 100_000;

/// Cycles for which a unit may go on when no warp is left that could ask it.
const LINGERS: u64 = 1_000_000;

/// How long a unit has been clocked since the last warp ended.
#[derive(Default)]
pub struct Lingering(u64);

impl Lingering {
    /// One cycle more.
    ///
    /// # Errors
    /// The unit does not come to an end.
    pub fn check(&mut self, has_warps: bool) -> Result<(), String> {
        self.0 = if has_warps { 0 } else { self.0 + 1 };
        match self.0 < LINGERS {
            true => Ok(()),
            false => Err(format!("pin busy: the unit goes on for {LINGERS} cycles, and no warp is left")),
        }
    }
}

/// The first that holds, as an error in words.
///
/// # Errors
/// One of them holds.
pub fn first_that_holds(list: &[(&str, bool)], words: impl Fn(&str) -> String) -> Result<(), String> {
    match list.iter().find(|(_, holds)| *holds) {
        Some((what, _)) => Err(words(what)),
        None => Ok(()),
    }
}
