//! Control of a wide classifier: elements of a group that have one place leave as a bundle.
//!
//! ```text
//!  group_* --> stage 1 ------------------> stage 2 (8 elements) --> lowest bundle for bank_0 --[r]--> bank_0
//!                |                           ^                  --> ... bank_1, cw and ccw
//!                +-- 8 x hash --> ways, equal hashes
//! ```
//!
//! A group waits three cycles in stage 1: two for its hashes, and one in which each element finds the way that it goes, and
//! whether it is the first of a bundle or one of those beside it. Up to four bundles a cycle leave stage 2, one to each
//! output. A group from the pins to the outputs: 5 cycles; one group every three cycles at best, since an empty stage 2 is
//! seen a cycle ahead.

use super::element::{ElementOut, ElementRegister};
use super::pick::some_and_several;
use super::route::{Route, Ways};
use super::{GROUP, INDEX_BITS, NUMBER_BITS, POSITION_BITS, SECONDARY_BITS};
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::number;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// PB = log2 of the partitions, H = PB + 1 + A bits of hash, 2^A sets a bank, E = A + 2 bits of place on the ring; X
    /// elements beside the first of a bundle, 1 or 3.
    pub struct BundlerControl<const PB: usize, const H: usize, const A: usize, const E: usize, const X: usize>,
    inputs Inputs, clocked {
        in group_valid: Signal<In, bool>,
        in group_count: Signal<In, Bits<4>>,
        in group_position: Signal<In, Bits<POSITION_BITS>>,
        in group_index: [Signal<In, Bits<INDEX_BITS>>; GROUP],
        in group_secondary: [Signal<In, Bits<SECONDARY_BITS>>; GROUP],
        in hash: [Signal<In, Bits<H>>; GROUP],
        in partition: Signal<In, Bits<PB>>,
        in bank_0_ready, bank_1_ready, cw_ready, ccw_ready: Signal<In, bool>,
        out group_ready, empty, came, came_before: Signal<Out, bool>,
        out index: [Signal<Out, Bits<INDEX_BITS>>; GROUP],
        out bank_0, bank_1: ElementOut<A, X>,
        out cw, ccw: ElementOut<E, X>,
    } described by describe
}

/// An output in a cycle.
struct Output<'a> {
    place_bits: usize,
    register: ElementRegister<'a>,
    /// The first element of the bundle that would leave.
    lowest: Net<'a>,
    fills: Net<'a>,
}

/// The ways of stage 2's elements, kept while the elements leave.
struct Kept<'a> {
    /// Per output: the elements that go there.
    goes: Vec<Net<'a>>,
    /// Per element: set, bank, and whether it goes past the next partition.
    place: Vec<Net<'a>>,
    /// For the k-th beside an element: that it is the one of this number, of those behind it.
    beside: Vec<Vec<Net<'a>>>,
}

const OUTPUTS: [&str; 4] = ["bank_0", "bank_1", "cw", "ccw"];

fn describe<'a, const PB: usize, const H: usize, const A: usize, const E: usize, const X: usize>(
    b: &'a Builder,
    i: &Inputs<'a, PB, H, A, E, X>,
) {
    assert_eq!((H, E), (PB + 1 + A, A + 2));
    let waits = b.register("group_waits", 1);
    let [came, came_before] = ["group_came", "group_came_before"].map(|name| b.register(name, 1));
    let present = b.register("present", GROUP);
    let behind = |e: usize| GROUP - 1 - e;
    let kept = Kept {
        goes: OUTPUTS.map(|name| b.storage(format!("goes_{name}"), GROUP)).to_vec(),
        place: (0..GROUP).map(|e| b.storage(format!("place_{e}"), E)).collect(),
        beside: (1..=X)
            .map(|k| (0..GROUP - 1).map(|e| b.storage(format!("beside_{k}_{e}"), behind(e))).collect())
            .collect(),
    };

    b.comment("The lowest bundle for each output that takes.");
    let mut leaving = vec![];
    let mut emptied = vec![];
    let mut outputs = vec![];
    let readies = [i.bank_0_ready, i.bank_1_ready, i.cw_ready, i.ccw_ready];
    for ((name, ready), (goes, place_bits)) in OUTPUTS.iter().zip(readies).zip(kept.goes.iter().zip([A, A, E, E])) {
        let register = ElementRegister::new(b, name, ready, place_bits, X);
        let wants = (present & *goes).name(format!("wants_{name}"));
        let lowest = wants.first_one().name(format!("first_{name}"));
        leaving.push((register.takes.repeat(GROUP) & lowest).name(format!("chosen_{name}")));
        let (some, several) = some_and_several(b, name, &wants.each());
        emptied.push((!several & (register.takes | !some)).name(format!("emptied_{name}")));
        let fills = (register.takes & some).name(format!("fills_{name}"));
        outputs.push(Output { place_bits, register, lowest, fills });
    }
    let left = (present & !b.or_all(&leaving)).name("present_left");
    let known = (waits & !(came | came_before)).name("ways_known");
    let passes = (known & b.and_all(&emptied)).name("group_passes");
    // Nothing in stage 2: the group passes for sure.
    let ready = (!waits | (known & !present.any())).name("takes_group");
    let takes = (i.group_valid & ready).name("group_taken");
    came.drive(takes);
    came_before.drive(came);
    waits.drive(takes | (waits & !passes));
    b.output("group_ready", ready);
    b.output("came", came);
    b.output("came_before", came_before);

    b.comment("Stage 1: the group, and which of its elements have one place.");
    let count = b.data_register("count_1", i.group_count, takes);
    let position = b.data_register("position_1", i.group_position, takes);
    let valid: Vec<_> = (0..GROUP).map(|e| b.constant(e as u64, 4).below(count).name(format!("valid_{e}"))).collect();
    let firsts = bundle(b, &i.hash, &valid, &kept.beside, passes);
    present.drive(passes.mux(b.bits(&firsts), left));
    let ways = Ways::from(b, i.partition);
    let routes: Vec<Route<'a>> = (0..GROUP).map(|e| ways.route(&e.to_string(), i.hash[e])).collect();
    let goes: [fn(&Route<'a>) -> Net<'a>; 4] = [|r| r.bank[0], |r| r.bank[1], |r| r.cw, |r| r.ccw];
    for (register, goes) in kept.goes.iter().zip(goes) {
        register.load(b.bits(&routes.iter().map(goes).collect::<Vec<_>>()), passes);
    }
    for (e, place) in kept.place.iter().enumerate() {
        place.load(b.bits(&[i.hash[e].slice(0, A + 1), routes[e].onward]), passes);
    }

    b.comment("Stage 2: the elements.");
    let mut values = vec![];
    for e in 0..GROUP {
        let index = b.data_register(format!("index_1_{e}"), i.group_index[e], takes);
        b.output(format!("index${e}"), index);
        let secondary = b.data_register(format!("secondary_1_{e}"), i.group_secondary[e], takes);
        values.push(b.data_register(format!("element_{e}"), b.bits(&[secondary, index]), passes));
    }

    b.comment(
        "Output registers. An element's position is that of the group and its number: one addition serves all carries.",
    );
    let first = b.data_register("position_2", position, passes);
    let upper = first.slice(NUMBER_BITS, POSITION_BITS - NUMBER_BITS);
    let carried = upper.increment().name("position_carried");
    let position = |name: &str, element: Net<'a>| {
        let number = number(b, element, NUMBER_BITS).extend(NUMBER_BITS + 1);
        let lower = first.slice(0, NUMBER_BITS).extend(NUMBER_BITS + 1) + number;
        let lower = lower.name(format!("position_low_{name}"));
        b.bits(&[lower.slice(0, NUMBER_BITS), lower.bit(NUMBER_BITS).mux(carried, upper)])
    };
    let mut holds = vec![waits, present.any()];
    for (name, Output { place_bits, register, lowest, fills }) in OUTPUTS.iter().zip(outputs) {
        let word = |name: &str, valid: Net<'a>, element: Net<'a>| {
            let position = position(name, element).name(format!("position_out_{name}"));
            let element = (valid.repeat(GROUP) & element).name(format!("element_out_{name}"));
            [valid.repeat(POSITION_BITS) & position, b.one_of(&element.each(), &values)]
        };
        let places: Vec<_> = kept.place.iter().map(|place| place.slice(0, place_bits)).collect();
        let place = fills.repeat(place_bits) & b.one_of(&lowest.each(), &places);
        let mut parts = word(name, fills, lowest).to_vec();
        parts.push(place);
        for (k, beside) in kept.beside.iter().enumerate() {
            let name = format!("{name}_{}", k + 1);
            let is = |f: usize| {
                let of: Vec<_> = (0..f).map(|e| lowest.bit(e) & beside[e].bit(f - e - 1)).collect();
                if of.is_empty() {
                    b.low()
                } else {
                    b.or_all(&of)
                }
            };
            let element = b.bits(&(0..GROUP).map(is).collect::<Vec<_>>()).name(format!("beside_{name}"));
            let valid = (fills & element.any()).name(format!("fills_{name}"));
            parts.extend(word(&name, valid, element));
            parts.push(valid);
        }
        register.fill_with(fills, b.bits(&parts));
        holds.push(register.holds());
    }
    b.output("empty", !b.or_all(&holds));
}

/// Sorts a group into bundles of elements with equal hashes: the first ones, and, into registers that load while `passes`, which
/// one is the k-th beside which.
fn bundle<'a>(
    b: &'a Builder,
    hash: &[Net<'a>],
    valid: &[Net<'a>],
    beside: &[Vec<Net<'a>>],
    passes: Net<'a>,
) -> Vec<Net<'a>> {
    let width = beside.len() + 1;
    let same: Vec<Vec<Net<'a>>> =
        (0..GROUP).map(|f| (0..f).map(|e| hash[f].equals(hash[e]).name(format!("same_{e}_{f}"))).collect()).collect();
    // The place in its bundle: the number of those before it that are the same, modulo the width.
    let rank = |f: usize| -> Vec<Net<'a>> {
        let counted = counted(b, &format!("same_before_{f}"), &same[f], width, true);
        let is = |(k, is): (usize, Net<'a>)| if k <= f { (is & valid[f]).name(format!("rank_{f}_is_{k}")) } else { is };
        counted.into_iter().enumerate().map(is).collect()
    };
    let rank: Vec<_> = (0..GROUP).map(|f| if f == 0 { vec![valid[0]] } else { rank(f) }).collect();
    for e in 0..GROUP - 1 {
        let between = |f: usize| counted(b, &format!("same_between_{e}_{f}"), &same[f][e + 1..], width - 1, false);
        let between: Vec<_> = (e + 1..GROUP).map(between).collect();
        for (k, registers) in beside.iter().enumerate() {
            let follows = |f: usize| same[f][e] & rank[f][k + 1] & between[f - e - 1][k];
            // Those nearer than k + 1 cannot be the one of this number.
            let follows = |f: usize| if f - e > k { follows(f) } else { b.low() };
            registers[e].load(b.bits(&(e + 1..GROUP).map(follows).collect::<Vec<_>>()), passes);
        }
    }
    rank.iter().map(|rank| rank[0]).collect()
}

/// One bit for each number below `limit`: so many of `bits` are high. With `wraps` the number is taken modulo `limit`, else no
/// bit is high where there are more.
fn counted<'a>(b: &'a Builder, name: &str, bits: &[Net<'a>], limit: usize, wraps: bool) -> Vec<Net<'a>> {
    match bits {
        [] => (0..limit).map(|n| if n == 0 { b.high() } else { b.low() }).collect(),
        &[bit] => (0..limit)
            .map(|n| match n {
                0 => (!bit).name(format!("{name}_none")),
                1 => bit,
                _ => b.low(),
            })
            .collect(),
        _ => {
            let (left, right) = bits.split_at(bits.len() / 2);
            let left = counted(b, &format!("{name}_l"), left, limit, wraps);
            let right = counted(b, &format!("{name}_r"), right, limit, wraps);
            let sum = |n: usize| {
                if n > bits.len() {
                    return b.low();
                }
                let is = |&(x, y): &(usize, usize)| x + y == n || wraps && x + y == n + limit;
                let pairs = (0..limit).flat_map(|x| (0..limit).map(move |y| (x, y))).filter(is);
                let ways: Vec<_> = pairs.map(|(x, y)| left[x] & right[y]).collect();
                b.or_all(&ways).name(format!("{name}_is_{n}"))
            };
            (0..limit).map(sum).collect()
        }
    }
}
