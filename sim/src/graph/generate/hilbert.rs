//! Points in the order of Hilbert's curve: neighbours in the plane mostly have near numbers.

/// Cells a side: 2 to this, far more than there are points.
const ORDER: u32 = 20;

/// Points of the unit square, sorted along the curve; those of one cell by their coordinates.
pub fn sorted(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let cell = |coordinate: f64| (coordinate * f64::from(1 << ORDER)) as u32;
    points.sort_unstable_by(|a, b| {
        let [place, other] = [a, b].map(|&(x, y)| place(cell(x), cell(y)));
        place.cmp(&other).then(a.0.total_cmp(&b.0)).then(a.1.total_cmp(&b.1))
    });
    points
}

/// Where the curve comes to a cell. In each square of four the curve goes up, right and down; in the first and last quarter it
/// is turned so that it enters and leaves where its neighbours do.
fn place(mut x: u32, mut y: u32) -> u64 {
    let mut place = 0;
    for level in (0..ORDER).rev() {
        let (right, up) = (x >> level & 1, y >> level & 1);
        place = place << 2 | u64::from((3 * right) ^ up);
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

    /// The curve visits each cell of a corner once, and steps from cell to neighbouring cell.
    #[test]
    fn goes_from_neighbour_to_neighbour() {
        let side = 32;
        let mut cells: Vec<_> = (0..side * side).map(|i| (place(i % side, i / side), i % side, i / side)).collect();
        cells.sort_unstable();
        assert_eq!((cells[0].0, cells.last().unwrap().0), (0, u64::from(side * side) - 1));
        for pair in cells.windows(2) {
            let ((_, x, y), (_, a, b)) = (pair[0], pair[1]);
            assert_eq!(x.abs_diff(a) + y.abs_diff(b), 1, "({x}, {y}) to ({a}, {b})");
        }
    }

    #[test]
    fn keeps_all_points() {
        let points = super::super::points::draw(500, 2);
        let mut there_and_back = sorted(points.clone());
        let key = |a: &(f64, f64), b: &(f64, f64)| a.0.total_cmp(&b.0);
        let mut points = points;
        points.sort_unstable_by(key);
        there_and_back.sort_unstable_by(key);
        assert_eq!(points, there_and_back);
    }
}
