//! `prefetcher`: fetches a partition's part of the arrays (3.2.1), some chunks of 32 elements at a time.

use super::element::{Job, GROUP, INDEX_MASK, LINE};
use super::pins::{ElementGroup, LineRequest, Offer, PrefetcherIn, PrefetcherOut, SectorData};
use super::Parameters;
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use std::collections::VecDeque;

const SECTORS: usize = LINE / GROUP;

/// The sectors of a line that have come.
#[derive(Clone, Copy, Debug, Default)]
struct LineBuffer {
    words: [[u32; GROUP]; SECTORS],
    arrived: [bool; SECTORS],
}

/// A chunk under way.
#[derive(Clone, Copy, Debug, Default)]
struct Chunk {
    slot: u8,
    number: u32,
    /// 1 to 32.
    elements: u32,
    indices: LineBuffer,
    secondaries: LineBuffer,
}

impl Chunk {
    fn sectors(&self) -> u8 {
        self.elements.div_ceil(GROUP as u32) as u8
    }
}

#[derive(Clone, Debug, Default)]
pub struct Prefetcher {
    parameters: Parameters,
    job: Job,
    /// The next chunk of this partition.
    next_chunk: u32,
    next_slot: u8,
    /// Chunks under way, oldest first.
    chunks: VecDeque<Chunk>,
    /// The newest chunk's secondary line has not been asked for.
    owes_secondary: bool,
    /// Sector of the oldest chunk that is the next group.
    next_sector: usize,
    request: Option<LineRequest>,
    group: Option<ElementGroup>,
}

impl Prefetcher {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::iru::PREFETCHER)?;
        Ok(Self::empty(parameters))
    }

    fn empty(parameters: &Parameters) -> Self {
        let chunks = VecDeque::with_capacity(parameters.chunks);
        Prefetcher { parameters: *parameters, chunks, ..Default::default() }
    }

    pub(super) fn request(&self) -> &Option<LineRequest> {
        &self.request
    }

    pub(super) fn group(&self) -> &Option<ElementGroup> {
        &self.group
    }

    pub(super) fn done(&self) -> bool {
        !self.chunk_is_left() && self.chunks.is_empty() && self.group.is_none()
    }

    fn chunk_is_left(&self) -> bool {
        (LINE as u32 * self.next_chunk) < self.job.count
    }

    /// The edge, with the job that starts, if one does.
    pub(super) fn step(
        &mut self,
        start: Option<&Job>,
        partition: u8,
        mem_ready: bool,
        sector: &Offer<SectorData>,
        group_ready: bool,
    ) -> Result<(), Fault> {
        let used = self.chunks.len();
        if self.group.is_none() || group_ready {
            self.read_group();
        }
        if self.request.is_none() || mem_ready {
            self.request = self.next_request(used);
        }
        if sector.valid {
            self.store(&sector.item)?;
        }
        if let Some(job) = start {
            self.job = *job;
            self.next_chunk = partition as u32 * self.parameters.interleave as u32;
        }
        Ok(())
    }

    /// The next group, if it was there as the cycle began.
    fn read_group(&mut self) {
        self.group = None;
        let with_secondary = self.job.with_secondary;
        let Some(chunk) = self.chunks.front() else { return };
        let sector = self.next_sector;
        if !chunk.indices.arrived[sector] || with_secondary && !chunk.secondaries.arrived[sector] {
            return;
        }
        let first = (sector * GROUP) as u32;
        self.group = Some(ElementGroup {
            count: (chunk.elements - first).min(GROUP as u32) as u8,
            position: LINE as u32 * chunk.number + first,
            index: chunk.indices.words[sector].map(|word| word & INDEX_MASK),
            secondary: if with_secondary { chunk.secondaries.words[sector] } else { [0; GROUP] },
        });
        self.next_sector += 1;
        if self.next_sector == chunk.sectors() as usize {
            self.next_sector = 0;
            self.chunks.pop_front();
        }
    }

    /// The next request, and what follows from its being on the pins. `used`: slots at the beginning of the cycle.
    fn next_request(&mut self, used: usize) -> Option<LineRequest> {
        if self.owes_secondary {
            self.owes_secondary = false;
            let chunk = self.chunks.back()?;
            let line = self.job.secondary_line.wrapping_add(chunk.number);
            return Some(LineRequest { line, sectors: chunk.sectors(), tag: 2 * chunk.slot + 1 });
        }
        if used == self.parameters.chunks || !self.chunk_is_left() {
            return None;
        }
        let number = self.next_chunk;
        let elements = (self.job.count - LINE as u32 * number).min(LINE as u32);
        let chunk = Chunk { slot: self.next_slot, number, elements, ..Default::default() };
        let line = self.job.index_line.wrapping_add(number);
        let request = LineRequest { line, sectors: chunk.sectors(), tag: 2 * chunk.slot };
        self.chunks.push_back(chunk);
        self.owes_secondary = self.job.with_secondary;
        self.next_slot = (self.next_slot + 1) % self.parameters.chunks as u8;
        self.next_chunk = self.after(number);
        Some(request)
    }

    /// The chunk of this partition after `number`.
    fn after(&self, number: u32) -> u32 {
        let interleave = self.parameters.interleave as u32;
        let ends_run = number % interleave == interleave - 1;
        number + 1 + if ends_run { interleave * (self.parameters.partitions as u32 - 1) } else { 0 }
    }

    fn store(&mut self, data: &SectorData) -> Result<(), Fault> {
        let slot = data.tag >> 1;
        let chunk = self.chunks.iter_mut().find(|chunk| chunk.slot == slot);
        rule(chunk.is_some(), format_args!("prefetcher: a sector for slot {slot}, which is free"))?;
        let Some(chunk) = chunk else { return Ok(()) };
        let line = if data.tag & 1 == 1 { &mut chunk.secondaries } else { &mut chunk.indices };
        let sector = data.sector as usize;
        rule(!line.arrived[sector], "prefetcher: a sector comes twice")?;
        line.words[sector] = data.words;
        line.arrived[sector] = true;
        Ok(())
    }
}

impl Unit for Prefetcher {
    type In = PrefetcherIn;
    type Out = PrefetcherOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> PrefetcherOut {
        PrefetcherOut { request: self.request.into(), group: self.group.into(), done: self.done() }
    }

    fn clock(&mut self, pins: &PrefetcherIn) -> Result<(), Fault> {
        rule(!pins.start || self.done(), "prefetcher: start before it is done")?;
        let PrefetcherIn { index_line, secondary_line, with_secondary, count, .. } = *pins;
        let job = Job { index_line, secondary_line, with_secondary, count, ..Default::default() };
        self.step(pins.start.then_some(&job), pins.partition, pins.mem_ready, &pins.sector, pins.group_ready)
    }

    fn reset(&mut self) {
        *self = Self::empty(&self.parameters);
    }
}

#[cfg(test)]
mod tests;
