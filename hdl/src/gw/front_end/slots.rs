//! Slots of the pairs (Fig 9, the scoreboard): which are in use by each place, and which an instruction waits for.
//!
//! ```text
//!  done_*, clear, lanes --[ decode ]--> frees_i --+
//!                                                 v
//!  land_takes --[ lowest that both have free ]--> busy of each place --+--> roomy
//!                        |                                             |
//!                        +--> takes                        hits -------+--> even_waits, odd_waits
//! ```
//!
//! A slot that is freed in a cycle is free in the next one, and nothing waits for it there.

use super::places::{data_of_pair, every_other, places_of};
use super::{FREE_SLOTS, SLOTS, SLOT_BITS};
use crate::circuit::net::{Builder, Net};
use crate::gw::issue::halves;
use crate::network;
use rust_hdl::prelude::*;

/// Instructions of which the core tells in a cycle that they are done.
pub const DONE: usize = 2;

network! {
    /// N places, H = N / 2 pairs, waves of V lanes; Q bits number a pair, L = V x (1 + `SLOT_BITS`).
    pub struct Slots<const N: usize, const H: usize, const V: usize, const Q: usize, const L: usize>, inputs Inputs, clocked {
        in done_even, done_odd: [Signal<In, bool>; DONE],
        in done_pair: [Signal<In, Bits<Q>>; DONE],
        in done_even_slot, done_odd_slot: [Signal<In, Bits<SLOT_BITS>>; DONE],
        in clear: Signal<In, Bits<N>>,
        in lanes: Signal<In, Bits<L>>,
        in land_pairs: Signal<In, Bits<H>>,
        in land_even, land_odd, land_takes: Signal<In, bool>,
        in hits: Signal<In, Bits<SLOTS>>,
        out roomy: Signal<Out, Bits<H>>,
        out takes: Signal<Out, Bits<SLOTS>>,
        out even_waits, odd_waits: Signal<Out, Bits<SLOTS>>,
        out even_ready, odd_ready: Signal<Out, bool>,
        out frees: [Signal<Out, Bits<SLOTS>>; N],
    } described by describe
}

fn describe<'a, const N: usize, const H: usize, const V: usize, const Q: usize, const L: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, V, Q, L>,
) {
    let busy: Vec<_> = (0..N).map(|place| b.register(format!("busy_{place}"), SLOTS)).collect();
    let frees = frees(b, i);

    b.comment("The slot of the instruction that lands: the lowest that both halves have free.");
    let of_pair = |nets: &[Net<'a>], odd: usize| data_of_pair(b, i.land_pairs, nets, odd);
    let pair_busy = (of_pair(&busy, 0) | of_pair(&busy, 1)).name("pair_busy");
    let free = (!pair_busy).name("pair_free");
    let takes = (free.first_one() & i.land_takes.repeat(SLOTS)).name("takes");
    b.output("takes", takes);

    b.comment("What it waits for.");
    let stays: Vec<_> = busy.iter().zip(&frees).map(|(&busy, &frees)| busy & !frees).collect();
    let stays: Vec<_> = stays.iter().enumerate().map(|(place, stays)| stays.name(format!("stays_{place}"))).collect();
    for (half, name) in ["even", "odd"].into_iter().enumerate() {
        let waits = (of_pair(&stays, half) & i.hits).name(format!("{name}_waits"));
        b.output(format!("{name}_waits"), waits);
        b.output(format!("{name}_ready"), !waits.any());
    }

    b.comment("Slots in use.");
    let lands = places_of(b, "lands", i.land_pairs, i.land_even, i.land_odd);
    for (place, busy) in busy.iter().enumerate() {
        busy.drive(stays[place] | (lands.bit(place).repeat(SLOTS) & takes));
        b.output(format!("frees${place}"), frees[place]);
    }
    let [even_busy, odd_busy] = [0, 1].map(|odd| every_other(&busy, odd));
    let roomy = |pair: usize| {
        let free = (!(even_busy[pair] | odd_busy[pair])).name(format!("free_{pair}"));
        let count = free.ones().name(format!("free_count_{pair}"));
        let few = count.below_tree(b.constant(FREE_SLOTS as u64, count.width()));
        !few
    };
    b.output("roomy", b.bits(&(0..H).map(roomy).collect::<Vec<_>>()));
}

/// Of each place the slots that are freed.
fn frees<'a, const N: usize, const H: usize, const V: usize, const Q: usize, const L: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, V, Q, L>,
) -> Vec<Net<'a>> {
    b.comment("Slots that are freed: those of what is done, and those of the lanes of a wave.");
    let done: Vec<_> =
        (0..DONE).map(|k| halves(b, &format!("done_{k}"), i.done_even[k], i.done_odd[k], i.done_pair[k], N)).collect();
    let slot = |k: usize, odd: usize| match odd {
        0 => i.done_even_slot[k].decode().name(format!("done_even_slots_{k}")),
        _ => i.done_odd_slot[k].decode().name(format!("done_odd_slots_{k}")),
    };
    let slots: Vec<_> = (0..DONE).map(|k| [slot(k, 0), slot(k, 1)]).collect();
    let lane = |lane: usize| {
        let lsb = lane * (1 + SLOT_BITS);
        let slots = i.lanes.bit(lsb).repeat(SLOTS) & i.lanes.slice(lsb + 1, SLOT_BITS).decode();
        slots.name(format!("lane_slots_{lane}"))
    };
    let lanes: Vec<_> = (0..V).map(lane).collect();
    let of_place = |place: usize| {
        let of_wave = i.clear.bit(place).repeat(SLOTS) & lanes[place % V];
        let by_done = (0..DONE).map(|k| done[k].bit(place).repeat(SLOTS) & slots[k][place % 2]);
        by_done.fold(of_wave, |all, slots| all | slots).name(format!("frees${place}"))
    };
    (0..N).map(of_place).collect()
}
