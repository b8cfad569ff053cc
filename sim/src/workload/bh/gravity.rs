//! Forces of bodies on each other, in 64-bit floats: over the octree, with a bound for what 32-bit floats may make of
//! it; and directly.
//!
//! Squares of distances in 32-bit floats decide which cells are far. They are computed here with the same roundings:
//! walks are the same. A term is mass x difference x 1/sqrt(square + softening)^3. With u = 2^-24, differences of
//! positions are off by u, the sum of their squares and the softening by at most 6 u, hence its root by 3 u; the unit
//! for 1/sqrt adds at most 2^-22.9 < 3 u, which with its cube is 18 u. Four products add 4 u, the difference u: 23 u,
//! of which we allow 32 for second orders. A sum of k terms adds k u of the sum of their sizes.

use super::octree::Octree;
use crate::workload::check::Bounded;

/// Square of the distance that is added to all others, as the kernels get it.
pub const SOFTENING: f32 = 0.05 * 0.05;

/// Square of the distance from which on a child of the root is far: twice its side.
pub fn limit(tree: &Octree) -> f32 {
    (tree.side * tree.side) as f32
}

/// Sums of the walks of all bodies.
pub struct Walks {
    /// Each of the three parts.
    pub accelerations: [Vec<Bounded>; 3],
    pub terms: Vec<u32>,
}

/// The bodies of a group walk together: a cell is far if it is far for all of them. Each body is in one group.
pub fn walks<'a>(tree: &Octree, groups: impl Iterator<Item = &'a [u32]>) -> Walks {
    let none = Bounded { value: 0.0, tolerance: 0.0 };
    let mut accelerations = [(); 3].map(|_| vec![none; tree.bodies()]);
    let mut terms = vec![0; tree.bodies()];
    for group in groups {
        let mut sums = vec![Sum::default(); group.len()];
        walk(tree, tree.bodies() as u32, limit(tree), group, &mut sums);
        for (&body, sum) in group.iter().zip(&sums) {
            (0..3).for_each(|axis| accelerations[axis][body as usize] = sum.bounded(axis));
            terms[body as usize] = sum.terms;
        }
    }
    Walks { accelerations, terms }
}

/// Sums for a body.
#[derive(Clone, Default)]
struct Sum {
    value: [f64; 3],
    size: [f64; 3],
    terms: u32,
}

impl Sum {
    fn add(&mut self, difference: [f64; 3], mass: f64) {
        let square = difference.iter().map(|part| part * part).sum::<f64>() + SOFTENING as f64;
        let pull = mass / (square * square.sqrt());
        for (axis, part) in difference.iter().enumerate() {
            self.value[axis] += part * pull;
            self.size[axis] += (part * pull).abs();
        }
        self.terms += 1;
    }

    fn bounded(&self, axis: usize) -> Bounded {
        let unit = 1.0 / (1 << 24) as f64;
        Bounded { value: self.value[axis], tolerance: (self.terms + 32) as f64 * unit * self.size[axis] }
    }
}

fn walk(tree: &Octree, cell: u32, limit: f32, group: &[u32], sums: &mut [Sum]) {
    for node in tree.children(cell) {
        let is_body = (node as usize) < tree.bodies();
        if is_body || group.iter().all(|&body| square(tree, body, node) >= limit) {
            let mass = tree.mass[node as usize] as f64;
            group.iter().zip(&mut *sums).for_each(|(&body, sum)| sum.add(difference(tree, body, node), mass));
        } else {
            walk(tree, node, 0.25 * limit, group, sums);
        }
    }
}

fn difference(tree: &Octree, body: u32, node: u32) -> [f64; 3] {
    tree.position.each_ref().map(|x| x[node as usize] as f64 - x[body as usize] as f64)
}

/// Square of the distance, with the kernels' roundings.
fn square(tree: &Octree, body: u32, node: u32) -> f32 {
    let [x, y, z] = tree.position.each_ref().map(|x| x[node as usize] - x[body as usize]);
    x.mul_add(x, y.mul_add(y, z * z))
}

/// Error against direct summation: root of the mean square of the errors by that of the values.
pub fn error_of(found: [&[u32]; 3], tree: &Octree) -> f64 {
    let (mut errors, mut values) = (0.0, 0.0);
    for body in 0..tree.bodies() as u32 {
        let mut sum = Sum::default();
        (0..tree.bodies() as u32)
            .for_each(|other| sum.add(difference(tree, body, other), tree.mass[other as usize] as f64));
        for (axis, value) in sum.value.iter().enumerate() {
            errors += (f32::from_bits(found[axis][body as usize]) as f64 - value).powi(2);
            values += value.powi(2);
        }
    }
    (errors / f64::max(values, f64::MIN_POSITIVE)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::plummer;
    use super::*;

    fn tree(bodies: usize) -> Octree {
        Octree::new(plummer::cluster(bodies, 1).position).unwrap()
    }

    fn bits(accelerations: &[Vec<Bounded>; 3]) -> [Vec<u32>; 3] {
        accelerations.each_ref().map(|axis| axis.iter().map(|a| (a.value as f32).to_bits()).collect())
    }

    /// Bodies that walk together open more cells: closer to the direct sum.
    #[test]
    fn walks_come_near_to_the_direct_sum_and_together_nearer() {
        let tree = tree(1500);
        let [alone, together] = [1, 32].map(|together| {
            let found = bits(&walks(&tree, tree.order.chunks(together)).accelerations);
            error_of(found.each_ref().map(|axis| &axis[..]), &tree)
        });
        assert!(together < alone && alone < 0.01, "{together} {alone}");
    }

    /// No cell is far in a limit that nothing reaches: the direct sum.
    #[test]
    fn a_walk_that_opens_all_cells_meets_each_body_once() {
        let tree = tree(200);
        let mut sums = vec![Sum::default()];
        walk(&tree, 200, f32::INFINITY, &[17], &mut sums);
        assert_eq!(sums[0].terms, 200);
    }
}
