//! Pins of `queue`, of entries of so many bits.

use super::Wide;
use crate::pins::pins;

pins! {
    /// Inputs of `queue`.
    QueueIn(width: u32) {
        push: bool,
        push_data: Wide = width,
        take: bool,
    }
}

pins! {
    /// Outputs of `queue`.
    QueueOut(width: u32) {
        head_valid: bool,
        head_data if head_valid: Wide = width,
        full: bool,
        empty: bool,
    }
}
