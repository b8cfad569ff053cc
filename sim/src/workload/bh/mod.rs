//! Bodies that attract each other, after Barnes and Hut: the host builds the octree, with centres and masses, and the GPU
//! walks it for each body and moves all bodies. Step 0.025, softening 0.05, a cell is far from twice its side on.
//!
//! Each step is checked by itself: accelerations against the same walks in 64-bit floats, new positions and velocities to
//! the bit. Data-driven kernels say which bodies walked together: those that a warp has pulled.

mod gravity;
mod octree;
mod plummer;

use super::check::{self, Elements};
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
    let (mut worst, mut error, mut walks) = (0.0, None::<f64>, 0);
    for step in 0..STEPS {
        let (found, in_step) = cluster.step(step)?;
        worst = f64::max(worst, found.rounding);
        error = found.approximation.map(|found| f64::max(found, error.unwrap_or(0.0)));
        walks += in_step;
    }
    let direct = error.map_or(String::new(), |error| format!(", {:.2} % from the direct sum", 100.0 * error));
    let together = STEPS as f64 * cluster.terms.len() as f64 / walks as f64;
    let checked = format!(
        "accelerations in {STEPS} steps within {worst:.0} % of what rounding may do{direct}, \
         {together:.1} bodies to a walk; moves equal to the bit"
    );
    let result = [cluster.position.concat(), cluster.velocity.concat()].concat();
    Ok(cluster.session.finish(result, checked))
}

/// Bits of floats, a list for each of x, y and z.
type Vectors = [Vec<u32>; 3];

/// Errors of accelerations.
struct Errors {
    /// The largest as a part of what is tolerated, in per cent.
    rounding: f64,
    /// How far they are from the direct sum, if that is computed.
    approximation: Option<f64>,
}

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

    /// Gives the errors of the accelerations and the number of walks.
    fn step(&mut self, step: u32) -> Result<(Errors, usize)> {
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
        let leaders = self.attract(start, &arrays, &tree)?;
        let accelerations = self.read(self.accelerations)?;
        let groups = groups(&tree.order, &leaders, self.session.gpu().config().core.warp_size)?;
        let walks = gravity::walks(&tree, groups.iter().map(|group| &group[..]));
        let errors = check_accelerations(&tree, &walks, &accelerations)?;
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
        Ok((errors, groups.len()))
    }

    /// Fills the list, if there is one, and computes all accelerations. By place in the tree's order, gives the place of the
    /// leader of the walk.
    fn attract(&mut self, start: Start, arrays: &Params, tree: &Octree) -> Result<Vec<u32>> {
        let bodies = start.work as u32;
        let ctas = bodies.div_ceil(BLOCK);
        let Some((worklist, fill)) = &mut self.list else {
            let ctas = ctas.min(persistent_ctas(&self.session));
            self.session.launch(&self.force, start, [ctas, 1, 1], [BLOCK, 1, 1], arrays.clone())?;
            let lanes = self.session.gpu().config().core.warp_size as u32;
            return Ok((0..bodies).map(|place| place / lanes * lanes).collect());
        };
        let params = worklist.params().u32(bodies);
        self.session.launch(fill, start, [ctas, 1, 1], [BLOCK, 1, 1], params)?;
        let all = |_: &Session| Ok((0..bodies).collect());
        let work = worklist.turn(&mut self.session, all)?;
        let terms = sums_before(tree.order.iter().map(|&body| self.terms[body as usize]));
        let leaders = self.session.upload(&vec![u32::MAX; bodies as usize])?;
        let params = worklist.params().then(arrays).u64(self.session.upload(&terms)?).u64(leaders);
        let ctas = worklist.ctas(&self.session, work);
        self.session.launch(&self.force, start, [ctas, 1, 1], [BLOCK, 1, 1], params)?;
        worklist.turn(&mut self.session, all)?;
        self.session.read(leaders, bodies as usize)
    }

    fn read(&self, addresses: [u64; 3]) -> Result<Vectors> {
        let count = self.position[0].len();
        let [x, y, z] = addresses.map(|address| self.session.read(address, count));
        Ok([x?, y?, z?])
    }
}

/// Bodies that walked together, by their `order` in the tree and the `leaders` by place there. A leader leads itself, and at
/// most a warp of so many `lanes`.
fn groups(order: &[u32], leaders: &[u32], lanes: usize) -> Result<Vec<Vec<u32>>> {
    let leads = |&place: &u32| leaders.get(place as usize) == Some(&place);
    let shown = |place: usize| [format!("place {place}"), leaders[place].to_string(), "one that leads itself".into()];
    Elements { what: "leaders".into(), count: order.len(), shown: &shown }.check(|place| leads(&leaders[place]))?;
    let mut groups = vec![Vec::new(); order.len()];
    leaders.iter().zip(order).for_each(|(&leader, &body)| groups[leader as usize].push(body));
    let shown =
        |place: usize| [format!("led by place {place}"), groups[place].len().to_string(), format!("at most {lanes}")];
    Elements { what: "walks".into(), count: order.len(), shown: &shown }.check(|place| groups[place].len() <= lanes)?;
    groups.retain(|group| !group.is_empty());
    Ok(groups)
}

fn check_accelerations(tree: &Octree, walks: &Walks, found: &Vectors) -> Result<Errors> {
    let mut rounding = 0.0;
    for (axis, (found, expected)) in ["x", "y", "z"].iter().zip(found.iter().zip(&walks.accelerations)) {
        let place = |body: usize| format!("{axis} of body {body}");
        rounding = f64::max(rounding, check::within("accelerations".into(), place, found, expected)?);
    }
    if tree.bodies() > DIRECT {
        return Ok(Errors { rounding, approximation: None });
    }
    let error = gravity::error_of(found.each_ref().map(|axis| &axis[..]), tree);
    check::listed(["error", "errors"], &[error > DIRECT_ERROR], &[false], |_| format!("{error:.3} of the direct sum"))?;
    Ok(Errors { rounding, approximation: Some(error) })
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

    /// The warps of every variant walk as one, but for the last ones.
    #[test]
    fn all_variants_walk_with_most_lanes() {
        for &variant in VARIANTS {
            let checked = run(&mut gpu(), 1024, variant, &mut |_| {}).unwrap().checked;
            let (before, _) = checked.split_once(" bodies to a walk").unwrap();
            let together: f64 = before.rsplit(' ').next().unwrap().parse().unwrap();
            assert!(together > 16.0, "{}: {checked}", variant.name());
        }
    }

    fn error<T>(result: Result<T>) -> String {
        result.err().unwrap().to_string()
    }

    #[test]
    fn groups_have_each_body_once() {
        let found = groups(&[4, 2, 0, 1, 3], &[0, 3, 0, 3, 3], 3).unwrap();
        assert_eq!(found, [vec![4, 0], vec![2, 1, 3]]);
        let message = error(groups(&[4, 2, 0, 1, 3], &[0, 3, 0, 3, 3], 2));
        assert_eq!(message, "wrong result: 1 of 5 walks; the first is led by place 3: 3, should be at most 2");
        for (place, leader) in [(3, 0), (4, 2), (1, 5), (2, u32::MAX)] {
            let mut leaders = [0, 3, 0, 3, 3];
            leaders[place] = leader;
            let message = error(groups(&[4, 2, 0, 1, 3], &leaders, 5));
            assert!(message.ends_with("should be one that leads itself"), "{message}");
        }
    }

    /// A body that is said to have walked with others than it did, and an exponent that is off by one.
    #[test]
    fn wrong_leaders_and_accelerations_are_refused() {
        let tree = Octree::new(plummer::cluster(200, 1).position).unwrap();
        let mut leaders: Vec<u32> = (0..200).map(|place| place / 32 * 32).collect();
        let walks = |leaders: &[u32]| {
            let groups = groups(&tree.order, leaders, 33).unwrap();
            gravity::walks(&tree, groups.iter().map(|group| &group[..]))
        };
        let right = walks(&leaders);
        let found =
            right.accelerations.each_ref().map(|axis| axis.iter().map(|a| (a.value as f32).to_bits()).collect());
        assert!(check_accelerations(&tree, &right, &found).is_ok());
        leaders[100] = 0;
        assert!(error(check_accelerations(&tree, &walks(&leaders), &found)).contains("accelerations"));
        let mut wrong = found;
        wrong[1][17] ^= 1 << 23;
        let message = error(check_accelerations(&tree, &right, &wrong));
        assert!(message.starts_with("wrong result: 1 of 200 accelerations; the first is y of body 17"), "{message}");
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
