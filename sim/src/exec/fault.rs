//! An instruction that cannot be executed, with all that is needed to find it.

use super::address_error::AddressError;
use super::warp::WarpInfo;
use crate::ptx::isa::Space;
use crate::ptx::program::Program;
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryAccess {
    Load,
    Store,
    Atomic,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Cause {
    #[error("{access} in {space} memory: {error}", access = access_name(*.access), space = space_name(*.space))]
    Memory { access: MemoryAccess, space: Space, error: AddressError },
    /// An instruction of a system has an operand that it refuses.
    #[error("{rule}")]
    SystemOperand { rule: String },
    #[error("barrier {id}: barriers are numbered 0 to 15")]
    BarrierId { id: u32 },
    #[error("barrier {id}: it is for {threads} threads, which is not a multiple of the warp size or above 2048")]
    BarrierThreads { id: u32, threads: u32 },
    #[error(
        "barrier {id}: the warp comes with {here} and without {elsewhere}; all its lanes that have not ended must come to a barrier together"
    )]
    BarrierDiverged { id: u32, here: LaneMask, elsewhere: LaneMask },
    #[error("barrier {id}: a warp waits there for another number of threads")]
    BarrierDiffers { id: u32 },
    #[error("{asked}; {}", narrow_warp(*.lanes))]
    BeyondWarp { asked: Asked, lanes: u32 },
    #[error(
        "redux of the constant -1 with the member mask {members:#x}, which leaves out this lane: clang 19.1.7 exchanges the mask and the \
         value of __reduce_add_sync and its kin; compile with another version, or write redux.sync as inline assembly"
    )]
    ReduceOfMask { members: u32 },
    #[error("brx.idx with index {index}: the list has {targets} targets")]
    BranchIndex { index: u64, targets: usize },
    #[error("call of {address:#x}, which is no function that can be called here")]
    Callee { address: u64 },
    #[error("{instruction} is marked scalar, but {role} is {:#x} in lane {} and {:#x} in lane {}", .values[0], .lanes[0], .values[1], .lanes[1])]
    NotScalar { instruction: String, role: &'static str, lanes: [u32; 2], values: [u64; 2] },
    #[error(
        "{instruction} stands between `.pragma \"scalar\"` and `.pragma \"scalar end\"`, but its result is {:#x} in lane {} and {:#x} in \
         lane {}; only what is the same for all lanes of a warp may stand there", .values[0], .lanes[0], .values[1], .lanes[1]
    )]
    FalseClaim { instruction: String, lanes: [u32; 2], values: [u64; 2] },
    #[error("the return address on the call stack was overwritten: the function writes beyond a variable of its own")]
    ReturnAddress,
    #[error("the call stack of a thread has {bytes} bytes, and the next call needs more: set a larger stack (cudaLimitStackSize)")]
    StackOverflow { bytes: u32 },
    #[error("no texture or surface is bound to {handle:#x}")]
    Unbound { handle: u64 },
    #[error("access outside of a surface: byte {x} of a row, row {y}, slice or layer {z}")]
    Surface { x: i32, y: i32, z: i32 },
    #[error("trap")]
    Trap,
    #[error("{file}:{at}: {function}: assertion `{message}` failed")]
    Assert { message: String, file: String, at: u32, function: String },
    /// A finding of [`super::check`], as the next one.
    #[error(
        "{access} in {space} memory: nobody has written the {bytes} bytes at {address:#x}",
        access = access_name(*.access), space = space_name(*.space)
    )]
    Uninitialised { access: MemoryAccess, space: Space, address: u64, bytes: usize },
    #[error(
        "{access} in shared memory: no barrier lies between it, of {bytes} bytes at {address:#x}, and the {first} of thread ({},{},{}) at {place}",
        .thread[0], .thread[1], .thread[2], access = access_name(*.access), first = access_name(*.first)
    )]
    Race { access: MemoryAccess, address: u64, bytes: usize, first: MemoryAccess, thread: [u32; 3], place: String },
    #[error("free of {address:#x}, where no block of `malloc` begins; it may have been freed already")]
    Free { address: u64 },
}

/// A request of an instruction to a warp that has fewer lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Asked {
    #[error("a shuffle over a distance of {0} lanes")]
    Distance(u32),
    #[error("a shuffle from lane {0}")]
    Lane(u32),
    #[error("a shuffle in groups of {0} lanes")]
    Group(u32),
    #[error("the member mask {0:#x}")]
    Members(u32),
}

/// Advice to a programmer who counts on 32 lanes.
pub fn narrow_warp(lanes: u32) -> String {
    format!(
        "a warp has {lanes} lanes here (core.warp_size), and clang takes warpSize for 32: read the width from WARP_SZ, or choose a \
         configuration with wider warps"
    )
}

/// A mask of lanes, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneMask(pub u32);

impl std::fmt::Display for LaneMask {
    /// `lane 3`, `lanes 0-15, 17`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_power_of_two() { "lane " } else { "lanes " })?;
        let (mut left, mut separator) = (self.0, "");
        while left != 0 {
            let first = left.trailing_zeros();
            let last = first + (left >> first).trailing_ones() - 1;
            match last - first {
                0 => write!(f, "{separator}{first}")?,
                _ => write!(f, "{separator}{first}-{last}")?,
            }
            left &= !(u32::MAX >> (31 - last));
            separator = ", ";
        }
        Ok(())
    }
}

fn access_name(access: MemoryAccess) -> &'static str {
    match access {
        MemoryAccess::Load => "load",
        MemoryAccess::Store => "store",
        MemoryAccess::Atomic => "atomic",
    }
}

fn space_name(space: Space) -> &'static str {
    match space {
        Space::Param => "parameter",
        Space::Const => "constant",
        Space::Global => "global",
        Space::Local => "local",
        Space::Shared => "shared",
    }
}

/// One line: kernel, PTX file and line, thread, cause.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Fault(Box<Located>);

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{source_file}:{line}{}: kernel `{kernel}`, CTA ({},{},{}), thread ({},{},{}): {cause}",
    .source_line.as_ref().map(|s| format!(" ({s})")).unwrap_or_default(), .ctaid[0], .ctaid[1], .ctaid[2], .tid[0], .tid[1], .tid[2])]
pub struct Located {
    pub kernel: String,
    pub source_file: String,
    pub line: u32,
    /// Line of the source that the PTX was compiled from, as `file:line`.
    pub source_line: Option<String>,
    pub ctaid: [u32; 3],
    pub tid: [u32; 3],
    pub cause: Cause,
}

impl Fault {
    #[cold]
    pub fn new(program: &Program, pc: u32, warp: &WarpInfo, lane: u32, cause: Cause) -> Self {
        Fault(Box::new(Located {
            kernel: program.name.clone(),
            source_file: program.source.clone(),
            line: program.code[pc as usize].line,
            source_line: program.source_line(pc),
            ctaid: warp.ctaid,
            tid: warp.tid(lane),
            cause,
        }))
    }

    pub fn details(&self) -> &Located {
        &self.0
    }
}
