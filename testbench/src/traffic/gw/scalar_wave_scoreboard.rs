//! Legal random inputs of `scalar_wave_scoreboard`: waves issue with a SWID that is not used, and come to their end in any
//! order. What is cleared is what was issued, once.

use super::places::{all, any, those};
use super::records::Instruction;
use crate::traffic::{events, phases, Phases, Rng, Traffic};
use sim::units::gw::pins::{Clear, ScalarWaveScoreboardIn, ScalarWaveScoreboardOut};
use sim::units::gw::Parameters;

events! { ScalarWaveScoreboardTraffic:
    Issue = "a wave issues",
    Done = "a wave is over",
    Both = "a wave issues as another one is over",
    AtOnce = "a wave is over in the cycle after its issue",
    Again = "a SWID is used again in the cycle after its end",
    AllUsed = "all SWIDs are used",
    Emptied = "none is used again",
    WritesNothing = "a wave that writes nothing is over",
    WritesFour = "a wave that writes four registers is over",
    Stream = "waves are over in cycles that follow each other",
    Whole = "a wave of a whole group is over",
    LastGroup = "a wave of the last group is over",
    Reset = "reset with waves inside",
}

phases! {
    PHASES: Phase (issues, ends)
    (128, 128) (256, 256) (256, 20) (20, 256) (256, 0) (0, 256)
}

#[derive(Default)]
pub struct ScalarWaveScoreboardTraffic {
    rng: Rng,
    entries: usize,
    wave: usize,
    groups: u32,
    phase: Phases<Phase>,
    /// By SWID.
    waves: Vec<Option<Clear>>,
    clear: Option<Clear>,
    /// Of the cycle before: issued, over.
    last_issued: Option<usize>,
    last_over: Option<usize>,
    findings: Findings,
}

impl ScalarWaveScoreboardTraffic {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        ScalarWaveScoreboardTraffic {
            rng: Rng::new(seed),
            entries: parameters.swst,
            wave: parameters.wave,
            groups: (parameters.places() / parameters.wave) as u32,
            phase: Phases::new(PHASES, 4..104, 16),
            waves: vec![None; parameters.swst],
            ..Default::default()
        }
    }

    /// A bit for each SWID that is used.
    fn used(&self) -> u64 {
        those(all(self.entries), |swid| self.waves[swid].is_some())
    }

    fn observe(&self, outputs: &ScalarWaveScoreboardOut) -> Result<(), String> {
        if u64::from(outputs.busy) != self.used() {
            return Err(format!("busy is {:#x}, used are {:#x}", outputs.busy, self.used()));
        }
        if outputs.clear.get() != self.clear {
            return Err(format!("{:x?} is cleared, due is {:x?}", outputs.clear.get(), self.clear));
        }
        Ok(())
    }

    /// A wave that issues with this SWID.
    fn wave(&mut self, issues: bool) -> Option<(usize, Clear)> {
        let free = all(self.entries) & !self.used();
        let rng = &mut self.rng;
        let swid = any(rng, free).filter(|_| issues)?;
        let mask = if rng.one_in(4) { u64::MAX } else { rng.draw() | 1 << rng.below(self.wave as u32) };
        let mask = (mask & all(self.wave)) as u16;
        let writes = Instruction::any(rng, 64, true).write_list;
        Some((swid, Clear { group: rng.below(self.groups) as u8, mask, writes }))
    }

    fn count(&mut self, issued: Option<usize>, over: Option<usize>) {
        let clear = self.clear.unwrap_or_default();
        let c = &mut self.findings;
        c.count(Event::Issue, issued.is_some());
        c.count(Event::Done, over.is_some());
        c.count(Event::Both, issued.is_some() && over.is_some());
        c.count(Event::AtOnce, over.is_some() && over == self.last_issued);
        c.count(Event::Again, issued.is_some() && issued == self.last_over);
        c.count(Event::Stream, over.is_some() && self.last_over.is_some());
        if over.is_some() {
            c.count(Event::WritesNothing, clear.writes == 0);
            c.count(Event::WritesFour, clear.writes >> 27 == 1);
            c.count(Event::Whole, u64::from(clear.mask) == all(self.wave));
            c.count(Event::LastGroup, u32::from(clear.group) == self.groups - 1);
        }
        let used = self.waves.iter().flatten().count();
        self.findings.count(Event::AllUsed, used == self.entries);
        self.findings.count(Event::Emptied, used == 0 && over.is_some());
    }
}

impl Traffic for ScalarWaveScoreboardTraffic {
    type In = ScalarWaveScoreboardIn;
    type Out = ScalarWaveScoreboardOut;

    fn next(&mut self, outputs: &ScalarWaveScoreboardOut, pins: &mut ScalarWaveScoreboardIn) -> bool {
        self.findings.check(self.observe(outputs));
        if self.phase.next(&mut self.rng) {
            self.findings.count(Event::Reset, self.used() != 0);
            self.waves.fill(None);
            (self.clear, self.last_issued, self.last_over) = (None, None, None);
            return true;
        }
        let issues = self.phase.issues.happens(&mut self.rng);
        let ends = self.phase.ends.happens(&mut self.rng);
        let used = self.used();
        let over = any(&mut self.rng, used).filter(|_| ends);
        let wave = self.wave(issues);
        pins.done.show(&over.map(|swid| swid as u8));
        pins.issue_wave = wave.is_some();
        if let Some((swid, Clear { group, mask, writes })) = wave {
            (pins.issue_swid, pins.issue_group) = (swid as u8, group);
            (pins.issue_mask, pins.issue_writes) = (mask, writes);
        }
        self.clear = over.and_then(|swid| self.waves[swid].take());
        if let Some((swid, wave)) = wave {
            self.waves[swid] = Some(wave);
        }
        let issued = wave.map(|(swid, _)| swid);
        self.count(issued, over);
        (self.last_issued, self.last_over) = (issued, over);
        false
    }
}
