//! A decoded instruction, and what belongs to it beside its operation.

use super::isa::{Class, Guard, Slots};
use super::op::Op;

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

/// Index into [`super::program::Program::sources`], and line from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub file: u16,
    pub line: u32,
}

/// Kinds of selectors of an [`Op::BranchTable`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selects {
    /// The place of a label in a list.
    #[default]
    Index,
    /// The address of a function.
    Function,
    /// The address that a call has put on the call stack.
    ReturnAddress,
}

/// Choices of an [`Op::BranchTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BranchTable {
    pub selects: Selects,
    /// Value of the selector, and the instruction to go on with.
    pub targets: Vec<(u64, u32)>,
}

/// A `.pragma`, which stands before the instruction at `pc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    pub pc: u32,
    pub text: String,
    pub line: u32,
}
