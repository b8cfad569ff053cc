//! Pins of `prefetcher`.

use super::Offer;
use crate::unit::{Interface, Pin};
use crate::units::iru::element::{GROUP, INDEX_BITS};
use crate::units::iru::Parameters;
use crate::units::pins::{flag, group, numbered, offer, pins};

group! {
    /// `mem_*`: a request for sectors of a line.
    LineRequest {
        /// Address / 128.
        line: u32,
        /// From sector 0 on: 1 to 4.
        sectors: u8,
        tag: u8,
    }
}

group! {
    /// `data_*`: a sector that was asked for.
    SectorData {
        tag: u8,
        sector: u8,
        words: [u32; GROUP],
    }
}

group! {
    /// `group_*`: a sector of elements.
    ElementGroup {
        count: u8,
        /// Of the first.
        position: u32,
        index: [u32; GROUP],
        secondary: [u32; GROUP],
    }
}

pins! {
    /// Inputs of `prefetcher`.
    PrefetcherIn {
        start: bool,
        index_line: u32,
        secondary_line: u32,
        with_secondary: bool,
        count: u32,
        partition: u8,
        mem_ready: bool,
        sector: Offer<SectorData>,
        group_ready: bool,
    }
}

pins! {
    /// Outputs of `prefetcher`.
    PrefetcherOut {
        request: Offer<LineRequest>,
        group: Offer<ElementGroup>,
        done: bool,
    }
}

/// `start` and what the prefetcher is told with it.
pub(super) fn arrays() -> Vec<Pin> {
    vec![
        flag("start"),
        Pin::new("index_line", 32),
        Pin::new("secondary_line", 32),
        flag("with_secondary"),
        Pin::new("count", INDEX_BITS + 1),
    ]
}

pub(super) fn sector() -> Vec<Pin> {
    let mut pins = vec![flag("data_valid"), Pin::new("data_tag", 4), Pin::new("data_sector", 2)];
    pins.extend(numbered("data_word", GROUP, 32));
    pins
}

pub(super) fn line_request() -> Vec<Pin> {
    offer("mem_valid", [Pin::new("mem_line", 32), Pin::new("mem_sectors", 3), Pin::new("mem_tag", 4)])
}

pub(super) fn element_group() -> Vec<Pin> {
    let mut pins = vec![Pin::new("group_count", 4), Pin::new("group_position", INDEX_BITS)];
    pins.extend(numbered("group_index", GROUP, INDEX_BITS));
    pins.extend(numbered("group_secondary", GROUP, 32));
    offer("group_valid", pins)
}

pub fn prefetcher_interface(parameters: &Parameters) -> Interface {
    let mut inputs = arrays();
    inputs.extend([Pin::new("partition", parameters.partition_bits()), flag("mem_ready")]);
    inputs.extend(sector());
    inputs.push(flag("group_ready"));
    let mut outputs = line_request();
    outputs.extend(element_group());
    outputs.push(flag("done"));
    Interface { inputs, outputs }
}
