//! Windows of the places of a scheduler: of each place the first and the second instruction that is checked and has not issued.
//!
//! ```text
//!  landing: what was compared --+-----------------+
//!                               v                 v
//!                            second --[ issues ]--> first --> first_*, second_*
//!                               ^                 ^
//!  frees_i: slots that are free-+-----------------+
//! ```
//!
//! An instruction is ready once it waits for no slot. Of one that lands where a wave is over, `ready_after` says whether it is.

use super::{SLOTS, SLOT_BITS};
use crate::circuit::net::{Builder, Net};
use crate::gw::record::PATH_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, waves of V lanes. D = 1: what is compared can issue.
    pub struct Windows<const N: usize, const V: usize, const D: usize>, inputs Inputs, clocked {
        in landing, issues, cleared: Signal<In, Bits<N>>,
        in frees: [Signal<In, Bits<SLOTS>>; N],
        in even_waits, odd_waits: Signal<In, Bits<SLOTS>>,
        in even_ready, odd_ready, even_scalar, odd_scalar, land_takes: Signal<In, bool>,
        in ready_after: Signal<In, Bits<V>>,
        in land_path: Signal<In, Bits<PATH_BITS>>,
        in land_slot: Signal<In, Bits<SLOT_BITS>>,
        out first_ready, second_ready: Signal<Out, Bits<N>>,
        out first_scalar, second_scalar, first_takes: Signal<Out, Bits<N>>,
        out first_path, second_path: [Signal<Out, Bits<PATH_BITS>>; N],
        out first_slot: [Signal<Out, Bits<SLOT_BITS>>; N],
        out lands_first: [Signal<Out, bool>; D],
    } described by describe
}

/// Bits of an instruction's fields, apart from its registers.
const FIELDS: usize = 2 + PATH_BITS + SLOT_BITS;

/// The registers of the first instructions, or of the second ones.
struct Row<'a> {
    is_there: Net<'a>,
    ready: Net<'a>,
    waits: Vec<Net<'a>>,
    fields: Vec<Net<'a>>,
}

impl<'a> Row<'a> {
    fn new(b: &'a Builder, name: &str, places: usize) -> Self {
        let each = |what: &str, bits: usize| -> Vec<Net<'a>> {
            (0..places).map(|place| b.storage(format!("{name}_{what}_{place}"), bits)).collect()
        };
        Row {
            is_there: b.register(format!("has_{name}"), places),
            ready: b.register(format!("{name}_ready"), places),
            waits: each("waits", SLOTS),
            fields: each("fields", FIELDS),
        }
    }

    /// Bit number `bit` of the fields, per place.
    fn field(&self, b: &'a Builder, bit: usize) -> Net<'a> {
        b.bits(&self.fields.iter().map(|fields| fields.bit(bit)).collect::<Vec<_>>())
    }
}

fn describe<'a, const N: usize, const V: usize, const D: usize>(b: &'a Builder, i: &Inputs<'a, N, V, D>) {
    let (first, second) = (Row::new(b, "first", N), Row::new(b, "second", N));
    let fields = |scalar: Net<'a>| b.bits(&[scalar, i.land_takes, i.land_path, i.land_slot]);
    let landed = [fields(i.even_scalar).name("even_fields"), fields(i.odd_scalar).name("odd_fields")];

    b.comment(
        "An instruction that issues leaves its place to the second; one that lands is behind what is there then.",
    );
    let stays = ((i.issues & second.is_there) | (first.is_there & !i.issues)).name("first_stays");
    let to_first = (i.landing & !stays).name("to_first");
    (0..D).for_each(|d| b.output(format!("lands_first${d}"), !(i.landing & stays).any()));
    let second_stays = (second.is_there & !i.issues).name("second_stays");
    first.is_there.drive(stays | i.landing);
    second.is_there.drive(second_stays | (i.landing & stays));

    let (mut first_ready, mut second_ready) = (vec![], vec![]);
    for place in 0..N {
        let [waits, ready] = match place % 2 {
            0 => [i.even_waits, i.even_ready],
            _ => [i.odd_waits, i.odd_ready],
        };
        let ready = i.cleared.bit(place).mux(i.ready_after.bit(place % V), ready).name(format!("lands_ready_{place}"));
        let (frees, lands, pops) = (i.frees[place], i.landing.bit(place), i.issues.bit(place));
        let to_first = to_first.bit(place);
        let moved = pops.mux(second.waits[place], first.waits[place]);
        let first_left = (moved & !frees).name(format!("first_left_{place}"));
        let second_left = (second.waits[place] & !frees).name(format!("second_left_{place}"));
        first.waits[place].drive(to_first.mux(waits & !frees, first_left));
        second.waits[place].drive(lands.mux(waits & !frees, second_left));
        first_ready.push(to_first.mux(ready, stays.bit(place) & !first_left.any()));
        let second_old = second_stays.bit(place) & !second_left.any();
        second_ready.push((lands & stays.bit(place)).mux(ready, second_old));
        first.fields[place].load(to_first.mux(landed[place % 2], second.fields[place]), to_first | pops);
        second.fields[place].load(landed[place % 2], lands);
        b.output(format!("first_path${place}"), first.fields[place].slice(2, PATH_BITS));
        b.output(format!("second_path${place}"), second.fields[place].slice(2, PATH_BITS));
        b.output(format!("first_slot${place}"), first.fields[place].slice(2 + PATH_BITS, SLOT_BITS));
    }
    first.ready.drive(b.bits(&first_ready));
    second.ready.drive(b.bits(&second_ready));
    b.output("first_ready", first.ready);
    b.output("second_ready", second.ready);
    b.output("first_scalar", first.field(b, 0));
    b.output("second_scalar", second.field(b, 0));
    b.output("first_takes", first.field(b, 1));
}
