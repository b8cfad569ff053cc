//! Instructions of systems, which PTX does not have: their operands, where the GPU takes them, and what they refuse.

use super::isa::{Operand, Place, Slot};

/// An instruction of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemOp {
    pub code: SystemCode,
    pub operands: [Option<Operand>; 2],
    /// Registers that the system's answer goes to.
    pub results: [Option<Slot>; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemCode {
    /// `wlinit`: base and bytes of the overflow buffer.
    WorklistInit,
    /// `wlcfg`: single- or double-buffered.
    WorklistConfigure,
    /// `wlpull`: an ID, or that there is none.
    WorklistPull,
    /// `wledge`: an edge of an ID, and the ID.
    WorklistEdge,
    /// `wlrows`: where the edges of each ID begin.
    WorklistRows,
    /// `wlpush`: an ID for the worklist.
    WorklistPush,
    /// `load_iru`: whether the thread got an element, and the element: index, secondary value, position.
    ReorderLoad,
    /// `unit.call` and `unit.do`: an operation of a unit of the user's own; `unit.do` gives nothing back.
    UnitCall { operation: u8 },
}

/// Bits of a work ID.
const WORK_ID_BITS: u32 = 24;

impl SystemCode {
    pub fn place(self) -> Place {
        match self {
            SystemCode::WorklistInit | SystemCode::WorklistConfigure | SystemCode::WorklistRows => Place::AllCores,
            SystemCode::WorklistPull | SystemCode::WorklistEdge => Place::Issue,
            SystemCode::WorklistPush | SystemCode::ReorderLoad | SystemCode::UnitCall { .. } => Place::LoadStore,
        }
    }

    /// Each lane is sure to get a value of its own.
    pub fn gives_own_values(self) -> bool {
        matches!(self, SystemCode::WorklistPull | SystemCode::WorklistEdge | SystemCode::ReorderLoad)
    }

    /// Why the instruction cannot have this value as its first operand.
    pub fn refuses(self, value: u32) -> Option<String> {
        match self {
            SystemCode::WorklistPush => {
                (value >> WORK_ID_BITS != 0).then(|| format!("wlpush of {value:#x}: a work ID has {WORK_ID_BITS} bits"))
            }
            SystemCode::WorklistConfigure => {
                let rule = "the mode is 0 (single buffer) or 1 (double buffer)";
                (value > 1).then(|| format!("wlcfg {value}: {rule}"))
            }
            SystemCode::WorklistInit
            | SystemCode::WorklistEdge
            | SystemCode::WorklistRows
            | SystemCode::WorklistPull
            | SystemCode::ReorderLoad
            | SystemCode::UnitCall { .. } => None,
        }
    }
}
