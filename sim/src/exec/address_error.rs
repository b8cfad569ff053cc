//! Why an address cannot be accessed.

use thiserror::Error;

/// An address that cannot be accessed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    #[error("{bytes} bytes at {address:#x} lie in no allocation{nearest}")]
    OutOfBounds { address: u64, bytes: usize, nearest: Nearest },
    #[error(
        "{bytes} bytes at {address:#x} lie in allocation {number} at {begin:#x} of {size} bytes, which has been freed"
    )]
    Freed { address: u64, bytes: usize, number: usize, begin: u64, size: u64 },
    #[error("{bytes} bytes at {address:#x} lie beyond its {size} bytes")]
    BeyondEnd { address: u64, bytes: usize, size: usize },
    #[error("{address:#x} is not a multiple of the {bytes} bytes accessed")]
    Misaligned { address: u64, bytes: usize },
    #[error("{address:#x} is read-only")]
    ReadOnly { address: u64 },
    /// PTX, `atom`: a generic address must point to global or shared memory.
    #[error("{address:#x} is a thread's own; atomics are for global and shared memory")]
    NoAtomics { address: u64 },
}

/// The allocation that lies closest to an address, for messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nearest(Option<(usize, Allocation)>);

impl Nearest {
    pub(super) fn new(nearest: Option<(usize, Allocation)>) -> Self {
        Nearest(nearest)
    }

    /// Its number in the order of allocation, the module's own variables not counted.
    pub fn allocation(&self) -> Option<usize> {
        self.0.map(|(number, _)| number)
    }
}

impl std::fmt::Display for Nearest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            None => write!(f, "; nothing is allocated"),
            Some((number, Allocation { address, bytes, .. })) => {
                write!(f, "; nearest is allocation {number} at {address:#x} of {bytes} bytes")
            }
        }
    }
}

/// Memory that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allocation {
    pub address: u64,
    /// As asked for.
    pub bytes: u64,
    pub freed: bool,
}
