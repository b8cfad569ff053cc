//! Memory, as a prefetcher sees it: takes requests for lines, and answers sector by sector, late and in any order. Every line of
//! the partition's part of the arrays is asked for once, in order, with as many sectors as it has elements for.

use super::elements::{secondary, Indices};
use super::handshake::Sink;
use crate::stimulus::{events, phases, Rng};
use sim::units::iru::element::{Element, Job, GROUP, INDEX_MASK, LINE};
use sim::units::iru::pins::{ElementGroup, LineRequest, Offer, SectorData};
use sim::units::iru::Parameters;

events! { Fetches:
    Line = "a line is asked for",
    PartialLine = "a line with fewer than 32 elements",
    SecondaryLine = "a line of the secondary array",
    Waits = "a request waits for memory",
    Overtakes = "a sector comes before one that was asked for earlier",
    SecondaryFirst = "a secondary sector comes before its index sector",
    EightChunks = "eight chunks are under way",
}

phases! {
    /// `takes`: memory takes a request. `answers`: it answers. `newest_first`: the oldest request's sectors come last.
    pub MANNERS: Manner (takes, answers, newest_first: bool)
    (256, 256, false)
    (256, 128, true)
    (40, 200, false)
    (256, 8, false)
    (128, 128, true)
    (10, 256, false)
}

struct Pending {
    tag: u8,
    sector: u8,
    chunk: u32,
}

#[derive(Default)]
pub struct Fetches {
    parameters: Parameters,
    partition: u32,
    job: Job,
    indices: Indices,
    /// Chunk whose line is asked for next; true: its secondary line.
    next: (u32, bool),
    sink: Sink<LineRequest>,
    pending: Vec<Pending>,
    manner: Manner,
    /// Seed of the words.
    salt: u64,
    findings: Findings,
}

impl Fetches {
    pub fn new(parameters: &Parameters) -> Self {
        Fetches {
            parameters: *parameters,
            indices: Indices::any(&mut Rng::new(0)),
            next: (0, false),
            manner: MANNERS[0],
            ..Default::default()
        }
    }

    pub fn reset(&mut self) {
        self.job = Job::default();
        self.sink = Sink::default();
        self.pending.clear();
    }

    pub fn start(&mut self, job: &Job, partition: u8, indices: Indices, rng: &mut Rng) {
        self.job = *job;
        self.partition = u32::from(partition);
        self.indices = indices;
        self.salt = rng.draw();
        self.next = (self.chunk(0), false);
    }

    /// As fast as it goes.
    pub fn hurry(&mut self) {
        self.manner = MANNERS[0];
    }

    pub fn behave(&mut self, rng: &mut Rng) {
        self.manner = rng.any_of(MANNERS);
    }

    /// The partition's n-th chunk.
    fn chunk(&self, n: u32) -> u32 {
        let interleave = self.parameters.interleave as u32;
        let run = interleave * self.parameters.partitions as u32;
        n / interleave * run + self.partition * interleave + n % interleave
    }

    fn number_of(&self, chunk: u32) -> u32 {
        let interleave = self.parameters.interleave as u32;
        let run = interleave * self.parameters.partitions as u32;
        chunk / run * interleave + chunk % interleave
    }

    fn exists(&self, chunk: u32) -> bool {
        LINE as u32 * chunk < self.job.count
    }

    /// Elements of the arrays that are this partition's.
    pub fn elements(&self) -> u32 {
        let of = |chunk: u32| (self.job.count - LINE as u32 * chunk).min(LINE as u32);
        (0..).map(|n| self.chunk(n)).take_while(|&chunk| self.exists(chunk)).map(of).sum()
    }

    /// The element at this place of the arrays.
    pub fn element(&self, position: u32) -> Element {
        let index = self.indices.draw(&mut Rng::new(self.salt ^ u64::from(position)));
        let secondary = match self.job.with_secondary {
            true => secondary(&mut Rng::new(!self.salt ^ u64::from(position))),
            false => 0,
        };
        Element { index, secondary, position }
    }

    /// Looks at the request, and chooses the inputs from memory.
    pub fn serve(
        &mut self,
        out: &Offer<LineRequest>,
        ready: &mut bool,
        sector: &mut Offer<SectorData>,
        rng: &mut Rng,
    ) -> Result<(), String> {
        self.answer(sector, rng);
        *ready = self.manner.takes.happens(rng);
        self.findings.count(Event::Waits, out.valid && !*ready);
        match self.sink.take(out, *ready)? {
            Some(request) => self.accept(&request),
            None => Ok(()),
        }
    }

    fn accept(&mut self, request: &LineRequest) -> Result<(), String> {
        let (chunk, of_secondary) = self.next;
        let Job { index_line, secondary_line, with_secondary, count, .. } = self.job;
        if !self.exists(chunk) {
            return Err(format!("{request:?}, but all has been asked for"));
        }
        let first = if of_secondary { secondary_line } else { index_line };
        let elements = (count - LINE as u32 * chunk).min(LINE as u32);
        let sectors = elements.div_ceil(GROUP as u32) as u8;
        let wanted = (first.wrapping_add(chunk), sectors, of_secondary);
        if wanted != (request.line, request.sectors, request.tag & 1 == 1) {
            return Err(format!("{request:?}, but {wanted:x?} is next"));
        }
        for sector in 0..sectors {
            self.pending.push(Pending { tag: request.tag, sector, chunk });
        }
        let next = self.chunk(self.number_of(chunk) + 1);
        self.next = if with_secondary && !of_secondary { (chunk, true) } else { (next, false) };
        let oldest = self.pending.first().map_or(chunk, |pending| pending.chunk);
        let before = self.number_of(chunk) - self.number_of(oldest);
        let c = &mut self.findings;
        c.count(Event::Line, true);
        c.count(Event::PartialLine, elements < LINE as u32);
        c.count(Event::SecondaryLine, of_secondary);
        c.count(Event::EightChunks, before == 7);
        Ok(())
    }

    fn answer(&mut self, sector: &mut Offer<SectorData>, rng: &mut Rng) {
        sector.valid = !self.pending.is_empty() && self.manner.answers.happens(rng);
        if !sector.valid {
            return;
        }
        let number = self.pending.len() as u32;
        let among = if self.manner.newest_first { rng.below(4) } else { rng.below(number) };
        let at = if self.manner.newest_first { number - 1 - among.min(number - 1) } else { among };
        let Pending { tag, sector: which, chunk } = self.pending.remove(at as usize);
        let words = std::array::from_fn(|i| {
            let element = self.element(LINE as u32 * chunk + GROUP as u32 * u32::from(which) + i as u32);
            // Above an index, memory holds anything.
            let above = (self.salt as u32 ^ element.position) << 24;
            if tag & 1 == 1 {
                element.secondary
            } else {
                element.index | above & !INDEX_MASK
            }
        });
        *sector = Offer::some(SectorData { tag, sector: which, words });
        let other = |pending: &Pending| pending.tag == tag ^ 1 && pending.sector == which;
        self.findings.count(Event::Overtakes, at > 0);
        self.findings.count(Event::SecondaryFirst, tag & 1 == 1 && self.pending.iter().any(other));
    }

    /// A group is that which memory holds.
    pub fn check(&self, group: &ElementGroup) -> Result<(), String> {
        let sector = group.position / GROUP as u32 * GROUP as u32;
        let left = self.job.count.saturating_sub(sector).min(GROUP as u32);
        let wanted = (0..left).map(|i| self.element(sector + i));
        let came = (0..group.count as usize).map(|i| Element {
            index: group.index[i],
            secondary: group.secondary[i],
            position: group.position + i as u32,
        });
        if wanted.eq(came) {
            Ok(())
        } else {
            Err(format!("{group:x?} is not what memory holds"))
        }
    }
}
