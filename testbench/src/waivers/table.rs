//! The waivers of all units.

use super::Waiver;

pub(super) const WAIVERS: &[Waiver] = &[];
