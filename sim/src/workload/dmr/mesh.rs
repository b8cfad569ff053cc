//! Meshes of the square: triangles, and segments on its sides.

use super::geometry::{twice_area, Point, SIDE};
use crate::graph::SplitMix64;
use delaunator::{next_halfedge, triangulate, EMPTY};
use std::collections::BTreeSet;

/// No corner, no neighbour.
pub const NONE: u32 = u32::MAX;

/// As in `kernels/dmr.h`.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    pub points: Vec<Point>,
    /// Three an element, anticlockwise; of a segment two, as its triangle has them, and [`NONE`].
    pub corner: Vec<[u32; 3]>,
    /// The element across the side from corner `i` to the next; a segment has one.
    pub neighbour: Vec<[u32; 3]>,
    pub deleted: Vec<bool>,
}

impl Mesh {
    /// Delaunay's triangulation. The points have the square for their hull, with several on each side. The crate decides by
    /// the signs of floats; where points are on one circle as far as these go, either diagonal is as good, and the kernels
    /// decide exactly.
    pub fn delaunay(points: Vec<Point>) -> Self {
        let floats = points.iter().map(|&[x, y]| delaunator::Point { x: x as f64, y: y as f64 });
        let made = triangulate(&floats.collect::<Vec<_>>());
        let mut mesh = Mesh { points, ..Mesh::default() };
        for (corners, sides) in made.triangles.chunks(3).zip(made.halfedges.chunks(3)) {
            mesh.push([0, 1, 2].map(|i| corners[i] as u32), [0, 1, 2].map(|i| side_of(sides[i])));
        }
        for half in (0..made.triangles.len()).filter(|&half| made.halfedges[half] == EMPTY) {
            let ends = [half, next_halfedge(half)].map(|half| made.triangles[half] as u32);
            mesh.neighbour[half / 3][half % 3] = mesh.corner.len() as u32;
            mesh.push([ends[0], ends[1], NONE], [(half / 3) as u32, NONE, NONE]);
        }
        mesh.turn();
        mesh
    }

    fn push(&mut self, corner: [u32; 3], neighbour: [u32; 3]) {
        self.corner.push(corner);
        self.neighbour.push(neighbour);
        self.deleted.push(false);
    }

    /// The crate's triangles go the other way round.
    fn turn(&mut self) {
        for (corner, neighbour) in self.corner.iter_mut().zip(&mut self.neighbour) {
            match corner[2] {
                NONE => corner.swap(0, 1),
                _ => {
                    corner.swap(1, 2);
                    neighbour.swap(0, 2);
                }
            }
        }
    }

    pub fn is_segment(&self, element: usize) -> bool {
        self.corner[element][2] == NONE
    }

    /// Numbers of what is not deleted.
    pub fn live(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.corner.len()).filter(|&element| !self.deleted[element])
    }

    pub fn triangles(&self) -> impl Iterator<Item = usize> + '_ {
        self.live().filter(|&element| !self.is_segment(element))
    }

    pub fn segments(&self) -> impl Iterator<Item = usize> + '_ {
        self.live().filter(|&element| self.is_segment(element))
    }

    pub fn corners(&self, triangle: usize) -> [Point; 3] {
        self.corner[triangle].map(|point| self.points[point as usize])
    }

    /// Coordinates of all triangles, six words each, in an order that does not depend on how anything is numbered: each
    /// triangle from its least corner on, the triangles ascending.
    pub fn canonical(&self) -> Vec<u32> {
        let turned = |triangle| {
            let corners = self.corners(triangle);
            let least = (0..3).min_by_key(|&i| corners[i]).expect("three corners");
            [0, 1, 2].map(|i| corners[(least + i) % 3])
        };
        let mut triangles: Vec<_> = self.triangles().map(turned).collect();
        triangles.sort_unstable();
        triangles.into_iter().flatten().flatten().map(|coordinate| coordinate as u32).collect()
    }

    /// Twice the area of all triangles.
    pub fn twice_area(&self) -> i128 {
        self.triangles().map(|triangle| twice_area(self.corners(triangle))).sum()
    }
}

/// The neighbour across a half-edge of the crate; segments are filled in later.
fn side_of(half: usize) -> u32 {
    if half == EMPTY {
        NONE
    } else {
        (half / 3) as u32
    }
}

/// `count` different points of the square: the root of `count` on each side, at equal distances, the others anywhere inside.
pub fn points(count: usize, seed: u64) -> Vec<Point> {
    let sections = count.isqrt() as i64;
    let mut points = Vec::new();
    for i in 0..sections {
        let at = i * SIDE / sections;
        points.extend([[at, 0], [SIDE, at], [SIDE - at, SIDE], [0, SIDE - at]]);
    }
    let (mut random, mut taken) = (SplitMix64(seed), BTreeSet::new());
    let mut inside = || 1 + random.below(SIDE as usize - 1) as i64;
    while points.len() < count {
        let point = [inside(), inside()];
        if taken.insert(point) {
            points.push(point);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::super::geometry::is_sharp;
    use super::*;

    /// As in LonestarGPU's inputs.
    #[test]
    fn half_of_the_triangles_are_bad_at_first() {
        let mesh = Mesh::delaunay(points(3000, 1));
        let sharp = mesh.triangles().filter(|&triangle| is_sharp(mesh.corners(triangle))).count();
        let part = sharp as f64 / mesh.triangles().count() as f64;
        assert!((0.45..0.6).contains(&part), "{part}");
    }

    #[test]
    fn a_mesh_is_the_same_however_it_is_numbered() {
        let points = points(50, 1);
        let mut turned = points.clone();
        turned.reverse();
        assert_eq!(Mesh::delaunay(points.clone()).canonical().len(), 6 * (2 * 50 - 2 - 4 * 7));
        let canonical = |points| Mesh::delaunay(points).canonical();
        assert_eq!(canonical(points), canonical(turned));
    }
}
