//! The mesh on the device, as `kernels/dmr.h` has it.

use super::super::session::Session;
use super::super::{Params, Result, WorkloadError};
use super::geometry::{Point, SIDE};
use super::mesh::Mesh;

/// Elements that a cavity can have.
const CAVITY: usize = 64;

/// Most points, elements and cavities.
pub struct Room {
    pub points: usize,
    pub elements: usize,
    pub cavities: usize,
}

impl Room {
    /// Numbers of deleted elements are not used again. LonestarGPU reserves 12 to 20 times the first elements. Small meshes
    /// grow more.
    pub fn of(mesh: &Mesh) -> Self {
        let (points, elements) = (mesh.points.len(), mesh.corner.len());
        Room { points: 6 * points + 1024, elements: 16 * elements + 4096, cavities: elements + 1024 }
    }
}

/// Points, elements and cavities so far.
pub struct Counts {
    pub points: u32,
    pub elements: u32,
    pub cavities: u32,
}

/// Device addresses, and the kernels' parameters of them.
pub struct Buffers {
    /// Points of the input.
    input: u32,
    x: u64,
    y: u64,
    corner: u64,
    neighbour: u64,
    bad: u64,
    deleted: u64,
    counts: u64,
    pub mesh: Params,
    pub cavities: Params,
}

impl Buffers {
    pub fn new(session: &mut Session, mesh: &Mesh, room: &Room) -> Result<Self> {
        let [x, y] = [0, 1].map(|axis| {
            let bits = mesh.points.iter().map(|point| (point[axis] as f64).to_bits());
            reserve(session, bits.flat_map(|bits| [bits as u32, (bits >> 32) as u32]).collect(), 2 * room.points)
        });
        let [corner, neighbour] =
            [&mesh.corner, &mesh.neighbour].map(|words| reserve(session, words.concat(), 3 * room.elements));
        let [bad, deleted] = [(); 2].map(|_| reserve(session, Vec::new(), room.elements.div_ceil(4)));
        let owner = session.alloc(2 * room.elements);
        let input = mesh.points.len() as u32;
        let counts = session.upload(&[input, mesh.corner.len() as u32, 0, 0])?;
        let [x, y, corner, neighbour, bad, deleted] = [x?, y?, corner?, neighbour?, bad?, deleted?];
        let arrays = [x, y, corner, neighbour, bad, deleted, owner, counts];
        let parameter = arrays.into_iter().fold(Params::default(), Params::u64);
        let parameter = parameter.u32(room.points as u32).u32(room.elements as u32);
        let cavities = cavities(session, room.cavities);
        Ok(Buffers { input, x, y, corner, neighbour, bad, deleted, counts, mesh: parameter, cavities })
    }

    /// An error if something did not fit.
    pub fn counts(&self, session: &Session) -> Result<Counts> {
        let [points, elements, cavities, failure] =
            session.read(self.counts, 4)?.try_into().expect("as many words as were read");
        let what = match failure {
            0 => return Ok(Counts { points, elements, cavities }),
            1 => "a cavity has more than 64 triangles",
            _ => "the refined mesh has more triangles than there is room for",
        };
        Err(WorkloadError::Refinement { points: self.input, what })
    }

    pub fn clear_cavities(&self, session: &mut Session) -> Result<()> {
        session.write(self.counts + 8, &[0])
    }

    /// Bad triangles that are not deleted.
    pub fn bad(&self, session: &Session) -> Result<Vec<u32>> {
        let elements = self.counts(session)?.elements;
        let [bad, deleted] = [self.bad, self.deleted].map(|address| bytes(session, address, elements as usize));
        let (bad, deleted) = (bad?, deleted?);
        Ok((0..elements).filter(|&element| bad[element as usize] && !deleted[element as usize]).collect())
    }

    pub fn mesh(&self, session: &Session) -> Result<Mesh> {
        let Counts { points, elements, .. } = self.counts(session)?;
        let [points, elements] = [points, elements].map(|count| count as usize);
        let [x, y] = [self.x, self.y].map(|address| session.read(address, 2 * points));
        let points = x?.chunks(2).zip(y?.chunks(2)).map(|(x, y)| whole([x, y])).collect();
        let threes = |address| -> Result<Vec<[u32; 3]>> {
            Ok(session.read(address, 3 * elements)?.chunks(3).map(|words| [words[0], words[1], words[2]]).collect())
        };
        let (corner, neighbour) = (threes(self.corner)?, threes(self.neighbour)?);
        Ok(Mesh { points, corner, neighbour, deleted: bytes(session, self.deleted, elements)? })
    }
}

/// `Cavities` of the kernels.
fn cavities(session: &mut Session, room: usize) -> Params {
    let words = [2, 2, 2, 1, 1, CAVITY].map(|words| session.alloc(words * room));
    words.into_iter().fold(Params::default(), Params::u64).u32(room as u32).u32(0)
}

/// A buffer of so many words that begins with these; the others are 0.
fn reserve(session: &mut Session, mut words: Vec<u32>, count: usize) -> Result<u64> {
    words.resize(count, 0);
    session.upload(&words)
}

fn bytes(session: &Session, address: u64, count: usize) -> Result<Vec<bool>> {
    let words = session.read(address, count.div_ceil(4))?;
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).take(count).map(|byte| byte != 0).collect())
}

/// Coordinates outside of the square, or with a fraction, become -1: no point of a mesh.
fn whole(point: [&[u32]; 2]) -> Point {
    point.map(|words| {
        let value = f64::from_bits(u64::from(words[1]) << 32 | u64::from(words[0]));
        let is_whole = (0.0..=SIDE as f64).contains(&value) && value.fract() == 0.0;
        if is_whole {
            value as i64
        } else {
            -1
        }
    })
}
