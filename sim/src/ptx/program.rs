//! A decoded kernel: what the cores run. Dense instructions with resolved register slots.

use super::instr::{BranchTable, Instr, Pragma, SourceLine};
use super::isa::{WARP_SIZE, WARP_SZ};
use super::scalar::Scalars;

use std::borrow::Cow;

/// Bytes that the call stack of a thread has, unless the host sets another size.
pub const STACK_BYTES: u32 = 8 << 10;

/// Kind of a parameter, as far as PTX says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Pointers too.
    Integer,
    Float,
    /// A whole number, a pointer or a floating-point number.
    Bits,
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

/// The block sizes that a kernel is compiled for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// `.maxntid`: the most threads, whatever the shape.
    pub most: Option<u32>,
    /// `.reqntid`: the only shape.
    pub block: Option<[u32; 3]>,
}

impl Bounds {
    pub fn most_threads(&self) -> Option<u32> {
        self.most.into_iter().chain(self.block.map(threads)).min()
    }

    /// Why a block cannot be.
    pub fn fault(&self, block: [u32; 3]) -> Option<String> {
        if let Some(most) = self.most.filter(|most| threads(block) > *most) {
            return Some(format!("the kernel is compiled for at most {most} threads (.maxntid, __launch_bounds__)"));
        }
        let [x, y, z] = self.block.filter(|only| *only != block)?;
        Some(format!("the kernel is compiled for {x},{y},{z} alone (.reqntid)"))
    }
}

/// Threads of a block; a number that no block has if they are more than fit.
fn threads(block: [u32; 3]) -> u32 {
    block.iter().fold(1, |all, n| all.saturating_mul(*n))
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
    pub bounds: Bounds,
    pub params: Vec<Param>,
    pub param_bytes: u32,
    /// Statically allocated shared memory a CTA and local memory a thread.
    pub shared_bytes: u32,
    pub local_bytes: u32,
    /// Bytes of the local memory that are a call stack; 0 if no function of the kernel can call itself.
    pub stack_bytes: u32,
    pub pragmas: Vec<Pragma>,
    /// Instructions that are scalar.
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

    /// Gives the call stack of a program that has one so many bytes.
    pub fn set_stack_bytes(&mut self, bytes: u32) {
        self.local_bytes = self.local_bytes - self.stack_bytes + bytes;
        self.stack_bytes = bytes;
    }
}
