//! A body under test that rests where that changes nothing.
//!
//! A cycle of a body follows from its state and its inputs. If all of the state is as it was some cycles before, and what comes are the
//! inputs of these cycles again, one after the other, then the body goes round: its outputs are those of the last round, and nobody needs
//! to clock it. When another input comes, it is brought to the place of the round where it should be, which is less than a round away.
//! States are compared bit for bit. A small state is compared with those of the last cycles. Any state is saved some cycles after the
//! same inputs began, and compared later: the body may need a while to come into its round.

use crate::error::Result;
use crate::input_log::InputLog;
use crate::lockstep::UnderTest;
use std::ops::Range;
use std::path::Path;

/// A small state is compared with those of so many cycles before. Four schedulers that take turns are a round of four.
const RECENT: usize = 4;
/// Bytes of a small state.
const SMALL: usize = 1 << 16;
/// While the inputs are the same, a small state is saved after every so many cycles, to go on from.
const EVERY: usize = 16;
/// After so many cycles with the same inputs any state is saved, and compared with those after it.
const SAVES: [usize; 3] = [8, 64, 512];
/// The longest round, in cycles.
const LONGEST: usize = 2048;

/// A body whose state can be saved: everything that the cycles to come follow from, besides their inputs.
pub trait Stateful {
    type State: Default;

    /// Bytes of the state; 0: nobody knows it.
    fn state_size(&self) -> usize;

    fn save_state(&self, saved: &mut Self::State);

    /// All of it is as it was when it was saved. False: nobody knows.
    fn is_in_state(&self, saved: &Self::State) -> bool;

    /// It is as it was when it was saved, of the same body.
    fn restore_state(&mut self, saved: &Self::State);
}

/// A cycle in which the body was clocked.
#[derive(Default)]
struct Cycle<S> {
    reset: bool,
    inputs: Vec<u64>,
    /// Behind it.
    outputs: Vec<u64>,
    /// Behind it, if it was saved.
    state: S,
    is_saved: bool,
}

impl<S> Cycle<S> {
    fn has(&self, reset: bool, inputs: &[u64]) -> bool {
        self.reset == reset && self.inputs == inputs
    }
}

/// A body with the same outputs in every cycle as without this.
pub struct Resting<B: Stateful> {
    body: B,
    is_small: bool,
    /// The first `clocked` are the last cycles in which the body was clocked. Whole rounds in which it rested are left out.
    cycles: Vec<Cycle<B::State>>,
    clocked: usize,
    /// From here on the inputs are the same.
    same_from: usize,
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
        let is_small = (1..=SMALL).contains(&body.state_size());
        Resting { body, is_small, cycles: vec![], clocked: 0, same_from: 0, rests: None }
    }

    /// Cycle `place` of the last round; 0 is the one before it.
    fn of_round(&self, length: usize, place: usize) -> &Cycle<B::State> {
        &self.cycles[self.clocked - 1 - length + place]
    }

    /// The next cycle is another one than in the round: the body goes to where it should be. Its state is that at the begin of the round.
    fn leave(&mut self, round: Round) {
        if round.cycles == 0 {
            return;
        }
        let begin = self.clocked - round.length;
        self.clocked = begin + round.cycles;
        self.same_from = self.same_from.min(self.clocked);
        let again = &self.cycles[begin..self.clocked];
        let saved = again.iter().rposition(|cycle| cycle.is_saved);
        if let Some(place) = saved {
            self.body.restore_state(&again[place].state);
        }
        for cycle in &again[saved.map_or(0, |place| place + 1)..] {
            self.body.step(cycle.reset, &cycle.inputs);
        }
    }

    /// Other inputs than before: forgets all but the last cycles.
    fn forget(&mut self) {
        let first = self.clocked.saturating_sub(RECENT);
        self.clocked -= first;
        for place in 0..self.clocked {
            self.cycles.swap(place, first + place);
        }
        self.same_from = self.clocked;
    }

    fn clock(&mut self, reset: bool, inputs: &[u64]) {
        self.body.step(reset, inputs);
        if self.clocked == self.cycles.len() {
            self.cycles.push(Cycle::default());
        }
        let cycle = &mut self.cycles[self.clocked];
        cycle.reset = reset;
        cycle.inputs.clear();
        cycle.inputs.extend_from_slice(inputs);
        cycle.outputs.clear();
        cycle.outputs.extend_from_slice(self.body.output_words());
        cycle.is_saved = false;
        self.clocked += 1;
    }

    /// The cycles since the state was what it is now, if it was saved then.
    fn round(&self) -> Option<usize> {
        let now = self.clocked - 1;
        let begin = self.same_from.saturating_sub(1);
        let saves = SAVES.iter().map(|save| self.same_from + save - 1).take_while(|&place| place < now);
        let mut places = (now.saturating_sub(RECENT)..now).chain(begin..now.min(begin + RECENT)).chain(saves);
        let is_same = |cycle: &Cycle<B::State>| {
            cycle.is_saved && cycle.outputs == self.cycles[now].outputs && self.body.is_in_state(&cycle.state)
        };
        places.find(|&place| is_same(&self.cycles[place])).map(|place| now - place)
    }

    fn save(&mut self) {
        let same = self.clocked - self.same_from;
        if self.is_small && (same <= RECENT || same % EVERY == 0) || SAVES.contains(&same) {
            let cycle = &mut self.cycles[self.clocked - 1];
            self.body.save_state(&mut cycle.state);
            cycle.is_saved = true;
        }
    }
}

impl<B: UnderTest + Stateful> UnderTest for Resting<B> {
    #[inline]
    fn output_words(&self) -> &[u64] {
        match self.rests {
            Some(Round { length, cycles }) => &self.of_round(length, cycles).outputs,
            None => self.body.output_words(),
        }
    }

    #[inline]
    fn step(&mut self, reset: bool, inputs: &[u64]) {
        if let Some(round @ Round { length, cycles }) = self.rests {
            if self.of_round(length, cycles + 1).has(reset, inputs) {
                self.rests = Some(Round { length, cycles: (cycles + 1) % length });
                return;
            }
            self.leave(round);
        }
        let is_same = self.clocked > 0 && self.cycles[self.clocked - 1].has(reset, inputs);
        if !is_same || self.clocked >= LONGEST {
            self.forget();
        }
        self.clock(reset, inputs);
        self.rests = self.round().map(|length| Round { length, cycles: 0 });
        if self.rests.is_none() {
            self.save();
        }
    }

    fn broken_rule(&self) -> Option<&str> {
        self.body.broken_rule()
    }

    fn has_ended(&self) -> bool {
        self.body.has_ended()
    }

    fn waveform(&self, log: &mut InputLog, range: Range<u64>, first: u64, file: &Path) -> Result<()> {
        self.body.waveform(log, range, first, file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two counters that wrap: one counts always, the other while its input is 1. The output is their sum.
    struct Counters {
        wrap: [u8; 2],
        state: [u8; 2],
        output: [u64; 1],
        clocked: usize,
        tells: Tells,
    }

    /// Amount of its state that an implementation tells.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Tells {
        Nothing,
        Small,
        Large,
    }

    impl Counters {
        fn new(wrap: [u8; 2], tells: Tells) -> Self {
            Counters { wrap, state: [0; 2], output: [0], clocked: 0, tells }
        }
    }

    const WRAP: [u8; 2] = [10, 7];

    impl UnderTest for Counters {
        fn output_words(&self) -> &[u64] {
            &self.output
        }

        fn step(&mut self, reset: bool, inputs: &[u64]) {
            let counts = [1, (inputs[0] & 1) as u8];
            for place in 0..2 {
                let next = (self.state[place] + counts[place]) % self.wrap[place];
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
        type State = [u8; 2];

        fn state_size(&self) -> usize {
            match self.tells {
                Tells::Nothing => 0,
                Tells::Small => self.state.len(),
                Tells::Large => SMALL + 1,
            }
        }

        fn save_state(&self, saved: &mut [u8; 2]) {
            *saved = self.state;
        }

        fn is_in_state(&self, saved: &[u8; 2]) -> bool {
            self.tells != Tells::Nothing && *saved == self.state
        }

        fn restore_state(&mut self, saved: &[u8; 2]) {
            self.state = *saved;
        }
    }

    /// Cycles in which the body was clocked, of how many.
    fn play(wrap: [u8; 2], tells: Tells, stretches: &[(u64, bool, usize)]) -> (usize, usize) {
        let mut resting = Resting::new(Counters::new(wrap, tells));
        let mut plain = Counters::new(wrap, Tells::Nothing);
        for &(input, reset, length) in stretches {
            for cycle in 0..length {
                resting.step(reset, &[input]);
                plain.step(reset, &[input]);
                assert_eq!(resting.output_words(), plain.output_words(), "cycle {cycle} of input {input}");
            }
        }
        (resting.body.clocked, plain.clocked)
    }

    const STRETCHES: [(u64, bool, usize); 4] = [(0, false, 1003), (1, false, 1), (1, true, 300), (1, false, 2000)];

    #[test]
    fn a_round_of_a_small_state_is_not_clocked_again() {
        let (clocked, all) = play(WRAP, Tells::Small, &STRETCHES);
        assert_eq!(all, 3304);
        // The state of the first cycle comes again after 10 cycles. Behind a reset each cycle is a round. The state of the first cycle
        // behind it comes again after 70 cycles.
        assert_eq!(clocked, (1 + 10) + 1 + (1 + 1) + (1 + 70), "{clocked}");
    }

    #[test]
    fn a_round_of_a_large_state_is_not_clocked_again() {
        let (clocked, _) = play(WRAP, Tells::Large, &STRETCHES);
        // A round of 10, one of 1 behind a reset, and one of 70, each behind 8 cycles. The first is gone on with for 5 cycles.
        assert_eq!(clocked, (8 + 10 + 5) + 1 + (8 + 1) + (8 + 70), "{clocked}");
    }

    #[test]
    fn inputs_that_take_turns_are_a_round() {
        let turns: Vec<_> = (0..1000).map(|cycle| (cycle % 2, false, 1)).collect();
        assert_eq!(play([2, 2], Tells::Small, &turns), (1 + 4, 1000));
        assert_eq!(play([2, 2], Tells::Large, &turns), (1000, 1000));
    }

    #[test]
    fn outputs_are_the_same_whatever_the_stretches() {
        let mut draw = 1u64;
        let mut next = |most: u64| {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (draw >> 33) % most
        };
        for wrap in [WRAP, [2, 2], [3, 1]] {
            for tells in [Tells::Small, Tells::Large] {
                let stretches: Vec<_> = (0..2000).map(|_| (next(3), next(9) == 0, 1 + next(90) as usize)).collect();
                let (clocked, all) = play(wrap, tells, &stretches);
                assert!(clocked < all, "{clocked} of {all}");
                let hasty: Vec<_> = (0..9000).map(|cycle| (cycle % 2 + next(9) / 8, next(50) == 0, 1)).collect();
                play(wrap, tells, &hasty);
            }
        }
    }

    #[test]
    fn a_body_that_does_not_tell_its_state_never_rests() {
        let (clocked, all) = play(WRAP, Tells::Nothing, &[(0, false, 5000), (1, false, 5000)]);
        assert_eq!(clocked, all);
    }
}
