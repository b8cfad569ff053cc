//! A record: registers, path and form of an instruction, as in the baseline, and where the warp goes on behind it.

use crate::units::gw::record;

const PLAIN: u32 = record::RECORD_BITS;
const MEETS: u32 = PLAIN + 1;

/// `plain`: behind the instruction the warp goes on at pc + 1, if it is full or if the instruction is not `meets`.
pub fn pack(record: u128, plain: bool, meets: bool) -> u128 {
    record | (plain as u128) << PLAIN | (meets as u128) << MEETS
}

/// Behind the instruction of this record a warp goes on at pc + 1: one that is full, or any one.
pub fn is_plain(record: u128, full: bool) -> bool {
    record >> PLAIN & 1 == 1 && (full || record >> MEETS & 1 == 0)
}

/// A record, taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub registers: record::Record,
    pub plain: bool,
    /// At pc + 1 the lanes of a warp meet again.
    pub meets: bool,
}

impl Record {
    pub fn unpack(bits: u128) -> Self {
        let plain = bits >> PLAIN & 1 == 1;
        let meets = bits >> MEETS & 1 == 1;
        Record { registers: record::Record::unpack(bits), plain, meets }
    }

    /// All warps go on at pc + 1.
    pub fn flows(&self) -> bool {
        self.plain && !self.meets
    }
}
