//! The memories that a warp can reach.

use super::memory::Memory;

/// The memories that an instruction may touch.
pub struct Spaces<'a> {
    pub global: &'a mut Memory,
    /// The CTA's: static, then dynamic.
    pub shared: &'a mut [u8],
    /// The warp's: `Program::local_bytes` for each lane, one lane after the other.
    pub local: &'a mut [u8],
    /// The launch's parameter block.
    pub params: &'a [u8],
    /// The constant bank.
    pub constants: &'a [u8],
}
