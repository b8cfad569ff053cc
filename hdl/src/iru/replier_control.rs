//! The data replier's answer to the oldest request (section 3.2.2).
//!
//! ```text
//!          rule 1, 2: take          beat_last: lanes are left
//!   WAIT ------------------> TAKE --> DRAIN -------------------> WAIT
//!    |  ^                               | beat_last: no lane is left, the request is complete
//!    +--+ rule 4: to a partition        +------------------------------------------------> WAIT
//!    +--+ that has elements to spare
//!    +--+ rule 5: nothing will come any more, the lanes that are left get nothing
//! ```
//!
//! The rules are those of the page, in their order.

use super::occupancy::OCCUPANCY_BITS;
use super::REQUEST_BITS;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits of a request that say its lanes less one.
const LANES: usize = 5;

/// Cycles after a forward in which none follows.
const PAUSE: u64 = 8;

/// Cycles after `start` in which the end of the last array still shows.
const START: u64 = 4;

network! {
    /// P = 2^PB partitions, 2^A sets a bank.
    pub struct ReplierControl<const P: usize, const PB: usize, const A: usize>, inputs Inputs, clocked {
        in head_valid: Signal<In, bool>,
        in head: Signal<In, Bits<REQUEST_BITS>>,
        in queue_empty, request_ready, token_passes: Signal<In, bool>,
        in partition: Signal<In, Bits<PB>>,
        in rich_in: Signal<In, Bits<P>>,
        in start, ending, all_empty: Signal<In, bool>,
        in complete_valid: [Signal<In, bool>; 2],
        in complete_set, best_set: [Signal<In, Bits<A>>; 2],
        in best_count: [Signal<In, Bits<OCCUPANCY_BITS>>; 2],
        in take_ready, beat_valid, beat_last: [Signal<In, bool>; 2],
        in fifo_low: Signal<In, bool>,
        out head_take, forward: Signal<Out, bool>,
        out forward_destination: Signal<Out, Bits<PB>>,
        out forward_request: Signal<Out, Bits<REQUEST_BITS>>,
        out rich: Signal<Out, bool>,
        out take: [Signal<Out, bool>; 2],
        out take_set: [Signal<Out, Bits<A>>; 2],
        out take_count: [Signal<Out, Bits<OCCUPANCY_BITS>>; 2],
        out beat_bank, beat_push, closing, reply_end, reply_last: Signal<Out, bool>,
    }
    /// `timeout`: cycles after which a request no longer waits for a complete set.
    described by describe(timeout: u64)
}

/// A counter that something sets and that then falls to 0.
struct Countdown<'a> {
    count: Net<'a>,
    runs: Net<'a>,
    from: Net<'a>,
}

impl<'a> Countdown<'a> {
    fn new(b: &'a Builder, name: &str, from: u64) -> Self {
        let width = from.ilog2() as usize + 1;
        let count = b.register(name, width);
        let runs = count.any().name(format!("{name}_runs"));
        Self { count, runs, from: b.constant(from, width) }
    }

    fn set_by(self, b: &'a Builder, set: Net<'a>) {
        let less = self.runs.mux(self.count - b.constant(1, self.count.width()), self.count);
        self.count.drive(set.mux(self.from, less));
    }
}

fn describe<'a, const P: usize, const PB: usize, const A: usize>(
    b: &'a Builder,
    i: &Inputs<'a, P, PB, A>,
    timeout: u64,
) {
    assert!(P == 1 << PB && timeout > 0);
    let [take_0, take_1, draining, bank] =
        ["takes_bank_0", "takes_bank_1", "draining", "bank"].map(|name| b.register(name, 1));
    let served = b.register("served", 1);
    let rest = b.storage("lanes_rest", OCCUPANCY_BITS);
    let take_set = b.storage("take_set", A);
    let take_count = b.storage("take_count", OCCUPANCY_BITS);
    let takes_rest = b.storage("takes_rest", 1);

    b.comment("The request, and how long it has waited.");
    let head_lanes = i.head.slice(0, LANES).extend(OCCUPANCY_BITS).name("head_lanes_less_one");
    let left = served.mux(rest, head_lanes.increment()).name("lanes_left");
    // A register of its own, since all rules begin with it: a take or a drain is under way.
    let busy = b.register("busy", 1);
    let idle = (!busy).name("idle");
    let waits = (i.head_valid & idle).name("head_waits");
    let width = timeout.ilog2() as usize + 1;
    let age = b.register("age", width);
    let old = age.is(timeout).name("old");
    let starting = Countdown::new(b, "start_pause", START);
    let ending = (i.ending & !starting.runs).name("at_end");
    starting.set_by(b, i.start);
    let hurry = (old | ending).name("hurry");

    b.comment("Rule 1: a complete set; the banks in turn.");
    let complete = i.complete_valid[0] | i.complete_valid[1];
    let complete = complete.name("some_complete");
    let usable = [0, 1].map(|n| (i.complete_valid[n] & i.take_ready[n]).name(format!("complete_usable_{n}")));
    let zero_last = b.register("bank_0_came_last", 1);
    let bank_1 = (usable[1] & (!usable[0] | zero_last)).name("complete_bank");
    let takes_complete = (waits & (usable[0] | usable[1])).name("takes_complete");
    zero_last.drive(takes_complete.mux(!bank_1, zero_last));

    b.comment("Rules 2 and 3: in a hurry, the fuller of the fullest sets.");
    let some = [0, 1].map(|n| i.best_count[n].any().name(format!("best_some_{n}")));
    let ready = [0, 1].map(|n| (some[n] & i.take_ready[n]).name(format!("best_usable_{n}")));
    let fuller = i.best_count[0].below(i.best_count[1]);
    let best_bank_1 = (ready[1] & (!ready[0] | fuller)).name("best_bank");
    let any_best = (some[0] | some[1]).name("some_best");
    let takes_best = (waits & !takes_complete & hurry & (ready[0] | ready[1])).name("takes_best");

    b.comment("Rule 4: to a partition that has elements to spare, the first from the next one on.");
    let place = |k: usize| (i.partition + b.constant(k as u64, PB)).name(format!("partition_on_{k}"));
    let places: Vec<_> = (1..P).map(place).collect();
    let is_rich = |(k, &place): (usize, &Net<'a>)| i.rich_in.index(place).name(format!("rich_on_{}", k + 1));
    let (&farthest, nearer) = places.split_last().expect("at least two partitions");
    let rich: Vec<_> = nearer.iter().enumerate().map(is_rich).collect();
    let nearest = nearer.iter().zip(&rich).rev().fold(farthest, |far, (&place, &rich)| rich.mux(place, far));
    let others_rich = (i.rich_in & !i.partition.decode()).any().name("others_rich");
    let pause = Countdown::new(b, "forward_pause", PAUSE);
    let stuck = (waits & !takes_complete & !(hurry & any_best)).name("no_take");
    let may_close = (!served | i.fifo_low).name("may_close");
    let forward = stuck & !complete & others_rich & !i.token_passes & !pause.runs & may_close;
    let forward = forward.name("forward");
    pause.set_by(b, forward);
    b.output("forward", forward);
    b.output("forward_destination", nearest);
    let rest_less_one = rest - b.constant(1, OCCUPANCY_BITS);
    let lanes_less_one = served.mux(rest_less_one, head_lanes).name("lanes_less_one");
    let _ = lanes_less_one.bit(LANES).name("unused_lanes");
    b.output("forward_request", b.bits(&[lanes_less_one.slice(0, LANES), i.head.slice(LANES, REQUEST_BITS - LANES)]));

    b.comment("Rule 5: nothing will come.");
    let gives_up = (stuck & !forward & ending & i.all_empty & i.fifo_low).name("gives_up");

    b.comment("The take and its beats.");
    let chosen = takes_complete.mux(bank_1, best_bank_1).name("take_bank");
    let takes = (takes_complete | takes_best).name("takes");
    take_0.drive(takes & !chosen);
    take_1.drive(takes & chosen);
    bank.drive(takes.mux(chosen, bank));
    let complete_set = chosen.mux(i.complete_set[1], i.complete_set[0]);
    let best_set = chosen.mux(i.best_set[1], i.best_set[0]);
    take_set.load(takes_complete.mux(complete_set, best_set), takes);
    let best_count = chosen.mux(i.best_count[1], i.best_count[0]).name("best_count_of_bank");
    // An unserved request has one lane more left than its lower bits say.
    let fewer_than = served.mux(best_count.below(rest), !head_lanes.below(best_count));
    let fewer = (!takes_complete & fewer_than).name("takes_fewer");
    take_count.load(fewer.mux(best_count, left), takes);
    takes_rest.load(!fewer, takes);
    let comes = (draining & bank.mux(i.beat_valid[1], i.beat_valid[0])).name("beat_comes");
    let drained = (comes & bank.mux(i.beat_last[1], i.beat_last[0])).name("drained");
    let drains_on = (take_0 | take_1 | (draining & !drained)).name("drains_on");
    draining.drive(drains_on);
    busy.drive(takes | drains_on);
    let completes = (drained & takes_rest).name("completes");
    rest.load(left - take_count, drained);
    let closing = ((forward & served) | gives_up).name("closing");
    b.output("beat_bank", bank);
    b.output("beat_push", comes);
    b.output("closing", closing);
    b.output("reply_end", completes | closing);
    b.output("reply_last", completes | gives_up);
    for n in 0..2 {
        b.output(format!("take${n}"), [take_0, take_1][n]);
        b.output(format!("take_set${n}"), take_set);
        b.output(format!("take_count${n}"), take_count);
    }

    b.comment("The request leaves.");
    let leaves = (completes | forward | gives_up).name("head_leaves");
    served.drive((served | drained) & !leaves);
    let grown = (i.head_valid & !old).mux(age.increment(), age);
    age.drive(leaves.mux(b.constant(0, width), grown));
    b.output("head_take", leaves);

    b.comment("Whether there is something to spare.");
    let nothing = (idle & !i.head_valid & i.request_ready & i.queue_empty).name("nothing_to_do");
    let spare = ending.mux(any_best, complete);
    let rich = b.register("rich", 1);
    rich.drive(nothing & spare);
    b.output("rich", rich);
}
