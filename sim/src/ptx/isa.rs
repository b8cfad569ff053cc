//! Words of the instruction set that every module here shares: registers, state spaces, classes of instructions, atomics.

/// Most lanes of a warp: those of a row of registers. GPUs may have fewer ([`crate::config::Core::warp_size`]).
pub const WARP_SIZE: usize = 32;
/// Barriers of a CTA (PTX ISA, `bar`).
pub const BARRIERS: usize = 16;
/// Index of the immediate that `WARP_SZ` stands for.
pub const WARP_SZ: u16 = 0;

/// Index of a register of a thread. Every register, predicates included, takes one 64-bit slot.
pub type Slot = u16;

/// A source operand: 32 lanes of values, in a register or the same for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Reg(Slot),
    /// Index into [`super::program::Program::immediates`].
    Imm(u16),
}

/// `@p` or `@!p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    pub slot: Slot,
    pub negated: bool,
}

/// Most registers that an instruction can name.
pub const MOST_REGISTERS: usize = 12;

/// The register slots that an instruction names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    len: u8,
    slots: [Slot; MOST_REGISTERS],
}

impl Slots {
    pub fn push(&mut self, slot: Slot) {
        if !self.as_slice().contains(&slot) {
            self.slots[self.len as usize] = slot;
            self.len += 1;
        }
    }
    pub fn as_slice(&self) -> &[Slot] {
        &self.slots[..self.len as usize]
    }
}

/// State spaces of memory accesses, resolved per lane for generic addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    Param,
    Const,
    Global,
    Local,
    Shared,
}

/// Chooses the pipeline and the latency of an instruction; says nothing about what it computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    IntAdd,
    IntMinMax,
    IntMul,
    IntMad,
    IntDiv,
    F32Add,
    F32MinMax,
    F32Mul,
    F32Fma,
    F32Div,
    F64Add,
    F64MinMax,
    F64Mul,
    F64Fma,
    F64Div,
    /// sqrt, rsqrt, rcp, sin, cos, ex2, lg2
    Special,
    Shuffle,
    /// mov, setp, selp, cvt, cvta, logic, shifts, votes
    Simple,
    Branch,
    Exit,
    Barrier,
    /// membar
    Fence,
    Load,
    Store,
    Atomic,
    /// An instruction of a system of its own.
    System(Place),
}

/// Where in the GPU a system takes an instruction of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Straight from issue.
    Issue,
    /// Behind the operand collector, at the head of the load-store unit.
    LoadStore,
    /// It concerns all cores.
    AllCores,
}

/// Operation of an atomic; the partition applies it ([`crate::exec::atomic`]).
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
    AddF16,
    /// Sums of both numbers in a word.
    AddF16x2,
    AddF32,
    AddFlushedF32,
    AddF64,
    AddUnquietF64,
}
