//! The elements of a beat: of the slots that were read, those of one group of four, with their positions. A bank has four
//! memories of positions, each with all groups, or a wide one a memory for each slot.

use super::take::BEAT;
use super::{INDEX_BITS, POSITION_BITS, SECONDARY_BITS, SLOTS, VALUE_BITS};
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// 0 where the mask is 0; Q memories of positions.
    pub struct Beat<const Q: usize>, inputs Inputs {
        in group: Signal<In, Bits<3>>,
        in mask: Signal<In, Bits<BEAT>>,
        in slot_value: [Signal<In, Bits<VALUE_BITS>>; SLOTS],
        in slot_position: [Signal<In, Bits<POSITION_BITS>>; Q],
        out index: [Signal<Out, Bits<INDEX_BITS>>; BEAT],
        out secondary: [Signal<Out, Bits<SECONDARY_BITS>>; BEAT],
        out position: [Signal<Out, Bits<POSITION_BITS>>; BEAT],
    } described by describe
}

fn describe<'a, const Q: usize>(b: &'a Builder, i: &Inputs<'a, Q>) {
    let group = i.group.decode().name("group_lines");
    for j in 0..BEAT {
        let belongs = i.mask.bit(j);
        let lines = (belongs.repeat(SLOTS / BEAT) & group).name(format!("lines_{j}"));
        let values: Vec<_> = i.slot_value.iter().copied().skip(j).step_by(BEAT).collect();
        let value = b.one_of(&lines.each(), &values).name(format!("value_{j}"));
        b.output(format!("index${j}"), value.slice(SECONDARY_BITS, INDEX_BITS));
        b.output(format!("secondary${j}"), value.slice(0, SECONDARY_BITS));
        let position = if Q == BEAT {
            belongs.repeat(POSITION_BITS) & i.slot_position[j]
        } else {
            let positions: Vec<_> = i.slot_position.iter().copied().skip(j).step_by(BEAT).collect();
            b.one_of(&lines.each(), &positions)
        };
        b.output(format!("position${j}"), position);
    }
}
