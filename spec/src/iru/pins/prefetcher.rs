//! Pins of `prefetcher`.

use super::Offer;
use crate::iru::element::{GROUP, INDEX_BITS};
use crate::iru::Parameters;
use crate::pins::{group, numbered, pins};

group! {
    /// `mem_*`: a request for sectors of a line.
    LineRequest() {
        /// Address / 128.
        line: u32 = 32,
        /// From sector 0 on: 1 to 4.
        sectors: u8 = 3,
        tag: u8 = 4,
    }
}

group! {
    /// `data_*`: a sector that was asked for.
    SectorData() {
        tag: u8 = 4,
        sector: u8 = 2,
        words: [u32; GROUP] as "word" = numbered(GROUP, 32),
    }
}

group! {
    /// `group_*`: a sector of elements.
    ElementGroup() {
        count: u8 = 4,
        /// The position of the first.
        position: u32 = INDEX_BITS,
        index: [u32; GROUP] = numbered(GROUP, INDEX_BITS),
        secondary: [u32; GROUP] = numbered(GROUP, 32),
    }
}

pins! {
    /// Inputs of `prefetcher`.
    PrefetcherIn(p: &Parameters) {
        start: bool,
        index_line: u32 = 32,
        secondary_line: u32 = 32,
        with_secondary: bool,
        count: u32 = INDEX_BITS + 1,
        partition: u8 = p.partition_bits(),
        mem_ready: bool,
        sector: Offer<SectorData> as "data",
        group_ready: bool,
    }
}

pins! {
    /// Outputs of `prefetcher`.
    PrefetcherOut() {
        request: Offer<LineRequest> as "mem",
        group: Offer<ElementGroup>,
        done: bool,
    }
}
