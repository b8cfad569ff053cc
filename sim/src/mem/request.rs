//! What travels between cores and memory.

pub const SECTOR_BYTES: u64 = 32;
pub const SECTORS: usize = 4;
pub const LINE_BYTES: u64 = SECTOR_BYTES * SECTORS as u64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Miss of the instruction cache.
    Instruction,
    /// Miss of the constant cache.
    Constant,
    Read,
    Write,
    /// A dirty line of an L1: takes no acknowledgement.
    WriteBack,
    /// Done at the slice; [`Request::lanes`] says which.
    Atomic,
}

impl Kind {
    /// Carries data to memory.
    pub fn is_write(self) -> bool {
        matches!(self, Kind::Write | Kind::WriteBack)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub kind: Kind,
    pub core: u16,
    /// Warp slot, for stores and atomics.
    pub warp: u16,
    /// Aligned to `bytes`.
    pub address: u64,
    /// Bytes asked for or carried: 32, 64 or 128.
    pub bytes: u32,
    /// Atomics: lanes that this request does.
    pub lanes: u32,
    /// Stores: bytes written, bit 0 for the byte at `address`.
    pub written: u128,
}

impl Request {
    pub fn read(kind: Kind, core: usize, address: u64, bytes: u64) -> Self {
        Request { kind, core: core as u16, warp: 0, address, bytes: bytes as u32, lanes: 0, written: 0 }
    }

    pub fn sectors(&self) -> usize {
        (self.bytes as u64).div_ceil(SECTOR_BYTES) as usize
    }

    /// The part of this request that touches its n-th sector.
    pub fn sector(&self, n: usize) -> Request {
        Request {
            address: self.address + n as u64 * SECTOR_BYTES,
            bytes: SECTOR_BYTES as u32,
            written: self.written >> (n as u64 * SECTOR_BYTES) & 0xffff_ffff,
            ..*self
        }
    }
}
