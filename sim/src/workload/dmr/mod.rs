//! Delaunay mesh refinement: bad triangles, those with an angle below 30 degrees, get a point near their circumcentre, until
//! none is bad. Segments of the boundary that such a point would come too close to are halved instead.
//!
//! Points are chosen exactly and by where triangles lie, so that all variants make the same mesh, but for the numbers
//! of its points and triangles. The check does not rely on that: it holds for every refined mesh.

mod device;
mod geometry;
mod mesh;
mod verify;

use super::check;
use super::session::{kernels, Session};
use super::worklist::{sums_before, Worklist};
use super::{Outcome, Params, Result, Size, Start, Variant, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::kernels;
use crate::ptx::program::Program;
use device::{Buffers, Room};
use mesh::Mesh;
use Variant::{Hwwl, Swwl, SwwlAru, SwwlWch, SwwlWdo, Topo};

pub const SIZE: Size = Size { meaning: "points of the mesh", default: 2000, max: 1 << 18 };
pub const VARIANTS: &[Variant] = &[Topo, Swwl, SwwlWch, SwwlAru, SwwlWdo, Hwwl];

/// As in LonestarGPU: each thread needs many registers.
const BLOCK: u32 = 64;
const SEED: u64 = 1;
/// Least points: four a side.
const LEAST: u32 = 16;

/// Gives the coordinates of all triangles of the refined mesh ([`Mesh::canonical`]).
pub fn run(gpu: &mut Gpu, size: u32, variant: Variant, watch: Watch) -> Result<Outcome> {
    if size < LEAST {
        return Err(WorkloadError::TooSmall { workload: "dmr", size, meaning: SIZE.meaning, least: LEAST });
    }
    let mesh = Mesh::delaunay(mesh::points(size as usize, SEED));
    refine(gpu, &mesh, &Room::of(&mesh), variant, watch)
}

fn refine(gpu: &mut Gpu, mesh: &Mesh, room: &Room, variant: Variant, watch: Watch) -> Result<Outcome> {
    let mut refiner = Refiner::new(gpu, mesh, room, variant, watch)?;
    loop {
        let work = refiner.work()?;
        if work == 0 {
            return refiner.finish(mesh);
        }
        refiner.step(work)?;
    }
}

/// Means by which bad triangles are found.
enum Bad {
    /// By their marks. A word an element: its cavity.
    Marked { own: u64 },
    /// In a list; sums by which threads that donate work estimate it.
    Listed { worklist: Worklist, before: u64 },
}

struct Refiner<'a> {
    session: Session<'a>,
    mark: Program,
    contend: Program,
    commit: Program,
    buffers: Buffers,
    bad: Bad,
    /// Number of the super-step.
    level: u32,
}

impl<'a> Refiner<'a> {
    /// With the first bad triangles marked, and pushed.
    fn new(gpu: &'a mut Gpu, mesh: &Mesh, room: &Room, variant: Variant, watch: Watch<'a>) -> Result<Self> {
        let names = ["dmr_check", "dmr_mark", "dmr_contend", "dmr_commit"];
        let [check, mark, contend, commit] = kernels(ptx(variant), names)?;
        let mut session = Session::new(gpu, watch);
        let buffers = Buffers::new(&mut session, mesh, room)?;
        let bad = match variant {
            Topo => Bad::Marked { own: session.alloc(room.elements) },
            _ => {
                let before = session.upload(&sums_before((0..room.elements).map(|_| 1)))?;
                Bad::Listed { worklist: Worklist::new(&mut session, variant, room.elements)?, before }
            }
        };
        let mut refiner = Refiner { session, mark, contend, commit, buffers, bad, level: 0 };
        let elements = mesh.corner.len() as u32;
        let params = refiner.list().then(&refiner.buffers.mesh).u32(elements);
        refiner.launch(&check, Start { level: 0, work: elements.into() }, elements, params)?;
        Ok(refiner)
    }

    /// First parameters in data-driven variants.
    fn list(&self) -> Params {
        match &self.bad {
            Bad::Marked { .. } => Params::default(),
            Bad::Listed { worklist, .. } => worklist.params(),
        }
    }

    fn launch(&mut self, program: &Program, start: Start, threads: u32, params: Params) -> Result<()> {
        self.session.launch(program, start, [threads.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1], params)
    }

    /// Bad triangles; those of a list may have been deleted.
    fn work(&mut self) -> Result<u64> {
        let buffers = &self.buffers;
        match &mut self.bad {
            Bad::Marked { .. } => Ok(buffers.bad(&self.session)?.len() as u64),
            Bad::Listed { worklist, .. } => worklist.turn(&mut self.session, |session| buffers.bad(session)),
        }
    }

    /// Makes at least one insertion if a triangle is bad: that with the smallest key.
    fn step(&mut self, work: u64) -> Result<()> {
        let elements = self.buffers.counts(&self.session)?.elements;
        let start = Start { level: self.level, work };
        self.level += 1;
        self.buffers.clear_cavities(&mut self.session)?;
        let (mark, contend, commit) = (self.mark.clone(), self.contend.clone(), self.commit.clone());
        let arrays = self.buffers.mesh.clone().then(&self.buffers.cavities);
        let list = self.list();
        match &self.bad {
            Bad::Marked { own } => {
                let arrays = arrays.u64(*own).u32(elements);
                self.launch(&mark, start, elements, arrays.clone())?;
                self.buffers.counts(&self.session)?;
                self.launch(&contend, start, elements, arrays.clone())?;
                self.launch(&commit, start, elements, arrays)?;
            }
            Bad::Listed { worklist, before } => {
                let ctas = worklist.ctas_of(&self.session, work, BLOCK);
                let params = list.clone().then(&arrays).u64(*before);
                self.session.launch(&mark, start, [ctas, 1, 1], [BLOCK, 1, 1], params)?;
                let count = self.buffers.counts(&self.session)?.cavities;
                if count > 0 {
                    let arrays = arrays.u32(count);
                    self.launch(&contend, start, count, arrays.clone())?;
                    self.launch(&commit, start, count, list.then(&arrays))?;
                }
            }
        }
        let counts = self.buffers.counts(&self.session)?;
        let has_moved = [counts.cavities == 0 || counts.elements > elements];
        check::listed(["super-step", "super-steps"], &has_moved, &[true], |moved| {
            format!("{} insertion", if moved { "an" } else { "no" })
        })
    }

    fn finish(self, input: &Mesh) -> Result<Outcome> {
        let mesh = self.buffers.mesh(&self.session)?;
        verify::verify(&mesh, &input.points)?;
        let (points, triangles) = (mesh.points.len(), mesh.triangles().count());
        let (steps, made) = (self.level, mesh.corner.len());
        let checked = format!(
            "{points} points and {triangles} triangles, Delaunay's, no angle below 30 degrees; {steps} super-steps, {made} elements in all"
        );
        Ok(self.session.finish(mesh.canonical(), checked))
    }
}

fn ptx(variant: Variant) -> kernels::Ptx {
    match variant {
        Swwl => kernels::DMR_SWWL,
        SwwlWch => kernels::DMR_SWWL_WCH,
        SwwlAru => kernels::DMR_SWWL_ARU,
        SwwlWdo => kernels::DMR_SWWL_WDO,
        Hwwl => kernels::DMR_HWWL,
        _ => kernels::DMR_TOPO,
    }
}

#[cfg(test)]
mod tests {
    use super::geometry::{Point, SIDE};
    use super::*;
    use crate::attach::{models, Uses};
    use crate::config::Config;

    fn gpu() -> Gpu {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        config.set("hwwl.entries=16").unwrap();
        Gpu::new(&config, models(&config, Uses::all()).unwrap())
    }

    /// The square, with these points inside and its sides in as many sections.
    fn refined(inside: &[Point], sections: usize) -> Result<Outcome> {
        let points = mesh::points(sections * sections, 1).into_iter().take(4 * sections);
        let mesh = Mesh::delaunay(points.chain(inside.iter().copied()).collect());
        refine(&mut gpu(), &mesh, &Room::of(&mesh), Topo, &mut |_| {})
    }

    /// None inside, one, and more; the lists have a bad triangle for each that is marked.
    #[test]
    fn all_variants_make_the_same_mesh() {
        for size in [16, 19] {
            let outcomes = VARIANTS.iter().map(|&v| run(&mut gpu(), size, v, &mut |_| {}).unwrap());
            let made = |outcome: Outcome| {
                let cavities = outcome.steps.iter().filter(|step| step.kernel == "dmr_commit").count();
                (outcome.result, cavities)
            };
            let made: Vec<_> = outcomes.map(made).collect();
            assert!(made.iter().all(|one| *one == made[0]), "{size}");
        }
    }

    /// Whole lattices are on circles of four: which of them hold a point is not for roundings to say.
    #[test]
    fn points_on_common_circles_are_decided_exactly() {
        let at = |i: i64| i * SIDE / 6;
        let mut inside: Vec<_> = (1..6).flat_map(|x| (1..6).map(move |y| [at(x), at(y)])).collect();
        inside.push([at(3) + SIDE / 100, at(3)]);
        refined(&inside, 6).unwrap();
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let message = run(&mut gpu(), 15, Topo, &mut |_| {}).unwrap_err().to_string();
        assert_eq!(message, "size 15: dmr takes at least 16 points of the mesh");
        let mesh = Mesh::delaunay(mesh::points(40, 1));
        let (points, elements) = (mesh.points.len(), mesh.corner.len());
        let ample = Room::of(&mesh);
        for room in [
            Room { points: points + 1, ..Room::of(&mesh) },
            Room { elements: elements + 5, ..Room::of(&mesh) },
            Room { cavities: 3, ..ample },
        ] {
            let error = refine(&mut gpu(), &mesh, &room, Swwl, &mut |_| {}).unwrap_err().to_string();
            let expected = "40 points: the refined mesh has more triangles than there is room for; give another size";
            assert_eq!(error, expected);
        }
    }

    /// Refinement goes down to the distance of a point from the boundary, and up again.
    #[test]
    fn points_that_almost_touch_are_told_apart() {
        refined(&[[SIDE / 2, SIDE >> 12]], 4).unwrap();
    }

    /// Points on a circle, as far as whole coordinates go: most triangles of them hold the middle in their circumcircles.
    #[test]
    fn a_cavity_that_is_too_large_is_refused() {
        let radius = (SIDE / 4) as f64;
        let on_circle = |i: i32| {
            let angle = f64::from(i) * std::f64::consts::TAU / 90.0;
            [libm::cos(angle), libm::sin(angle)].map(|part| SIDE / 2 + (radius * part) as i64)
        };
        let message = refined(&(0..90).map(on_circle).collect::<Vec<_>>(), 4).unwrap_err().to_string();
        assert_eq!(message, "106 points: a cavity has more than 64 triangles; give another size");
    }
}
