//! Legal random inputs of `instruction_buffer`: lines for warps without a head, heads that are read and leave, and flushes.
//! Records are read in the order in which they were written.

use super::places::{all, any, those};
use super::records::Instruction;
use crate::stimulus::{events, Chance, Phases, Rng, Stimulus};
use sim::units::gw::pins::{BufferWrite, InstructionBufferIn, InstructionBufferOut};
use std::collections::VecDeque;

events! { InstructionBufferStimulus:
    Both = "a line of two records",
    SecondAlone = "a line of which slot 1 alone is wanted",
    ReadFirst = "the first of two records is read",
    ReadLast = "the last record of a warp is read",
    ReadTaken = "a head is read as it leaves",
    ReadAgain = "a head is read twice in cycles that follow each other",
    Taken = "a head leaves",
    FlushBoth = "a flush of two records",
    FlushOne = "a flush of one record",
    FlushNone = "a flush of nothing",
    FlushTaken = "a flush of a warp whose head leaves",
    FlushRead = "a flush of a warp whose head is read",
    WriteAtOnce = "a line for a warp whose last record left in the cycle before",
    AllAtOnce = "a write, a take, a flush and a read in one cycle",
    Full = "every warp has a head",
    Empty = "no warp has a head again",
    Reset = "reset with records inside",
}

#[derive(Default)]
pub struct InstructionBufferStimulus {
    rng: Rng,
    warps: usize,
    /// Chances of a write, a take, a flush and a read.
    phase: Phases<[u16; 4]>,
    queues: Vec<VecDeque<u128>>,
    due: Option<u128>,
    last_read: Option<usize>,
    /// Lost its last record in the cycle before.
    last_emptied: Option<usize>,
    findings: Findings,
}

const PHASES: [[u16; 4]; 6] = [
    [200, 200, 20, 200],
    [256, 0, 0, 128],
    [256, 256, 4, 256],
    [128, 256, 20, 128],
    [0, 200, 128, 100],
    [256, 100, 256, 256],
];

impl InstructionBufferStimulus {
    pub fn new(warps: usize, seed: u64) -> Self {
        InstructionBufferStimulus {
            rng: Rng::new(seed),
            warps,
            phase: Phases::new(&PHASES, 4..204, 16),
            queues: vec![VecDeque::with_capacity(2); warps],
            ..Default::default()
        }
    }

    fn with_head(&self) -> u64 {
        those(all(self.warps), |warp| !self.queues[warp].is_empty())
    }

    fn observe(&self, outputs: &InstructionBufferOut) -> Result<(), String> {
        if outputs.head_valid != self.with_head() {
            return Err(format!("heads are at {:#x}, due at {:#x}", outputs.head_valid, self.with_head()));
        }
        if outputs.record.get() != self.due {
            return Err(format!("{:x?} is read, due is {:x?}", outputs.record.get(), self.due));
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.with_head() != 0);
        self.queues.iter_mut().for_each(VecDeque::clear);
        (self.due, self.last_read, self.last_emptied) = (None, None, None);
    }

    /// A line for a warp without a head, which is not flushed.
    fn line(&mut self, flushed: Option<usize>) -> Option<BufferWrite> {
        let flushed = flushed.map_or(0, |warp| 1 << warp);
        let free = all(self.warps) & !self.with_head() & !flushed;
        let rng = &mut self.rng;
        let again = self.last_emptied.filter(|warp| free >> warp & 1 == 1 && rng.one_in(2));
        let warp = again.or_else(|| any(rng, free))?;
        let records = [0; 2].map(|_| {
            let scalar = rng.one_in(3);
            Instruction::any(rng, 64, scalar).record
        });
        Some(BufferWrite { warp: warp as u8, both: rng.below(4) > 0, records })
    }

    fn cycle(&mut self, pins: &mut InstructionBufferIn) {
        let [write, take, flush, read] = self.phase.map(|chance| Chance(chance).happens(&mut self.rng));
        let heads = self.with_head();
        let rng = &mut self.rng;
        let taken = any(rng, heads).filter(|_| take);
        let near = |rng: &mut Rng, warp: Option<usize>, others: u64| match warp {
            Some(warp) if rng.one_in(3) => Some(warp),
            _ => any(rng, others),
        };
        let read_warp = match self.last_read.filter(|warp| heads >> warp & 1 == 1 && rng.one_in(3)) {
            Some(warp) => Some(warp),
            None => near(rng, taken, heads),
        };
        let read_warp = read_warp.filter(|_| read);
        let beside = if rng.one_in(2) { taken } else { read_warp };
        let flushed = near(rng, beside, all(self.warps)).filter(|_| flush);
        let line = self.line(flushed).filter(|_| write);
        pins.write.show(&line);
        pins.take.show(&taken.map(|warp| warp as u8));
        pins.flush.show(&flushed.map(|warp| warp as u8));
        pins.read.show(&read_warp.map(|warp| warp as u8));
        self.count([taken, flushed, read_warp], &line);
        self.settle([taken, flushed, read_warp], &line);
    }

    fn count(&mut self, [taken, flushed, read]: [Option<usize>; 3], line: &Option<BufferWrite>) {
        let left = |warp: Option<usize>| warp.map(|warp| self.queues[warp].len());
        let c = &mut self.findings;
        c.count(Event::Both, line.is_some_and(|line| line.both));
        c.count(Event::SecondAlone, line.is_some_and(|line| !line.both));
        c.count(Event::WriteAtOnce, line.is_some_and(|line| self.last_emptied == Some(line.warp.into())));
        c.count(Event::ReadFirst, left(read) == Some(2));
        c.count(Event::ReadLast, left(read) == Some(1));
        c.count(Event::ReadTaken, read.is_some() && read == taken);
        c.count(Event::ReadAgain, read.is_some() && read == self.last_read);
        c.count(Event::Taken, taken.is_some());
        c.count(Event::FlushBoth, left(flushed) == Some(2));
        c.count(Event::FlushOne, left(flushed) == Some(1));
        c.count(Event::FlushNone, left(flushed) == Some(0));
        c.count(Event::FlushTaken, flushed.is_some() && flushed == taken);
        c.count(Event::FlushRead, flushed.is_some() && flushed == read);
        let all_at_once = [taken, flushed, read].iter().all(Option::is_some) && line.is_some();
        c.count(Event::AllAtOnce, all_at_once);
    }

    fn settle(&mut self, [taken, flushed, read]: [Option<usize>; 3], line: &Option<BufferWrite>) {
        self.due = read.and_then(|warp| self.queues[warp].front().copied());
        self.last_read = read;
        let had = self.with_head();
        if let Some(warp) = taken {
            self.queues[warp].pop_front();
        }
        if let Some(warp) = flushed {
            self.queues[warp].clear();
        }
        self.last_emptied = taken.filter(|warp| self.queues[*warp].is_empty());
        if let Some(line) = line {
            let from = if line.both { 0 } else { 1 };
            self.queues[usize::from(line.warp)].extend(&line.records[from..]);
        }
        let has = self.with_head();
        self.findings.count(Event::Full, has == all(self.warps));
        self.findings.count(Event::Empty, had != 0 && has == 0);
    }
}

impl Stimulus for InstructionBufferStimulus {
    type In = InstructionBufferIn;
    type Out = InstructionBufferOut;

    fn next(&mut self, outputs: &InstructionBufferOut, pins: &mut InstructionBufferIn) -> bool {
        self.findings.check(self.observe(outputs));
        if self.phase.next(&mut self.rng) {
            self.reset();
            return true;
        }
        self.cycle(pins);
        false
    }
}
