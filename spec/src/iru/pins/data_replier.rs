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
        /// the request as it was (when partly served: as it stood here)
        request: u16 = 16,
        /// which elements
        mask: u8 = BEAT as u32,
        /// end of this partition's part
        end: bool,
        /// the request is complete: lanes that got nothing are disabled
        last: bool,
        /// 0 where the mask is 0
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
        /// from a core
        request: Offer<u16> = offered("", 16),
        /// from partition p - 1
        token: Offer<Token> as "token_in",
        /// constant
        partition: u8 = p.partition_bits(),
        /// bit q: partition q has elements to spare
        rich: u8 as "rich_in" = p.partitions as u32,
        /// as for the prefetcher: `ending` counts as 0 in the four cycles after `start`
        start: bool,
        /// no element is in flight to a set in the whole unit; and all sets are empty
        ending: bool,
        all_empty: bool,
        /// from bank b = 0, 1
        banks: [BankView; 2] as "",
        /// the core takes the beat
        reply_ready: bool,
    }
}

pins! {
    /// Outputs of `data_replier`.
    DataReplierOut(p: &Parameters) {
        /// the input register is empty
        request_ready: bool,
        /// to partition p + 1; valid while `token_out_valid`
        token: Offer<Token> as "token_out",
        /// this partition has elements to spare
        rich: bool,
        /// to bank b; valid while `take_b`
        takes: [Offer<TakeOrder>; 2] as "take" = each(2, offer("", TakeOrder::list(p))).collect::<Vec<_>>(),
        /// to both banks: the reply FIFO holds at most one beat
        beat_room: bool,
        /// a beat of a reply
        reply: Offer<Reply>,
    }
}
