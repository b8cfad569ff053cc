//! A decoded kernel: what the cores run. Dense instructions with resolved register slots.

use super::op::Op;
use super::scalar::Scalars;
use std::borrow::Cow;

/// Most lanes of a warp: those of a row of registers. GPUs may have fewer ([`crate::config::Core::warp_size`]).
pub const WARP_SIZE: usize = 32;
/// Index of the immediate that `WARP_SZ` stands for.
pub const WARP_SZ: u16 = 0;

/// Index of a register of a thread. Every register, predicates included, takes one 64-bit slot.
pub type Slot = u16;

/// `@p` or `@!p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    pub slot: Slot,
    pub negated: bool,
}

/// A few register slots, as many as an instruction can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    len: u8,
    slots: [Slot; 12],
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
    WorklistPull,
    WorklistPush,
    /// wlinit, wlcfg
    WorklistControl,
    ReorderLoad,
}

#[derive(Clone, Debug)]
pub struct Instr {
    pub op: Op,
    pub guard: Option<Guard>,
    /// Slots that the scoreboard must find free of pending writes (guard included), and that it then marks.
    pub reads: Slots,
    pub writes: Slots,
    pub class: Class,
    /// For branches that can diverge: the immediate post-dominator; `code.len()` means the end of the kernel.
    pub reconverge: u32,
    /// Line of the PTX file, from 1.
    pub line: u32,
    /// Line of the source, if the PTX says so.
    pub source: Option<SourceLine>,
}

/// Index into [`Program::sources`], and line from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub file: u16,
    pub line: u32,
}

/// What an [`Op::BranchTable`] chooses from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BranchTable {
    /// The selector is the address of a function, not an index.
    pub functions: bool,
    /// Value of the selector, and the instruction to go on with.
    pub targets: Vec<(u64, u32)>,
}

/// What a parameter holds, as far as PTX says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Pointers too.
    Integer,
    Float,
    /// An array of bytes: a structure of the source.
    Structure,
}

/// A kernel parameter in the parameter block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: String,
    pub kind: ParamKind,
    pub offset: u32,
    pub bytes: u32,
}

/// A `.pragma`, which stands before the instruction at `pc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    pub pc: u32,
    pub text: String,
    pub line: u32,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    /// File that the PTX came from, for messages.
    pub source: String,
    pub code: Vec<Instr>,
    /// 64-bit register slots a thread.
    pub slots: usize,
    /// Immediate operands, the same for all lanes. The first one is `WARP_SZ`.
    pub immediates: Vec<[u64; WARP_SIZE]>,
    /// Initial contents of the module's constant bank.
    pub constants: Vec<u8>,
    /// 32-bit registers a thread, as counted for residency: most registers live at once, 64-bit ones counted twice.
    pub registers: u32,
    pub params: Vec<Param>,
    pub param_bytes: u32,
    /// Statically allocated shared memory a CTA and local memory a thread.
    pub shared_bytes: u32,
    pub local_bytes: u32,
    pub pragmas: Vec<Pragma>,
    /// Which instructions are scalar.
    pub scalars: Scalars,
    pub tables: Vec<BranchTable>,
    /// Files that the PTX was compiled from.
    pub sources: Vec<String>,
}

impl Program {
    /// The source line of an instruction, as `file:line`.
    pub fn source_line(&self, pc: u32) -> Option<String> {
        let SourceLine { file, line } = self.code.get(pc as usize)?.source?;
        Some(format!("{}:{line}", self.sources[usize::from(file)]))
    }

    /// Where an instruction stands, for messages: the line of the PTX and, if it is known, that of the source.
    pub fn place(&self, pc: u32) -> String {
        let line = self.code.get(pc as usize).map_or(0, |i| i.line);
        match self.source_line(pc) {
            Some(source) => format!("{}:{line} ({source})", self.source),
            None => format!("{}:{line}", self.source),
        }
    }
}

impl Program {
    /// The program as a GPU with warps of `lanes` sees it.
    pub fn for_warp_size(&self, lanes: usize) -> Cow<'_, Program> {
        let row = [lanes as u64; WARP_SIZE];
        if self.immediates[WARP_SZ as usize] == row {
            return Cow::Borrowed(self);
        }
        let mut program = self.clone();
        program.immediates[WARP_SZ as usize] = row;
        Cow::Owned(program)
    }
}
