//! Pins of `iru_partition`.

use super::data_replier::{reply, request, token};
use super::prefetcher::{arrays, line_request, sector};
use super::{access, elements, readies, LineRequest, Offer, Reply, SectorData, Token};
use crate::unit::{Interface, Pin};
use crate::units::iru::element::{Access, Element, Filter, Job};
use crate::units::iru::Parameters;
use crate::units::pins::{flag, group, input, pins};

group! {
    /// `start` and the configuration.
    JobPins {
        start: bool,
        index_line: u32,
        secondary_line: u32,
        with_secondary: bool,
        count: u32,
        access: Access,
        filter: u8,
    }
}

impl JobPins {
    /// `start` with this job.
    pub fn start(job: &Job) -> Self {
        let Job { index_line, secondary_line, with_secondary, count, access, filter } = *job;
        JobPins { start: true, index_line, secondary_line, with_secondary, count, access, filter: filter.to_pins() }
    }

    /// The job that starts in this cycle.
    pub fn job(&self) -> Option<Job> {
        let JobPins { start, index_line, secondary_line, with_secondary, count, access, filter } = *self;
        start.then(|| Job {
            index_line,
            secondary_line,
            with_secondary,
            count,
            access,
            filter: Filter::from_pins(filter),
        })
    }
}

group! {
    /// From the cores and from memory to a partition.
    CoreIn {
        mem_ready: bool,
        sector: Offer<SectorData>,
        request: Offer<u16>,
        reply_ready: bool,
    }
}

group! {
    /// From a partition to the cores and to memory.
    CoreOut {
        line: Offer<LineRequest>,
        request_ready: bool,
        reply: Offer<Reply>,
        /// Bit b: bank b.
        merged: u8,
    }
}

group! {
    /// From the other partitions. Pairs are cw, ccw.
    RingIn {
        arrival: [Offer<Element>; 2],
        link_ready: [bool; 2],
        token: Offer<Token>,
        rich: u8,
        ending: bool,
        all_empty: bool,
    }
}

group! {
    /// To the other partitions. Pairs are cw, ccw.
    RingOut {
        arrival_ready: [bool; 2],
        link: [Offer<Element>; 2],
        token: Offer<Token>,
        rich: bool,
        quiet: bool,
        vacant: bool,
    }
}

pins! {
    /// Inputs of `iru_partition`.
    IruPartitionIn {
        job: JobPins,
        partition: u8,
        core: CoreIn,
        ring: RingIn,
    }
}

pins! {
    /// Outputs of `iru_partition`.
    IruPartitionOut {
        core: CoreOut,
        ring: RingOut,
    }
}

pub(super) fn job() -> Vec<Pin> {
    let mut pins = arrays();
    pins.extend(access());
    pins.push(Pin::new("filter", 2));
    pins
}

pub(super) fn core_inputs() -> Vec<Pin> {
    let mut pins = vec![flag("mem_ready")];
    pins.extend(sector());
    pins.extend(input(request()));
    pins.push(flag("reply_ready"));
    pins
}

pub(super) fn core_outputs() -> Vec<Pin> {
    let mut pins = line_request();
    pins.push(flag("request_ready"));
    pins.extend(reply());
    pins.push(Pin::new("merged", 2));
    pins
}

pub fn iru_partition_interface(parameters: &Parameters) -> Interface {
    let mut inputs = job();
    inputs.push(Pin::new("partition", parameters.partition_bits()));
    inputs.extend(core_inputs());
    inputs.extend(input(elements(&["cw_in", "ccw_in"])));
    inputs.extend(readies(&["cw_out", "ccw_out"]));
    inputs.extend(input(token("token_in", parameters)));
    inputs.extend([Pin::new("rich_in", parameters.partitions as u32), flag("ending"), flag("all_empty")]);
    let mut outputs = core_outputs();
    outputs.extend(readies(&["cw_in", "ccw_in"]));
    outputs.extend(elements(&["cw_out", "ccw_out"]));
    outputs.extend(token("token_out", parameters));
    outputs.extend([flag("rich"), flag("quiet"), flag("vacant")]);
    Interface { inputs, outputs }
}
