//! Records of the front end.
//!
//! ```text
//!   74     73   72                  0
//!  +-----+-----+--------------------+      plain: behind it a full warp goes on at pc + 1
//!  |meets|plain| as in the other one|      meets: at pc + 1 parted lanes may meet
//!  +-----+-----+--------------------+
//! ```

use crate::circuit::net::Net;
use crate::gw::record::RECORD_BITS as COMMON_BITS;

/// Bits of a record.
pub const RECORD_BITS: usize = COMMON_BITS + 2;

/// Bits of both records of a line.
pub const WORD_BITS: usize = 2 * RECORD_BITS;

/// A full warp goes on at pc + 1 after the instruction. `record` has a name, here and below.
pub fn plain(record: Net<'_>) -> Net<'_> {
    record.bit(COMMON_BITS)
}

/// Parted lanes may meet at pc + 1.
pub fn meets(record: Net<'_>) -> Net<'_> {
    record.bit(COMMON_BITS + 1)
}
