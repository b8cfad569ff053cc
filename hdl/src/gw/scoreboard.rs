//! Scoreboard (Fig 9): the registers that wait for their value, of each warp of a scheduler.
//!
//! ```text
//!  record --> registers of it (64 bits) --+
//!  check_warps --[r]--> checked           |   for each place:
//!                          |           +--v-------------+
//!                          +---------->| some pending?  |--> ready, waits, path
//!  done_*, clear_* --> registers of    |                |
//!                      their places -->| pending 0 - 63 |
//!  issue_* ---------> ready no more -->+----------------+
//! ```
//!
//! The answer to a check is there two cycles after it, one after the record; a check of any number of warps with one record
//! in every cycle.

use super::issue::{halves, members};
use super::record::{self, PATH_BITS, RECORD_BITS, REGISTERS, WRITES_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Instructions of which the core tells in a cycle that their registers are written.
pub const DONE: usize = 2;

network! {
    /// N places, waves of V lanes; P bits number a pair, G bits a group.
    pub struct Scoreboard<const N: usize, const V: usize, const P: usize, const G: usize>, inputs Inputs, clocked {
        in check_warps: Signal<In, Bits<N>>,
        in record: Signal<In, Bits<RECORD_BITS>>,
        in issue_even, issue_odd: Signal<In, bool>,
        in issue_pair: Signal<In, Bits<P>>,
        in issue_wave: Signal<In, bool>,
        in wave_group: Signal<In, Bits<G>>,
        in wave_mask: Signal<In, Bits<V>>,
        in done_even, done_odd: [Signal<In, bool>; DONE],
        in done_pair: [Signal<In, Bits<P>>; DONE],
        in done_writes: [Signal<In, Bits<WRITES_BITS>>; DONE],
        in clear_valid: Signal<In, bool>,
        in clear_group: Signal<In, Bits<G>>,
        in clear_mask: Signal<In, Bits<V>>,
        in clear_writes: Signal<In, Bits<WRITES_BITS>>,
        out ready, waits: Signal<Out, Bits<N>>,
        out path: [Signal<Out, Bits<PATH_BITS>>; N],
    } described by describe
}

/// Registers that are written, and of which places.
struct Written<'a> {
    places: Net<'a>,
    registers: Net<'a>,
}

fn describe<'a, const N: usize, const V: usize, const P: usize, const G: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, V, P, G>,
) {
    let [ready, waits, checked] = ["ready", "waits", "checked"].map(|name| b.register(name, N));
    checked.drive(i.check_warps);

    b.comment("What the record says.");
    let writes = record::writes(i.record).name("record_writes");
    let starts = record::mask(b, writes).name("registers_written");
    let reads = record::reads(i.record).name("record_reads");
    let needs = (record::mask(b, reads) | starts).name("registers_needed");
    let record_path = record::path(i.record);
    let _ = record::scalar(i.record).name("unused_scalar");

    b.comment("Which registers of which places are written.");
    let written = written(b, i);
    let touched = written.iter().map(|w| w.places).reduce(|all, places| all | places);
    let touched = touched.expect("done and clear").name("touched");

    b.comment("Pending registers.");
    let mut blocked = vec![];
    for place in 0..N {
        let pending = b.register(format!("pending_{place}"), REGISTERS);
        let blocks = (pending & needs).any().name(format!("blocks_{place}"));
        let goes = checked.bit(place) & !blocks;
        let ends: Vec<_> = written.iter().map(|w| w.places.bit(place).repeat(REGISTERS) & w.registers).collect();
        pending.drive((pending & !b.or_all(&ends)) | (goes.repeat(REGISTERS) & starts));
        blocked.push(blocks);
        let path = b.register(format!("checked_path_{place}"), PATH_BITS);
        path.drive(checked.bit(place).mux(record_path, path));
        b.output(format!("path${place}"), path);
    }
    let blocked = b.bits(&blocked).name("blocked");

    b.comment("What comes of the check.");
    let issues = halves(b, "issues", i.issue_even, i.issue_odd, i.issue_pair, N)
        | members(b, "issues_in_wave", i.issue_wave, i.wave_group, i.wave_mask, N);
    ready.drive((ready & !issues) | (checked & !blocked));
    waits.drive(((checked & blocked) | (waits & !checked)) & !touched);
    b.output("ready", ready);
    b.output("waits", waits);
}

fn written<'a, const N: usize, const V: usize, const P: usize, const G: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, V, P, G>,
) -> Vec<Written<'a>> {
    let done = |k: usize| Written {
        places: halves(b, &format!("done_{k}"), i.done_even[k], i.done_odd[k], i.done_pair[k], N),
        registers: record::mask(b, i.done_writes[k]).name(format!("done_{k}_registers")),
    };
    let mut written: Vec<_> = (0..DONE).map(done).collect();
    written.push(Written {
        places: members(b, "clear", i.clear_valid, i.clear_group, i.clear_mask, N),
        registers: record::mask(b, i.clear_writes).name("clear_registers"),
    });
    written
}
