//! Classifier (section 3.2.1): sends each element of a group to its bank, or to the ring.
//!
//! ```text
//!  group_* --> stage 1 --> stage 2 (8 elements) --> lowest for bank 0 --[r]--> bank_0
//!                |            ^                 --> lowest for bank 1 --[r]--> bank_1
//!                +-- 8 x hash +                 --> lowest for cw     --[r]--> cw
//!                                               --> lowest for ccw    --[r]--> ccw
//! ```
//!
//! Up to four elements a cycle leave stage 2, one to each output. A group waits two cycles in stage 1 for its hashes: its
//! indices come late, from a memory. A group from the pins to the outputs: 4 cycles; one group every three cycles at best.
//!
//! A wide one ([`super::bundler`]) finds in one cycle more which elements of a group have one place: they leave together.

use super::bundler::BundlerControl;
use super::element::{ElementOut, ElementRegister};
use super::iru_hash::{HashKind, IruHash};
use super::pick::some_and_several;
use super::route::{Route, Ways};
use super::{GROUP, INDEX_BITS, NUMBER_BITS, POSITION_BITS, SECONDARY_BITS, TARGET_BITS, VALUE_BITS};
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::number;
use crate::circuit::wiring::{Optional, Wiring};
use crate::{network, wire, wire_element, wired};
use rust_hdl::prelude::*;

wired! {
    /// PB = log2 of the partitions, H = PB + 1 + A bits of hash, 2^A sets a bank, E = A + 2 bits of place on the ring; X more
    /// elements beside each.
    pub struct Classifier<const PB: usize, const H: usize, const A: usize, const E: usize, const X: usize> {
        in group_valid: Signal<In, bool>,
        in group_count: Signal<In, Bits<4>>,
        in group_position: Signal<In, Bits<POSITION_BITS>>,
        in group_index: [Signal<In, Bits<INDEX_BITS>>; GROUP],
        in group_secondary: [Signal<In, Bits<SECONDARY_BITS>>; GROUP],
        in target: Signal<In, Bits<TARGET_BITS>>,
        in size: Signal<In, Bits<3>>,
        in partition: Signal<In, Bits<PB>>,
        in bank_0_ready, bank_1_ready, cw_ready, ccw_ready: Signal<In, bool>,
        out group_ready, empty: Signal<Out, bool>,
        out bank_0, bank_1: ElementOut<A, X>,
        out cw, ccw: ElementOut<E, X>,
    }
    children new(hash: HashKind) {
        control: Optional<ClassifierControl<PB, H, A, E>> = Optional::new((X == 0).then(Default::default)),
        bundler: Optional<BundlerControl<PB, H, A, E, X>> = Optional::new((X > 0).then(Default::default)),
        hasher: Vec<IruHash<PB, H>> = (0..GROUP).map(|_| IruHash::new(hash)).collect(),
    }
}

/// All wires of the control `$control`, narrow or wide.
macro_rules! wire_control {
    ($w:ident, $me:ident, $control:ident, $hashes:ident) => {{
        for i in 0..GROUP {
            wire!($w: [$me.hasher[i]] <- [$me]: clock, reset, target, size);
            wire!($w: $me.hasher[i].index <- $me.$control.index[i]);
            wire!($w: $me.hasher[i].enable_1 <- $me.$control.came);
            wire!($w: $me.hasher[i].enable_2 <- $me.$control.$hashes);
            wire!($w: $me.$control.hash[i] <- $me.hasher[i].hash);
            wire!($w: [$me.$control][i] <- [$me][i]: group_index, group_secondary);
        }
        wire!($w: [$me.$control] <- [$me]: clock, reset, group_valid, group_count, group_position, partition,
            bank_0_ready, bank_1_ready, cw_ready, ccw_ready);
        wire!($w: [$me] <- [$me.$control]: group_ready, empty);
        wire_element!($w: [$me.bank_0] <- [$me.$control.bank_0]);
        wire_element!($w: [$me.bank_1] <- [$me.$control.bank_1]);
        wire_element!($w: [$me.cw] <- [$me.$control.cw]);
        wire_element!($w: [$me.ccw] <- [$me.$control.ccw]);
    }};
}

impl<const PB: usize, const H: usize, const A: usize, const E: usize, const X: usize> Classifier<PB, H, A, E, X> {
    fn wire(&mut self, w: &mut Wiring) {
        if X == 0 {
            wire_control!(w, self, control, passes);
        } else {
            wire_control!(w, self, bundler, came_before);
        }
    }
}

network! {
    /// Everything but the hashes.
    pub struct ClassifierControl<const PB: usize, const H: usize, const A: usize, const E: usize>, inputs Inputs, clocked {
        in group_valid: Signal<In, bool>,
        in group_count: Signal<In, Bits<4>>,
        in group_position: Signal<In, Bits<POSITION_BITS>>,
        in group_index: [Signal<In, Bits<INDEX_BITS>>; GROUP],
        in group_secondary: [Signal<In, Bits<SECONDARY_BITS>>; GROUP],
        in hash: [Signal<In, Bits<H>>; GROUP],
        in partition: Signal<In, Bits<PB>>,
        in bank_0_ready, bank_1_ready, cw_ready, ccw_ready: Signal<In, bool>,
        out group_ready, empty, came, passes: Signal<Out, bool>,
        out index: [Signal<Out, Bits<INDEX_BITS>>; GROUP],
        out bank_0, bank_1: ElementOut<A, 0>,
        out cw, ccw: ElementOut<E, 0>,
    } described by describe
}

fn describe<'a, const PB: usize, const H: usize, const A: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, PB, H, A, E>,
) {
    assert_eq!((H, E), (PB + 1 + A, A + 2));
    let waits = b.register("group_waits", 1);
    let present = b.register("present", GROUP);

    b.comment("Where each element of stage 2 goes.");
    let ways = Ways::from(b, i.partition);
    let routes: Vec<Route<'a>> = (0..GROUP).map(|e| ways.route(&e.to_string(), i.hash[e])).collect();
    let goes_to = |e: usize| b.bits(&[i.hash[e].slice(0, A + 1), routes[e].onward]);
    let ways: [(&str, Net<'a>, usize, Vec<Net<'a>>); 4] = [
        ("bank_0", i.bank_0_ready, A, routes.iter().map(|r| r.bank[0]).collect()),
        ("bank_1", i.bank_1_ready, A, routes.iter().map(|r| r.bank[1]).collect()),
        ("cw", i.cw_ready, E, routes.iter().map(|r| r.cw).collect()),
        ("ccw", i.ccw_ready, E, routes.iter().map(|r| r.ccw).collect()),
    ];

    b.comment("The lowest element for each output that takes.");
    let mut leaving = vec![];
    let mut emptied = vec![];
    let mut outputs = vec![];
    for (name, ready, place_bits, goes) in ways {
        let register = ElementRegister::new(b, name, ready, place_bits, 0);
        let wants = (present & b.bits(&goes)).name(format!("wants_{name}"));
        let lowest = wants.first_one().name(format!("first_{name}"));
        let chosen = (register.takes.repeat(GROUP) & lowest).name(format!("chosen_{name}"));
        leaving.push(chosen);
        let (some, several) = some_and_several(b, name, &wants.each());
        // The signals that pass a group on need not know which elements leave.
        emptied.push((!several & (register.takes | !some)).name(format!("emptied_{name}")));
        outputs.push((place_bits, register, lowest, chosen, (register.takes & some).name(format!("fills_{name}"))));
    }
    let left = (present & !b.or_all(&leaving)).name("present_left");
    let came = b.register("group_came", 1);
    let passes = (waits & !came & b.and_all(&emptied)).name("group_passes");
    let takes = (i.group_valid & !waits).name("group_taken");
    came.drive(takes);
    waits.drive(takes | (waits & !passes));
    b.output("group_ready", !waits);
    b.output("came", came);
    b.output("passes", passes);

    b.comment("The stages: a group, then its elements.");
    let count = b.data_register("count_1", i.group_count, takes);
    let position = b.data_register("position_1", i.group_position, takes);
    let mut words = vec![];
    let mut valid = vec![];
    for e in 0..GROUP {
        let index = b.data_register(format!("index_1_{e}"), i.group_index[e], takes);
        b.output(format!("index${e}"), index);
        let secondary = b.data_register(format!("secondary_1_{e}"), i.group_secondary[e], takes);
        let element = b.data_register(format!("element_{e}"), b.bits(&[secondary, index]), passes);
        words.push(b.bits(&[element, goes_to(e)]).name(format!("placed_{e}")));
        valid.push(b.constant(e as u64, 4).below(count));
    }
    present.drive(passes.mux(b.bits(&valid), left));

    b.comment(
        "Output registers. An element's position is that of the group and its number: one addition serves all carries.",
    );
    let first = b.data_register("position_2", position, passes);
    let upper = first.slice(NUMBER_BITS, POSITION_BITS - NUMBER_BITS);
    let carried = upper.increment().name("position_carried");
    let mut holds = vec![waits, present.any()];
    for (n, (place_bits, register, lowest, chosen, fills)) in outputs.into_iter().enumerate() {
        let words: Vec<_> = words.iter().map(|word| word.slice(0, VALUE_BITS + place_bits)).collect();
        let number = number(b, lowest, NUMBER_BITS).extend(NUMBER_BITS + 1);
        let lower = (first.slice(0, NUMBER_BITS).extend(NUMBER_BITS + 1) + number).name(format!("position_low_{n}"));
        let position = [lower.slice(0, NUMBER_BITS), lower.bit(NUMBER_BITS).mux(carried, upper)];
        let position = b.bits(&position).name(format!("position_out_{n}"));
        let parts = (fills.repeat(POSITION_BITS) & position, b.one_of(&chosen.each(), &words));
        register.fill_with(fills, b.bits(&[parts.0, parts.1]));
        holds.push(register.holds());
    }
    b.output("empty", !b.or_all(&holds));
}
