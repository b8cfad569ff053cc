//! The warps of a scheduler of the baseline: what each does, which slots of its instruction buffer are valid, and its pc.
//!
//! ```text
//!  start, next --------------------> running
//!  next, wake, passes (with flow) -> open          what follows is not known
//!  fails, named -------------------> waits         for registers
//!  fills, passes, next, next_pc ---> slot_0, slot_1
//!  start, next_pc -----------------> pc --[ issues ]--> issue_pc
//! ```

use super::PC_BITS;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places.
    pub struct B32Warps<const N: usize>, inputs Inputs, clocked {
        in start, wake, issues, ready, fills, named: Signal<In, Bits<N>>,
        in next: Signal<In, Bits<2>>,
        in next_pc: Signal<In, Bits<PC_BITS>>,
        in passes_places, fails_places: Signal<In, Bits<N>>,
        in check_slot, check_flow: Signal<In, bool>,
        out running, open, waits, slot_0, slot_1: Signal<Out, Bits<N>>,
        out fill_slot: Signal<Out, bool>,
        out issue_pc: Signal<Out, Bits<PC_BITS>>,
        out pc: [Signal<Out, Bits<PC_BITS>>; N],
    } described by describe
}

fn describe<'a, const N: usize>(b: &'a Builder, i: &Inputs<'a, N>) {
    let [running, open, waits] = ["running", "open", "waits"].map(|name| b.register(name, N));
    let [slot_0, slot_1] = ["slot_0", "slot_1"].map(|name| b.register(name, N));
    let pc: Vec<_> = (0..N).map(|place| b.storage(format!("pc${place}"), PC_BITS)).collect();

    b.comment("The answer to what issues.");
    let issue_pc = b.one_of(&i.issues.each(), &pc).name("pc_of_issue");
    // One more than the pc, without a carry: the places that change are those of its lowest ones, and the one above them.
    let ones = (issue_pc & !i.next_pc).name("ones_that_end");
    let changes = b.bits(&[b.high(), ones.slice(0, PC_BITS - 1)]);
    let _ = ones.bit(PC_BITS - 1).name("unused_ones");
    let follows = (issue_pc ^ i.next_pc).equals(changes).name("follows");
    let (goes_on, ends) = (i.next.is(0).name("goes_on"), i.next.is(2).name("ends"));
    let ends_places = (i.issues & ends.repeat(N)).name("ends_places");
    let leaves = (i.issues & (ends | !follows).repeat(N)).name("leaves_line");
    let closes = ends_places | (i.issues & goes_on.repeat(N)) | i.wake;
    running.drive(i.start | (running & !ends_places));
    open.drive((open & !closes) | (i.passes_places & i.check_flow.repeat(N)));
    waits.drive((waits | i.fails_places) & !i.named);
    for (place, pc) in pc.iter().enumerate() {
        let (start, issue) = (i.start.bit(place), i.issues.bit(place));
        pc.load(start.mux(b.constant(0, PC_BITS), i.next_pc), start | issue);
        b.output(format!("pc${place}"), *pc);
    }
    b.output("issue_pc", issue_pc);

    b.comment("A fill begins with slot 1 if the pc is odd, and that instruction is still to come.");
    let odd: Vec<_> = pc.iter().map(|pc| pc.bit(0)).collect();
    let from_second = (b.bits(&odd) & !i.ready & !i.issues).name("from_second");
    b.output("fill_slot", (i.fills & from_second).any());
    let taken = |slot: bool| {
        let of_slot = if slot { i.check_slot } else { !i.check_slot };
        i.passes_places & of_slot.repeat(N)
    };
    slot_0.drive((i.fills & !from_second) | (slot_0 & !taken(false) & !leaves));
    slot_1.drive(i.fills | (slot_1 & !taken(true) & !leaves));
    for (name, register) in
        [("running", running), ("open", open), ("waits", waits), ("slot_0", slot_0), ("slot_1", slot_1)]
    {
        b.output(name, register);
    }
}
