//! Network between the cores (section III-C, figure 4): a tree whose hub passes one ID a cycle from a core with much work
//! to one with little.
//!
//! ```text
//!  core 0 ---[FIFO of 2]--+                        +--[register]--- core 0
//!  core 1 ---[FIFO of 2]--+-- one source, one -----+--[register]--- core 1
//!    ...                  |   destination a cycle  |                 ...
//!  core N-1 -[FIFO of 2]--+                        +--[register]--- core N-1
//!                               ^
//!  greedy_c --------------------+--[register]--- send_c
//!  quiet_c ----[ all, and no ID of the pull side here ]--[register]--- all_done
//! ```
//!
//! Every source's destination is searched at once, beside the round robin that chooses the source and not after it.

use super::ID_BITS;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits that count the IDs in the ICRN.
pub const ICRN_BITS: usize = 7;

network! {
    /// N cores.
    pub struct Icrn<const N: usize>, inputs Inputs, clocked {
        in out_valid, out_part: [Signal<In, bool>; N],
        in out_id: [Signal<In, Bits<ID_BITS>>; N],
        in in_ready, quiet: [Signal<In, bool>; N],
        in greedy: [Signal<In, Bits<2>>; N],
        in pull_part: Signal<In, bool>,
        out out_ready, in_valid, in_part: [Signal<Out, bool>; N],
        out in_id: [Signal<Out, Bits<ID_BITS>>; N],
        out send: [Signal<Out, Bits<2>>; N],
        out all_done: Signal<Out, bool>,
        out held: Signal<Out, Bits<ICRN_BITS>>,
    } described by describe
}

fn describe<'a, const N: usize>(b: &'a Builder, i: &Inputs<'a, N>) {
    assert!((2..=16).contains(&N));
    let cores = || 0..N;
    let named = |name: &str, net: &dyn Fn(usize) -> Net<'a>| -> Vec<Net<'a>> {
        cores().map(|c| net(c).name(format!("{name}_{c}"))).collect()
    };
    let flags = |name: &str| -> Vec<Net<'a>> { cores().map(|c| b.register(format!("{name}_{c}"), 1)).collect() };

    // The oldest ID and the next per FIFO; the ID per output register. The part is the bit above the ID.
    let storage =
        |name: &str| -> Vec<Net<'a>> { cores().map(|c| b.storage(format!("{name}_{c}"), ID_BITS + 1)).collect() };
    let (oldest_valid, behind_valid, in_valid) = (flags("oldest_valid"), flags("behind_valid"), flags("in_valid_q"));
    let (oldest, behind, in_word) = (storage("oldest"), storage("behind"), storage("in_word"));
    let part = |word: Net<'a>| word.bit(ID_BITS);

    b.comment("Each source's destinations: who is not greedy, else all others; of these whose register is empty.");
    let next_source = b.register("source_turn", N);
    let next_destination = b.register("destination_turn", N);
    let mut requests = vec![];
    let mut destinations = vec![];
    let side = |p: usize| {
        let greedy: Vec<_> = i.greedy.iter().map(|greedy| greedy.bit(p)).collect();
        b.bits(&greedy).name(format!("greedy_side_{p}"))
    };
    let greedy = [side(0), side(1)];
    let others: Vec<_> =
        cores().map(|c| (!b.constant(c as u64, N.ilog2() as usize).decode()).name(format!("others_{c}"))).collect();
    let full = b.bits(&in_valid).name("registers_full");
    for s in cores() {
        let calm = (!part(oldest[s]).mux(greedy[1], greedy[0]) & others[s]).name(format!("calm_{s}"));
        let none_calm = (!calm.any()).name(format!("none_calm_{s}"));
        let free = ((calm | none_calm.repeat(N)) & !full & others[s]).name(format!("free_{s}"));
        requests.push(oldest_valid[s] & free.any());
        destinations.push(round_robin(&format!("destination_{s}"), free, next_destination));
    }

    b.comment("The source whose turn it is, and where its ID goes.");
    let requests = b.bits(&requests).name("requests");
    let served = round_robin("source", requests, next_source);
    let destination = b.one_of(&served.each(), &destinations).name("destination");
    let crossing = requests.any().name("crossing");
    for (next, chosen, name) in [(next_source, served, "source"), (next_destination, destination, "destination")] {
        let up_to = chosen.slice(0, N - 1).up_to().name(format!("{name}_up_to"));
        let after = b.bits(&[b.low(), up_to]);
        next.drive(crossing.mux(after, next).name(format!("next_{name}_turn")));
    }
    let word = b.one_of(&served.each(), &oldest).name("crossing_word");

    b.comment("FIFOs of two, and the output registers.");
    let enters = named("enters", &|c| i.out_valid[c] & !behind_valid[c]);
    let leaves = named("leaves", &|c| in_valid[c] & i.in_ready[c]);
    for c in cores() {
        let arriving = b.bits(&[i.out_id[c], i.out_part[c]]).name(format!("arriving_{c}"));
        let pops = served.bit(c);
        let stays = (oldest_valid[c] & !pops).name(format!("stays_{c}"));
        oldest[c].load(behind_valid[c].mux(behind[c], arriving).name(format!("next_oldest_{c}")), !stays);
        behind[c].load(arriving, enters[c]);
        let more = stays | behind_valid[c] | enters[c];
        oldest_valid[c].drive(more.name(format!("next_oldest_valid_{c}")));
        let two = stays & (behind_valid[c] | enters[c]);
        behind_valid[c].drive(two.name(format!("next_behind_valid_{c}")));
        b.output(format!("out_ready${c}"), !behind_valid[c]);

        let arrives = destination.bit(c);
        in_word[c].load(word, arrives);
        in_valid[c].drive((arrives | (in_valid[c] & !i.in_ready[c])).name(format!("next_in_valid_{c}")));
        b.output(format!("in_valid${c}"), in_valid[c]);
        b.output(format!("in_part${c}"), part(in_word[c]));
        b.output(format!("in_id${c}"), in_word[c].slice(0, ID_BITS));
    }

    b.comment("Who may send, and whether all work of the pull side is done.");
    for c in cores() {
        let other_calm = |p: usize| (!greedy[p] & others[c]).any();
        let send = b.register(format!("send_{c}_q"), 2);
        send.drive(b.bits(&[other_calm(0), other_calm(1)]).name(format!("next_send_{c}")));
        b.output(format!("send${c}"), send);
    }
    let here = |valid: Net<'a>, word: Net<'a>| valid & part(word).equals(i.pull_part);
    let all = [(&oldest_valid, &oldest), (&behind_valid, &behind), (&in_valid, &in_word)];
    let pull_ids: Vec<_> = all.iter().flat_map(|(v, w)| cores().map(|c| here(v[c], w[c]))).collect();
    let clear = b.register("hub_clear", 1);
    clear.drive((!b.bits(&pull_ids).any()).name("next_hub_clear"));
    let all_done = b.register("all_done", 1);
    all_done.drive((b.and_all(&i.quiet) & clear).name("next_all_done"));
    b.output("all_done", all_done);
    let held = b.register("held", ICRN_BITS);
    let (more, less) = (b.bits(&enters).ones(), b.bits(&leaves).ones());
    held.drive((held + more.extend(ICRN_BITS) - less.extend(ICRN_BITS)).name("next_held"));
    b.output("held", held);
}

/// The lowest of `requests` among the places of `next`, else the lowest of all.
fn round_robin<'a>(name: &str, requests: Net<'a>, next: Net<'a>) -> Net<'a> {
    let later = (requests & next).name(format!("{name}_later"));
    later.any().mux(later.first_one(), requests.first_one()).name(format!("{name}_chosen"))
}
