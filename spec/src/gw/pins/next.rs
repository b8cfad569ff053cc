//! The core's answer to an instruction that has issued: what follows for its warp.

use crate::pin::Pin;
use crate::pins::{by_name, group, Listed};

/// The warp goes on.
pub const GOES_ON: u8 = 0;
/// It halts, and goes on later.
pub const HALTS: u8 = 1;
/// It ends.
pub const ENDS: u8 = 2;

group! {
    /// `even_next`, `even_pc`, `even_full`, or those of the odd half. Means something while the half is answered.
    Next() {
        next: u8 = 2,
        pc: u16 = 16,
        full: bool,
    }
}

/// `even_next` to `odd_full`.
pub(super) fn of_halves() -> Vec<Pin> {
    by_name(&["even", "odd"], Next::list(()))
}
