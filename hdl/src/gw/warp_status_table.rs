//! Warp status table (section 6.2, Fig 9): of each warp of one scheduler its state, next pc, and pointer into the storage.
//!
//! ```text
//!           +--------------------------------------------- ends ----------------------------------------+
//!           v                                                                                           |
//!   start  free                                                                                         |
//!     |                   miss             pending                                                      |
//!     +--> look ------------------> fetch --------> fill          halted <--------- halts --------------+
//!          ^ | \------- pending -------------------^ |              | wake                              |
//!          | |                        | hit          | hit          v                                   |
//!          | +--------- hit ----------+--------------+--> held     look                                 |
//!          |                                              |  ^ |                                        |
//!          +----------------- goes on in another line ----+  +-+ goes on in its line                    |
//!                                                         +---------------------------------------------+
//!
//!  look  --[ round robin ]-----------------> look_*        to the storage
//!  fetch --[ round robin ]-----------------> want_*        to the arbiter
//!  held  --[ round robin ]--[ same pc ]----> check_*       to the scoreboard and the register map
//! ```
//!
//! A state is a vector with a bit for each warp; free is none of them. A place is checked at the earliest in the cycle after
//! it becomes held or goes on in its line; what `ready` and `waits` say is heeded from the cycle after on, and the result of
//! a check is on them two cycles after it: until then the place is not checked again.

use super::issue::{halves, members};
use super::select::select;
use super::{DROP_BITS, LINE_BITS, PC_BITS, TAKE_BITS};
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, V lanes of a wave; P, Q, G bits number a place, a pair, a group, E an entry.
    pub struct WarpStatusTable<
        const N: usize, const H: usize, const V: usize, const P: usize, const Q: usize, const G: usize, const E: usize
    >, inputs Inputs, clocked {
        in start, wake: Signal<In, Bits<N>>,
        in answer: Signal<In, Bits<2>>,
        in answer_line: Signal<In, Bits<LINE_BITS>>,
        in answer_entry: Signal<In, Bits<E>>,
        in issue_even, issue_odd: Signal<In, bool>,
        in issue_pair: Signal<In, Bits<Q>>,
        in issue_wave: Signal<In, bool>,
        in wave_group: Signal<In, Bits<G>>,
        in wave_mask: Signal<In, Bits<V>>,
        in even_next: Signal<In, Bits<2>>,
        in even_pc: Signal<In, Bits<PC_BITS>>,
        in even_full: Signal<In, bool>,
        in odd_next: Signal<In, Bits<2>>,
        in odd_pc: Signal<In, Bits<PC_BITS>>,
        in odd_full: Signal<In, bool>,
        in ready, waits: Signal<In, Bits<N>>,
        in asked: Signal<In, bool>,
        in asked_place: Signal<In, Bits<P>>,
        out look_valid: Signal<Out, bool>,
        out look_line: Signal<Out, Bits<LINE_BITS>>,
        out want_valid: Signal<Out, bool>,
        out want_place: Signal<Out, Bits<P>>,
        out want_line: Signal<Out, Bits<LINE_BITS>>,
        out check_warps: Signal<Out, Bits<N>>,
        out check_valid: Signal<Out, bool>,
        out check_entry: Signal<Out, Bits<E>>,
        out check_slot: Signal<Out, bool>,
        out take_count: Signal<Out, Bits<TAKE_BITS>>,
        out take_entry: Signal<Out, Bits<E>>,
        out drop_count: Signal<Out, Bits<DROP_BITS>>,
        out drop_entry: Signal<Out, Bits<E>>,
        out same: Signal<Out, Bits<H>>,
        out full: Signal<Out, Bits<N>>,
        out pc: [Signal<Out, Bits<PC_BITS>>; N],
    } described by describe
}

/// The registers of all places.
struct Places<'a> {
    look: Net<'a>,
    fetch: Net<'a>,
    fill: Net<'a>,
    held: Net<'a>,
    halted: Net<'a>,
    full: Net<'a>,
    pc: Vec<Net<'a>>,
    entry: Vec<Net<'a>>,
}

/// What happens to the places in this cycle, a bit for each.
struct Events<'a> {
    /// A half issues.
    halves: Net<'a>,
    /// A member of a wave issues.
    members: Net<'a>,
    /// Issues, and goes on in the line of its old pc.
    stays: Net<'a>,
    /// Issues, and goes on in another line.
    leaves: Net<'a>,
    /// Issues and halts.
    halts: Net<'a>,
    hits: Net<'a>,
    misses: Net<'a>,
    pends: Net<'a>,
}

impl<'a> Places<'a> {
    fn new(b: &'a Builder, places: usize, entry_bits: usize) -> Self {
        let state = |name: &str| b.register(name, places);
        Self {
            look: state("look"),
            fetch: state("fetch"),
            fill: state("fill"),
            held: state("held"),
            halted: state("halted"),
            full: state("full"),
            pc: (0..places).map(|place| b.register(format!("pc${place}"), PC_BITS)).collect(),
            entry: (0..places).map(|place| b.storage(format!("entry_{place}"), entry_bits)).collect(),
        }
    }

    fn lines(&self) -> Vec<Net<'a>> {
        self.pc.iter().map(|&pc| line(pc)).collect()
    }

    fn change(&self, e: &Events<'a>, start: Net<'a>, wake: Net<'a>) {
        let issues = e.halves | e.members;
        let told = e.hits | e.misses | e.pends;
        self.look.drive(start | wake | e.leaves | (self.look & !told));
        self.fetch.drive((self.look & e.misses) | (self.fetch & !e.hits & !e.pends));
        self.fill.drive(e.pends | (self.fill & !e.hits));
        self.held.drive(e.hits | e.stays | (self.held & !issues));
        self.halted.drive(e.halts | (self.halted & !wake));
    }
}

fn line(pc: Net<'_>) -> Net<'_> {
    pc.slice(1, LINE_BITS)
}

/// The odd bits of a vector, or the even ones.
fn every_other<'a>(nets: &[Net<'a>], odd: bool) -> Vec<Net<'a>> {
    nets.iter().skip(odd as usize).step_by(2).copied().collect()
}

fn describe<
    'a,
    const N: usize,
    const H: usize,
    const V: usize,
    const P: usize,
    const Q: usize,
    const G: usize,
    const E: usize,
>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, V, P, Q, G, E>,
) {
    assert!(N == 2 * H && N.is_multiple_of(V));
    let places = Places::new(b, N, E);
    let events = i.events(b, &places);
    places.change(&events, i.start, i.wake);

    b.comment("What is known of each place.");
    let full_after = b.bits(&[i.even_full, i.odd_full]).name("full_after").repeat(H);
    places.full.drive(i.start | (events.halves & full_after) | (places.full & !events.halves).name("full_before"));
    for place in 0..N {
        let pc = places.pc[place];
        let half_pc = if place % 2 == 0 { i.even_pc } else { i.odd_pc };
        let next = events.members.bit(place).mux(pc.increment(), pc);
        let next = events.halves.bit(place).mux(half_pc, next);
        pc.drive(i.start.bit(place).mux(b.constant(0, PC_BITS), next));
        places.entry[place].load(i.answer_entry, events.hits.bit(place));
        b.output(format!("pc${place}"), pc);
    }
    b.output("full", places.full);
    let same = |pair: usize| {
        let (even, odd) = (2 * pair, 2 * pair + 1);
        places.held.bit(even) & places.held.bit(odd) & places.pc[even].equals(places.pc[odd])
    };
    b.output("same", b.bits(&(0..H).map(same).collect::<Vec<_>>()).name("same"));

    i.search(b, &places);
    i.checks(b, &places, &events);
    references::<N, V, E>(b, i.answer_entry, &places, &events);
}

impl<
        'a,
        const N: usize,
        const H: usize,
        const V: usize,
        const P: usize,
        const Q: usize,
        const G: usize,
        const E: usize,
    > Inputs<'a, N, H, V, P, Q, G, E>
{
    fn events(&self, b: &'a Builder, places: &Places<'a>) -> Events<'a> {
        b.comment("What issues, and where it goes on.");
        let halves = halves(b, "half_issues", self.issue_even, self.issue_odd, self.issue_pair, N);
        let members = members(b, "wave_issues", self.issue_wave, self.wave_group, self.wave_mask, N);
        let lines = places.lines();
        let in_line = |name: &str, odd: bool, next: Net<'a>| {
            let old = b.one_of(&every_other(&halves.each(), odd), &every_other(&lines, odd));
            old.name(format!("{name}_line")).equals(line(next))
        };
        let of_halves = |name: &str, even: Net<'a>, odd: Net<'a>| b.bits(&[even, odd]).name(name).repeat(H);
        let goes_on = of_halves("goes_on", self.even_next.is(0), self.odd_next.is(0));
        let halts = of_halves("halts", self.even_next.is(1), self.odd_next.is(1));
        let in_line = of_halves("in_line", in_line("even", false, self.even_pc), in_line("odd", true, self.odd_pc));
        let first_slot: Vec<_> = places.pc.iter().map(|pc| !pc.bit(0)).collect();
        let goes_on = ((halves & goes_on) | members).name("goes");
        let in_line = ((halves & in_line) | (members & b.bits(&first_slot).name("first_slot"))).name("stays_in_line");

        b.comment("Whom the answer concerns.");
        let same: Vec<_> = lines.iter().map(|l| l.equals(self.answer_line)).collect();
        let same = b.bits(&same).name("answer_same");
        let of_all = |value: u64, states: Net<'a>| self.answer.is(value).repeat(N) & same & states;
        let searching = (places.look | places.fetch).name("searching");
        Events {
            halves,
            members,
            stays: (goes_on & in_line).name("stays"),
            leaves: (goes_on & !in_line).name("leaves"),
            halts: (halves & halts).name("half_halts"),
            hits: of_all(1, searching | places.fill).name("hits"),
            misses: of_all(2, places.look).name("misses"),
            pends: of_all(3, searching).name("pends"),
        }
    }

    /// Look-ups, and wishes for a fetch.
    fn search(&self, b: &'a Builder, places: &Places<'a>) {
        let lines = places.lines();
        b.comment("The first place in turn that wants a look-up.");
        let round_robin = RoundRobin::new(b, "look", N);
        let Pick { chosen, behind, .. } = round_robin.pick("look", places.look);
        let valid = places.look.any().name("look_valid");
        round_robin.pass(valid, behind);
        b.output("look_valid", valid);
        b.output("look_line", b.one_of(&chosen.each(), &lines).name("look_line"));

        b.comment("The first place in turn that wants a fetch.");
        let round_robin = RoundRobin::new(b, "want", N);
        let chosen = round_robin.pick("want", places.fetch).chosen;
        b.output("want_valid", places.fetch.any().name("want_valid"));
        b.output("want_place", number(b, chosen, P).name("want_place"));
        b.output("want_line", b.one_of(&chosen.each(), &lines).name("want_line"));
        let up_to = select("asked_select", self.asked_place, N - 1).up_to().name("asked_up_to");
        round_robin.pass(self.asked, b.bits(&[b.low(), up_to]));
    }

    /// Which places are checked.
    fn checks(&self, b: &'a Builder, places: &Places<'a>, events: &Events<'a>) {
        b.comment("The first place in turn that can be checked, and with it those of the same pc.");
        let settled = b.register("settled", N);
        let candidates = (places.held & !settled).name("candidates");
        let round_robin = RoundRobin::new(b, "check", N);
        let Pick { chosen, behind, .. } = round_robin.pick("check", candidates);
        let valid = candidates.any().name("check_valid");
        round_robin.pass(valid, behind);
        let pc = b.one_of(&chosen.each(), &places.pc).name("check_pc");
        let same: Vec<_> = places.pc.iter().map(|p| p.equals(pc)).collect();
        let warps = (candidates & b.bits(&same).name("check_same")).name("check_warps");
        let before = b.register("checked_before", N);
        before.drive(warps);
        settled.drive((self.ready & !events.halves & !events.members) | self.waits | warps | before);
        b.output("check_warps", warps);
        b.output("check_valid", valid);
        b.output("check_entry", b.one_of(&chosen.each(), &places.entry).name("check_entry"));
        b.output("check_slot", pc.bit(0));
    }
}

/// What the storage is told of references.
fn references<'a, const N: usize, const V: usize, const E: usize>(
    b: &'a Builder,
    answer_entry: Net<'a>,
    places: &Places<'a>,
    events: &Events<'a>,
) {
    b.comment("References taken.");
    let count = b.register("take_count", TAKE_BITS);
    count.drive(events.hits.ones().extend(TAKE_BITS));
    b.output("take_count", count);
    b.output("take_entry", b.delay("take_entry", answer_entry));

    b.comment("References given back: all of one entry, and of one group.");
    let drops = ((events.halves | events.members) & !events.stays).name("drops");
    let lane = |lane: usize| {
        let of_groups: Vec<_> = (lane..N).step_by(V).map(|place| drops.bit(place)).collect();
        b.or_all(&of_groups).name(format!("drops_{lane}"))
    };
    let lanes: Vec<_> = (0..V).map(lane).collect();
    let count = b.register("drop_count", DROP_BITS);
    count.drive(b.bits(&lanes).ones().extend(DROP_BITS));
    b.output("drop_count", count);
    b.output("drop_entry", b.delay("drop_entry", b.one_of(&drops.each(), &places.entry).name("entry_of_drops")));
}
