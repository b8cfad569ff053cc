//! The surroundings of `iru`: a memory that answers the prefetches late and in any order, and cores that ask for elements. It keeps
//! to the rules for the inputs, and checks what a program relies on: every line is fetched once, by its own partition; what was
//! offered stays until it is taken; elements come out of the partition that their hash names, each position at most once; every
//! request is answered; and in the end every element was delivered or merged, with the minima and sums that belong to it.

use super::home::{home, Home};
use sim::graph::SplitMix64;
use sim::units::iru::element::{Access, Element, Filter, Job, GROUP, INDEX_MASK, LINE};
use sim::units::iru::pins::{CoreIn, CoreOut, IruIn, IruOut, LineRequest, Offer, Reply, SectorData};
use sim::units::iru::Parameters;
use std::collections::BTreeMap;

/// Numbers that tell requests apart: what a request has besides its lanes.
const IDS: usize = 1 << 11;
/// Cycles in which the unit is left alone before a job starts, without ways between the partitions.
const REST: usize = 16;

/// Job that is played, and its pace. Numbers are chosen at random, by `seed`.
#[derive(Clone, Debug)]
pub struct Play {
    pub seed: u64,
    pub job: Job,
    /// As many as the job has elements. Of a job that is not played to its end the first ones are enough.
    pub indices: Vec<u32>,
    /// As many as indices if the job is with secondary.
    pub secondaries: Vec<u32>,
    /// Sums depend on their order. Else they are exact in any.
    pub rounds: bool,
    /// Cycles that memory takes at most.
    pub delay: usize,
    /// Requests on their way at most.
    pub outstanding: usize,
    /// Every request asks for 32 lanes, or for 1 to 32.
    pub whole_warps: bool,
    /// The partition that all requests go to, or any.
    pub asked: Option<usize>,
    /// A request is made in one of so many cycles, a reply taken, and a line request accepted in one of so many.
    pub every: [usize; 3],
}

impl Play {
    /// A job over these arrays, with requests as fast as they go.
    pub fn new(indices: Vec<u32>, secondaries: Vec<u32>, filter: Filter) -> Self {
        let job = Job {
            index_line: 0x10_000,
            secondary_line: 0x4_000_000,
            with_secondary: !secondaries.is_empty(),
            count: indices.len() as u32,
            access: Access { target: 0x1_2345_6780, size: 2 },
            filter,
        };
        Play {
            seed: 1,
            job,
            indices,
            secondaries,
            rounds: false,
            delay: 60,
            outstanding: 256,
            whole_warps: false,
            asked: None,
            every: [2, 1, 1],
        }
    }
}

/// Counts so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub cycles: u64,
    pub requests: u64,
    pub delivered: u64,
    pub merged: u64,
    /// Lanes that got nothing.
    pub disabled: u64,
    /// Parts of requests that were served by a partition which then sent the rest on.
    pub parts: u64,
    /// Requests that were completed by another partition than that which was asked.
    pub forwarded: u64,
    /// Parts with elements of more than one set.
    pub mixed: u64,
    /// Pairs of partitions (fetched by, delivered by), a bit each: 4 x fetched by + delivered by.
    pub ways: u16,
}

#[derive(Clone, Copy, Debug, Default)]
struct Request {
    lanes: u8,
    asked: u8,
    got: u8,
    /// Lanes that were still to be served where it was completed, and how many of them were.
    last: Option<(u8, u8)>,
}

/// A part of a reply that has not ended.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    request: Option<u16>,
    got: u8,
    set: Option<Home>,
    mixed: bool,
}

#[derive(Clone, Debug)]
struct Pending {
    due: u64,
    data: SectorData,
}

/// One partition's side of the cores and of memory.
#[derive(Clone, Debug, Default)]
struct Side {
    pending: Vec<Pending>,
    part: Part,
    /// Offered in the cycle before and not taken.
    kept_line: Option<LineRequest>,
    kept_reply: Option<Reply>,
    /// The request on the pins has not been taken.
    keeps_request: bool,
}

pub struct Player {
    parameters: Parameters,
    play: Play,
    random: SplitMix64,
    sides: Vec<Side>,
    /// Cycles until the job starts.
    start_in: usize,
    /// Lines that were asked for: of the index array, of the secondary array.
    fetched: [Vec<bool>; 2],
    /// Lanes that no request has asked for yet.
    unasked: u32,
    free: Vec<u16>,
    requests: Vec<Option<Request>>,
    delivered: Vec<Option<Element>>,
    tally: Tally,
}

impl Player {
    pub fn new(parameters: &Parameters, play: &Play) -> Self {
        let count = play.job.count as usize;
        let lines = count.div_ceil(LINE);
        let mut random = SplitMix64(play.seed);
        let mut free: Vec<u16> = (0..IDS as u16).collect();
        for i in 1..IDS {
            free.swap(i, random.below(i + 1));
        }
        Player {
            parameters: *parameters,
            play: play.clone(),
            random,
            sides: vec![Side::default(); parameters.partitions],
            start_in: REST + 2 * parameters.link,
            fetched: [vec![false; lines], vec![false; lines]],
            unasked: count as u32,
            free,
            requests: vec![None; IDS],
            delivered: vec![None; play.indices.len()],
            tally: Tally::default(),
        }
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Every lane has been asked for and answered, and every element is accounted for.
    pub fn is_finished(&self) -> bool {
        let answered = self.unasked == 0 && self.free.len() == IDS;
        answered && self.tally.delivered + self.tally.merged == self.play.indices.len() as u64
    }

    /// The inputs of the cycle in which the outputs are `out`.
    pub fn drive(&mut self, out: &IruOut, pins: &mut IruIn) -> Result<(), String> {
        self.tally.cycles += 1;
        pins.job.start = false;
        if self.start_in > 0 {
            self.start_in -= 1;
            if self.start_in == 0 {
                pins.job = self.play.job.start();
            }
        }
        for p in 0..self.sides.len() {
            let what = |text: String| format!("cycle {}, partition {p}: {text}", self.tally.cycles);
            let (out, pins) = (&out.partitions[p], &mut pins.partitions[p]);
            self.check_kept(p, out).map_err(what)?;
            self.serve_memory(p, out, pins).map_err(|text| format!("partition {p}: {text}"))?;
            self.take_reply(p, out, pins).map_err(|text| format!("partition {p}: {text}"))?;
            self.tally.merged += out.merged.count_ones() as u64;
            self.make_request(p, out, pins);
        }
        Ok(())
    }

    fn one_in(&mut self, number: usize) -> bool {
        self.random.below(number) == 0
    }

    /// Offers that were not taken must still be there.
    fn check_kept(&self, p: usize, out: &CoreOut) -> Result<(), String> {
        let Side { kept_line, kept_reply, .. } = &self.sides[p];
        if kept_line.is_some() && *kept_line != out.line.get() {
            return Err(format!("{kept_line:?} is gone: {:?}", out.line));
        }
        if kept_reply.is_some() && *kept_reply != out.reply.get() {
            return Err(format!("{kept_reply:?} is gone: {:?}", out.reply));
        }
        Ok(())
    }

    fn serve_memory(&mut self, p: usize, out: &CoreOut, pins: &mut CoreIn) -> Result<(), String> {
        let now = self.tally.cycles;
        pins.mem_ready = self.one_in(self.play.every[2]);
        let request = out.line.get();
        self.sides[p].kept_line = request.filter(|_| !pins.mem_ready);
        pins.sector.valid = false;
        let due = |pending: &Pending| pending.due <= now;
        if let Some(at) = self.sides[p].pending.iter().position(due) {
            pins.sector = Offer::some(self.sides[p].pending.swap_remove(at).data);
        }
        match request {
            Some(request) if pins.mem_ready => self.fetch(p, &request),
            _ => Ok(()),
        }
    }

    fn fetch(&mut self, p: usize, request: &LineRequest) -> Result<(), String> {
        let Job { index_line, secondary_line, count, .. } = self.play.job;
        let array = (request.tag & 1) as usize;
        let first = if array == 1 { secondary_line } else { index_line };
        let chunk = request.line.wrapping_sub(first) as usize;
        let owner = chunk / self.parameters.interleave % self.parameters.partitions;
        let fetched = self.fetched[array].get_mut(chunk).ok_or_else(|| format!("{request:?} is beyond the array"))?;
        let wanted = (count - (LINE * chunk) as u32).min(LINE as u32).div_ceil(GROUP as u32);
        if *fetched || owner != p || request.sectors as u32 != wanted || array == 1 && !self.play.job.with_secondary {
            return Err(format!("{request:?}: fetched {fetched}, of partition {owner}, {wanted} sectors"));
        }
        *fetched = true;
        for sector in 0..request.sectors {
            let words = std::array::from_fn(|i| self.word(array, LINE * chunk + GROUP * sector as usize + i));
            let due = self.tally.cycles + 1 + self.random.below(self.play.delay) as u64;
            let data = SectorData { tag: request.tag, sector, words };
            self.sides[p].pending.push(Pending { due, data });
        }
        Ok(())
    }

    /// Word of memory: above an index, and after the arrays, anything.
    fn word(&mut self, array: usize, at: usize) -> u32 {
        let anything = self.random.draw() as u32;
        let of = if array == 1 { &self.play.secondaries } else { &self.play.indices };
        match of.get(at) {
            Some(word) if array == 1 => *word,
            Some(index) => anything & !INDEX_MASK | index,
            None => anything,
        }
    }

    fn take_reply(&mut self, p: usize, out: &CoreOut, pins: &mut CoreIn) -> Result<(), String> {
        pins.reply_ready = self.one_in(self.play.every[1]);
        let reply = out.reply.get();
        self.sides[p].kept_reply = reply.filter(|_| !pins.reply_ready);
        match reply {
            Some(reply) if pins.reply_ready => self.receive(p, &reply),
            _ => Ok(()),
        }
    }

    fn receive(&mut self, p: usize, reply: &Reply) -> Result<(), String> {
        let id = (reply.request >> 5) as usize;
        let mut request = self.requests[id].ok_or_else(|| format!("nobody asked for {reply:?}"))?;
        let mut part = self.sides[p].part;
        if part.request.is_some_and(|other| other != reply.request) || reply.last && !reply.end {
            return Err(format!("{reply:?} within {part:?}"));
        }
        part.request = Some(reply.request);
        for (j, element) in reply.elements.iter().enumerate() {
            if reply.mask >> j & 1 == 1 {
                part.got += 1;
                let set = self.deliver(p, element)?;
                part.mixed |= part.set.is_some_and(|other| other != set);
                part.set = Some(set);
            } else if *element != Element::default() {
                return Err(format!("{reply:?}: element {j} is not 0"));
            }
        }
        let lanes = (reply.request % LINE as u16) as u8 + 1;
        if part.got > lanes {
            return Err(format!("{reply:?}: {} elements", part.got));
        }
        if reply.end {
            request.got += part.got;
            self.tally.mixed += part.mixed as u64;
            if reply.last {
                if part.got < lanes && reply.mask != 0 || request.last.is_some() {
                    return Err(format!("{reply:?} after {part:?} completes {request:?}"));
                }
                request.last = Some((lanes, part.got));
                self.tally.forwarded += (request.asked as usize != p) as u64;
            } else {
                self.tally.parts += 1;
            }
            part = Part::default();
        }
        self.sides[p].part = part;
        self.requests[id] = Some(request);
        self.settle(id, &request);
        Ok(())
    }

    /// The request is answered when what was served before its last part has come too.
    fn settle(&mut self, id: usize, request: &Request) {
        if let Some((stood, got)) = request.last {
            if request.got == request.lanes - stood + got {
                self.tally.disabled += (stood - got) as u64;
                self.requests[id] = None;
                self.free.push(id as u16);
            }
        }
    }

    /// An element comes; the set where it was.
    fn deliver(&mut self, p: usize, element: &Element) -> Result<Home, String> {
        let place = home(&self.parameters, element, &self.play.job.access);
        let at = element.position as usize;
        let index = self.play.indices.get(at).ok_or_else(|| format!("{element:?}: no such position"))?;
        if self.delivered[at].is_some() || *index != element.index || place.partition as usize != p {
            return Err(format!("{element:?} of {place:?}; its index was {index}, before: {:?}", self.delivered[at]));
        }
        self.delivered[at] = Some(*element);
        self.tally.delivered += 1;
        let fetched_by = at / LINE / self.parameters.interleave % self.parameters.partitions;
        self.tally.ways |= 1 << (4 * fetched_by + p);
        Ok(place)
    }

    fn make_request(&mut self, p: usize, out: &CoreOut, pins: &mut CoreIn) {
        if !self.sides[p].keeps_request {
            pins.request.valid = false;
            self.choose_request(p, pins);
        }
        self.sides[p].keeps_request = pins.request.valid && !out.request_ready;
    }

    fn choose_request(&mut self, p: usize, pins: &mut CoreIn) {
        let asked = self.play.asked.is_none_or(|asked| asked == p);
        let room = IDS - self.free.len() < self.play.outstanding.min(self.parameters.requests);
        if self.start_in > 0 || self.unasked == 0 || !asked || !room || !self.one_in(self.play.every[0]) {
            return;
        }
        let most = self.unasked.min(LINE as u32);
        let lanes = if self.play.whole_warps { most } else { 1 + self.random.below(most as usize) as u32 };
        let Some(id) = self.free.pop() else { return };
        self.unasked -= lanes;
        self.tally.requests += 1;
        self.requests[id as usize] = Some(Request { lanes: lanes as u8, asked: p as u8, ..Default::default() });
        pins.request = Offer::some(id << 5 | (lanes as u16 - 1));
    }

    /// Verdict on all elements that came out. Sums are compared exactly, or with the largest error of roundings.
    pub fn verdict(&self) -> Result<(), String> {
        let Play { job, indices, secondaries, .. } = &self.play;
        let mut wanted: BTreeMap<u32, Fate> = BTreeMap::new();
        for (at, index) in indices.iter().enumerate() {
            let secondary = secondaries.get(at).copied().unwrap_or_default();
            wanted.entry(*index).or_default().add(secondary);
        }
        let mut came: BTreeMap<u32, Fate> = BTreeMap::new();
        for (at, element) in self.delivered.iter().enumerate() {
            let Some(element) = element else { continue };
            let secondary = secondaries.get(at).copied().unwrap_or_default();
            if job.filter != Filter::Addition && element.secondary != secondary {
                return Err(format!("{element:?}: its secondary was {secondary}"));
            }
            came.entry(element.index).or_default().add(element.secondary);
        }
        if wanted.len() != came.len() {
            return Err(format!("{} indices went, {} came", wanted.len(), came.len()));
        }
        for (index, wanted) in &wanted {
            let came = came.get(index).copied().unwrap_or_default();
            let holds = match job.filter {
                Filter::None => came.number == wanted.number,
                Filter::Minimum => came.smallest == wanted.smallest,
                Filter::Addition if self.play.rounds => (came.sum - wanted.sum).abs() <= wanted.largest_error(),
                Filter::Addition => came.sum == wanted.sum,
            };
            if !holds {
                return Err(format!("index {index}: {wanted:?} went, {came:?} came"));
            }
        }
        let lanes = self.tally.delivered + self.tally.disabled;
        let all = lanes == indices.len() as u64 && self.tally.disabled == self.tally.merged;
        all.then_some(()).ok_or_else(|| format!("{} elements, {:?}", indices.len(), self.tally))
    }
}

/// All elements of an index, together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Fate {
    number: u32,
    smallest: Option<u32>,
    sum: f64,
    /// Sum of the magnitudes.
    magnitude: f64,
}

impl Fate {
    fn add(&mut self, secondary: u32) {
        self.number += 1;
        self.smallest = Some(self.smallest.map_or(secondary, |other| other.min(secondary)));
        self.sum += f32::from_bits(secondary) as f64;
        self.magnitude += f32::from_bits(secondary).abs() as f64;
    }

    /// Largest error of a sum of numbers of 32 bits in any order: each addition rounds by half a unit of a partial sum
    /// at most, which the magnitudes bound. Twice that leaves room for what the roundings add to the partial sums.
    fn largest_error(&self) -> f64 {
        f64::from(self.number) * f64::from(f32::EPSILON) * self.magnitude
    }
}

#[cfg(test)]
mod tests;
