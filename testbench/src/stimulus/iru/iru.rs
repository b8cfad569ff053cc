//! Legal random inputs of `iru`: one job after the other, each with its own arrays, filter, cores and memory, played and checked by
//! [`Player`]. It expects each element at the home that the definition of the hash names.

use super::addends::Addends;
use super::elements::{self, Indices, FILTERS, LONG, LONG_BEHIND};
use super::player::{Play, Player};
use crate::stimulus::{events, Rng, Stimulus};
use sim::units::iru::element::{Access, Filter, Job, INDEX_BITS, INDEX_MASK};
use sim::units::iru::pins::{IruIn, IruOut};
use sim::units::iru::Parameters;

events! { IruStimulus:
    NoFilter = "a job without filter",
    Minimum = "a job with minima",
    Addition = "a job with sums",
    Rounded = "a job with sums that are rounded",
    IndicesAlone = "a job without secondary array",
    Endless = "a job of more elements than a reset lets it fetch",
    Single = "a job of one element",
    Restarted = "another filter than in the job before",
    Merged = "a job with merged elements",
    Disabled = "a job with disabled lanes",
    EmptyReply = "a reply without elements",
    Forwarded = "a job with requests that another partition completed",
    Parts = "a job with replies of several partitions",
    Mixed = "a job with a reply from several sets",
    AllWays = "a job in which elements go from every partition to every other",
    LineWaits = "a line request waits",
    ReplyWaits = "a reply waits",
    RequestWaits = "a request waits",
    AllReply = "all partitions reply in one cycle",
    BothMerge = "both banks of a partition merge in one cycle",
    AllMerge = "all partitions merge in one cycle",
    Reset = "reset within a job",
}

/// Cycles that a job may take beside those that its elements need, and those that each may need.
const BASE: u64 = 30_000;
const EACH: u64 = 60;

/// Cycles after which a reset has ended a job of very many elements, and more than all prefetchers fetch until then.
const ENDLESS: u32 = 600;
const FIRST: usize = 8_192;

/// Indices of a long job: enough for all sets.
const LONG_INDICES: u32 = 1 << 20;
/// A run's long jobs: filter, elements.
const LONG_JOBS: [(Filter, u32); 2] = [(Filter::Minimum, (1 << 19) + (1 << 16)), (Filter::None, LONG)];

pub struct IruStimulus {
    rng: Rng,
    parameters: Parameters,
    player: Player,
    filter: Filter,
    count: usize,
    /// Cycles by which the job ends.
    most: u64,
    /// Whose turn it is of the largest count, the one below it and any.
    endless_jobs: u32,
    /// Cycle of the job in which the unit is reset.
    reset_in: Option<u64>,
    /// The run's long jobs, how many have begun, and cycles of the run.
    long: [(Filter, u32); 2],
    long_jobs: usize,
    age: u64,
    findings: Findings,
}

impl IruStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut stimulus = IruStimulus {
            rng: Rng::new(seed),
            parameters: *parameters,
            player: Player::new(parameters, &Play::new(Vec::new(), Vec::new(), Filter::None)),
            filter: Filter::None,
            count: 0,
            most: 0,
            endless_jobs: (seed % 3) as u32,
            reset_in: None,
            long: LONG_JOBS,
            long_jobs: 0,
            age: 0,
            findings: Findings::default(),
        };
        stimulus.start();
        stimulus
    }

    /// As many elements as the sets hold several times, or few.
    fn count(&mut self) -> usize {
        let all = (self.parameters.partitions * self.parameters.sets * 32) as u32;
        1 + match self.rng.below(4) {
            0 => self.rng.below(40),
            1 => self.rng.below(300),
            2 => self.rng.below(all / 2),
            _ => self.rng.below(2 * all.min(4_000)),
        } as usize
    }

    /// Indices in runs, as in an edge list: each run draws from one range, or from that of the first run.
    fn indices(&mut self, count: usize) -> Vec<u32> {
        let all = Indices::any(&mut self.rng);
        let mut run = all;
        (0..count)
            .map(|_| {
                if self.rng.one_in(100) {
                    run = if self.rng.one_in(2) { all } else { Indices::any(&mut self.rng) };
                }
                run.draw(&mut self.rng)
            })
            .collect()
    }

    fn start(&mut self) {
        match self.long.get(self.long_jobs) {
            Some(&(filter, count)) if self.age > LONG_BEHIND => {
                self.long_jobs += 1;
                self.start_long(filter, count);
            }
            _ => self.start_any(),
        }
    }

    /// As fast as it goes.
    fn start_long(&mut self, filter: Filter, count: u32) {
        let indices = (0..count).map(|_| self.rng.below(LONG_INDICES)).collect();
        let secondaries = if filter == Filter::None { 0 } else { count };
        let secondaries = (0..secondaries).map(|_| elements::secondary(&mut self.rng)).collect();
        let mut play = Play::new(indices, secondaries, filter);
        play.job.access = Access { size: 2, ..elements::access(&mut self.rng) };
        play.job.index_line = self.rng.draw() as u32;
        play.job.secondary_line = play.job.index_line ^ 1 << 31;
        play.seed = self.rng.draw();
        (play.delay, play.outstanding, play.whole_warps, play.every) = (1, 4_096, true, [1; 3]);
        (self.filter, self.count, self.reset_in) = (filter, count as usize, None);
        self.most = BASE + EACH * u64::from(count);
        self.player = Player::new(&self.parameters, &play);
    }

    fn start_any(&mut self) {
        let filter = FILTERS[self.rng.below(3) as usize];
        // A reset ends a job of very many elements, of which memory holds the first ones.
        let is_endless = self.rng.one_in(24);
        let count = match self.rng.below(16) {
            _ if is_endless => FIRST,
            0 => 1,
            _ => self.count(),
        };
        let indices = self.indices(count);
        let alone = filter == Filter::None && self.rng.one_in(2);
        let rng = &mut self.rng;
        let addends = (filter == Filter::Addition).then(|| Addends::draw(rng, count));
        let rounds = addends.as_ref().is_some_and(Addends::round);
        let secondary = |rng: &mut Rng| match &addends {
            Some(addends) => addends.next(rng),
            None => elements::secondary(rng),
        };
        let secondaries = (0..if alone { 0 } else { count }).map(|_| secondary(rng)).collect();
        let mut play = Play { rounds, ..Play::new(indices, secondaries, filter) };
        let access = elements::access(rng);
        // Far from each other: the arrays do not meet.
        let index_line = rng.draw() as u32;
        let secondary_line = index_line ^ 1 << 31 ^ rng.draw() as u32 >> 2;
        let any_count = 1 + rng.below(1 << INDEX_BITS);
        let all = match self.endless_jobs % 3 {
            _ if !is_endless => count as u32,
            0 => 1 << INDEX_BITS,
            1 => INDEX_MASK,
            _ => any_count.max(count as u32),
        };
        self.endless_jobs += u32::from(is_endless);
        play.job = Job { access, index_line, secondary_line, count: all, ..play.job };
        play.seed = rng.draw();
        play.delay = rng.any_of(&[1, 20, 100, 400]);
        play.outstanding = rng.any_of(&[1, 8, 64, 4_096]);
        play.whole_warps = rng.one_in(2);
        play.asked = rng.one_in(3).then(|| rng.below(self.parameters.partitions as u32) as usize);
        let slow = |rng: &mut Rng| rng.any_of(&[1, 1, 2, 8]);
        play.every = [slow(rng) * slow(rng), slow(rng), slow(rng)];
        let slowest: u64 = play.every.iter().map(|&every| every as u64).sum();
        self.most = BASE + EACH * count as u64 * slowest + 2 * u64::from(self.parameters.timeout) * count as u64;
        let resets = rng.one_in(12);
        let before_the_end = if is_endless { ENDLESS } else { 20 + 2 * count as u32 };
        self.reset_in = (resets || is_endless).then(|| 20 + u64::from(rng.below(before_the_end)));
        self.player = Player::new(&self.parameters, &play);
        self.findings.count(Event::Restarted, filter != self.filter);
        self.findings.count(Event::IndicesAlone, alone);
        self.findings.count(Event::Rounded, rounds);
        self.findings.count(Event::Endless, is_endless);
        (self.filter, self.count) = (filter, count);
    }

    fn end(&mut self) -> Result<(), String> {
        self.player.verdict()?;
        let tally = *self.player.tally();
        let partitions = self.parameters.partitions as u16;
        let row = (1 << partitions) - 1;
        let all = (0..partitions).fold(0, |all, p| all | row << (4 * p));
        let c = &mut self.findings;
        c.count([Event::NoFilter, Event::Minimum, Event::Addition][self.filter as usize], true);
        c.count(Event::Single, self.count == 1);
        c.count(Event::Merged, tally.merged > 0);
        c.count(Event::Disabled, tally.disabled > 0);
        c.count(Event::Forwarded, tally.forwarded > 0);
        c.count(Event::Parts, tally.parts > 0);
        c.count(Event::Mixed, tally.mixed > 0);
        c.count(Event::AllWays, tally.ways == all);
        Ok(())
    }

    fn observe(&mut self, outputs: &IruOut, pins: &IruIn) {
        let both = outputs.partitions.iter().zip(&pins.partitions);
        let (c, bundle) = (&mut self.findings, self.parameters.bundle);
        for (out, pins) in both {
            c.count(Event::LineWaits, out.line.valid && !pins.mem_ready);
            c.count(Event::ReplyWaits, out.reply.valid && !pins.reply_ready);
            c.count(Event::RequestWaits, pins.request.valid && !out.request_ready);
            c.count(Event::BothMerge, out.merged >> bundle > 0 && out.merged % (1 << bundle) > 0);
            let reply = &out.reply;
            c.count(Event::EmptyReply, reply.valid && reply.item.last && reply.item.mask == 0);
        }
        c.count(Event::AllReply, outputs.partitions.iter().all(|out| out.reply.valid));
        c.count(Event::AllMerge, outputs.partitions.iter().all(|out| out.merged > 0));
    }

    fn drive(&mut self, outputs: &IruOut, pins: &mut IruIn) -> Result<(), String> {
        self.player.drive(outputs, pins)?;
        self.observe(outputs, pins);
        if self.player.is_finished() {
            self.end()?;
            self.start();
        } else if self.player.tally().cycles > self.most {
            return Err(format!("no end of {} elements: {:?}", self.count, self.player.tally()));
        }
        Ok(())
    }
}

impl Stimulus for IruStimulus {
    type In = IruIn;
    type Out = IruOut;

    fn next(&mut self, outputs: &IruOut, pins: &mut IruIn) -> bool {
        self.age += 1;
        if self.reset_in.is_some_and(|cycle| self.player.tally().cycles >= cycle) {
            self.findings.count(Event::Reset, true);
            self.start();
            pins.clear();
            return true;
        }
        let result = self.drive(outputs, pins);
        self.findings.check(result);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::play;
    use sim::units::iru::Iru;

    #[test]
    fn long_jobs_come_to_their_end() {
        let parameters = Parameters { partitions: 2, sets: 8, timeout: 16, requests: 16, ..Default::default() };
        let mut stimulus = IruStimulus::new(&parameters, 1);
        (stimulus.age, stimulus.long) = (LONG_BEHIND, [(Filter::Minimum, 50_000), (Filter::None, 100_000)]);
        let is_over = |stimulus: &IruStimulus| stimulus.long_jobs == 2 && stimulus.count < stimulus.long[1].1 as usize;
        play(Iru::new(&parameters).unwrap(), &mut stimulus, |stimulus, _| {
            !is_over(stimulus) && stimulus.age < LONG_BEHIND + 500_000
        });
        assert_eq!((is_over(&stimulus), stimulus.violation()), (true, None));
    }
}
