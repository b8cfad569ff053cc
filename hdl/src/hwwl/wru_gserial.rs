//! Global serial work redistribution unit: [`WruSerial`] over the banks of all cores.
//!
//! ```text
//!  bank i of core c is bank c L + i:  *_occupancy_i, id_i, wru_valid, wru_accepted --> [ serial over G = N L banks ] --> pop, push
//! ```
//!
//! No core is outside it, and the unit sends nothing: `send` and `out_ready` are 0 beside it. The banks
//! come through a register, so that it has no look in the first cycle.

use super::wru_serial::WruSerial;

/// G banks of all cores, H = log2(G); C bits of occupancy.
pub type WruGserial<const G: usize, const H: usize, const C: usize> = WruSerial<G, H, C>;
