//! Rules for every refined mesh, whatever was inserted in whichever order. All decisions are exact.

use super::super::check::Elements;
use super::super::Result;
use super::geometry::{in_circle, is_sharp, twice_area, Point, SIDE};
use super::mesh::{Mesh, NONE};

/// The mesh triangulates the square with `input` among its points, it is Delaunay's, and no angle is below 30 degrees.
pub fn verify(mesh: &Mesh, input: &[Point]) -> Result<()> {
    each(input.len(), "points of the input", |point| {
        expect(mesh.points.get(point) == Some(&input[point]), || format!("point {point}"), "kept")
    })?;
    each_live(mesh, |element| links(mesh, element))?;
    each_live(mesh, |element| match mesh.is_segment(element) {
        true => segment(mesh, element),
        false => triangle(mesh, element),
    })?;
    whole(mesh)?;
    boundary(mesh)?;
    each_triangle(mesh, |triangle| delaunay(mesh, triangle))?;
    each_triangle(mesh, |triangle| {
        let corners = mesh.corners(triangle);
        expect(!is_sharp(corners), || format!("an angle below 30 degrees at {corners:?}"), "none")
    })
}

/// Verdict on one thing: if it is wrong, the found and the expected.
type Verdict = std::result::Result<(), [String; 2]>;

fn expect(is_right: bool, found: impl Fn() -> String, expected: &str) -> Verdict {
    match is_right {
        true => Ok(()),
        false => Err([found(), expected.into()]),
    }
}

/// Fails with the first that is not right.
fn each(count: usize, what: &str, verdict: impl Fn(usize) -> Verdict) -> Result<()> {
    let shown = |i: usize| {
        let [found, expected] = verdict(i).expect_err("only what is wrong is shown");
        [format!("number {i}"), found, expected]
    };
    Elements { what: what.into(), count, shown: &shown }.check(|i| verdict(i).is_ok())
}

fn each_live(mesh: &Mesh, verdict: impl Fn(usize) -> Verdict) -> Result<()> {
    each(mesh.corner.len(), "elements", |element| if mesh.deleted[element] { Ok(()) } else { verdict(element) })
}

fn each_triangle(mesh: &Mesh, verdict: impl Fn(usize) -> Verdict) -> Result<()> {
    each_live(mesh, |element| if mesh.is_segment(element) { Ok(()) } else { verdict(element) })
}

/// Corners and neighbours exist.
fn links(mesh: &Mesh, element: usize) -> Verdict {
    let (corner, neighbour) = (mesh.corner[element], mesh.neighbour[element]);
    let is_point = |&point: &u32| (point as usize) < mesh.points.len();
    let is_live = |&other: &u32| mesh.deleted.get(other as usize) == Some(&false);
    let (corners, sides) = if mesh.is_segment(element) { (2, 1) } else { (3, 3) };
    expect(corner[..corners].iter().all(is_point), || format!("corners {corner:?}"), "points of the mesh")?;
    expect(neighbour[..sides].iter().all(is_live), || format!("neighbours {neighbour:?}"), "live elements")?;
    let rest_is_none = neighbour[sides..].iter().all(|&other| other == NONE);
    expect(rest_is_none, || format!("neighbours {neighbour:?}"), "no more than one")
}

/// The corners that an element has along the side towards `other`, if they are neighbours.
fn side_to(mesh: &Mesh, element: u32, other: usize) -> Option<[u32; 2]> {
    let corner = mesh.corner[element as usize];
    let side = mesh.neighbour[element as usize].iter().position(|&neighbour| neighbour == other as u32)?;
    Some([corner[side], corner[(side + 1) % 3]])
}

/// Goes anticlockwise; neighbours have it for theirs, on the same two corners.
fn triangle(mesh: &Mesh, element: usize) -> Verdict {
    let (corner, neighbour) = (mesh.corner[element], mesh.neighbour[element]);
    let area = twice_area(mesh.corners(element));
    expect(area > 0, || format!("twice an area of {area}"), "anticlockwise")?;
    for side in 0..3 {
        let [from, to] = [corner[side], corner[(side + 1) % 3]];
        let there = if mesh.is_segment(neighbour[side] as usize) { [from, to] } else { [to, from] };
        let back = side_to(mesh, neighbour[side], element);
        let found = || format!("{back:?} on the other side of {from}, {to}");
        expect(back == Some(there), found, "the same corners")?;
    }
    Ok(())
}

fn segment(mesh: &Mesh, element: usize) -> Verdict {
    let [from, to, _] = mesh.corner[element];
    let triangle = mesh.neighbour[element][0];
    expect(!mesh.is_segment(triangle as usize), || format!("segment {triangle} as neighbour"), "a triangle")?;
    let back = side_to(mesh, triangle, element);
    expect(back == Some([from, to]), || format!("{back:?} on the other side of {from}, {to}"), "the same corners")
}

/// Each edge belongs to two elements; areas add up to that of the square; points less edges and triangles are 1 (Euler).
fn whole(mesh: &Mesh) -> Result<()> {
    let of = |element| {
        let [a, b, c] = mesh.corner[element];
        let sides = [(a, b), (b, c), (c, a)];
        sides.into_iter().take(if mesh.is_segment(element) { 1 } else { 3 }).map(|(v, u)| (v.min(u), v.max(u)))
    };
    let mut edges: Vec<_> = mesh.live().flat_map(of).collect();
    edges.sort_unstable();
    let groups: Vec<_> = edges.chunk_by(|one, other| one == other).collect();
    each(groups.len(), "edges", |edge| {
        let found = || format!("{} elements on {:?}", groups[edge].len(), groups[edge][0]);
        expect(groups[edge].len() == 2, found, "two")
    })?;
    let (area, square) = (mesh.twice_area(), 2 * i128::from(SIDE).pow(2));
    let characteristic = mesh.points.len() as i64 - groups.len() as i64 + mesh.triangles().count() as i64;
    each(1, "sums", |_| {
        expect(area == square, || format!("twice an area of {area}"), &square.to_string())?;
        expect(characteristic == 1, || format!("Euler's number is {characteristic}"), "1")
    })
}

/// Distance of a point along the boundary, anticlockwise from the origin.
fn place([x, y]: Point) -> Option<i64> {
    match () {
        _ if y == 0 => Some(x),
        _ if x == SIDE => Some(SIDE + y),
        _ if y == SIDE => Some(3 * SIDE - x),
        _ if x == 0 => Some(4 * SIDE - y),
        _ => None,
    }
}

/// Segments lie on a side each, and follow one another round the square.
fn boundary(mesh: &Mesh) -> Result<()> {
    let ends = |segment: usize| [0, 1].map(|i| mesh.points[mesh.corner[segment][i] as usize]);
    let mut segments: Vec<_> = mesh.segments().map(ends).collect();
    segments.sort_unstable_by_key(|segment| place(segment[0]));
    each(segments.len(), "segments", |i| {
        let [from, to] = segments[i];
        let length = (to[0] - from[0]).abs() + (to[1] - from[1]).abs();
        let along = place(from).zip(place(to)).map(|(from, to)| (to - from).rem_euclid(4 * SIDE));
        let is_straight = from[0] == to[0] || from[1] == to[1];
        expect(along == Some(length) && is_straight, || format!("{from:?} to {to:?}"), "along a side")?;
        let next = segments[(i + 1) % segments.len()][0];
        expect(next == to, || format!("a segment from {next:?} after one to {to:?}"), "no gap")
    })
}

/// No corner of a neighbour lies in its circumcircle.
fn delaunay(mesh: &Mesh, triangle: usize) -> Verdict {
    let corners = mesh.corners(triangle);
    for &other in mesh.neighbour[triangle].iter().filter(|&&other| !mesh.is_segment(other as usize)) {
        for point in mesh.corners(other as usize) {
            expect(!in_circle(point, corners), || format!("{point:?} in its circumcircle"), "none")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::mesh::points;
    use super::*;

    /// The square with a point in the middle: four triangles, four segments.
    fn small() -> Mesh {
        Mesh::delaunay(vec![[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE], [SIDE / 2, SIDE / 2]])
    }

    fn refusal(damage: impl Fn(&mut Mesh)) -> String {
        let mut mesh = small();
        let input = mesh.points.clone();
        verify(&mesh, &input).unwrap();
        damage(&mut mesh);
        verify(&mesh, &input).unwrap_err().to_string()
    }

    /// A triangle, and its side to another one.
    fn inner_side(mesh: &Mesh) -> (usize, usize) {
        let triangle = mesh.triangles().next().unwrap();
        let is_inner = |&side: &usize| !mesh.is_segment(mesh.neighbour[triangle][side] as usize);
        (triangle, (0..3).find(is_inner).unwrap())
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let message = refusal(|mesh| mesh.neighbour[0][1] = 77);
        assert!(
            message.contains("elements; the first is number 0: neighbours") && message.contains("live"),
            "{message}"
        );
        let message = refusal(|mesh| mesh.corner[1][0] = 5);
        assert!(message.contains("points of the mesh"), "{message}");
        let message = refusal(|mesh| mesh.neighbour[4][1] = 0);
        assert!(message.contains("no more than one"), "{message}");
        let message = refusal(|mesh| mesh.deleted[2] = true);
        assert!(message.contains("live elements"), "{message}");
    }

    #[test]
    fn neighbours_that_disagree_are_found() {
        let message = refusal(|mesh| {
            let (triangle, side) = inner_side(mesh);
            mesh.neighbour[triangle][side] = mesh.neighbour[triangle][(side + 1) % 3];
        });
        assert!(message.contains("on the other side"), "{message}");
        let message = refusal(|mesh| mesh.corner[4].swap(0, 1));
        assert!(message.contains("the same corners"), "{message}");
        let message = refusal(|mesh| mesh.neighbour[4][0] = 5);
        assert!(message.contains("None on the other side"), "{message}");
        // One segment more, of a triangle that does not know it, and of none.
        let more = |triangle: Option<u32>| {
            refusal(|mesh| {
                mesh.corner.push(mesh.corner[4]);
                mesh.neighbour.push([triangle.unwrap_or(mesh.neighbour[4][0]), NONE, NONE]);
                mesh.deleted.push(false);
            })
        };
        let message = more(None);
        assert!(message.contains("number 8: None on the other side"), "{message}");
        let message = more(Some(5));
        assert!(message.contains("segment 5 as neighbour, should be a triangle"), "{message}");
    }

    #[test]
    fn triangles_that_are_turned_or_moved_are_found() {
        let message = refusal(|mesh| mesh.corner[0].swap(0, 1));
        assert!(message.contains("anticlockwise"), "{message}");
        let message = refusal(|mesh| mesh.points[4] = [-1, 5]);
        assert!(message.contains("points of the input; the first is number 4"), "{message}");
        // Over an edge of the hull, with the neighbours as they were.
        let mut mesh = small();
        mesh.points[4] = [SIDE / 2, -5];
        assert!(verify(&mesh, &mesh.points).unwrap_err().to_string().contains("anticlockwise"));
    }

    /// Two cavities that overlap leave two sets of triangles on top of each other: each is sound by itself.
    #[test]
    fn triangles_on_top_of_each_other_are_found() {
        let message = refusal(|mesh| {
            let count = mesh.corner.len() as u32;
            let copy = mesh.clone();
            mesh.corner.extend(copy.corner);
            let shifted = |other: u32| if other == NONE { NONE } else { other + count };
            mesh.neighbour.extend(copy.neighbour.into_iter().map(|three| three.map(shifted)));
            mesh.deleted.extend(copy.deleted);
        });
        assert!(message.contains("edges") && message.contains("4 elements"), "{message}");
    }

    #[test]
    fn points_in_no_triangle_and_holes_are_found() {
        let message = refusal(|mesh| mesh.points.push([5, 5]));
        assert!(message.contains("Euler's number is 2"), "{message}");
        // Without one of the four triangles and its segment, and with the two new sides as segments.
        let message = refusal(|mesh| {
            let triangle = mesh.triangles().next().unwrap();
            mesh.deleted[triangle] = true;
            for side in 0..3 {
                let (other, next) = (mesh.neighbour[triangle][side] as usize, mesh.corner.len() as u32);
                if mesh.is_segment(other) {
                    mesh.deleted[other] = true;
                    continue;
                }
                let corner = mesh.corner[triangle];
                mesh.corner.push([corner[(side + 1) % 3], corner[side], NONE]);
                mesh.neighbour.push([other as u32, NONE, NONE]);
                mesh.deleted.push(false);
                let back = mesh.neighbour[other].iter().position(|&to| to as usize == triangle).unwrap();
                mesh.neighbour[other][back] = next;
            }
        });
        assert!(message.contains("twice an area"), "{message}");
    }

    /// The hull is not the square, but has as much area.
    #[test]
    fn segments_off_the_sides_are_found() {
        let mesh = Mesh::delaunay(vec![[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]);
        let mut slanted = mesh.clone();
        slanted.points = vec![[0, 0], [SIDE, 1], [SIDE, SIDE + 1], [0, SIDE]];
        let message = verify(&slanted, &slanted.points).unwrap_err().to_string();
        assert!(message.contains("segments") && message.contains("along a side"), "{message}");
    }

    #[test]
    fn edges_that_are_not_delaunays_and_sharp_angles_are_found() {
        let rough = Mesh::delaunay(points(40, 1));
        let message = verify(&rough, &rough.points).unwrap_err().to_string();
        assert!(message.contains("an angle below 30 degrees"), "{message}");
        // The other diagonal of a quadrilateral on no circle.
        let side = SIDE / 4;
        let mut mesh =
            Mesh::delaunay(vec![[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE], [side, side], [3 * side, 2 * side]]);
        let message = verify(&flip(&mut mesh), &mesh.points).unwrap_err().to_string();
        assert!(message.contains("in its circumcircle"), "{message}");
    }

    /// With an edge between two triangles replaced by the other diagonal.
    fn flip(mesh: &mut Mesh) -> Mesh {
        let convex = |t: usize, side: usize| {
            let other = mesh.neighbour[t][side] as usize;
            if mesh.is_segment(other) {
                return None;
            }
            let back = mesh.neighbour[other].iter().position(|&to| to as usize == t).unwrap();
            let [from, to, top] = [0, 1, 2].map(|i| mesh.corner[t][(side + i) % 3]);
            let below = mesh.corner[other][(back + 2) % 3];
            let at = |corners: [u32; 3]| twice_area(corners.map(|p| mesh.points[p as usize]));
            let made = [[top, from, below], [below, to, top]];
            made.iter().all(|&corners| at(corners) > 0).then_some((t, side, other, back, made))
        };
        let found =
            mesh.triangles().flat_map(|t| (0..3).map(move |side| (t, side))).find_map(|(t, side)| convex(t, side));
        let (t, side, other, back, made) = found.expect("a convex quadrilateral");
        let mut flipped = mesh.clone();
        let around = [
            mesh.neighbour[t][(side + 2) % 3],
            mesh.neighbour[other][(back + 1) % 3],
            mesh.neighbour[other][(back + 2) % 3],
            mesh.neighbour[t][(side + 1) % 3],
        ];
        flipped.corner[t] = made[0];
        flipped.corner[other] = made[1];
        flipped.neighbour[t] = [around[0], around[1], other as u32];
        flipped.neighbour[other] = [around[2], around[3], t as u32];
        for (outside, was, is) in [(around[1], other, t), (around[3], t, other)] {
            let sides = &mut flipped.neighbour[outside as usize];
            sides.iter_mut().filter(|to| **to as usize == was).for_each(|to| *to = is as u32);
        }
        flipped
    }
}
