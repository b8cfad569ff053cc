//! Random points in the unit square: the nodes of the Delaunay, the geometric and the road graph. In the first two, node `v`
//! is the `v`-th point drawn, so neighbours in the plane are far apart in memory.

use super::random::SplitMix64;

/// `count` points (x, y), x drawn first.
pub fn draw(count: usize, seed: u64) -> Vec<(f64, f64)> {
    let mut random = SplitMix64(seed);
    (0..count).map(|_| (random.unit(), random.unit())).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn fill_the_unit_square_evenly() {
        let points = super::draw(40_000, 3);
        let mut cells = [0; 16];
        for &(x, y) in &points {
            assert!((0.0..1.0).contains(&x) && (0.0..1.0).contains(&y));
            cells[(x * 4.0) as usize * 4 + (y * 4.0) as usize] += 1;
        }
        assert!(cells.iter().all(|count| (2300..2700).contains(count)), "{cells:?}");
    }
}
