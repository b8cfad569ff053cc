//! Pins of `link`, of elements of so many bits.

use super::Wide;
use crate::pins::pins;

pins! {
    /// Inputs of `link`.
    LinkIn(width: u32) {
        /// an element, which enters in a cycle with `in_ready`
        in_valid: bool,
        in_data: Wide = width,
        /// the element at the other end is taken
        out_ready: bool,
    }
}

pins! {
    /// Outputs of `link`.
    LinkOut(width: u32) {
        /// a credit is left
        in_ready: bool,
        /// an element at the other end
        out_valid: bool,
        out_data if out_valid: Wide = width,
        /// every credit is home, so no element is in the link
        empty: bool,
    }
}
