//! A unit of the user's own beside its model, under random stimulus that the rules of its pins allow.

use crate::error::{Error, Result};
use crate::lockstep::Lockstep;
use crate::rtl::Rtl;
use crate::stimulus::user::{CoreStimulus, Operations, PartitionStimulus};
use crate::stimulus::{AnyInputs, Rng, Stimulus};
use crate::user_unit::{Pinned, Place, Tidy, UserUnit};
use crate::watch::Watch;
use serde::Serialize;
use sim::attach::user_unit::core::pins::{CoreIn, CoreOut};
use sim::attach::user_unit::partition::pins::{PartitionIn, PartitionOut};
use sim::unit::{Interface, Pins, Unit};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Cycles between two pairs of fresh bodies.
const SEGMENT: u64 = 1 << 16;

/// Comparison of a user's unit, and its result.
#[derive(Debug, Serialize)]
pub struct UserCosim {
    pub unit: String,
    pub seed: u64,
    pub cycles: u64,
    pub comparisons: u64,
    pub mismatches: u64,
    /// Events.
    pub coverage: BTreeMap<String, u64>,
    pub seconds: f64,
    pub cycles_per_second: f64,
    /// A difference, or a rule that the unit breaks.
    #[serde(skip)]
    pub fault: Option<String>,
}

/// A run that is asked for.
pub struct Wanted<'a> {
    pub cycles: u64,
    pub seed: u64,
    pub evidence: &'a Path,
}

impl UserUnit {
    /// Compares the Verilog with its model. `operations` are what kernels would ask of a unit at a core. `progress` hears the cycles so
    /// far.
    ///
    /// # Errors
    /// A unit without a model beside it; an interruption.
    pub fn compare(
        &self,
        operations: &Operations,
        wanted: &Wanted,
        progress: &mut dyn FnMut(u64),
    ) -> Result<UserCosim> {
        match self.place() {
            Place::Core { lanes } => {
                let at_rest = CoreOut { lanes, ..CoreOut::default() };
                let first = CoreIn { lanes, ..CoreIn::default() };
                let stimulus = |seed| CoreStimulus::new(lanes, operations, seed);
                self.run(wanted, stimulus, (first, |pins| pins.now), &at_rest, progress)
            }
            Place::Partition => {
                let first = (PartitionIn::default(), (|pins| pins.now) as fn(&PartitionIn) -> u64);
                self.run(wanted, PartitionStimulus::new, first, &PartitionOut::default(), progress)
            }
        }
    }

    fn run<I: Pins, O: Pins, T: Stimulus<In = I, Out = O>>(
        &self,
        wanted: &Wanted,
        stimulus: impl Fn(u64) -> T,
        (first, now): (I, fn(&I) -> u64),
        at_rest: &O,
        progress: &mut dyn FnMut(u64),
    ) -> Result<UserCosim> {
        let (started, watch, mut seeds) = (Instant::now(), Watch::of_this_process(), Rng::new(wanted.seed));
        let Interface { inputs, .. } = self.interface();
        let mut report = UserCosim {
            unit: self.name().into(),
            seed: wanted.seed,
            cycles: 0,
            comparisons: 0,
            mismatches: 0,
            coverage: BTreeMap::new(),
            seconds: 0.0,
            cycles_per_second: 0.0,
            fault: None,
        };
        while report.cycles < wanted.cycles && report.fault.is_none() {
            let seed = seeds.draw();
            let (model, rtl) = self.both(seed, now, at_rest)?;
            let mut lockstep = Lockstep::new(model, rtl, self.subject(0, seed), wanted.evidence);
            let (mut stimulus, mut beside_reset) = (stimulus(seed), AnyInputs::new(inputs, seed));
            let mut pins = first.clone();
            for _ in 1..SEGMENT.min(wanted.cycles - report.cycles) {
                if stimulus.next(lockstep.pins(), &mut pins) {
                    lockstep.reset_beside(beside_reset.draw());
                } else if lockstep.clock(&pins).is_err() {
                    break;
                }
                if !lockstep.follower.is_healthy() || stimulus.violation().is_some() {
                    break;
                }
            }
            let tally = lockstep.follower.tally();
            report.cycles += tally.cycles();
            report.comparisons += tally.comparisons();
            report.mismatches += u64::from(tally.difference().is_some());
            let of_stimulus = |text: &str| {
                format!(
                    "{}, cycle {}: {text}; {}",
                    self.name(),
                    lockstep.follower.cycle(),
                    lockstep.follower.evidence()
                )
            };
            report.fault = tally.fault().or_else(|| stimulus.violation().map(of_stimulus));
            for (event, count) in stimulus.coverage() {
                *report.coverage.entry(event.to_string()).or_insert(0) += count;
            }
            progress(report.cycles);
            if watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
        }
        report.seconds = started.elapsed().as_secs_f64();
        report.cycles_per_second = report.cycles as f64 / report.seconds;
        Ok(report)
    }

    /// The model and the Verilog, after reset.
    fn both<I: Pins, O: Pins>(&self, seed: u64, now: fn(&I) -> u64, at_rest: &O) -> Result<Pair<I, O>> {
        let (rtl, model) = self.models()?;
        let model = Pinned::new(model, seed, None, now, at_rest.clone(), Some(self.place()))?;
        Ok((model, Tidy::new(Rtl::new(rtl, seed), self.place())))
    }
}

type Pair<I, O> = (Pinned<I, O>, Tidy<Rtl<I, O>>);
