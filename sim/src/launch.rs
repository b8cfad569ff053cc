//! A kernel launch, and how one can fail.

use crate::attach::iru::account::ElementError;
use crate::exec::Fault;
use std::fmt::Display;
use thiserror::Error;

/// A kernel launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of shared memory a CTA beyond the kernel's static ones.
    pub dynamic_shared: u32,
    /// The parameter block, little-endian, laid out as in [`Program::params`].
    pub params: Vec<u8>,
}

/// What a launch without time has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    pub warp_instructions: u64,
    pub thread_instructions: u64,
}

impl RunError {
    /// The fault of a unit's implementation in this cycle.
    pub fn unit(unit: &'static str, cycle: u64, fault: &dyn Display) -> Self {
        RunError::Unit { unit, cycle, text: fault.to_string() }
    }
}

/// Why a launch did not end well, in one line (a diagnosis has one more per waiting warp).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(
        "kernel `{kernel}`: the worklist of core {core} overflowed: it holds {held} IDs, and the overflow buffer has {bytes} bytes for all \
         cores; wlinit with {needed} bytes, or more entries (hwwl.entries), would have done"
    )]
    WorklistOverflow { kernel: String, core: usize, held: u64, bytes: u64, needed: u64 },
    #[error("{source_file}:{line}: kernel `{kernel}`: wlinit: base {base:#x}, {bytes} bytes: {rule}")]
    WorklistRegion { base: u64, bytes: u64, rule: String, kernel: String, source_file: String, line: u32 },
    #[error("{unit}, cycle {cycle}: {text}")]
    Unit { unit: &'static str, cycle: u64, text: String },
    #[error("kernel `{kernel}`: worklist lost or invented IDs: {pushed} pushed, {pulled} pulled, {before} before and {after} after")]
    WorklistConservation { kernel: String, pushed: u64, pulled: u64, before: u64, after: u64 },
    #[error("{source_file}:{line}: kernel `{kernel}`: wlcfg changes the mode, or wlinit the overflow buffer, while core {core} holds {held} IDs; drain the worklist first")]
    WorklistBusy { core: usize, held: u64, kernel: String, source_file: String, line: u32 },
    #[error("{source_file}:{line}: kernel `{kernel}` uses the worklist, which this configuration does not have; add a [hwwl] table")]
    NoWorklist { kernel: String, source_file: String, line: u32 },
    /// `outlook`: that it never will, if this is certain.
    #[error("kernel `{kernel}` made no progress for {cycles} cycles{outlook}; its warps:{waiting}")]
    NoProgress { kernel: String, cycles: u64, outlook: &'static str, waiting: String },
    #[error("kernel `{kernel}` has not ended within the limit of {limit} cycles for all launches; {done} of its {ctas} CTAs are done; its warps:{waiting}")]
    CycleLimit { kernel: String, limit: u64, done: u64, ctas: u64, waiting: String },
    #[error("kernel `{kernel}`: {what} = {value}: {rule}")]
    Launch { kernel: String, what: &'static str, value: String, rule: String },
    #[error("kernel `{kernel}`: block = {}: {rule}", .block.map(|n| n.to_string()).join(","))]
    Bounds { kernel: String, block: [u32; 3], rule: String },
    #[error("{source_file}:{line}: kernel `{kernel}` uses the reorder unit, which {rule}")]
    NoReorderUnit { rule: &'static str, kernel: String, source_file: String, line: u32 },
    #[error("{source_file}:{line}: kernel `{kernel}` calls a unit, and the cores have none; add one with --unit MODULE=FILE.v (docs/own-unit.md)")]
    NoUnit { kernel: String, source_file: String, line: u32 },
    #[error("{source_file}:{line}: kernel `{kernel}`: the instruction {rule}")]
    Instruction { rule: String, kernel: String, source_file: String, line: u32 },
    #[error("{source_file}:{line}: kernel `{kernel}`: {error}")]
    Elements { error: ElementError, kernel: String, source_file: String, line: u32 },
    #[error(
        "kernel `{kernel}` was interrupted in cycle {cycle}; {done} of its {ctas} CTAs are done; its warps:{waiting}"
    )]
    Interrupted { kernel: String, cycle: u64, done: u64, ctas: u64, waiting: String },
}
