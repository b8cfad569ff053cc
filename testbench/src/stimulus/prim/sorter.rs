//! Legal random inputs of `sorter`: every set of items is legal.

use crate::stimulus::{events, Coverage, Rng, Stimulus};
use sim::units::prim::pins::{SorterPins, MAX_ITEMS};

events! { SorterStimulus:
    Random = "random items",
    ZeroOne = "items of two values",
    Few = "few distinct items",
    Ascending = "ascending items",
    Descending = "descending items",
    Equal = "equal items",
    Adjacent = "adjacent items",
    BackToBack = "sets in successive cycles",
    Gap = "a gap between two sets",
    ResetUnderWay = "reset with sets under way",
}

#[derive(Default)]
pub struct SorterStimulus {
    rng: Rng,
    items: usize,
    mask: u32,
    /// Cycles for which a set may be under way.
    latency: u32,
    /// Chance of a set in a cycle, in 256ths.
    density: u8,
    remaining: u32,
    /// Cycles since the last set.
    since_set: u32,
    findings: Findings,
}

impl SorterStimulus {
    pub fn new(items: usize, width: u32, latency: usize, seed: u64) -> Self {
        SorterStimulus {
            rng: Rng::new(seed),
            items,
            mask: u32::MAX >> (32 - width),
            latency: latency as u32,
            since_set: u32::MAX,
            ..Default::default()
        }
    }

    fn fill(&mut self, items: &mut [u32; MAX_ITEMS]) {
        let (mask, count) = (self.mask, self.items as u32);
        let base = self.rng.draw() as u32 & mask;
        let bits = self.rng.draw();
        let (low, high) = (base.min(bits as u32 & mask), base.max(bits as u32 & mask));
        let kind = self.rng.below(8);
        for (i, item) in (0..).zip(&mut items[..self.items]) {
            *item = match kind {
                0 => [low, high][(bits >> (32 + i % 32) & 1) as usize],
                1 => base ^ (self.rng.draw() as u32 & 3),
                2 => base.saturating_add(i).min(mask),
                3 => base.saturating_add(count - i).min(mask),
                4 => base,
                5 => base.wrapping_add(self.rng.below(count)) & mask,
                _ => self.rng.draw() as u32 & mask,
            };
        }
        let events = [Event::ZeroOne, Event::Few, Event::Ascending, Event::Descending, Event::Equal, Event::Adjacent];
        self.findings.count(events.get(kind as usize).copied().unwrap_or(Event::Random), true);
    }
}

impl Stimulus for SorterStimulus {
    type In = SorterPins;
    type Out = SorterPins;

    fn next(&mut self, _outputs: &SorterPins, pins: &mut SorterPins) -> bool {
        if self.remaining == 0 {
            self.remaining = 8 + self.rng.below(200);
            self.density = self.rng.any_of(&[0, 32, 128, 240, 255]);
            if self.rng.one_in(8) {
                self.findings.count(Event::ResetUnderWay, self.since_set < self.latency);
                self.since_set = u32::MAX;
                return true;
            }
        }
        self.remaining -= 1;
        pins.valid = (self.rng.draw() as u8) < self.density;
        if pins.valid {
            self.fill(&mut pins.items);
            self.findings.count(Event::BackToBack, self.since_set == 0);
            self.findings.count(Event::Gap, (1..self.latency).contains(&self.since_set));
        }
        self.since_set = if pins.valid { 0 } else { self.since_set.saturating_add(1) };
        false
    }

    fn coverage(&self) -> Coverage {
        self.findings.coverage_without(&[(self.latency == 1, &[Event::Gap])])
    }
}
