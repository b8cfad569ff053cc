//! Area of memories in gate equivalents (areas of a NAND2), by rule.
//!
//! ```text
//!      up to 512 bits     flip-flops
//!      up to 4,096 bits   latches
//!      above              macros: depth a power of two from 16 to 4,096, width a multiple of 8 up to 128
//! ```
//!
//! Each area is divided by the area of the NAND2 of the same library, and so holds, roughly, at every node.
//!
//! * Cells, low: osu018 (180 nm), LEF of Debian's qflow-tech-osu018: NAND2X1 2.4 um wide, all of one height, LATCH 5.6,
//!   MUX2X1 4.8, DFFPOSX1 9.6.
//! * Cells, high: IHP SG13G2 (130 nm), sg13g2_stdcell_typ_1p20V_25C.lib: nand2_1 7.2576 um2, dlhq_1 30.8448, mux2_1 18.144,
//!   dfrbpq_1 48.9888, lgcp_1 (clock gate) 27.216.
//! * Macros, low: CACTI 7 at 40 nm ([`sram`]), one port, over a NAND2 of 0.6305 um2.
//! * Macros, high: the compiled macros of IHP SG13G2 (sg13g2_sram/lef of github.com/IHP-GmbH/IHP-Open-PDK), single-port
//!   RM_IHPSG13_1P_* or dual-port RM_IHPSG13_2P_*, whose sides are straight lines of depth and width. The list
//!   ends at 64 bits of width; a wider macro follows the same lines.

use crate::sram;

/// A low and a high estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Range {
    pub low: f64,
    pub high: f64,
}

impl Range {
    pub const fn of(low: f64, high: f64) -> Range {
        Range { low, high }
    }

    pub const fn exactly(value: f64) -> Range {
        Range { low: value, high: value }
    }

    pub fn map(self, f: impl Fn(f64) -> f64) -> Range {
        Range { low: f(self.low), high: f(self.high) }
    }

    pub fn times(self, factor: f64) -> Range {
        self.map(|value| value * factor)
    }

    fn over(self, nand2: Range) -> Range {
        Range { low: self.low / nand2.low, high: self.high / nand2.high }
    }
}

impl std::ops::Add for Range {
    type Output = Range;

    fn add(self, other: Range) -> Range {
        Range { low: self.low + other.low, high: self.high + other.high }
    }
}

impl std::iter::Sum for Range {
    fn sum<I: Iterator<Item = Range>>(all: I) -> Range {
        all.fold(Range::default(), |sum, range| sum + range)
    }
}

/// Bits at most of a memory of flip-flops, and of one of latches.
const FLIP_FLOPS: usize = 512;
const LATCHES: usize = 4096;

/// Words of a macro.
const DEPTHS: [usize; 2] = [16, 4096];
/// Widths of macros: multiples of the step.
const STEP: usize = 8;
const WIDEST: usize = 128;

/// osu018 in um of width, IHP SG13G2 in um2.
const NAND2: Range = Range::of(2.4, 7.2576);
const FLIP_FLOP: Range = Range::of(9.6, 48.9888);
const LATCH: Range = Range::of(5.6, 30.8448);
const MUX2: Range = Range::of(4.8, 18.144);
/// In osu018 a latch and a NAND2: it has none.
const CLOCK_GATE: Range = Range::of(5.6 + 2.4, 27.216);

/// um2 and node of NAND2_X1 in FreePDK45 and of sg13g2_nand2_1: those of another node, scaled by the square, are in between.
const NAND2_AT: [(f64, f64); 2] = [(0.798, 45.0), (7.2576, 130.0)];

/// um2 of a NAND2 at a node.
pub fn nand2_um2(node_nm: f64) -> Range {
    let [low, high] = NAND2_AT.map(|(um2, nm)| um2 * (node_nm / nm).powi(2));
    Range { low, high }
}

/// Sides in um of a compiled macro: `height.0 + height.1 * depth` by `width.0 + width.1 * bits`.
struct Sides {
    height: (f64, f64),
    width: (f64, f64),
}

const ONE_PORT: Sides = Sides { height: (46.22, 0.28344), width: (56.96, 11.24) };
const TWO_PORTS: Sides = Sides { height: (54.17, 0.32344), width: (137.07, 17.68) };

/// A memory to be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub depth: usize,
    pub width: usize,
    /// 1, or 2: one to read and one to write.
    pub ports: usize,
}

/// The parts that a memory is built of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Built {
    FlipFlops,
    Latches,
    /// So many equal ones.
    Macros {
        count: usize,
        depth: usize,
        width: usize,
    },
}

impl Shape {
    pub fn built(self) -> Built {
        match self.depth * self.width {
            ..=FLIP_FLOPS => Built::FlipFlops,
            ..=LATCHES => Built::Latches,
            _ => {
                let (deep, wide) = (self.depth.div_ceil(DEPTHS[1]), self.width.div_ceil(WIDEST));
                let depth = self.depth.div_ceil(deep).next_power_of_two().max(DEPTHS[0]);
                let width = self.width.div_ceil(wide).next_multiple_of(STEP);
                Built::Macros { count: deep * wide, depth, width }
            }
        }
    }

    /// Gate equivalents.
    pub fn area(self) -> Range {
        let bits = (self.depth * self.width) as f64;
        let (depth, width) = (self.depth as f64, self.width as f64);
        match self.built() {
            // A bit that holds and is read; a word read is registered.
            Built::FlipFlops => ((FLIP_FLOP + MUX2 + MUX2).times(bits) + (FLIP_FLOP + MUX2).times(width)).over(NAND2),
            // A word has a clock gate; words to be written wait in a row of latches.
            Built::Latches => {
                let column = FLIP_FLOP + MUX2 + LATCH;
                ((LATCH + MUX2).times(bits) + column.times(width) + CLOCK_GATE.times(depth)).over(NAND2)
            }
            Built::Macros { count, depth, width } => macro_area(depth, width, self.ports).times(count as f64),
        }
    }
}

fn macro_area(depth: usize, width: usize, ports: usize) -> Range {
    let sides = if ports == 1 { ONE_PORT } else { TWO_PORTS };
    let side = |(base, slope): (f64, f64), count: usize| base + slope * count as f64;
    let compiled = side(sides.height, depth) * side(sides.width, width) / NAND2.high;
    Range { low: sram::cacti((depth * width) as f64) / nand2_um2(sram::CACTI_NM).low, high: compiled }
}

impl std::fmt::Display for Built {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Built::FlipFlops => f.write_str("flip-flops"),
            Built::Latches => f.write_str("latches"),
            Built::Macros { count: 1, depth, width } => write!(f, "macro {depth} x {width}"),
            Built::Macros { count, depth, width } => write!(f, "{count} macros {depth} x {width}"),
        }
    }
}

/// The rule, in lines.
pub fn rule() -> [String; 2] {
    [
        format!(
            "Memory GE: flip-flops up to {FLIP_FLOPS} bits, latches up to {LATCHES}, macros above (depth a power of two from {} \
             to {}, width a multiple of {STEP} up to {WIDEST}).",
            DEPTHS[0], DEPTHS[1]
        ),
        "Low: cells of osu018, macros by CACTI 7 at 40 nm without a second port; high: cells and compiled macros of IHP SG13G2; \
         each over the NAND2 of its node. No wires, no test logic."
            .into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn shape(depth: usize, width: usize) -> Shape {
        Shape { depth, width, ports: 2 }
    }

    fn near(found: f64, expected: f64, part: f64) -> bool {
        (found / expected - 1.0).abs() < part
    }

    #[test]
    fn the_kind_follows_from_the_bits() {
        assert_eq!(shape(16, 32).built(), Built::FlipFlops);
        assert_eq!(shape(16, 33).built(), Built::Latches);
        assert_eq!(shape(64, 64).built(), Built::Latches);
        assert_eq!(shape(64, 65).built(), Built::Macros { count: 1, depth: 64, width: 72 });
    }

    #[test]
    fn macros_have_sizes_of_a_compiler() {
        let built = |depth, width| shape(depth, width).built();
        assert_eq!(built(48, 150), Built::Macros { count: 2, depth: 64, width: 80 });
        assert_eq!(built(4, 1200), Built::Macros { count: 10, depth: 16, width: 120 });
        assert_eq!(built(6000, 24), Built::Macros { count: 2, depth: 4096, width: 24 });
        assert_eq!(built(1024, 128), Built::Macros { count: 1, depth: 1024, width: 128 });
    }

    /// By hand, from the areas of the cells: in osu018 flip-flop 4, multiplexer 2, latch 7/3, clock gate 10/3 GE.
    #[test]
    fn small_memories_are_sums_of_cells() {
        // 8 x 8: 64 bits of 4 + 2 + 2, 8 columns of 4 + 2.
        assert!(near(shape(8, 8).area().low, 64.0 * 8.0 + 8.0 * 6.0, 1e-9));
        // In IHP: 64 bits of 6.75 + 2.5 + 2.5, 8 columns of 9.25.
        assert!(near(shape(8, 8).area().high, 64.0 * 11.75 + 8.0 * 9.25, 1e-9));
        // A bank of HWWL, 32 x 24: 768 bits of 13/3, 24 columns of 25/3, 32 words of 10/3.
        assert!(near(shape(32, 24).area().low, 3_328.0 + 200.0 + 320.0 / 3.0, 1e-9));
        // In IHP: 768 bits of 4.25 + 2.5, 24 columns of 13.5, 32 words of 3.75.
        assert!(near(shape(32, 24).area().high, 5_184.0 + 324.0 + 120.0, 1e-9));
    }

    /// The rule's answer to slots in the baseline's front end: 16 lists of 24 words of 28 bits, where its pending registers are 41 kGE.
    #[test]
    fn lists_of_slots_take_more_than_the_pending_registers_of_the_baseline() {
        let lists = shape(24, 28).area().times(16.0);
        assert!(near(lists.low, 52e3, 0.01) && near(lists.high, 80e3, 0.01), "{lists:?}");
    }

    /// Macros of IHP's list, with the sides that their LEF has.
    #[test]
    fn the_sides_of_compiled_macros_are_those_of_the_list() {
        let listed = [
            (64, 64, 1, 784.48, 64.36),
            (256, 16, 1, 236.8, 118.78),
            (256, 48, 1, 596.48, 118.78),
            (1024, 32, 1, 416.64, 336.46),
            (2048, 64, 1, 784.48, 626.7),
            (64, 32, 2, 702.83, 74.87),
            (256, 8, 2, 278.51, 136.97),
            (512, 32, 2, 685.49, 219.77),
            (1024, 16, 2, 402.61, 385.37),
        ];
        for (depth, width, ports, x, y) in listed {
            let found = macro_area(depth, width, ports).high * 7.2576;
            assert!(near(found, x * y, 0.05), "{depth} x {width}, {ports} ports: {found} for {}", x * y);
        }
    }

    /// CACTI's array of 256 x 32 bits has 2,711 um2 at 40 nm, where a NAND2 has 0.798 / 1.265625 um2.
    #[test]
    fn the_low_estimate_of_a_macro_is_that_of_cacti() {
        assert!(near(shape(256, 32).area().low, 2_711.0 * 1.265625 / 0.798, 1e-6));
    }

    #[test]
    fn low_stays_below_high() {
        for width in [8, 24, 90, 300] {
            let areas: Vec<Range> = (2..14).map(|log| shape(1 << log, width).area()).collect();
            assert!(areas.iter().all(|a| a.low < a.high), "{width}: {areas:?}");
        }
    }

    #[test]
    fn a_nand2_scales_with_the_square_of_the_node() {
        assert!(near(nand2_um2(45.0).low, 0.798, 1e-9) && near(nand2_um2(130.0).high, 7.2576, 1e-9));
        assert!(near(nand2_um2(40.0).low, 0.630_5, 1e-4) && near(nand2_um2(28.0).high, 0.336_7, 1e-3));
    }
}
