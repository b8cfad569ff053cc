//! Bodies that attract each other, after Barnes and Hut: the host builds the octree, with centres and masses, and the GPU
//! walks it for each body and moves all bodies. Step 0.025, softening 0.05, a cell is far from twice its side on.
//!
//! Each step is checked by itself: accelerations against the same walks in 64-bit floats, new positions and velocities to
//! the bit.

mod gravity;
mod octree;
mod plummer;

use super::check;
use super::session::{kernels, Session};
use super::worklist::{persistent_ctas, sums_before, Worklist, BLOCK};
use super::{Outcome, Params, Result, Size, Start, Variant, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::kernels;
use crate::ptx::program::Program;
use gravity::Walks;
use octree::Octree;
use plummer::Bodies;
use Variant::{Hwwl, Swwl, SwwlAru, SwwlWch, SwwlWdo, Topo};

pub const SIZE: Size = Size { meaning: "bodies", default: 4096, max: 1 << 20 };
pub const VARIANTS: &[Variant] = &[Topo, Swwl, SwwlWch, SwwlAru, SwwlWdo, Hwwl];

const STEPS: u32 = 2;
const STEP: f32 = 0.025;
const SEED: u64 = 7;
/// Up to so many bodies, accelerations are also held against the direct sum, from which their mean square may be off by
/// this part.
const DIRECT: usize = 4096;
const DIRECT_ERROR: f64 = 0.02;

/// Gives positions and then velocities of all bodies: x of each, then y, then z.
pub fn run(gpu: &mut Gpu, size: u32, variant: Variant, watch: Watch) -> Result<Outcome> {
    simulate(gpu, plummer::cluster(size as usize, SEED), variant, watch)
}

fn simulate(gpu: &mut Gpu, bodies: Bodies, variant: Variant, watch: Watch) -> Result<Outcome> {
    let mut cluster = Cluster::new(gpu, &bodies, variant, watch)?;
    let (mut worst, mut error) = (0.0, None::<f64>);
    for step in 0..STEPS {
        let (rounding, approximation) = cluster.step(step)?;
        worst = f64::max(worst, rounding);
        error = approximation.map(|found| f64::max(found, error.unwrap_or(0.0)));
    }
    let direct = error.map_or(String::new(), |error| format!(", {:.2} % from the direct sum", 100.0 * error));
    let checked = format!(
        "accelerations in {STEPS} steps within {worst:.0} % of what rounding may do{direct}; moves equal to the bit"
    );
    let result = [cluster.position.concat(), cluster.velocity.concat()].concat();
    Ok(cluster.session.finish(result, checked))
}

/// Bits of floats, a list for each of x, y and z.
type Vectors = [Vec<u32>; 3];

struct Cluster<'a> {
    session: Session<'a>,
    force: Program,
    shift: Program,
    /// List of data-driven variants, and the program that fills it.
    list: Option<(Worklist, Program)>,
    /// Device addresses.
    accelerations: [u64; 3],
    velocities: [u64; 3],
    position: Vectors,
    velocity: Vectors,
    /// By body: terms of the walk of the step before, all alike at first; threads that donate work estimate by them.
    terms: Vec<u32>,
}

impl<'a> Cluster<'a> {
    fn new(gpu: &'a mut Gpu, bodies: &Bodies, variant: Variant, watch: Watch<'a>) -> Result<Self> {
        let ptx = match variant {
            Swwl => kernels::BH_SWWL,
            SwwlWch => kernels::BH_SWWL_WCH,
            SwwlAru => kernels::BH_SWWL_ARU,
            SwwlWdo => kernels::BH_SWWL_WDO,
            Hwwl => kernels::BH_HWWL,
            _ => kernels::BH_TOPO,
        };
        let [force, shift] = kernels(ptx, ["bh_force", "bh_move"])?;
        let mut session = Session::new(gpu, watch);
        let [position, velocity] = [&bodies.position, &bodies.velocity].map(bits);
        let count = position[0].len();
        let list = match variant {
            Topo => None,
            _ => {
                let [start] = kernels(ptx, ["bh_start"])?;
                Some((Worklist::new(&mut session, variant, count)?, start))
            }
        };
        let accelerations = [(); 3].map(|_| session.alloc(count));
        let velocities = [(); 3].map(|_| session.alloc(count));
        for (&address, words) in velocities.iter().zip(&velocity) {
            session.write(address, words)?;
        }
        let terms = vec![1; count];
        Ok(Cluster { session, force, shift, list, accelerations, velocities, position, velocity, terms })
    }

    /// Gives the largest error of the accelerations as a part of what is tolerated, in per cent, and how far they are from the
    /// direct sum, if that is computed.
    fn step(&mut self, step: u32) -> Result<(f64, Option<f64>)> {
        let positions = self.position.each_ref().map(|x| x.iter().map(|&bits| f32::from_bits(bits)).collect());
        let bodies = self.position[0].len() as u32;
        let tree = Octree::new(positions).ok_or(WorkloadError::Crowded { bodies })?;
        let nodes = tree.position.each_ref().map(|x| self.session.upload_f32(x));
        let nodes: [u64; 3] = nodes.into_iter().collect::<Result<Vec<_>>>()?.try_into().expect("three");
        let mass = self.session.upload_f32(&tree.mass)?;
        let (child, order) = (self.session.upload(&tree.child)?, self.session.upload(&tree.order)?);
        let arrays = nodes.into_iter().chain([mass, child, order]).fold(Params::default(), Params::u64);
        let arrays = arrays.u32(bodies).f32(gravity::limit(&tree)).f32(gravity::SOFTENING);
        let arrays = self.accelerations.into_iter().fold(arrays, Params::u64);
        let start = Start { level: step, work: bodies as u64 };
        self.attract(start, &arrays, &tree)?;
        let accelerations = self.read(self.accelerations)?;
        let together = if self.list.is_none() { self.session.gpu().config().core.warp_size } else { 1 };
        let walks = gravity::walks(&tree, together);
        let checks = check_accelerations(&tree, &walks, &accelerations)?;
        self.terms = walks.terms;
        // The first kick is half of one: positions and velocities are half a step apart from then on.
        let kick = if step == 0 { 0.5 * STEP } else { STEP };
        let params = self.velocities.into_iter().fold(arrays, Params::u64).f32(kick).f32(STEP);
        self.session.launch(&self.shift, start, [bodies.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1], params)?;
        let velocity = moved(&self.velocity, &accelerations, kick);
        let position = moved(&self.position, &velocity, STEP);
        compare("velocity", &self.read(self.velocities)?, &velocity)?;
        compare("position", &self.read(nodes)?, &position)?;
        (self.position, self.velocity) = (position, velocity);
        Ok(checks)
    }

    /// Fills the list, if there is one, and computes all accelerations.
    fn attract(&mut self, start: Start, arrays: &Params, tree: &Octree) -> Result<()> {
        let bodies = start.work as u32;
        let ctas = bodies.div_ceil(BLOCK);
        let Some((worklist, fill)) = &mut self.list else {
            let ctas = ctas.min(persistent_ctas(&self.session));
            return self.session.launch(&self.force, start, [ctas, 1, 1], [BLOCK, 1, 1], arrays.clone());
        };
        let params = worklist.params().u32(bodies);
        self.session.launch(fill, start, [ctas, 1, 1], [BLOCK, 1, 1], params)?;
        let all = |_: &Session| Ok((0..bodies).collect());
        let work = worklist.turn(&mut self.session, all)?;
        let terms = sums_before(tree.order.iter().map(|&body| self.terms[body as usize]));
        let params = worklist.params().then(arrays).u64(self.session.upload(&terms)?);
        let ctas = worklist.ctas(&self.session, work);
        self.session.launch(&self.force, start, [ctas, 1, 1], [BLOCK, 1, 1], params)?;
        worklist.turn(&mut self.session, all)?;
        Ok(())
    }

    fn read(&self, addresses: [u64; 3]) -> Result<Vectors> {
        let count = self.position[0].len();
        let [x, y, z] = addresses.map(|address| self.session.read(address, count));
        Ok([x?, y?, z?])
    }
}

fn check_accelerations(tree: &Octree, walks: &Walks, found: &Vectors) -> Result<(f64, Option<f64>)> {
    let mut worst = 0.0;
    for (axis, (found, expected)) in ["x", "y", "z"].iter().zip(found.iter().zip(&walks.accelerations)) {
        let place = |body: usize| format!("{axis} of body {body}");
        worst = f64::max(worst, check::within("accelerations".into(), place, found, expected)?);
    }
    if tree.bodies() > DIRECT {
        return Ok((worst, None));
    }
    let error = gravity::error_of(found.each_ref().map(|axis| &axis[..]), tree);
    check::listed(["error", "errors"], &[error > DIRECT_ERROR], &[false], |_| format!("{error:.3} of the direct sum"))?;
    Ok((worst, Some(error)))
}

fn bits(vectors: &[Vec<f32>; 3]) -> Vectors {
    vectors.each_ref().map(|axis| axis.iter().map(|value| value.to_bits()).collect())
}

/// Each value and `by` times its change, in one rounding.
fn moved(from: &Vectors, change: &Vectors, by: f32) -> Vectors {
    let one = |(&from, &change): (&u32, &u32)| f32::from_bits(change).mul_add(by, f32::from_bits(from)).to_bits();
    [0, 1, 2].map(|axis| from[axis].iter().zip(&change[axis]).map(one).collect())
}

fn compare(what: &str, found: &Vectors, expected: &Vectors) -> Result<()> {
    for (axis, (found, expected)) in ["x", "y", "z"].iter().zip(found.iter().zip(expected)) {
        check::listed([&format!("{axis} of body"), what], found, expected, check::float)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attach::{models, Uses};
    use crate::config::Config;

    fn gpu() -> Gpu {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        config.set("hwwl.entries=16").unwrap();
        Gpu::new(&config, models(&config, Uses::all()).unwrap())
    }

    /// Around the widths of warps and CTAs; one body stays where it is, but for its velocity.
    #[test]
    fn all_variants_are_right_for_odd_numbers_of_bodies() {
        for bodies in [1, 2, 33, 257] {
            for &variant in VARIANTS {
                let outcome = run(&mut gpu(), bodies, variant, &mut |_| {});
                assert!(outcome.is_ok(), "{bodies} {}: {}", variant.name(), outcome.unwrap_err());
            }
        }
    }

    /// Threads that walk on their own do the same in whatever list they find their bodies.
    #[test]
    fn data_driven_variants_are_equal_to_the_bit() {
        let mut results = VARIANTS[1..].iter().map(|&v| run(&mut gpu(), 100, v, &mut |_| {}).unwrap().result);
        let first = results.next().unwrap();
        assert!(results.all(|result| result == first));
    }

    #[test]
    fn bodies_in_one_place_are_refused() {
        let [position, velocity] = [(); 2].map(|_| [(); 3].map(|_| vec![0.5; 2]));
        let error = simulate(&mut gpu(), Bodies { position, velocity }, Topo, &mut |_| {}).unwrap_err();
        assert!(error.to_string().starts_with("2 bodies: some lie so close"), "{error}");
    }

    /// Two bodies fall towards each other; nothing moves their centre.
    #[test]
    fn two_bodies_attract_each_other() {
        let position = [vec![-1.0, 1.0], vec![0.0; 2], vec![0.0; 2]];
        let bodies = Bodies { position, velocity: [(); 3].map(|_| vec![0.0; 2]) };
        let result = simulate(&mut gpu(), bodies, Hwwl, &mut |_| {}).unwrap().result;
        let x: Vec<_> = result[..2].iter().map(|&bits| f32::from_bits(bits)).collect();
        // Half a kick leads a step far, and so does it with a whole one more: twice the acceleration, 1/8, by the step squared.
        assert!((x[1] - (1.0 - 2.0 * 0.025 * 0.025 / 8.0)).abs() < 1e-6 && x[0] == -x[1], "{x:?}");
    }
}
