//! Legal random inputs of `iru_partition`: memory and cores, and neighbours that send elements and tokens. Every element of the
//! partition's part of the arrays and of the ring goes on round the ring, is merged, or is in a reply.

use super::elements::{self, Indices, FILTERS, LONG, LONG_BEHIND};
use super::fetches::Fetches;
use super::handshake::{Sink, Source};
use super::requests::{Part, Requests};
use crate::stimulus::{events, phases, AnyFindings, Chance, Counts, Coverage, Phases, Rng, Stimulus};
use sim::units::iru::element::{Access, Bundle, Element, Filter, Job, Placed, INDEX_BITS, LINE};
use sim::units::iru::pins::{IruPartitionIn, IruPartitionOut, Reply};
use sim::units::iru::Parameters;

events! { IruPartitionStimulus:
    NoFilter = "a job without filter",
    Minimum = "a job with minima",
    Addition = "a job with sums",
    Endless = "a job of more elements than a reset lets it fetch",
    NothingToFetch = "a job without a line for this partition",
    ArrivesCw = "an element comes clockwise",
    ArrivesCcw = "an element comes counterclockwise",
    ArrivalWaits = "an element waits for the arrival queue",
    GoesCw = "an element goes on clockwise",
    GoesCcw = "an element goes on counterclockwise",
    LinkWaits = "an element waits for a neighbour",
    Merged = "merged",
    BothMerge = "both banks merge in one cycle",
    Whole = "a reply of 32 elements",
    Disabled = "a reply that leaves lanes without element",
    Forward = "a request is forwarded",
    ForwardRest = "the rest of a request is forwarded",
    TokenPasses = "a token for another partition passes",
    TokenComes = "a token for this partition",
    RequestWaits = "a request waits",
    ReplyWaits = "a beat of a reply waits",
    Rich = "elements to spare",
    Drained = "a job in which elements were left at the end is over",
    Reset = "reset within a job",
}

phases! {
    PHASES: Phase (arrives, links, asks, token, rich, takes)
    (128, 256, 30, 2, 0, 256)
    (256, 256, 0, 0, 0, 256)
    (256, 200, 256, 10, 4, 256)
    (40, 60, 100, 60, 60, 100)
    (200, 10, 20, 2, 0, 256)
    (4, 256, 20, 100, 256, 30)
    (256, 256, 20, 0, 0, 20)
    (20, 256, 8, 4, 0, 256)
}

/// That of a long job: as fast as it goes.
const LONG_PHASE: Phase = Phase {
    arrives: Chance::NEVER,
    links: Chance::ALWAYS,
    asks: Chance::ALWAYS,
    token: Chance::NEVER,
    rich: Chance::NEVER,
    takes: Chance::ALWAYS,
};
/// Long jobs of a run, each of another partition.
const LONG_JOBS: u8 = 2;

/// Cycles at rest before a start.
const REST: u32 = 16;
/// Cycles from the last that the others say or send until they are quiet.
const LAG: u32 = 4;

#[derive(Default)]
pub struct IruPartitionStimulus {
    rng: Rng,
    parameters: Parameters,
    phase: Phases<Phase>,
    fetches: Fetches,
    indices: Indices,
    partition: u8,
    access: Access,
    filter: Filter,
    /// Elements that will still arrive by each direction.
    to_come: [u32; 2],
    arrivals: [Source; 2],
    links: [Sink<Bundle>; 2],
    /// Elements that belong to this job here, and those that left or were merged.
    came: u32,
    gone: u32,
    /// Cycles since the neighbours had something to say about elements.
    since: u32,
    was_left: bool,
    /// A reset ends the job: it has more elements than there is time for.
    is_endless: bool,
    endless_jobs: u32,
    /// Elements of a long job, and cycles of the run; the job at hand, or the next one, is long; so many were.
    long: u32,
    age: u64,
    is_long: bool,
    long_jobs: u8,
    requests: Requests,
    /// All partitions were quiet, or vacant, in the cycle before.
    ending: bool,
    all_empty: bool,
    findings: Findings,
}

impl IruPartitionStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        IruPartitionStimulus {
            indices: Indices::any(&mut rng),
            partition: rng.below(parameters.partitions as u32) as u8,
            rng,
            parameters: *parameters,
            phase: Phases::new(PHASES, 20..620, 100),
            fetches: Fetches::new(parameters),
            requests: Requests::new(parameters, 4),
            long: LONG,
            ..Default::default()
        }
    }

    fn begin_phase(&mut self) {
        if self.is_long {
            self.fetches.hurry();
            // A job begins and ends while nobody asks.
            let asks = if self.came > self.gone { Chance::ALWAYS } else { Chance::NEVER };
            *self.phase = Phase { asks, ..LONG_PHASE };
            return;
        }
        self.fetches.behave(&mut self.rng);
        if self.others_are_vacant() {
            // All that is left is asked for, sooner or later.
            self.phase.asks = self.rng.any_of(&[Chance::NEVER, Chance(10), Chance(60), Chance::ALWAYS]);
        }
    }

    fn resets(&mut self) -> bool {
        let ends = self.is_endless && self.rng.one_in(8);
        self.phase.resets_if(ends, &mut self.rng)
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.came > self.gone);
        self.fetches.reset();
        (self.to_come, self.arrivals, self.links) = Default::default();
        self.requests.reset();
        (self.came, self.gone, self.since) = (0, 0, 0);
        (self.ending, self.all_empty, self.was_left, self.is_endless) = (false, false, false, false);
        self.partition = self.rng.below(self.parameters.partitions as u32) as u8;
        self.is_long = self.age > LONG_BEHIND && self.long_jobs < LONG_JOBS;
        if self.is_long {
            self.partition = self.long_jobs;
            self.long_jobs += 1;
        }
    }

    /// The neighbours send nothing more.
    fn others_are_quiet(&self) -> bool {
        self.to_come == [0; 2] && self.since >= LAG
    }

    /// And they have given out all that they had.
    fn others_are_vacant(&self) -> bool {
        self.others_are_quiet() && self.since >= 40 * LAG
    }

    /// Elements of a job that ends without a reset.
    fn most(&self) -> u32 {
        (2 * self.parameters.partitions * self.parameters.sets * LINE).min(8_000) as u32
    }

    /// Without a filter, and with indices of all sets.
    fn long_job(&mut self) -> Job {
        self.indices = Indices::all();
        let (index_line, access) = (self.rng.draw() as u32, elements::access(&mut self.rng));
        Job { index_line, access, count: self.long, ..Job::default() }
    }

    fn any_job(&mut self) -> Job {
        let most = self.most();
        let rng = &mut self.rng;
        self.indices = Indices::any(rng);
        let filter = FILTERS[rng.below(3) as usize];
        Job {
            index_line: rng.draw() as u32,
            secondary_line: rng.draw() as u32,
            with_secondary: filter != Filter::None || rng.one_in(2),
            count: match rng.below(32) {
                // Every second time all ones.
                0 => (1 << INDEX_BITS) - (self.endless_jobs & 1),
                1 => 1 + rng.below(1 << INDEX_BITS),
                2..=9 => 1 + rng.below(100),
                _ => 1 + rng.below(most),
            },
            access: elements::access(rng),
            filter,
        }
    }

    fn start(&mut self, pins: &mut IruPartitionIn) {
        let job = if self.is_long { self.long_job() } else { self.any_job() };
        let most = self.most();
        let rng = &mut self.rng;
        pins.job = job.start();
        self.is_endless = job.count > most;
        self.endless_jobs += u32::from(self.is_endless);
        (self.access, self.filter) = (job.access, job.filter);
        self.to_come = if self.is_long { [0; 2] } else { [0, 1].map(|_| rng.below(most / 4)) };
        self.fetches.start(&job, self.partition, self.indices, rng);
        self.came = self.fetches.elements();
        (self.gone, self.requests.rest, self.since, self.was_left) = (0, 0, 0, false);
        self.findings.count([Event::NoFilter, Event::Minimum, Event::Addition][job.filter as usize], true);
        self.findings.count(Event::NothingToFetch, self.came == 0);
        self.findings.count(Event::Endless, self.is_endless);
    }

    /// Elements that belong here or, with four partitions, to the next one.
    fn arrival(&mut self) -> Bundle {
        let (indices, access) = (self.indices, self.access);
        let next = |rng: &mut Rng| Element {
            index: indices.draw(rng),
            secondary: elements::secondary(rng),
            position: rng.draw() as u32 & 0xff_ffff,
        };
        let element = next(&mut self.rng);
        let bits = self.parameters.ring_place_bits() - 1;
        let onward = u16::from(self.parameters.partitions > 2 && self.rng.one_in(2));
        let place = elements::place(&element, &access, bits);
        let first = Placed { element, place: onward << bits | place };
        let is_beside = |element: &Element| elements::place(element, &access, bits) == place;
        elements::bundle(&mut self.rng, first, self.parameters.bundle, next, is_beside)
    }

    fn ring(&mut self, outputs: &IruPartitionOut, pins: &mut IruPartitionIn) -> Result<(), String> {
        self.since = self.since.saturating_add(1);
        for d in 0..2 {
            let (out, ring) = (&outputs.ring, &mut pins.ring);
            let comes = self.to_come[d] > 0 && self.phase.arrives.happens(&mut self.rng);
            let next = (comes && !self.arrivals[d].waits()).then(|| self.arrival());
            let came = self.arrivals[d].put(&mut ring.arrival[d], out.arrival_ready[d], || next);
            let came = came.map_or(0, |bundle| bundle.count() as u32);
            (self.came, self.to_come[d]) = (self.came + came, self.to_come[d].saturating_sub(came));
            ring.link_ready[d] = self.phase.links.happens(&mut self.rng);
            let left = self.links[d].take(&out.link[d], ring.link_ready[d])?;
            self.gone += left.map_or(0, |bundle| bundle.count() as u32);
            if came > 0 || out.link[d].valid || ring.arrival[d].valid {
                self.since = 0;
            }
            let c = &mut self.findings;
            c.count([Event::ArrivesCw, Event::ArrivesCcw][d], came > 0);
            c.count([Event::GoesCw, Event::GoesCcw][d], left.is_some());
            c.count(Event::ArrivalWaits, self.arrivals[d].waits());
            c.count(Event::LinkWaits, out.link[d].valid && !ring.link_ready[d]);
        }
        Ok(())
    }

    /// Values of the registers between the partitions.
    fn ends(&mut self, outputs: &IruPartitionOut, pins: &mut IruPartitionIn) {
        (pins.ring.ending, pins.ring.all_empty) = (self.ending, self.all_empty);
        self.ending = outputs.ring.quiet && self.others_are_quiet();
        self.all_empty = outputs.ring.vacant && self.others_are_vacant();
        self.was_left |= self.ending && !outputs.ring.vacant;
    }

    fn receive(&mut self, reply: &Reply) -> Result<(), String> {
        self.gone += reply.mask.count_ones();
        if let Some(Part { elements, lanes }) = self.requests.receive(reply)? {
            let c = &mut self.findings;
            c.count(Event::Whole, elements == 32);
            c.count(Event::Disabled, reply.last && elements < lanes);
            c.count(Event::ForwardRest, !reply.last);
        }
        Ok(())
    }

    fn ask(&mut self, outputs: &IruPartitionOut, pins: &mut IruPartitionIn) {
        let (requests, rng, c) = (&mut self.requests, &mut self.rng, &mut self.findings);
        requests.ask(rng, self.phase.asks, &mut pins.core.request, outputs.core.request_ready);
        c.count(Event::RequestWaits, requests.cores.waits());
        c.count(Event::TokenComes, requests.token(rng, self.phase.token, &mut pins.ring.token, self.partition));
        let others =
            if self.others_are_quiet() { 0 } else { ((1 << self.parameters.partitions) - 1) & !(1 << self.partition) };
        pins.ring.rich =
            self.phase.rich.of_each(&mut self.rng, others) as u8 | u8::from(outputs.ring.rich) << self.partition;
        self.requests.was_rich = pins.ring.rich;
    }

    fn observe(&mut self, outputs: &IruPartitionOut, pins: &mut IruPartitionIn) -> Result<(), String> {
        self.findings.count(Event::TokenPasses, self.requests.passes.is_some());
        let forwards = self.requests.observe_token(outputs.ring.token.get(), self.partition)?;
        self.findings.count(Event::Forward, forwards);
        let core = &mut pins.core;
        self.fetches.serve(&outputs.core.line, &mut core.mem_ready, &mut core.sector, &mut self.rng)?;
        core.reply_ready = self.phase.takes.happens(&mut self.rng);
        let ready = core.reply_ready;
        if let Some(reply) = self.requests.take(&outputs.core.reply, ready)? {
            self.receive(&reply)?;
        }
        let merged = u32::from(outputs.core.merged);
        if merged > 0 && self.filter == Filter::None {
            return Err("an element is merged, but there is no filter".into());
        }
        self.gone += merged.count_ones();
        let c = &mut self.findings;
        c.count(Event::ReplyWaits, outputs.core.reply.valid && !ready);
        c.count(Event::Merged, merged > 0);
        let bundle = self.parameters.bundle;
        c.count(Event::BothMerge, merged >> bundle > 0 && merged % (1 << bundle) > 0);
        c.count(Event::Rich, outputs.ring.rich);
        self.ring(outputs, pins)?;
        self.ends(outputs, pins);
        Ok(())
    }

    /// At the end of a job: rest, then the next one.
    fn go_on(&mut self, pins: &mut IruPartitionIn) -> Result<(), String> {
        pins.job.start = false;
        let over = pins.ring.ending && pins.ring.all_empty && self.others_are_vacant();
        if !over || self.requests.outstanding > 0 {
            return Ok(());
        }
        if self.came != self.gone {
            return Err(format!("{} elements came, {} left or were merged", self.came, self.gone));
        }
        self.requests.rest += 1;
        if self.requests.rest > REST {
            self.findings.count(Event::Drained, self.was_left);
            // A long job began straight after a reset.
            self.is_long &= self.came == 0;
            self.start(pins);
        }
        Ok(())
    }
}

impl Stimulus for IruPartitionStimulus {
    type In = IruPartitionIn;
    type Out = IruPartitionOut;

    fn next(&mut self, outputs: &IruPartitionOut, pins: &mut IruPartitionIn) -> bool {
        if self.phase.begins(&mut self.rng) {
            self.begin_phase();
            if !self.is_long && self.resets() {
                self.reset();
                return true;
            }
        }
        self.age += 1;
        pins.partition = self.partition;
        let result = self.observe(outputs, pins).and_then(|()| self.go_on(pins));
        self.findings.check(result);
        self.ask(outputs, pins);
        false
    }

    fn coverage(&self) -> Coverage {
        [self.findings(), self.fetches.findings()].into_iter().flat_map(AnyFindings::coverage).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::play;
    use sim::units::iru::IruPartition;

    #[test]
    fn each_partition_comes_to_the_end_of_a_long_job() {
        let parameters = Parameters { partitions: 2, sets: 8, timeout: 16, requests: 16, ..Default::default() };
        let mut stimulus = IruPartitionStimulus::new(&parameters, 1);
        (stimulus.age, stimulus.long) = (LONG_BEHIND, 100_000);
        let mut sent = [0; 2];
        let is_over = |stimulus: &IruPartitionStimulus| stimulus.long_jobs == LONG_JOBS && !stimulus.is_long;
        play(IruPartition::new(&parameters).unwrap(), &mut stimulus, |stimulus, out| {
            for (sent, link) in sent.iter_mut().zip(&out.ring.link) {
                *sent |= if link.valid { link.item.first.element.position } else { 0 };
            }
            !is_over(stimulus) && stimulus.age < LONG_BEHIND + 500_000
        });
        assert_eq!((is_over(&stimulus), stimulus.violation()), (true, None));
        assert!(sent.iter().all(|bits| bits >> 16 & 1 == 1), "{sent:x?}");
    }
}
