//! Numbering along Hilbert's curve: points that are near each other in the plane mostly get numbers near each other.

/// Bits of a coordinate on the grid that the curve walks.
const BITS: u32 = 16;

/// The numbers of the points in the order in which the curve meets them; of those in one cell the lower number comes first.
pub fn order(points: &[(f64, f64)]) -> Vec<u32> {
    let mut order: Vec<_> = points.iter().zip(0..).map(|(&point, v): (_, u32)| (place(point), v)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, v)| v).collect()
}

/// Place along the curve of the cell of a point of the unit square.
fn place((x, y): (f64, f64)) -> u32 {
    let on_grid = |coordinate: f64| (coordinate * f64::from(1 << BITS)) as u32;
    let (mut x, mut y) = (on_grid(x), on_grid(y));
    let mut place = 0;
    for bit in (0..BITS).rev() {
        let (right, up) = (x >> bit & 1, y >> bit & 1);
        place = place << 2 | ((3 * right) ^ up);
        // Within a quadrant the curve is that of the square, mirrored at one diagonal or the other.
        if up == 0 {
            if right == 1 {
                (x, y) = (!x, !y);
            }
            (x, y) = (y, x);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of the curve on a grid of 16 x 16: always to a cell beside the last one.
    #[test]
    fn meets_all_cells_and_never_jumps() {
        let side = 16;
        let cells: Vec<_> = (0..side * side).map(|i| (i % side, i / side)).collect();
        let middle = |at: i32| (f64::from(at) + 0.5) / f64::from(side);
        let points: Vec<_> = cells.iter().map(|&(x, y)| (middle(x), middle(y))).collect();
        let order = order(&points);
        let mut met = order.clone();
        met.sort_unstable();
        assert!(met.into_iter().eq(0..(side * side) as u32));
        for pair in order.windows(2) {
            let [(x, y), (nx, ny)] = [pair[0], pair[1]].map(|v| cells[v as usize]);
            assert_eq!((x - nx).abs() + (y - ny).abs(), 1);
        }
    }
}
