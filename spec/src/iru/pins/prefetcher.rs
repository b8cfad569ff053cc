//! Pins of `prefetcher`.

use super::Offer;
use crate::iru::element::{GROUP, INDEX_BITS};
use crate::iru::Parameters;
use crate::pins::{group, numbered, pins};

group! {
    /// `mem_*`: a request for sectors of a line.
    LineRequest(p: &Parameters) {
        line: u32 = 32,
        sectors: u8 = 3,
        tag: u8 = p.tag_bits(),
    }
}

group! {
    /// `data_*`: a sector that was asked for.
    SectorData(p: &Parameters) {
        tag: u8 = p.tag_bits(),
        sector: u8 = 2,
        words: [u32; GROUP] as "word" = numbered(GROUP, 32),
    }
}

group! {
    /// `group_*`: a sector of elements.
    ElementGroup() {
        count: u8 = 4,
        position: u32 = INDEX_BITS,
        index: [u32; GROUP] = numbered(GROUP, INDEX_BITS),
        secondary: [u32; GROUP] = numbered(GROUP, 32),
    }
}

pins! {
    /// Inputs of `prefetcher`.
    PrefetcherIn(p: &Parameters) {
        /// take the configuration; only while `done`
        start: bool,
        /// first line of the arrays (address / 128)
        index_line: u32 = 32,
        secondary_line: u32 = 32,
        /// there is a secondary array
        with_secondary: bool,
        /// elements, 1 to 2^24
        count: u32 = INDEX_BITS + 1,
        /// which one this is; constant
        partition: u8 = p.partition_bits(),
        /// memory takes the request
        mem_ready: bool,
        /// a sector that was asked for; sectors come in any order, each once
        sector: Offer<SectorData> as "data",
        /// the classifier takes the group
        group_ready: bool,
    }
}

pins! {
    /// Outputs of `prefetcher`.
    PrefetcherOut(p: &Parameters) {
        /// a request: line number; sectors wanted, from sector 0 on, 1 to 4; tag = slot x 2 + (1: of the secondary
        /// array). All mean something while `mem_valid`
        request: Offer<LineRequest> as "mem",
        /// a group of elements: 1 to 8; position of the first; lower 24 bits of the words of the index sector; words of
        /// the secondary sector, 0 without secondary. All eight show the sector, also beyond `group_count`. They mean
        /// something while `group_valid`
        group: Offer<ElementGroup>,
        /// no chunk is left to ask for, no slot is used, and `group_valid` is 0
        done: bool,
    }
}
