//! Where things lie in the 64-bit generic address space of a kernel.
//!
//! Device memory is addressed as it is; the other spaces are windows of it. An address within a space is the offset in its
//! window, which is what `cvta` adds and `cvta.to` subtracts.

use super::isa::Space;

/// First byte of the first allocation in device memory.
pub const HEAP_BASE: u64 = 0xC000_0000;
/// Allocations in device memory are rounded up to this many bytes.
pub const ALLOCATION_BYTES: u64 = 256;
/// First byte of a module's `.global` variables, also in device memory.
pub const STATICS_BASE: u64 = 0x8000_0000;
/// Functions have addresses from here on, for calls through registers; nothing can be loaded from there.
pub const CODE_BASE: u64 = 0x0800_0000;
/// Between the addresses of two functions.
pub const FUNCTION_BYTES: u64 = 16;
/// The buffer that `printf` writes to, as the caches see it.
pub const OUTPUT_BASE: u64 = 0x6000_0000;
/// The heap of `malloc` in kernels, far above the host's allocations.
pub const DEVICE_HEAP_BASE: u64 = 1 << 40;
pub const SHARED_WINDOW: u64 = 0x1000_0000;
pub const LOCAL_WINDOW: u64 = 0x2000_0000;
pub const CONST_WINDOW: u64 = 0x3000_0000;
pub const PARAM_WINDOW: u64 = 0x4000_0000;
pub const WINDOW_BYTES: u64 = 0x1000_0000;

/// Generic address of offset 0 of a space.
pub fn window(space: Space) -> u64 {
    match space {
        Space::Global => 0,
        Space::Shared => SHARED_WINDOW,
        Space::Local => LOCAL_WINDOW,
        Space::Const => CONST_WINDOW,
        Space::Param => PARAM_WINDOW,
    }
}

/// Space of a generic address and the address within that space.
#[inline(always)]
pub fn resolve(generic: u64) -> (Space, u64) {
    let offset = generic % WINDOW_BYTES;
    match generic - offset {
        SHARED_WINDOW => (Space::Shared, offset),
        LOCAL_WINDOW => (Space::Local, offset),
        CONST_WINDOW => (Space::Const, offset),
        PARAM_WINDOW => (Space::Param, offset),
        _ => (Space::Global, generic),
    }
}
