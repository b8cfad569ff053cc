//! Global sorting work redistribution unit (section III-C): [`WruSorting`] over the banks of all cores.
//!
//! ```text
//!  bank i of core c is bank c L + i:  *_occupancy_i, id_i, wru_valid, wru_accepted --> [ sorting over G = N L banks ] --> pop, push
//! ```
//!
//! No core is outside it, and the unit sends nothing: `send` and `out_ready` are 0 beside it.

use super::wru_sorting::WruSorting;

/// G banks of all cores, H = log2(G); C bits of occupancy; sorted words of V = C + H bits.
pub type WruGlobal<const G: usize, const H: usize, const C: usize, const V: usize> = WruSorting<G, H, C, V>;
