//! The octree of bodies: a cube around all of them, cut into eight until no cell holds more than one body. It depends on the
//! positions alone, not on an order in which bodies are put in.

/// Children of a cell, and the sign that there are no more, as in `kernels/bh.h`.
pub const CHILDREN: usize = 8;
pub const NONE: u32 = u32::MAX;
/// Most cells inside each other; also there.
const DEPTH: usize = 32;

/// Nodes are the bodies and behind them the cells, the root first.
pub struct Octree {
    /// By node: x, y and z of a body, or of the centre of the bodies in a cell.
    pub position: [Vec<f32>; 3],
    /// By node: a body has 1 / bodies.
    pub mass: Vec<f32>,
    /// Eight nodes a cell, [`NONE`] behind the last.
    pub child: Vec<u32>,
    /// Bodies in the order in which a walk through the whole tree meets them.
    pub order: Vec<u32>,
    /// Side of the root.
    pub side: f64,
}

/// A cube.
#[derive(Clone, Copy)]
struct Cube {
    centre: [f64; 3],
    side: f64,
}

impl Octree {
    /// None if bodies lie so close to each other that too many cells would be inside each other.
    pub fn new(position: [Vec<f32>; 3]) -> Option<Octree> {
        let bodies = position[0].len();
        let mass = vec![(1.0 / bodies as f64) as f32; bodies];
        let cube = around(&position);
        let mut tree = Octree { position, mass, child: Vec::new(), order: Vec::new(), side: cube.side };
        tree.cell((0..bodies as u32).collect(), cube, 0).then_some(tree)
    }

    pub fn bodies(&self) -> usize {
        self.order.len()
    }

    /// Children of a cell, by its node.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let first = (node as usize - self.bodies()) * CHILDREN;
        self.child[first..].iter().copied().take(CHILDREN).take_while(|&node| node != NONE)
    }

    /// Adds a cell with these bodies and all that is in it.
    fn cell(&mut self, bodies: Vec<u32>, cube: Cube, depth: usize) -> bool {
        if depth == DEPTH {
            return false;
        }
        let (all, cell) = (self.position[0].len() - self.child.len() / CHILDREN, self.child.len() / CHILDREN);
        self.child.extend([NONE; CHILDREN]);
        let centre = self.position.each_ref().map(|x| mean(&bodies, x));
        self.position.iter_mut().zip(centre).for_each(|(array, x)| array.push(x as f32));
        self.mass.push((bodies.len() as f64 / all as f64) as f32);
        let mut at = cell * CHILDREN;
        for octant in 0..CHILDREN {
            let inside: Vec<u32> = bodies.iter().copied().filter(|&body| self.octant(body, cube) == octant).collect();
            let node = match inside[..] {
                [] => continue,
                [body] => {
                    self.order.push(body);
                    body
                }
                _ => {
                    let node = (all + self.child.len() / CHILDREN) as u32;
                    if !self.cell(inside, cube.part(octant), depth + 1) {
                        return false;
                    }
                    node
                }
            };
            self.child[at] = node;
            at += 1;
        }
        true
    }

    fn octant(&self, body: u32, cube: Cube) -> usize {
        let bits =
            self.position.iter().zip(cube.centre).map(|(x, centre)| (x[body as usize] as f64 >= centre) as usize);
        bits.fold(0, |octant, bit| octant << 1 | bit)
    }
}

impl Cube {
    fn part(self, octant: usize) -> Cube {
        let quarter = 0.25 * self.side;
        let is_upper = |axis: usize| octant >> (2 - axis) & 1 == 1;
        let along = |axis: usize| self.centre[axis] + if is_upper(axis) { quarter } else { -quarter };
        Cube { centre: [0, 1, 2].map(along), side: 0.5 * self.side }
    }
}

/// The smallest cube around the bodies; of side 1 if they are in one place.
fn around(position: &[Vec<f32>; 3]) -> Cube {
    let ends = position.each_ref().map(|x| {
        let ends = |(low, high): (f64, f64), &x: &f32| (low.min(x as f64), high.max(x as f64));
        x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), ends)
    });
    let side = ends.iter().map(|(low, high)| high - low).fold(0.0, f64::max);
    Cube { centre: ends.map(|(low, high)| 0.5 * (low + high)), side: if side > 0.0 { side } else { 1.0 } }
}

fn mean(bodies: &[u32], x: &[f32]) -> f64 {
    bodies.iter().map(|&body| x[body as usize] as f64).sum::<f64>() / bodies.len() as f64
}

#[cfg(test)]
mod tests {
    use super::super::plummer;
    use super::*;

    /// Bodies below a node, and the cells that are passed on the way down.
    fn below(tree: &Octree, node: u32) -> Vec<u32> {
        match (node as usize) < tree.bodies() {
            true => vec![node],
            false => tree.children(node).flat_map(|child| below(tree, child)).collect(),
        }
    }

    #[test]
    fn each_body_is_in_one_leaf_and_masses_and_centres_add_up() {
        let bodies = plummer::cluster(700, 3).position;
        let tree = Octree::new(bodies).unwrap();
        assert_eq!(below(&tree, 700), tree.order);
        let mut order = tree.order.clone();
        order.sort_unstable();
        assert!(order.into_iter().eq(0..700));
        let cells = tree.child.len() / CHILDREN;
        assert_eq!((tree.mass.len(), tree.mass[700]), (700 + cells, 1.0));
        for cell in 700..(700 + cells) as u32 {
            let inside = below(&tree, cell);
            assert!(inside.len() > 1);
            assert_eq!(tree.mass[cell as usize], (inside.len() as f64 / 700.0) as f32);
            let centre = mean(&inside, &tree.position[1]) as f32;
            assert_eq!(tree.position[1][cell as usize], centre);
        }
    }

    #[test]
    fn the_tree_does_not_depend_on_the_order_of_the_bodies() {
        let forward = plummer::cluster(300, 5).position;
        let backward = forward.each_ref().map(|x| x.iter().rev().copied().collect());
        let [forward, backward] = [forward, backward].map(|bodies| Octree::new(bodies).unwrap());
        assert!(backward.order.iter().map(|body| 299 - body).eq(forward.order.iter().copied()));
        assert_eq!(forward.position[0][300..].len(), backward.position[0][300..].len());
    }

    #[test]
    fn one_body_is_a_tree_and_two_in_one_place_are_not() {
        let tree = Octree::new([vec![1.0], vec![2.0], vec![3.0]]).unwrap();
        assert_eq!((&tree.order[..], &tree.child[..2]), (&[0][..], &[0, NONE][..]));
        assert!(Octree::new([vec![1.0; 2], vec![2.0; 2], vec![3.0; 2]]).is_none());
    }
}
