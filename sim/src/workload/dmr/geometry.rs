//! Exact predicates on points with whole coordinates from 0 to [`SIDE`], in integers of 128 bits: products of four differences
//! have up to 104 bits.

/// Side of the square that is refined.
pub const SIDE: i64 = 1 << 25;

pub type Point = [i64; 2];

fn minus(a: Point, b: Point) -> [i128; 2] {
    [(a[0] - b[0]).into(), (a[1] - b[1]).into()]
}

fn cross([ax, ay]: [i128; 2], [bx, by]: [i128; 2]) -> i128 {
    ax * by - ay * bx
}

fn dot([ax, ay]: [i128; 2], [bx, by]: [i128; 2]) -> i128 {
    ax * bx + ay * by
}

/// Positive if the corners go anticlockwise.
pub fn twice_area([a, b, c]: [Point; 3]) -> i128 {
    cross(minus(b, a), minus(c, a))
}

/// The point lies within the circle through the corners, which go anticlockwise.
pub fn in_circle(point: Point, corners: [Point; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| minus(corner, point));
    dot(a, a) * cross(b, c) + dot(b, b) * cross(c, a) + dot(c, c) * cross(a, b) > 0
}

/// An angle is below 30 degrees by more than the kernel's roundings: 4 cos^2 is above 3, and the kernel rounds both sides of
/// `(2 p q cos)^2 > 3 p^2 q^2` once, by 2^-53 of them at most.
pub fn is_sharp(corners: [Point; 3]) -> bool {
    let angle = |at: usize| {
        let (p, q) = (minus(corners[(at + 1) % 3], corners[at]), minus(corners[(at + 2) % 3], corners[at]));
        let (cosine, bound) = (dot(p, q), 3 * dot(p, p) * dot(q, q));
        cosine > 0 && 4 * cosine * cosine > bound + (bound >> 51)
    };
    (0..3).any(angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_of_the_square_are_told_apart() {
        let corners = [[0, 0], [SIDE, 0], [SIDE, SIDE]];
        assert_eq!(twice_area(corners), i128::from(SIDE).pow(2));
        assert!(!in_circle([0, SIDE], corners), "on the circle");
        assert!(in_circle([1, SIDE - 1], corners));
        assert!(in_circle([1, SIDE], [[0, 0], [SIDE, 1], [SIDE, SIDE]]));
    }

    /// Legs of a right triangle with an angle of 30 degrees are as 1 to the root of 3, which is 1,351 / 780 and a little less.
    #[test]
    fn an_angle_of_30_degrees_is_the_limit() {
        assert!(is_sharp([[0, 0], [1351, 0], [1351, 779]]));
        assert!(is_sharp([[0, 0], [1351, 0], [0, 779]]));
        assert!(is_sharp([[0, 0], [1_351_000, 0], [1_351_000, 779_999]]));
        assert!(!is_sharp([[0, 0], [1351, 0], [1351, 781]]));
        assert!(is_sharp([[0, 0], [10, 0], [5, 1]]), "two of them, and an obtuse one");
    }
}
