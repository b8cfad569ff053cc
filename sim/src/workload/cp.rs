//! Coulombic potential on a plane of lattice points: what 200 point charges at random places above it add up to at each.

use super::check::{self, Bounded};
use super::session::{kernels_with, Session};
use super::{inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "lattice points a side of the plane", default: 256, max: 4096 };

/// Lattice points of a CTA, along a row and across: each of 16 x 8 threads has two, 16 apart in a row.
const TILE: [u32; 2] = [32, 8];
const CHARGES: usize = 200;
/// Between neighbouring points, in angstrom.
const SPACING: f32 = 0.1;
/// The least distance of a charge from the plane, in angstrom.
const NEAREST: f32 = 0.5;

/// A charge: its place above the plane, the square of its distance from it, and how much it is.
type Charge = [f32; 4];

/// Gives the potentials, row by row; there are as many rows and columns as fill whole CTAs.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let charges = charges(size);
    let words = charges.iter().flatten().map(|value| value.to_bits()).collect();
    let [plane] = kernels_with(kernels::CP, ["cp_plane"], &[("charges", words)])?;
    let mut session = Session::new(gpu, watch);
    let [x, y] = TILE.map(|side| size.div_ceil(side));
    let (columns, rows) = ((x * TILE[0]) as usize, (y * TILE[1]) as usize);
    let potential = session.alloc(columns * rows);
    let params = Params::default().u64(potential).f32(SPACING);
    let start = Start { level: 0, work: (columns * rows) as u64 };
    session.launch(&plane, start, [x, y, 1], [TILE[0] / 2, TILE[1], 1], params)?;
    session.finish_with(potential, columns * rows, |found| compare(found, &charges, columns))
}

/// Anywhere above the plane, up to a side of it away.
fn charges(side: u32) -> Vec<Charge> {
    let extent = (SPACING * side as f32).max(2.0 * NEAREST);
    let [x, y] = [1, 2].map(|seed| inputs::floats(CHARGES, seed, 0.0, extent));
    let distance = inputs::floats(CHARGES, 3, NEAREST, extent);
    let charge = inputs::floats(CHARGES, 4, -2.0, 2.0);
    (0..CHARGES).map(|i| [x[i], y[i], distance[i] * distance[i], charge[i]]).collect()
}

fn compare(found: &[u32], charges: &[Charge], columns: usize) -> Result<String> {
    let expected: Vec<_> = (0..found.len()).map(|i| potential(charges, i / columns, i % columns)).collect();
    let place = |i: usize| format!("row {}, column {}", i / columns, i % columns);
    let worst = check::within("lattice points".into(), place, found, &expected)?;
    Ok(format!("potentials within {worst:.0} % of what rounding may do"))
}

/// The definition, charge by charge.
fn potential(charges: &[Charge], row: usize, column: usize) -> Bounded {
    let [x, y] = [column, row].map(|place| Bounded::exact(SPACING) * Bounded::exact(place as f32));
    let part = |charge: &Charge| {
        let [at_x, at_y, square, charge] = charge.map(Bounded::exact);
        let (dx, dy) = (x - at_x, y - at_y);
        charge * (Bounded::exact(1.0) / (dx * dx + (dy * dy + square)).sqrt())
    };
    charges.iter().map(part).fold(Bounded::exact(0.0), |sum, part| sum + part)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A charge 5 above the point (1, 2), seen from there and from 12 angstrom away along a row.
    #[test]
    fn reference_is_coulombs_law() {
        let charge = [[1.0, 2.0, 25.0, 10.0]];
        for (column, expected) in [(10, 2.0), (130, 10.0 / 13.0)] {
            let Bounded { value, tolerance } = potential(&charge, 20, column);
            // The spacing is the float next to a tenth.
            assert!((value - expected).abs() < 1e-7 && tolerance < 1e-6, "{value} {tolerance:e}");
        }
    }

    #[test]
    fn a_missing_charge_is_found() {
        let charges = charges(40);
        let found: Vec<u32> = (0..64).map(|i| (potential(&charges, 0, i).value as f32).to_bits()).collect();
        assert!(compare(&found, &charges, 64).is_ok());
        let message = compare(&found, &charges[1..], 64).unwrap_err().to_string();
        assert!(message.contains("64 of 64 lattice points; the first is row 0, column 0"), "{message}");
    }
}
