//! Mutants under the stimulus of their unit, until a pin differs.

use crate::bridge::{Instance as Rtl, Model};
use crate::comparison::Comparison;
use crate::cosim::{AnyFixture, Tape};
use crate::error::{Error, Result};
use crate::rtl::fill_seed;
use crate::stimulus::Rng;
use crate::watch::Watch;
use hdl::catalog::Instance;
use sim::unit::words;
use std::sync::Arc;

/// Cycles on the first tape of a segment; each later one is four times as long, up to the most. Most mutants die young.
const FIRST_TAPE: u64 = 64;
const LONGEST_TAPE: u64 = 1 << 14;

/// Kill of a mutant: its cycle, and the difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    /// Cycle of the stimulus.
    pub cycle: u64,
    /// The output pin that differs, or what else was wrong.
    pub what: String,
}

/// A mutant that nothing has found so far.
struct Alive {
    place: usize,
    rtl: Rtl,
    outputs: Vec<u64>,
    killed: Option<Kill>,
}

/// Amount of stimulus.
pub(super) struct Run {
    pub cycles: u64,
    /// Cycles that are counted before the first: those of an earlier run.
    pub first: u64,
    /// Cycles between two pairs of fresh bodies.
    pub segment: u64,
}

/// Kill of each mutant in `numbers` under the fixture's stimulus, if there is one. The first is the design.
pub(super) fn kills(
    model: &Arc<Model>,
    instance: &Instance,
    fixture: &dyn AnyFixture,
    numbers: &[u32],
    run: &Run,
    first_seed: u64,
    watch: &Watch,
) -> Result<Vec<Option<Kill>>> {
    let comparison = Comparison::new(&model.interface().outputs);
    let mut kills = vec![None; numbers.len()];
    let (mut seeds, mut done) = (Rng::new(first_seed ^ run.first), 0);
    while done < run.cycles && kills[1..].contains(&None) {
        let seed = seeds.draw();
        let mut player = fixture.player(instance, seed)?;
        let alive = (0..numbers.len()).filter(|&place| kills[place].is_none());
        let mut alive: Vec<_> = alive.map(|place| Alive::new(model, place, numbers[place], seed)).collect();
        let mut part =
            Segment { comparison: &comparison, settling: player.settling(), first: run.first + done, cycle: 0 };
        part.begin(&mut alive, player.outputs());
        let length = run.segment.min(run.cycles - done);
        let (mut tape, mut next) = (Tape::default(), FIRST_TAPE);
        while part.cycle < length && kills[1..].contains(&None) {
            player.record(next.min(length - part.cycle), &mut tape);
            part.play(&mut alive, &tape);
            next = (4 * next).min(LONGEST_TAPE);
            let found = alive.extract_if(.., |mutant| mutant.killed.is_some());
            found.for_each(|mutant| kills[mutant.place] = mutant.killed);
            watch.say(&format!(
                "{}: cycle {} of {}, {} mutants alive",
                instance.module,
                part.first + part.cycle,
                run.first + run.cycles,
                alive.len()
            ));
            if watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
        }
        done += length;
    }
    Ok(kills)
}

impl Alive {
    fn new(model: &Arc<Model>, place: usize, number: u32, seed: u64) -> Self {
        let interface = model.interface();
        let (inputs, mut outputs) = (vec![0; words(&interface.inputs)], vec![0; words(&interface.outputs)]);
        let mut rtl = Rtl::new(model, fill_seed(seed));
        rtl.set_mutant(number);
        rtl.step(true, &inputs, &mut outputs);
        Alive { place, rtl, outputs, killed: None }
    }
}

/// The part of a run between two pairs of fresh bodies.
struct Segment<'a> {
    comparison: &'a Comparison,
    settling: u64,
    /// First cycle of the segment in the run.
    first: u64,
    /// Within the segment.
    cycle: u64,
}

impl Segment<'_> {
    /// Straight after the first reset.
    fn begin(&self, alive: &mut [Alive], expected: &[u64]) {
        alive.iter_mut().for_each(|mutant| self.judge(mutant, 0, expected));
    }

    fn play(&mut self, alive: &mut [Alive], tape: &Tape) {
        for mutant in alive.iter_mut() {
            for ((reset, inputs, expected), cycle) in tape.cycles().zip(self.cycle + 1..) {
                mutant.rtl.step(reset, inputs, &mut mutant.outputs);
                self.judge(mutant, cycle, expected);
                if mutant.killed.is_some() {
                    break;
                }
            }
        }
        self.cycle += tape.cycles().count() as u64;
    }

    #[inline]
    fn judge(&self, mutant: &mut Alive, cycle: u64, expected: &[u64]) {
        if cycle < self.settling {
            return;
        }
        let difference = self.comparison.first_difference(expected, &mutant.outputs);
        if difference.is_none() && mutant.rtl.broken_rule().is_none() {
            return;
        }
        let pin = difference.map(|place| self.comparison.pin(place).0);
        let what = pin.or(mutant.rtl.broken_rule()).unwrap_or_default().to_string();
        mutant.killed = Some(Kill { cycle: self.first + cycle, what });
    }
}
