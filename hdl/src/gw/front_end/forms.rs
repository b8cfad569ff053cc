//! Scalar register map (section 6.3.3, Fig 9): which registers of a warp are in scalar form, and whether the instruction in
//! *compare* may go into a wave.
//!
//! ```text
//!  form_even, form_odd of the memories --[r]--+-- every register that it reads is there --> even_scalar, odd_scalar
//!                                             |                                                 |
//!                                             +--[ with or without what it writes ]<------------+
//!                                                            |
//!                                                            +--> new_even, new_odd   to the memories
//! ```
//!
//! The map of a half of all pairs is a memory. A place is in *address* at the earliest in the cycle after its *compare*, so that
//! what was read is never old.

use super::places::of_pair;
use crate::circuit::net::{Builder, Net};
use crate::gw::record::REGISTERS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs.
    pub struct Forms<const N: usize, const H: usize>, inputs Inputs, clocked {
        in form_even, form_odd: Signal<In, Bits<REGISTERS>>,
        in land_pairs: Signal<In, Bits<H>>,
        in fresh: Signal<In, Bits<N>>,
        in land_scalar, even_full, odd_full, waves_on: Signal<In, bool>,
        in land_reads, land_writes: Signal<In, Bits<REGISTERS>>,
        out even_scalar, odd_scalar: Signal<Out, bool>,
        out new_even, new_odd: Signal<Out, Bits<REGISTERS>>,
    } described by describe
}

fn describe<'a, const N: usize, const H: usize>(b: &'a Builder, i: &Inputs<'a, N, H>) {
    let may = (i.land_scalar & i.waves_on).name("may_be_scalar");
    let half = |odd: usize, read: Net<'a>, full: Net<'a>| {
        let name = ["even", "odd"][odd];
        b.comment(&format!("The {name} half."));
        let read = b.delay(format!("form_{name}_read"), read);
        let fresh = of_pair(b, i.land_pairs, i.fresh, odd).name(format!("{name}_is_fresh"));
        let form = ((!fresh).repeat(REGISTERS) & read).name(format!("{name}_form"));
        let vectors = (i.land_reads & !form).any();
        let scalar = (may & full & !vectors).name(format!("{name}_scalar"));
        b.output(format!("{name}_scalar"), scalar);
        let with = scalar.repeat(REGISTERS) & i.land_writes;
        b.output(format!("new_{name}"), (form & !i.land_writes) | with);
    };
    half(0, i.form_even, i.even_full);
    half(1, i.form_odd, i.odd_full);
}
