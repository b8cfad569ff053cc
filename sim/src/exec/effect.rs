//! What one warp instruction asks of the rest of the core, after its registers have been updated.

use crate::ptx::program::{Space, WARP_SIZE};

/// Operation of an atomic; the partition applies it (see `exec::atomic`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    Add,
    And,
    Or,
    Xor,
    Exch,
    Cas,
    Inc,
    Dec,
    MinU,
    MaxU,
    MinS,
    MaxS,
    AddF32,
    AddF64,
}

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
    Branch {
        taken: u32,
        target: u32,
        others: u32,
    },
    /// These lanes end.
    Exit {
        lanes: u32,
    },
    /// The warp is at a barrier.
    Barrier(Arrival),
    /// See [`Access`].
    Access,
    /// `wlpull`: the answer for these lanes goes to the destination slot when the unit has it.
    Pull {
        lanes: u32,
        dst: u16,
    },
    /// `load_iru`: elements for these lanes go to the destination slots when the unit has them.
    Reorder {
        lanes: u32,
    },
    /// `wlpush`: the IDs are in the push buffer (`Scratch::ids`).
    Push {
        lanes: u32,
    },
    /// `wlinit base, bytes`, `wlcfg mode`: the values of the lowest active lane.
    WorklistInit {
        base: u64,
        bytes: u64,
    },
    WorklistConfigure {
        double: bool,
    },
}
