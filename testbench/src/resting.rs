//! A body under test that rests where that changes nothing.
//!
//! A cycle of a body follows from its state and its inputs. If the same inputs come again and again, and all of the state is as it was
//! some cycles before, with these inputs since, then the body goes round: its outputs are those of the last round, and nobody needs to
//! clock it. When other inputs come, it is clocked to the place of the round where it should be, which is less than a round away. States
//! are compared bit for bit. They are saved some cycles after the same inputs began, and later again: the body may need a while to come
//! into its round.

use crate::error::Result;
use crate::input_log::InputLog;
use crate::lockstep::UnderTest;
use std::ops::Range;
use std::path::Path;

/// After so many cycles with the same inputs the state is saved.
const SAVES: [usize; 3] = [8, 64, 512];
/// After so many nobody looks for a round any more.
const LONGEST: usize = 2048;

/// A body whose state can be compared.
pub trait Stateful {
    /// Everything that the cycles to come follow from, besides their inputs. Empty: nobody knows.
    fn save_state(&self, saved: &mut Vec<u8>);

    /// Whether all of it is as it was when it was saved. False: nobody knows.
    fn is_in_state(&self, saved: &[u8]) -> bool;
}

/// A body with the same outputs in every cycle as without this.
pub struct Resting<B> {
    body: B,
    reset: bool,
    /// Of the last cycles.
    inputs: Vec<u64>,
    /// Cycles with these inputs in which the body was clocked.
    clocked: usize,
    /// What the state was after [`SAVES`], as far as these came.
    saved: [Vec<u8>; SAVES.len()],
    /// Outputs after each cycle with these inputs.
    outputs: Vec<Vec<u64>>,
    rests: Option<Round>,
}

/// The body is at the end of a round.
#[derive(Clone, Copy)]
struct Round {
    length: usize,
    /// So many cycles since, less whole rounds, were not clocked.
    cycles: usize,
}

impl<B: UnderTest + Stateful> Resting<B> {
    pub fn new(body: B) -> Self {
        let (inputs, saved, outputs) = (vec![], Default::default(), vec![vec![]; LONGEST]);
        Resting { body, reset: false, inputs, clocked: 0, saved, outputs, rests: None }
    }

    /// Other inputs than before.
    fn begin(&mut self, reset: bool, inputs: &[u64]) {
        for _ in 0..self.rests.take().map_or(0, |round| round.cycles) {
            self.body.step(self.reset, &self.inputs);
        }
        (self.reset, self.clocked) = (reset, 0);
        self.inputs.clear();
        self.inputs.extend_from_slice(inputs);
    }

    fn clock(&mut self) {
        self.body.step(self.reset, &self.inputs);
        self.clocked = (self.clocked + 1).min(LONGEST);
        if self.clocked < LONGEST {
            let kept = &mut self.outputs[self.clocked];
            kept.clear();
            kept.extend_from_slice(self.body.output_words());
            self.rests = self.round().map(|length| Round { length, cycles: 0 });
            if let Some(save) = SAVES.iter().position(|&save| save == self.clocked) {
                self.body.save_state(&mut self.saved[save]);
            }
        }
    }

    /// The cycles since the state was what it is now, if it was saved then.
    fn round(&self) -> Option<usize> {
        let mut saves = SAVES.iter().zip(&self.saved).filter(|(&save, _)| save < self.clocked);
        let is_same = |save: usize| self.outputs[save] == self.outputs[self.clocked];
        saves.find(|(&save, state)| is_same(save) && self.body.is_in_state(state)).map(|(save, _)| self.clocked - save)
    }
}

impl<B: UnderTest + Stateful> UnderTest for Resting<B> {
    #[inline]
    fn output_words(&self) -> &[u64] {
        match self.rests {
            Some(Round { length, cycles }) => &self.outputs[self.clocked - length + cycles],
            None => self.body.output_words(),
        }
    }

    #[inline]
    fn step(&mut self, reset: bool, inputs: &[u64]) {
        if self.clocked == 0 || reset != self.reset || inputs != self.inputs {
            self.begin(reset, inputs);
        }
        match &mut self.rests {
            Some(Round { length, cycles }) => *cycles = (*cycles + 1) % *length,
            None => self.clock(),
        }
    }

    fn broken_rule(&self) -> Option<&str> {
        self.body.broken_rule()
    }

    fn waveform(&self, log: &mut InputLog, range: Range<u64>, first: u64, file: &Path) -> Result<()> {
        self.body.waveform(log, range, first, file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two counters that wrap: one counts always, the other while its input is 1. The output is their sum.
    #[derive(Default)]
    struct Counters {
        state: [u8; 2],
        output: [u64; 1],
        clocked: usize,
        tells: bool,
    }

    const WRAP: [u8; 2] = [10, 7];

    impl UnderTest for Counters {
        fn output_words(&self) -> &[u64] {
            &self.output
        }

        fn step(&mut self, reset: bool, inputs: &[u64]) {
            let counts = [1, (inputs[0] & 1) as u8];
            for place in 0..2 {
                let next = (self.state[place] + counts[place]) % WRAP[place];
                self.state[place] = if reset { 0 } else { next };
            }
            self.output = [self.state.iter().map(|&count| u64::from(count)).sum()];
            self.clocked += 1;
        }

        fn waveform(&self, _: &mut InputLog, _: Range<u64>, _: u64, _: &Path) -> Result<()> {
            unreachable!("nothing is wrong")
        }
    }

    impl Stateful for Counters {
        fn save_state(&self, saved: &mut Vec<u8>) {
            saved.clear();
            saved.extend_from_slice(&self.state);
        }

        fn is_in_state(&self, saved: &[u8]) -> bool {
            self.tells && saved == self.state
        }
    }

    /// Cycles in which the body was clocked, of how many.
    fn play(tells: bool, stretches: &[(u64, bool, usize)]) -> (usize, usize) {
        let mut resting = Resting::new(Counters { tells, ..Default::default() });
        let mut plain = Counters::default();
        for &(input, reset, length) in stretches {
            for cycle in 0..length {
                resting.step(reset, &[input]);
                plain.step(reset, &[input]);
                assert_eq!(resting.output_words(), plain.output_words(), "cycle {cycle} of input {input}");
            }
        }
        (resting.body.clocked, plain.clocked)
    }

    #[test]
    fn a_round_is_not_clocked_again() {
        let (clocked, all) = play(true, &[(0, false, 1003), (1, false, 1), (1, true, 300), (1, false, 2000)]);
        assert_eq!(all, 3304);
        // A round of 10, one of 1 behind a reset, and one of 70, each behind 8 cycles. The first is gone on with for 5 cycles.
        assert_eq!(clocked, (8 + 10 + 5) + 1 + (8 + 1) + (8 + 70), "{clocked}");
    }

    #[test]
    fn outputs_are_the_same_whatever_the_stretches() {
        let mut draw = 1u64;
        let mut next = |most: u64| {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (draw >> 33) % most
        };
        let stretches: Vec<_> = (0..2000).map(|_| (next(3), next(9) == 0, 1 + next(90) as usize)).collect();
        let (clocked, all) = play(true, &stretches);
        assert!(clocked < all, "{clocked} of {all}");
    }

    #[test]
    fn a_body_that_does_not_tell_its_state_never_rests() {
        let (clocked, all) = play(false, &[(0, false, 5000), (1, false, 5000)]);
        assert_eq!(clocked, all);
    }
}
