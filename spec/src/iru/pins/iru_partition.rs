//! Pins of `iru_partition`.

use super::{bundles, readies, LineRequest, Offer, Reply, SectorData, Token, ARRIVALS, LINKS};
use crate::iru::element::{Access, Bundle, INDEX_BITS};
use crate::iru::Parameters;
use crate::pins::{group, offered, pins};

group! {
    /// `start` and the configuration.
    JobPins() {
        /// start and configuration
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
    CoreIn(p: &Parameters) {
        /// the prefetcher's
        mem_ready: bool,
        sector: Offer<SectorData> as "data",
        /// the data replier's
        request: Offer<u16> = offered("", 16),
        reply_ready: bool,
    }
}

group! {
    /// From a partition to the cores and to memory.
    CoreOut(p: &Parameters) {
        /// the prefetcher's
        line: Offer<LineRequest> as "mem",
        /// the data replier's
        request_ready: bool,
        reply: Offer<Reply>,
        /// bit b W + l: bank b, the l-th element of its bundle
        merged: u8 = 2 * p.bundle as u32,
    }
}

group! {
    /// From the other partitions. Pairs are cw, ccw.
    RingIn(p: &Parameters) {
        /// the ring's
        arrival: [Offer<Bundle>; 2] as "" = bundles(&ARRIVALS, p.ring_place_bits(), p),
        link_ready: [bool; 2] as "" = readies(&LINKS),
        /// the data replier's
        token: Offer<Token> as "token_in",
        rich: u8 as "rich_in" = p.partitions as u32,
        ending: bool,
        all_empty: bool,
    }
}

group! {
    /// To the other partitions. Pairs are cw, ccw.
    RingOut(p: &Parameters) {
        /// the ring's
        arrival_ready: [bool; 2] as "" = readies(&ARRIVALS),
        link: [Offer<Bundle>; 2] as "" = bundles(&LINKS, p.ring_place_bits(), p),
        /// the data replier's
        token: Offer<Token> as "token_out",
        rich: bool,
        /// in the previous cycle the prefetcher was `done`, classifier and ring stop were `empty`, and both banks were
        /// `idle`
        quiet: bool,
        /// in the previous cycle the `count` of both banks was 0
        vacant: bool,
    }
}

pins! {
    /// Inputs of `iru_partition`.
    IruPartitionIn(p: &Parameters) {
        job: JobPins as "",
        /// which one this is; constant
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
