//! Pins of `queue`, of entries of so many bits.

use super::Wide;
use crate::pins::pins;

pins! {
    /// Inputs of `queue`.
    QueueIn(width: u32) {
        /// never while `full`
        push: bool,
        push_data: Wide = width,
        /// only while `head_valid`
        take: bool,
    }
}

pins! {
    /// Outputs of `queue`.
    QueueOut(width: u32) {
        /// the oldest entry; `head_data` is valid while `head_valid`
        head_valid: bool,
        head_data if head_valid: Wide = width,
        /// D entries, the head not counted
        full: bool,
        /// no entry, and no head
        empty: bool,
    }
}
