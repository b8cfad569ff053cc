//! Scalar register map (section 6.3.3): in which form each register of a warp is.
//!
//! ```text
//!  record --> reads, writes (64 bits each) --+
//!  check_warps --[r]--> checked              |   for each place:
//!                          |           +-----v--------+
//!  start ----------------->+---------->| form 0 - 63  |--> all of reads scalar? --[r]--> scalar
//!  full, waves_on -------------------->|              |
//!                                      +--------------+
//! ```
//!
//! A register's bit is 1 in scalar form. The answer to a check is there two cycles after it, one after the record; a check of
//! any number of warps with one record in every cycle.

use super::record::{self, RECORD_BITS, REGISTERS};
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places.
    pub struct ScalarRegisterMap<const N: usize>, inputs Inputs, clocked {
        in start, check_warps: Signal<In, Bits<N>>,
        in record: Signal<In, Bits<RECORD_BITS>>,
        in full: Signal<In, Bits<N>>,
        in waves_on: Signal<In, bool>,
        out scalar: Signal<Out, Bits<N>>,
    } described by describe
}

fn describe<'a, const N: usize>(b: &'a Builder, i: &Inputs<'a, N>) {
    let [scalar, checked] = ["scalar", "checked"].map(|name| b.register(name, N));
    checked.drive(i.check_warps);

    b.comment("What the record says.");
    let [reads, writes] = [("read", record::reads(i.record)), ("written", record::writes(i.record))]
        .map(|(name, list)| record::mask(b, list.name(format!("list_{name}"))).name(format!("registers_{name}")));
    let may = (record::scalar(i.record) & i.waves_on).name("may_be_scalar");
    let _ = record::path(i.record).name("unused_path");

    b.comment("Registers in scalar form.");
    let mut becomes = vec![];
    for place in 0..N {
        let form = b.register(format!("form_{place}"), REGISTERS);
        let reads_vector = (reads & !form).any();
        let is = (may & i.full.bit(place) & !reads_vector).name(format!("is_scalar_{place}"));
        let written = checked.bit(place).repeat(REGISTERS) & writes;
        let written = written.name(format!("written_{place}"));
        let next = (form & !written) | (is.repeat(REGISTERS) & written);
        form.drive((!i.start.bit(place)).repeat(REGISTERS) & next);
        becomes.push(is);
    }

    b.comment("What comes of the check.");
    let becomes = b.bits(&becomes).name("is_scalar");
    scalar.drive(!i.start & ((checked & becomes) | (scalar & !checked)));
    b.output("scalar", scalar);
}
