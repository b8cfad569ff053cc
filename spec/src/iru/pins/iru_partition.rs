//! Pins of `iru_partition`.

use super::{elements, readies, LineRequest, Offer, Reply, SectorData, Token, ARRIVALS, LINKS};
use crate::iru::element::{Access, Placed, INDEX_BITS};
use crate::iru::Parameters;
use crate::pins::{group, offered, pins};

group! {
    /// `start` and the configuration.
    JobPins() {
        start: bool,
        index_line: u32 = 32,
        secondary_line: u32 = 32,
        with_secondary: bool,
        count: u32 = INDEX_BITS + 1,
        access: Access as "",
        filter: u8 = 2,
    }
}

group! {
    /// From the cores and from memory to a partition.
    CoreIn() {
        mem_ready: bool,
        sector: Offer<SectorData> as "data",
        request: Offer<u16> = offered("", 16),
        reply_ready: bool,
    }
}

group! {
    /// From a partition to the cores and to memory.
    CoreOut() {
        line: Offer<LineRequest> as "mem",
        request_ready: bool,
        reply: Offer<Reply>,
        /// Bit b: bank b.
        merged: u8 = 2,
    }
}

group! {
    /// From the other partitions. Pairs are cw, ccw.
    RingIn(p: &Parameters) {
        arrival: [Offer<Placed>; 2] as "" = elements(&ARRIVALS, p.ring_place_bits()),
        link_ready: [bool; 2] as "" = readies(&LINKS),
        token: Offer<Token> as "token_in",
        rich: u8 as "rich_in" = p.partitions as u32,
        ending: bool,
        all_empty: bool,
    }
}

group! {
    /// To the other partitions. Pairs are cw, ccw.
    RingOut(p: &Parameters) {
        arrival_ready: [bool; 2] as "" = readies(&ARRIVALS),
        link: [Offer<Placed>; 2] as "" = elements(&LINKS, p.ring_place_bits()),
        token: Offer<Token> as "token_out",
        rich: bool,
        quiet: bool,
        vacant: bool,
    }
}

pins! {
    /// Inputs of `iru_partition`.
    IruPartitionIn(p: &Parameters) {
        job: JobPins as "",
        partition: u8 = p.partition_bits(),
        core: CoreIn as "",
        ring: RingIn as "",
    }
}

pins! {
    /// Outputs of `iru_partition`.
    IruPartitionOut(p: &Parameters) {
        core: CoreOut as "",
        ring: RingOut as "",
    }
}
