//! Area of SRAM macros: an estimate from published generators, not from a memory compiler.
//!
//! Measured once, in um2, for single-port arrays: OpenRAM (FreePDK45, 45 nm; a complete generated layout) and CACTI 7
//! (itrs-hp, 40 nm; an analytical model). They differ by 5 to 12 times, most on small arrays, so both are quoted, as a
//! bracket. Between and beyond the measured sizes areas follow the number of bits: a straight line on logarithmic axes
//! between points; proportional to the bits above the last; along the first line below the first.
//!
//! An access takes a time as well, from the clock's edge to the data. OpenRAM's own delay model (FreePDK45, typical) gives 12 to 18 FO4 by
//! size; with a compiler's margins at the slow corner, and the multiplexer of test in its wrapper, 20 are counted for every size.

use serde::{Deserialize, Serialize};
use verilog::tree::Memory;

/// The node of [`CACTI`].
pub const CACTI_NM: f64 = 40.0;
/// (bits, um2)
const CACTI: [(f64, f64); 3] = [(32. * 24., 371.), (256. * 32., 2_711.), (64. * 1024. * 8., 161_848.)];
const OPENRAM: [(f64, f64); 2] = [(32. * 24., 4_405.), (256. * 32., 14_870.)];

/// FO4 from the clock's edge to the data.
pub const ACCESS: f64 = 20.0;
/// FO4 by which address and data have to be there before the edge.
pub const SETUP: f64 = 1.0;

/// The times of an access, in a line.
pub fn access_rule() -> String {
    format!("SRAM access: {ACCESS} FO4 whatever its size; set-up {SETUP} FO4 (our judgement; OpenRAM's delay model of FreePDK45 has 12 to 18 and no margin)")
}

/// Where the numbers come from, to be printed with them.
pub const SOURCE: &str =
    "estimate by number of bits; low: CACTI 7, itrs-hp, 40 nm; high: OpenRAM, FreePDK45, 45 nm; not a memory compiler";

/// Bits and area of all memories of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sram {
    pub macros: u64,
    pub bits: u64,
    /// um2 at 40 nm by CACTI.
    pub low: f64,
    /// um2 at 45 nm by OpenRAM.
    pub high: f64,
}

pub fn estimate<'a>(memories: impl Iterator<Item = &'a Memory>) -> Sram {
    memories.fold(Sram::default(), |sum, memory| {
        let bits = (memory.depth * memory.width) as f64;
        Sram {
            macros: sum.macros + 1,
            bits: sum.bits + bits as u64,
            low: sum.low + cacti(bits),
            high: sum.high + area(bits, &OPENRAM),
        }
    })
}

/// um2 of an array by CACTI.
pub fn cacti(bits: f64) -> f64 {
    area(bits, &CACTI)
}

fn area(bits: f64, points: &[(f64, f64)]) -> f64 {
    let last = points[points.len() - 1];
    if bits >= last.0 {
        return last.1 * bits / last.0;
    }
    let right = points.iter().skip(1).position(|(b, _)| bits <= *b).map_or(1, |i| i + 1);
    let ((x0, y0), (x1, y1)) = (points[right - 1], points[right]);
    let exponent = (y1 / y0).ln() / (x1 / x0).ln();
    y0 * (bits / x0).powf(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(depth: usize, width: usize) -> Sram {
        estimate(std::iter::once(&Memory { name: "m".into(), depth, width }))
    }

    #[test]
    fn measured_sizes_come_out_as_measured() {
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
        assert!(near(one(32, 24).low, 371.0) && near(one(32, 24).high, 4_405.0));
        assert!(near(one(256, 32).low, 2_711.0) && near(one(256, 32).high, 14_870.0));
        assert!(near(one(8_192, 64).low, 161_848.0));
    }

    #[test]
    fn more_bits_are_never_smaller_and_low_stays_below_high() {
        let sizes: Vec<Sram> = (2..=16).map(|log| one(1 << log, 24)).collect();
        assert!(sizes.windows(2).all(|w| w[0].low < w[1].low && w[0].high < w[1].high));
        assert!(sizes.iter().all(|s| s.low < s.high));
    }

    #[test]
    fn macros_add_up() {
        let memory = Memory { name: "m".into(), depth: 32, width: 24 };
        let sixteen = estimate(std::iter::repeat_n(&memory, 16));
        assert_eq!((sixteen.macros, sixteen.bits), (16, 16 * 768));
        assert!((sixteen.low - 16.0 * 371.0).abs() < 1e-6);
    }
}
