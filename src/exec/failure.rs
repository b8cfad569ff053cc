//! Why a request cannot be done: a number of CUDA's `cudaError`, and a line for the user.

use super::wire::Fields;
use sim::exec::AddressError;
use sim::gpu::{Blame, RunError};
use std::fmt;

/// Numbers of `cudaError`, as the CUDA documentation lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    InvalidValue = 1,
    MemoryAllocation = 2,
    InvalidConfiguration = 9,
    InvalidSymbol = 13,
    InvalidDeviceFunction = 98,
    InvalidPtx = 218,
    InvalidResourceHandle = 400,
    IllegalAddress = 700,
    LaunchOutOfResources = 701,
    LaunchTimeout = 702,
    Assert = 710,
    MisalignedAddress = 716,
    LaunchFailure = 719,
    NotSupported = 801,
}

/// The answer to a program and its user on a request that cannot be done.
#[derive(Clone, Debug)]
pub struct Failure {
    pub status: Status,
    pub text: String,
}

impl Failure {
    /// With a line for the user.
    pub fn new(status: Status, text: impl fmt::Display) -> Self {
        Failure { status, text: text.to_string() }
    }

    /// A request that is too short, which no library of ours sends.
    pub fn malformed() -> Self {
        Failure::new(Status::InvalidValue, "the request is malformed")
    }
}

impl From<AddressError> for Failure {
    fn from(error: AddressError) -> Self {
        Failure::new(Status::InvalidValue, error)
    }
}

/// The number for a launch that did not end well.
pub fn of_launch(error: &RunError) -> Status {
    match error {
        RunError::Fault(fault) => of_fault(&fault.details().cause),
        RunError::Bounds { .. } => Status::InvalidValue,
        RunError::Launch { what: "registers of a CTA", .. } => Status::LaunchOutOfResources,
        RunError::Launch { .. } => Status::InvalidConfiguration,
        RunError::System { blame: Blame::Missing, .. } => Status::NotSupported,
        RunError::Instruction { .. } => Status::InvalidPtx,
        RunError::NoProgress { .. } | RunError::CycleLimit { .. } => Status::LaunchTimeout,
        _ => Status::LaunchFailure,
    }
}

fn of_fault(cause: &sim::exec::Cause) -> Status {
    match cause {
        sim::exec::Cause::Memory { error: AddressError::Misaligned { .. }, .. } => Status::MisalignedAddress,
        sim::exec::Cause::Memory { .. } => Status::IllegalAddress,
        sim::exec::Cause::Assert { .. } => Status::Assert,
        _ => Status::LaunchFailure,
    }
}

/// The launch did not begin: the GPU is as before.
pub fn is_refused(error: &RunError) -> bool {
    matches!(
        error,
        RunError::Launch { .. }
            | RunError::Bounds { .. }
            | RunError::System { blame: Blame::Missing, .. }
            | RunError::Instruction { .. }
    )
}

/// The next number of 64 bits of a request.
pub fn word(fields: &mut Fields) -> Result<u64, Failure> {
    fields.u64().ok_or_else(Failure::malformed)
}

/// The next numbers of 64 bits.
pub fn words<const N: usize>(fields: &mut Fields) -> Result<[u64; N], Failure> {
    let mut words = [0; N];
    for place in &mut words {
        *place = word(fields)?;
    }
    Ok(words)
}

/// The next number of 32 bits.
pub fn half(fields: &mut Fields) -> Result<u32, Failure> {
    fields.u32().ok_or_else(Failure::malformed)
}
