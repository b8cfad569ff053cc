//! The elements of a beat: of the slots that were read, those of one group of four.

use super::element::Element;
use super::take::BEAT;
use super::{ELEMENT_BITS, INDEX_BITS, POSITION_BITS, SECONDARY_BITS, SLOTS};
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// 0 where the mask is 0.
    pub struct Beat, inputs Inputs {
        in group: Signal<In, Bits<3>>,
        in mask: Signal<In, Bits<BEAT>>,
        in slot_word: [Signal<In, Bits<ELEMENT_BITS>>; SLOTS],
        out index: [Signal<Out, Bits<INDEX_BITS>>; BEAT],
        out secondary: [Signal<Out, Bits<SECONDARY_BITS>>; BEAT],
        out position: [Signal<Out, Bits<POSITION_BITS>>; BEAT],
    } described by describe
}

fn describe<'a>(b: &'a Builder, i: &Inputs<'a>) {
    for j in 0..BEAT {
        let words: Vec<_> = i.slot_word.iter().copied().skip(j).step_by(BEAT).collect();
        let word = b.select(format!("word_{j}"), i.group, &words);
        let word = (i.mask.bit(j).repeat(ELEMENT_BITS) & word).name(format!("element_{j}"));
        let element = Element::of(i.mask.bit(j), word);
        b.output(format!("index${j}"), element.index);
        b.output(format!("secondary${j}"), element.secondary);
        b.output(format!("position${j}"), element.position);
    }
}
