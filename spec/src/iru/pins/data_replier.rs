//! Pins of `data_replier`.

use super::{BankBeat, Offer, TakeOrder};
use crate::iru::element::{Element, BEAT};
use crate::iru::Parameters;
use crate::pins::{each, group, offer, offered, pins};

group! {
    /// A request on its way to another partition.
    Token(p: &Parameters) {
        destination: u8 = p.partition_bits(),
        request: u16 = 16,
    }
}

group! {
    /// `reply_*`: a beat of a reply.
    Reply() {
        request: u16 = 16,
        mask: u8 = BEAT as u32,
        /// End of this partition's part.
        end: bool,
        /// The request is complete: lanes that got nothing are disabled.
        last: bool,
        /// All 0 where `mask` is 0.
        elements: [Element; BEAT] as "",
    }
}

group! {
    /// Outputs of a bank to its replier.
    BankView(p: &Parameters) {
        complete: Offer<u32> = offered("set", p.set_bits()),
        best_set: u32 = p.set_bits(),
        best_count: u8 = 6,
        take_ready: bool,
        beat: Offer<BankBeat>,
    }
}

pins! {
    /// Inputs of `data_replier`.
    DataReplierIn(p: &Parameters) {
        request: Offer<u16> = offered("", 16),
        token: Offer<Token> as "token_in",
        partition: u8 = p.partition_bits(),
        /// Bit q: partition q has elements to spare.
        rich: u8 as "rich_in" = p.partitions as u32,
        start: bool,
        ending: bool,
        all_empty: bool,
        banks: [BankView; 2] as "",
        reply_ready: bool,
    }
}

pins! {
    /// Outputs of `data_replier`.
    DataReplierOut(p: &Parameters) {
        request_ready: bool,
        token: Offer<Token> as "token_out",
        rich: bool,
        takes: [Offer<TakeOrder>; 2] as "take" = each(2, offer("", TakeOrder::list(p))).collect::<Vec<_>>(),
        beat_room: bool,
        reply: Offer<Reply>,
    }
}
