//! What one warp instruction asks of the rest of the core, after its registers have been updated.

use crate::ptx::isa::{AtomicOp, Space, WARP_SIZE};

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
}

/// A warp at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub id: u32,
    /// Warps that the barrier is for; `None`: all of the CTA that have not ended.
    pub warps: Option<u32>,
    /// It does not wait.
    pub passes: bool,
    /// Lanes that arrive, and those of them with a true predicate.
    pub lanes: u32,
    pub votes: u32,
}

/// What the core has to do next for this warp. Lane masks are already ANDed with the guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Go on with the next instruction.
    Next,
    /// `taken` lanes go to `target`, the other active lanes to `others`.
    Branch { taken: u32, target: u32, others: u32 },
    /// These lanes end.
    Exit { lanes: u32 },
    /// The warp is at a barrier.
    Barrier(Arrival),
    /// Lanes of the warp are at a barrier, and these others, which go on at `pc`, end before.
    OthersEnd { lanes: u32, pc: u32 },
    /// See [`Access`].
    Access,
    /// `wlpull`, `load_iru`, `wlpush`, `unit.call`: a system takes the instruction for these lanes. Destination slots are written when it has
    /// the answers; the operands of the instruction are in [`super::Scratch::operands`].
    Port { lanes: u32 },
    /// An instruction for all cores of a system.
    Control(Control),
}

/// An instruction for a system of all cores, with the values of the lowest active lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `wlinit base, bytes`
    WorklistInit { base: u64, bytes: u64 },
    /// `wlcfg mode`
    WorklistConfigure { double: bool },
}
