//! Read ahead in a scheduler of the baseline: which warp's line is read from the buffers, and the read register.
//!
//! ```text
//!  running, slot_*, ready, open, waits --> candidates --[ round robin ]--+--> read, read_place   to the memory
//!  goes_on_places, named -------------------^                            |
//!  check_places: the line of the check register, if there is no other ---+--[r]-- read_places --> comes
//! ```
//!
//! The line of `read_place` comes from the memory in the next cycle, while its place is in the read register.

use crate::circuit::net::Builder;
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, P bits number them.
    pub struct B32Reader<const N: usize, const P: usize>, inputs Inputs, clocked {
        in running, slot_0, slot_1, open, waits, ready, goes_on_places, named, check_places: Signal<In, Bits<N>>,
        in check_slot: Signal<In, bool>,
        out read: Signal<Out, bool>,
        out read_place: Signal<Out, Bits<P>>,
        out read_places: Signal<Out, Bits<N>>,
        out read_valid, comes: Signal<Out, bool>,
    } described by describe
}

fn describe<'a, const N: usize, const P: usize>(b: &'a Builder, i: &Inputs<'a, N, P>) {
    let read_places = b.register("read_places", N);
    let read_valid = read_places.any().name("read_valid");

    b.comment("The first place in turn whose head can be read.");
    let asleep = ((i.waits & !i.named) | (i.open & !i.goes_on_places)).name("asleep");
    let on_the_way = read_places | i.check_places;
    let awake = (i.running & (i.slot_0 | i.slot_1) & !i.ready & !on_the_way).name("awake");
    let candidates = (awake & !asleep).name("candidates");
    let round_robin = RoundRobin::new(b, "turn", N);
    let Pick { chosen, behind, .. } = round_robin.pick("read", candidates);
    let some = candidates.any().name("some_read");
    round_robin.pass(some, behind);

    b.comment("Without one the line of the check register again, if slot 1 follows.");
    let follows = (!read_valid & !i.check_slot & (i.check_places & i.slot_1).any()).name("follows");
    let again = (!some & follows).name("read_again");
    let read = (some | follows).name("reads");
    b.output("read", read);
    let read_again = number(b, i.check_places, P) & again.repeat(P);
    b.output("read_place", number(b, chosen, P) | read_again);

    b.comment("What stays behind an instruction of the same place.");
    let stays = (read_places & i.check_places).any().name("stays");
    let next = chosen | (i.check_places & again.repeat(N)) | (read_places & (!read & stays).repeat(N));
    read_places.drive(next);
    b.output("read_places", read_places);
    b.output("read_valid", read_valid);
    b.output("comes", read_valid & !stays);
}
