//! Pins of `data_replier`.

use super::reorder_bank::{bank_beat, best, complete, take, BankBeat, TakeOrder};
use super::{beat_words, Offer};
use crate::unit::{Interface, Pin};
use crate::units::iru::element::{Element, BEAT};
use crate::units::iru::Parameters;
use crate::units::pins::{flag, group, input, offer, pins};

group! {
    /// A request on its way to another partition.
    Token {
        destination: u8,
        request: u16,
    }
}

group! {
    /// `reply_*`: a beat of a reply.
    Reply {
        request: u16,
        mask: u8,
        /// End of this partition's part.
        end: bool,
        /// The request is complete: lanes that got nothing are disabled.
        last: bool,
        /// All 0 where `mask` is 0.
        elements: [Element; BEAT],
    }
}

group! {
    /// What a bank shows its replier.
    BankView {
        complete: Offer<u32>,
        best_set: u32,
        best_count: u8,
        take_ready: bool,
        beat: Offer<BankBeat>,
    }
}

pins! {
    /// Inputs of `data_replier`.
    DataReplierIn {
        request: Offer<u16>,
        token: Offer<Token>,
        partition: u8,
        /// Bit q: partition q has elements to spare.
        rich: u8,
        start: bool,
        ending: bool,
        all_empty: bool,
        banks: [BankView; 2],
        reply_ready: bool,
    }
}

pins! {
    /// Outputs of `data_replier`.
    DataReplierOut {
        request_ready: bool,
        token: Offer<Token>,
        rich: bool,
        takes: [Offer<TakeOrder>; 2],
        beat_room: bool,
        reply: Offer<Reply>,
    }
}

/// `name_valid`, `name_destination`, `name_request`.
pub(super) fn token(name: &str, parameters: &Parameters) -> Vec<Pin> {
    let destination = Pin::new(format!("{name}_destination"), parameters.partition_bits());
    offer(&format!("{name}_valid"), [destination, Pin::new(format!("{name}_request"), 16)])
}

pub(super) fn request() -> Vec<Pin> {
    offer("request_valid", [Pin::new("request", 16)])
}

pub(super) fn reply() -> Vec<Pin> {
    let mut pins =
        vec![Pin::new("reply_request", 16), Pin::new("reply_mask", BEAT as u32), flag("reply_end"), flag("reply_last")];
    pins.extend(beat_words("reply", ""));
    offer("reply_valid", pins)
}

pub fn data_replier_interface(parameters: &Parameters) -> Interface {
    let set_bits = parameters.set_bits();
    let mut inputs: Vec<Pin> = input(request()).chain(input(token("token_in", parameters))).collect();
    inputs.extend([
        Pin::new("partition", parameters.partition_bits()),
        Pin::new("rich_in", parameters.partitions as u32),
        flag("start"),
        flag("ending"),
        flag("all_empty"),
    ]);
    for suffix in ["_0", "_1"] {
        inputs.extend(input(complete(suffix, set_bits)));
        inputs.extend(best(suffix, set_bits));
        inputs.push(flag(format!("take_ready{suffix}")));
        inputs.extend(input(bank_beat(suffix)));
    }
    inputs.push(flag("reply_ready"));
    let mut outputs = vec![flag("request_ready")];
    outputs.extend(token("token_out", parameters));
    outputs.push(flag("rich"));
    outputs.extend(["_0", "_1"].iter().flat_map(|suffix| take(suffix, set_bits)));
    outputs.push(flag("beat_room"));
    outputs.extend(reply());
    Interface { inputs, outputs }
}
