//! A kernel launch, and how one can fail.

use crate::exec::Fault;
use crate::ptx::program::Program;
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

/// Work of a launch without time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    pub warp_instructions: u64,
    pub thread_instructions: u64,
}

/// Meaning of a system's error for the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The GPU lacks what the kernel uses: the launch did not begin.
    Missing,
    /// The kernel uses the system as it must not.
    Misuse,
    /// The system's output is wrong.
    Finding,
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
    /// A system says so of the kernel.
    #[error("{text}")]
    System { blame: Blame, text: String },
    #[error("{unit}, cycle {cycle}: {text}")]
    Unit { unit: &'static str, cycle: u64, text: String },
    /// `outlook`: that it never will, if this is certain.
    #[error("kernel `{kernel}` made no progress for {cycles} cycles{outlook}; its warps:{waiting}")]
    NoProgress { kernel: String, cycles: u64, outlook: &'static str, waiting: String },
    #[error("kernel `{kernel}` has not ended within the limit of {limit} cycles for all launches; {done} of its {ctas} CTAs are done; its warps:{waiting}")]
    CycleLimit { kernel: String, limit: u64, done: u64, ctas: u64, waiting: String },
    #[error("kernel `{kernel}`: {what} = {value}: {rule}")]
    Launch { kernel: String, what: &'static str, value: String, rule: String },
    #[error("kernel `{kernel}`: block = {}: {rule}", .block.map(|n| n.to_string()).join(","))]
    Bounds { kernel: String, block: [u32; 3], rule: String },
    #[error("{source_file}:{line}: kernel `{kernel}`: the instruction {rule}")]
    Instruction { rule: String, kernel: String, source_file: String, line: u32 },
    #[error(
        "kernel `{kernel}` was interrupted in cycle {cycle}; {done} of its {ctas} CTAs are done; its warps:{waiting}"
    )]
    Interrupted { kernel: String, cycle: u64, done: u64, ctas: u64, waiting: String },
}

impl Program {
    /// A system's complaint about the kernel, with its place.
    pub fn blamed(&self, blame: Blame, line: u32, what: impl Display) -> RunError {
        RunError::System { blame, text: format!("{}:{line}: kernel `{}`{what}", self.source, self.name) }
    }

    /// The GPU lacks what the instruction in this line uses.
    pub fn misses(&self, line: u32, what: &str) -> RunError {
        self.blamed(Blame::Missing, line, format_args!(" {what}"))
    }
}
