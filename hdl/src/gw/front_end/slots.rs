//! Slots of the pairs (Fig 9, the scoreboard): which are in use by each place, and which an instruction waits for.
//!
//! ```text
//!  done_*, clear, lanes --[ decode ]--> frees_i --+
//!                                                 v
//!  land_takes --[ lowest that both have free ]--> busy of each place --+--> roomy
//!                        |                                             |
//!                        +--> takes                        hits -------+--> even_waits, odd_waits, ready_after
//! ```
//!
//! A slot that is freed in a cycle is free in the next one, and nothing waits for it there. `even_clear`, `odd_clear`: none of the
//! slots that were in use as the cycle began is waited for.

use super::places::{data_of_pair, every_other, places_of};
use super::{FREE_SLOTS, SLOTS, SLOT_BITS};
use crate::circuit::net::{Builder, Net};
use crate::gw::issue::halves;
use crate::network;
use rust_hdl::prelude::*;

/// Instructions of which the core tells in a cycle that they are done.
pub const DONE: usize = 2;

network! {
    /// N places, H = N / 2 pairs, waves of V lanes; Q bits number a pair, L = V x `SLOTS`. D = 1: what is compared can issue.
    pub struct Slots<const N: usize, const H: usize, const V: usize, const Q: usize, const L: usize, const D: usize>,
    inputs Inputs, clocked {
        in done_even, done_odd: [Signal<In, bool>; DONE],
        in done_pair: [Signal<In, Bits<Q>>; DONE],
        in done_even_slot, done_odd_slot: [Signal<In, Bits<SLOT_BITS>>; DONE],
        in clear: Signal<In, Bits<N>>,
        in lanes: Signal<In, Bits<L>>,
        in land_pairs: Signal<In, Bits<H>>,
        in land_pair: Signal<In, Bits<Q>>,
        in land_even, land_odd, land_takes: Signal<In, bool>,
        in hits: Signal<In, Bits<SLOTS>>,
        out roomy: Signal<Out, Bits<H>>,
        out takes: Signal<Out, Bits<SLOTS>>,
        out even_waits, odd_waits: Signal<Out, Bits<SLOTS>>,
        out even_ready, odd_ready: Signal<Out, bool>,
        out even_clear, odd_clear: [Signal<Out, bool>; D],
        out ready_after: Signal<Out, Bits<V>>,
        out frees: [Signal<Out, Bits<SLOTS>>; N],
    } described by describe
}

fn describe<'a, const N: usize, const H: usize, const V: usize, const Q: usize, const L: usize, const D: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, V, Q, L, D>,
) {
    let busy: Vec<_> = (0..N).map(|place| b.register(format!("busy_{place}"), SLOTS)).collect();
    let done = done(b, i);
    let frees = frees(b, i, &done);

    b.comment("The slot of the instruction that lands: the lowest that both halves have free.");
    let of_pair = |nets: &[Net<'a>], odd: usize| data_of_pair(b, i.land_pairs, nets, odd);
    let pair_busy = (of_pair(&busy, 0) | of_pair(&busy, 1)).name("pair_busy");
    let free = (!pair_busy).name("pair_free");
    let takes = (free.first_one() & i.land_takes.repeat(SLOTS)).name("takes");
    b.output("takes", takes);

    b.comment(
        "What it waits for, but for slots that a wave frees in this cycle: their memory is slow. Where a wave is over,",
    );
    b.comment("whether the instruction of this lane is ready.");
    let mut waits = vec![];
    for (half, name) in ["even", "odd"].into_iter().enumerate() {
        let freed = |k: usize| {
            let is_done = [&i.done_even, &i.done_odd][half][k] & i.done_pair[k].equals(i.land_pair);
            is_done.repeat(SLOTS) & done[k].slots[half]
        };
        let freed = b.or_all(&(0..DONE).map(freed).collect::<Vec<_>>()).name(format!("{name}_freed"));
        let pending = of_pair(&busy, half) & i.hits;
        let pending = if D == 1 { pending.name(format!("{name}_pending")) } else { pending };
        (0..D).for_each(|d| b.output(format!("{name}_clear${d}"), !pending.any()));
        waits.push((pending & !freed).name(format!("{name}_waits")));
        b.output(format!("{name}_waits"), waits[half]);
        b.output(format!("{name}_ready"), !waits[half].any());
    }
    let ready_after = |lane: usize| !(waits[lane % 2] & !i.lanes.slice(lane * SLOTS, SLOTS)).any();
    b.output("ready_after", b.bits(&(0..V).map(ready_after).collect::<Vec<_>>()));

    b.comment("Slots in use.");
    let lands = places_of(b, "lands", i.land_pairs, i.land_even, i.land_odd);
    for (place, busy) in busy.iter().enumerate() {
        busy.drive((*busy & !frees[place]) | (lands.bit(place).repeat(SLOTS) & takes));
        b.output(format!("frees${place}"), frees[place]);
    }
    let [even_busy, odd_busy] = [0, 1].map(|odd| every_other(&busy, odd));
    let roomy = |pair: usize| {
        let free = (!(even_busy[pair] | odd_busy[pair])).name(format!("free_{pair}"));
        let (low, high) = (&free.each()[..SLOTS / 2], &free.each()[SLOTS / 2..]);
        let counts = [(low, "low"), (high, "high")].map(|(slots, half)| {
            let count = |count| at_least(count, slots).expect("half as many slots as have to be free");
            b.bits(&(1..=FREE_SLOTS).map(count).collect::<Vec<_>>()).name(format!("free_{half}_{pair}"))
        });
        let of_half = |half: usize| move |count: usize| Some(counts[half].bit(count - 1));
        either_half(FREE_SLOTS, &of_half(0), &of_half(1)).expect("a count that both halves have")
    };
    b.output("roomy", b.bits(&(0..H).map(roomy).collect::<Vec<_>>()));
}

/// At least `count` of `bits` are high.
fn at_least<'a>(count: usize, bits: &[Net<'a>]) -> Option<Net<'a>> {
    match (count, bits) {
        (1, [bit]) => Some(*bit),
        (_, [_]) => None,
        _ => {
            let (low, high) = bits.split_at(bits.len() / 2);
            either_half(count, &|count| at_least(count, low), &|count| at_least(count, high))
        }
    }
}

/// At least `count` are high in two halves, each of which answers this for itself.
fn either_half<'a>(
    count: usize,
    low: &dyn Fn(usize) -> Option<Net<'a>>,
    high: &dyn Fn(usize) -> Option<Net<'a>>,
) -> Option<Net<'a>> {
    let split = |from_low: usize| match (from_low, count - from_low) {
        (0, _) => high(count),
        (_, 0) => low(count),
        (_, from_high) => Some(low(from_low)? & high(from_high)?),
    };
    (0..=count).filter_map(split).reduce(|any, way| any | way)
}

/// The parts of a pair that are done: its places, and the slot of its even half and of its odd one.
struct Done<'a> {
    places: Net<'a>,
    slots: [Net<'a>; 2],
}

fn done<'a, const N: usize, const H: usize, const V: usize, const Q: usize, const L: usize, const D: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, V, Q, L, D>,
) -> Vec<Done<'a>> {
    b.comment("What is done.");
    let slots = |k: usize| {
        let [even, odd] = [i.done_even_slot[k].decode(), i.done_odd_slot[k].decode()];
        [even.name(format!("done_even_slots_{k}")), odd.name(format!("done_odd_slots_{k}"))]
    };
    let places = |k: usize| halves(b, &format!("done_{k}"), i.done_even[k], i.done_odd[k], i.done_pair[k], N);
    (0..DONE).map(|k| Done { places: places(k), slots: slots(k) }).collect()
}

/// The slots that are freed, per place.
fn frees<'a, const N: usize, const H: usize, const V: usize, const Q: usize, const L: usize, const D: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, V, Q, L, D>,
    done: &[Done<'a>],
) -> Vec<Net<'a>> {
    b.comment("Slots that are freed: those of what is done, and those of the lanes of a wave.");
    let of_place = |place: usize| {
        let of_wave = i.clear.bit(place).repeat(SLOTS) & i.lanes.slice(place % V * SLOTS, SLOTS);
        let by_done = done.iter().map(|done| done.places.bit(place).repeat(SLOTS) & done.slots[place % 2]);
        by_done.fold(of_wave, |all, slots| all | slots).name(format!("frees${place}"))
    };
    (0..N).map(of_place).collect()
}
