//! Records: what the front end knows of a decoded instruction.
//!
//! ```text
//!  72      71  70 69       28 27        0
//!  +------+------+-----------+-----------+
//!  |scalar| path |   reads   |  writes   |      a list: 7 bits a register, there is one and its number
//!  +------+------+-----------+-----------+
//! ```

use crate::circuit::net::{Builder, Net};

/// Bits of a register in a list: its number, and above it whether there is one.
pub const REGISTER_BITS: usize = 7;

/// Registers of a warp that are told apart.
pub const REGISTERS: usize = 64;

/// Bits of the list of the registers that an instruction writes.
pub const WRITES_BITS: usize = 4 * REGISTER_BITS;

/// Bits of the list of the registers that an instruction reads.
pub const READS_BITS: usize = 6 * REGISTER_BITS;

/// Bits of the number of a path: SP, SFU, DP, memory.
pub const PATH_BITS: usize = 2;

/// Bits of a record.
pub const RECORD_BITS: usize = WRITES_BITS + READS_BITS + PATH_BITS + 1;

/// The list of registers that the instruction writes. `record` has a name, here and below.
pub fn writes(record: Net<'_>) -> Net<'_> {
    record.slice(0, WRITES_BITS)
}

/// The list of registers that it reads.
pub fn reads(record: Net<'_>) -> Net<'_> {
    record.slice(WRITES_BITS, READS_BITS)
}

/// The path that it takes.
pub fn path(record: Net<'_>) -> Net<'_> {
    record.slice(WRITES_BITS + READS_BITS, PATH_BITS)
}

/// The instruction may go into a wave.
pub fn scalar(record: Net<'_>) -> Net<'_> {
    record.bit(RECORD_BITS - 1)
}

/// The registers of a list (with a name) as a mask, a bit for each number.
pub fn mask<'a>(b: &'a Builder, list: Net<'a>) -> Net<'a> {
    let element = |lsb: usize| {
        let present = list.bit(lsb + REGISTER_BITS - 1).repeat(REGISTERS);
        present & list.slice(lsb, REGISTER_BITS - 1).decode()
    };
    b.or_all(&(0..list.width()).step_by(REGISTER_BITS).map(element).collect::<Vec<_>>())
}
