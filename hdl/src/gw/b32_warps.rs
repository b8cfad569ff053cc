//! The warps of a scheduler of the baseline: what each does, which slots of its instruction buffer are valid, and its pc.
//!
//! ```text
//!  start, answer ------------------> running
//!  answer, wake, passes (with flow)> open          what follows is not known
//!  fails, named -------------------> waits         for registers
//!  fills, passes, answer ----------> slot_0, slot_1
//!  start, answer, issues (+ 1) ----> pc --[ issues ]--> issue_pc
//! ```

use super::select::select;
use super::PC_BITS;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, P bits number them.
    pub struct B32Warps<const N: usize, const P: usize>, inputs Inputs, clocked {
        in start, wake, issues, ready, fills, named: Signal<In, Bits<N>>,
        in answer_valid: Signal<In, bool>,
        in answer_place: Signal<In, Bits<P>>,
        in answer_next: Signal<In, Bits<2>>,
        in answer_pc: Signal<In, Bits<PC_BITS>>,
        in passes_places, fails_places: Signal<In, Bits<N>>,
        in check_slot, check_flow: Signal<In, bool>,
        out running, open, waits, answered, goes_on_places, slot_0, slot_1: Signal<Out, Bits<N>>,
        out fill_slot: Signal<Out, bool>,
        out issue_pc: Signal<Out, Bits<PC_BITS>>,
        out pc: [Signal<Out, Bits<PC_BITS>>; N],
    } described by describe
}

fn describe<'a, const N: usize, const P: usize>(b: &'a Builder, i: &Inputs<'a, N, P>) {
    let [running, open, waits] = ["running", "open", "waits"].map(|name| b.register(name, N));
    let [slot_0, slot_1] = ["slot_0", "slot_1"].map(|name| b.register(name, N));
    let pc: Vec<_> = (0..N).map(|place| b.storage(format!("pc${place}"), PC_BITS)).collect();

    b.comment(
        "The answer: a warp stays with its line if it goes on with slot 1; behind that slot the line is used up.",
    );
    let place = select("answer_select", i.answer_place, N);
    let answered = (place & i.answer_valid.repeat(N)).name("answered");
    let (goes_on, ends) = (i.answer_next.is(0).name("goes_on"), i.answer_next.is(2).name("ends"));
    let goes_on_places = (answered & goes_on.repeat(N)).name("goes_on_places");
    let ends_places = (answered & ends.repeat(N)).name("ends_places");
    let lines: Vec<_> = pc.iter().map(|pc| pc.slice(1, PC_BITS - 1)).collect();
    let line = b.one_of(&answered.each(), &lines).name("line_of_answered");
    let stays = (i.answer_pc.bit(0) & line.equals(i.answer_pc.slice(1, PC_BITS - 1))).name("stays");
    let leaves = (answered & (ends | !stays).repeat(N)).name("leaves_line");
    running.drive(i.start | (running & !ends_places));
    open.drive((open & !(ends_places | goes_on_places | i.wake)) | (i.passes_places & i.check_flow.repeat(N)));
    waits.drive((waits | i.fails_places) & !i.named);
    b.output("answered", answered);
    b.output("goes_on_places", goes_on_places);

    b.comment("The pc of what issues, and of what comes behind it.");
    let issue_pc = b.one_of(&i.issues.each(), &pc).name("pc_of_issue");
    let behind = issue_pc.increment().name("pc_behind_issue");
    for (place, pc) in pc.iter().enumerate() {
        let [start, issues, answered] = [i.start, i.issues, answered].map(|places| places.bit(place));
        let next = answered.mux(i.answer_pc, behind);
        pc.load((!start).repeat(PC_BITS) & next, start | issues | answered);
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
