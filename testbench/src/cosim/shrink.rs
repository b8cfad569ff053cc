//! A trace that fails, made as short as it goes, by delta debugging (Zeller and Hildebrandt, IEEE TSE 28, 2002).
//!
//! `proptest` would draw the inputs again after each cut, but stimulus answers to the outputs that it sees. What is cut here are inputs
//! that were recorded, and the model says whether they are still legal.

use super::{Cosim, Cycle};
use crate::error::{Error, Result};
use crate::input_log::InputLog;
use crate::trace::{self, Trace};
use serde::Serialize;
use sim::unit::{words, Pin};
use std::cell::OnceCell;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Cycles that all attempts together may take.
const MOST: u64 = 1 << 24;

/// How a trace fails. Cuts may make inputs that break a rule of the RTL's pins: that is another failure than a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    Difference,
    BrokenRule,
}

/// A trace with the fewest cycles that were found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Minimal {
    pub trace: PathBuf,
    pub cycles: u64,
}

impl Cosim {
    /// Makes a trace of this unit shorter, and its inputs low, as long as RTL and model still differ, or, if that is how it fails, a
    /// rule of the RTL still breaks. Cycles in which the unit settles stay. The result is the file `minimal`. `None`: the trace does not fail.
    ///
    /// # Errors
    /// A trace that cannot be read, or a file that cannot be written.
    pub fn shrink(&self, trace: &Path, minimal: &Path) -> Result<Option<Minimal>> {
        let interface = self.model.interface();
        let Trace { subject, mut log } = Trace::read(trace, interface)?;
        let mut cycles = vec![];
        log.replay(|reset, inputs, length| {
            cycles.extend((0..length).map(|_| (reset, inputs.to_vec())));
            Ok::<(), Error>(())
        })?;
        let rest = cycles.split_off(cycles.len().min(self.fixture.settling() as usize));
        let failure = OnceCell::new();
        let fails_after = |rest: &[Cycle]| {
            let after = self.fixture.fails_after(self, subject.seed, &[&cycles, rest].concat())?;
            let same = after.filter(|(_, how)| how == failure.get_or_init(|| *how));
            Ok(same.map(|(after, _)| after.saturating_sub(cycles.len())))
        };
        let Some(rest) = shrunk(rest, &places(&interface.inputs), &fails_after)? else {
            return Ok(None);
        };
        cycles.extend(rest);
        let mut log = InputLog::new(words(&interface.inputs));
        cycles.iter().for_each(|(reset, inputs)| log.append(*reset, inputs));
        trace::write(minimal, &subject, interface, &mut log)?;
        Ok(Some(Minimal { trace: minimal.into(), cycles: cycles.len() as u64 }))
    }
}

/// Where the words of each pin are.
fn places(pins: &[Pin]) -> Vec<Range<usize>> {
    let first = |place: usize| words(&pins[..place]);
    (0..pins.len()).map(|place| first(place)..first(place + 1)).collect()
}

/// After how many of the cycles they fail.
type FailsAfter<'a> = &'a dyn Fn(&[Cycle]) -> Result<Option<usize>>;

/// The shortest cycles that were found and that fail still; `None`: these do not.
fn shrunk(cycles: Vec<Cycle>, pins: &[Range<usize>], fails_after: FailsAfter) -> Result<Option<Vec<Cycle>>> {
    let mut shrinking = Shrinking { cycles: vec![], left: MOST.max(cycles.len() as u64), fails_after };
    if !shrinking.attempt(cycles)? {
        return Ok(None);
    }
    shrinking.drop_beginning()?;
    shrinking.drop_parts()?;
    shrinking.quieten(pins)?;
    shrinking.drop_parts()?;
    Ok(Some(shrinking.cycles))
}

struct Shrinking<'a> {
    /// They fail after the last one.
    cycles: Vec<Cycle>,
    left: u64,
    fails_after: FailsAfter<'a>,
}

impl Shrinking<'_> {
    /// Takes these cycles if they fail.
    fn attempt(&mut self, cycles: Vec<Cycle>) -> Result<bool> {
        self.left = self.left.saturating_sub(cycles.len() as u64);
        if self.left == 0 && !self.cycles.is_empty() {
            return Ok(false);
        }
        let Some(after) = (self.fails_after)(&cycles)? else { return Ok(false) };
        self.cycles = cycles;
        self.cycles.truncate(after);
        Ok(true)
    }

    /// The last cycles alone: the fewest, in powers of two.
    fn drop_beginning(&mut self) -> Result<()> {
        let mut kept = 1;
        while kept < self.cycles.len() {
            let end = self.cycles[self.cycles.len() - kept..].to_vec();
            if self.attempt(end)? {
                break;
            }
            kept *= 2;
        }
        Ok(())
    }

    /// Smaller and smaller parts, until no cycle can go alone.
    fn drop_parts(&mut self) -> Result<()> {
        let mut size = self.cycles.len().div_ceil(2);
        while size > 0 && self.left > 0 {
            let before = self.cycles.len();
            self.drop_parts_of(size)?;
            let again = size == 1 && self.cycles.len() < before;
            size = if again { 1 } else { size / 2 };
        }
        Ok(())
    }

    fn drop_parts_of(&mut self, size: usize) -> Result<()> {
        let mut from = 0;
        while from < self.cycles.len() {
            let behind = (from + size).min(self.cycles.len());
            let rest = [&self.cycles[..from], &self.cycles[behind..]].concat();
            if !self.attempt(rest)? {
                from += size;
            }
        }
        Ok(())
    }

    /// Pins are low where they need not be high: in all cycles, or else in some.
    fn quieten(&mut self, pins: &[Range<usize>]) -> Result<()> {
        for pin in pins {
            if self.lower(0..self.cycles.len(), pin)? {
                continue;
            }
            let mut cycle = 0;
            while cycle < self.cycles.len() {
                self.lower(cycle..cycle + 1, pin)?;
                cycle += 1;
            }
        }
        Ok(())
    }

    /// True: a pin is low in these cycles from now on.
    fn lower(&mut self, range: Range<usize>, pin: &Range<usize>) -> Result<bool> {
        let is_high = |(_, inputs): &Cycle| inputs[pin.clone()].iter().any(|&word| word != 0);
        if !self.cycles[range.clone()].iter().any(is_high) {
            return Ok(true);
        }
        let mut cycles = self.cycles.clone();
        cycles[range].iter_mut().for_each(|(_, inputs)| inputs[pin.clone()].fill(0));
        self.attempt(cycles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter that must not come to 3: pin 0 counts, pin 1 clears, and pin 2 with pin 0 is not legal.
    fn counts_to_three(cycles: &[Cycle]) -> Result<Option<usize>> {
        let mut count = 0;
        for (i, (reset, inputs)) in cycles.iter().enumerate() {
            let [push, clear, other] = [0, 1, 2].map(|pin| inputs[pin] != 0);
            if *reset || clear {
                count = 0;
            } else if push && other {
                return Ok(None);
            } else {
                count += u32::from(push);
            }
            if count == 3 {
                return Ok(Some(i + 1));
            }
        }
        Ok(None)
    }

    fn cycle(push: u64, clear: u64, other: u64) -> Cycle {
        (false, vec![push, clear, other])
    }

    const PINS: [Range<usize>; 3] = [0..1, 1..2, 2..3];

    #[test]
    fn what_is_left_is_what_fails() {
        let mut rng = crate::stimulus::Rng::new(1);
        let noise: Vec<_> = (0..3000).map(|_| cycle(0, rng.draw() % 2, rng.draw())).collect();
        let pushes = |n: usize| {
            let some = (0..n).flat_map(|_| [cycle(9, 0, 0), cycle(0, 0, 5)]);
            some.chain([(true, vec![1, 1, 1])]).collect::<Vec<_>>()
        };
        let cycles = [noise.clone(), pushes(2), noise.clone(), vec![cycle(0, 0, 1)], pushes(3), noise].concat();
        let found = shrunk(cycles, &PINS, &counts_to_three).unwrap().unwrap();
        assert_eq!(found, vec![cycle(9, 0, 0); 3]);
    }

    #[test]
    fn what_does_not_fail_is_not_shrunk() {
        assert_eq!(shrunk(vec![cycle(1, 0, 0); 2], &PINS, &counts_to_three).unwrap(), None);
    }
}
