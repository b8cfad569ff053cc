//! The outcome of one warp instruction, for the rest of the core.

use crate::ptx::isa::{AtomicOp, Slot, Space, WARP_SIZE};
use crate::ptx::op::BarrierAction;
use crate::ptx::system_op::SystemCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Read,
    Write,
    /// Values of lanes are in [`Access::operands`]; old values go to the destination unless it is a reduction.
    Atomic(AtomicOp),
}

/// A memory access of a warp. Loads and stores have already been done (functional state advances at issue);
/// atomics on global memory have not: the memory partition does them when the request gets there.
#[derive(Clone, Debug)]
pub struct Access {
    /// If lanes of a generic access differ in space, that of the global ones, and [`Self::lanes`] are those.
    pub space: Space,
    pub kind: AccessKind,
    /// Lanes that take part (active and guard true).
    pub lanes: u32,
    /// Bytes a lane accesses (vector width included).
    pub bytes: u32,
    /// Within the space: device addresses for global memory, offsets for the others (of the thread's own part for local).
    pub address: [u64; WARP_SIZE],
    /// For atomics: operand and, for Cas, the new value.
    pub operands: [[u64; WARP_SIZE]; 2],
    /// For atomics: where the old values go.
    pub dst: Option<Slot>,
}

impl Default for Access {
    /// An access of no lane.
    fn default() -> Self {
        let (address, operands) = ([0; WARP_SIZE], [[0; WARP_SIZE]; 2]);
        Access { space: Space::Global, kind: AccessKind::Read, lanes: 0, bytes: 0, address, operands, dst: None }
    }
}

/// A warp at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub id: u32,
    /// Warps that the barrier is for; `None`: all of the CTA that have not ended.
    pub warps: Option<u32>,
    pub action: BarrierAction,
    /// Lanes that arrive, and those of them with a true predicate.
    pub lanes: u32,
    pub votes: u32,
}

impl Arrival {
    /// It does not wait.
    pub fn passes(&self) -> bool {
        self.action == BarrierAction::Arrive
    }
}

/// The outcome of an instruction, after its registers have been updated. Lane masks are already ANDed with the guard.
#[derive(Clone, Copy, Debug)]
pub struct Effect<'s> {
    /// Lanes in which the instruction was executed: active, and its guard true.
    pub lanes: u32,
    pub flow: Flow,
    pub demand: Demand<'s>,
}

/// The warp's next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// With the next instruction.
    Next,
    /// `taken` lanes go to `target`, the other active lanes to `others`.
    Branch { taken: u32, target: u32, others: u32 },
    /// These lanes end.
    Exit { lanes: u32 },
    /// The warp is at a barrier.
    Barrier(Arrival),
    /// Lanes of the warp are at a barrier, and these others, which go on at `pc`, end before.
    OthersEnd { lanes: u32, pc: u32 },
    /// With the next instruction, once a system of all cores has been told.
    Control(Control),
}

/// A request of an instruction to the load-store unit or to a system.
#[derive(Clone, Copy, Debug)]
pub enum Demand<'s> {
    Nothing,
    /// `changed`: the instruction changed memory itself, by a store of another value or an atomic in shared memory.
    Access {
        access: &'s Access,
        changed: bool,
    },
    /// A system's port takes the instruction for these lanes; `operands` by lane. Destinations are written when it has the answers.
    Port {
        lanes: u32,
        operands: &'s [[u32; WARP_SIZE]; 2],
    },
}

/// An instruction for a system of all cores, with the values of the lowest active lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    pub code: SystemCode,
    pub operands: [u64; 2],
}
