//! Messages between cores and memory.

pub use crate::config::LINE_BYTES;

pub const SECTORS: usize = 4;
pub const SECTOR_BYTES: u64 = LINE_BYTES / SECTORS as u64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Miss of the instruction cache.
    Instruction,
    /// Miss of the constant cache.
    Constant,
    /// Miss of the texture cache.
    Texture,
    Read,
    /// A load that goes past the L1.
    Uncached,
    Write,
    /// A dirty line of an L1: takes no acknowledgement.
    WriteBack,
    /// A write of a core's port: takes no acknowledgement.
    PortWrite,
    /// A read of a core's port.
    PortRead,
    /// From a core's port to a system beside a memory partition, or back.
    Message,
    /// A read of a system beside a memory partition from its own slices.
    Beside,
    /// Done at the slice; [`Request::atomic`] says what.
    Atomic,
}

impl Kind {
    /// Carries data to memory.
    pub fn is_write(self) -> bool {
        matches!(self, Kind::Write | Kind::WriteBack | Kind::PortWrite)
    }
}

/// Lanes of an atomic, by sector of its request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// Lanes whose word lies in the sector.
    pub lanes: [u32; SECTORS],
    /// The most of them on one word.
    pub same_word: [u8; SECTORS],
    /// Bytes of a lane's operands, and of its result.
    pub operand_bytes: u8,
    pub result_bytes: u8,
}

impl Lanes {
    fn count(&self) -> u32 {
        self.lanes.iter().map(|lanes| lanes.count_ones()).sum()
    }
}

/// The receiver of the replies to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// The cache that the line is for; nobody, of what takes no acknowledgement.
    Line,
    /// A load of a core's load-store unit, and the parts of its instruction that the request is for, one bit each.
    Load { load: u32, parts: u8 },
    /// A core's warp, by its number, or `both` neighbours: of a store or an atomic.
    Warp { warp: u16, both: bool },
    /// A port of a core, with a tag of the port's own.
    Port { port: u8, tag: u32 },
    /// A port of a core and the system beside a partition: for which of the port's instructions, and the text.
    Message { port: u8, slot: u16, text: u32 },
    /// A system beside a memory partition, with a tag of its own.
    Beside(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub kind: Kind,
    pub core: u16,
    pub tag: Tag,
    /// Aligned to `bytes`.
    pub address: u64,
    /// Bytes asked for or carried: 32, 64 or 128.
    pub bytes: u32,
    pub atomic: Lanes,
    /// Stores: bytes written, bit 0 for the byte at `address`.
    pub written: u128,
}

impl Request {
    pub fn read(kind: Kind, core: usize, address: u64, bytes: u64) -> Self {
        Request {
            kind,
            core: core as u16,
            tag: Tag::Line,
            address,
            bytes: bytes as u32,
            atomic: Lanes::default(),
            written: 0,
        }
    }

    pub fn sectors(&self) -> usize {
        (self.bytes as u64).div_ceil(SECTOR_BYTES) as usize
    }

    /// The part of this request that touches its n-th sector.
    pub fn sector(&self, n: usize) -> Request {
        let mut atomic = self.atomic;
        (atomic.lanes, atomic.same_word) = ([0; SECTORS], [0; SECTORS]);
        (atomic.lanes[0], atomic.same_word[0]) = (self.atomic.lanes[n], self.atomic.same_word[n]);
        Request {
            address: self.address + n as u64 * SECTOR_BYTES,
            bytes: SECTOR_BYTES as u32,
            written: self.written >> (n as u64 * SECTOR_BYTES) & 0xffff_ffff,
            atomic,
            ..*self
        }
    }

    /// The slice has something to do for the n-th sector: an atomic or a line written back need not touch each.
    pub fn touches(&self, n: usize) -> bool {
        match self.kind {
            Kind::Atomic => self.atomic.lanes[n] != 0,
            Kind::WriteBack | Kind::PortWrite => self.written >> (n as u64 * SECTOR_BYTES) & 0xffff_ffff != 0,
            _ => true,
        }
    }

    /// Replies that will come.
    pub fn replies(&self) -> usize {
        match self.kind {
            Kind::WriteBack | Kind::PortWrite => 0,
            _ => (0..self.sectors()).filter(|n| self.touches(*n)).count(),
        }
    }

    /// Bytes that travel to memory besides the header.
    pub fn sent_bytes(&self) -> u32 {
        match self.kind {
            Kind::Write | Kind::WriteBack | Kind::PortWrite => self.bytes,
            Kind::Atomic => self.atomic.count() * self.atomic.operand_bytes as u32,
            _ => 0,
        }
    }

    /// Bytes that travel back besides the header, if this is a reply: one sector of a request.
    pub fn returned_bytes(&self) -> u32 {
        match self.kind {
            Kind::Write | Kind::WriteBack | Kind::PortWrite => 0,
            Kind::Atomic => self.atomic.count() * self.atomic.result_bytes as u32,
            _ => self.bytes,
        }
    }

    /// Sends only the half or quarter of the line that is written.
    pub fn shrink(&mut self) {
        while self.bytes as u64 > SECTOR_BYTES {
            let half = self.bytes / 2;
            let low = self.written & ((1u128 << half) - 1);
            match (low != 0, self.written != low) {
                (true, true) => return,
                (true, false) => self.bytes = half,
                (false, _) => {
                    self.bytes = half;
                    self.address += half as u64;
                    self.written >>= half;
                }
            }
        }
    }
}
