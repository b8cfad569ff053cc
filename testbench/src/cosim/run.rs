//! Runs of a co-simulation, and traces that are run again.

use super::fixture::Fixture;
use super::recording::Bodies;
use super::shrink::Failure;
use super::{digests, nothing_compared, tape, AnyFixture, Cosim, CosimReport, Cycle, Digests, Player};
use crate::comparison::Comparison;
use crate::error::{Error, Result};
use crate::lockstep::{Difference, Follower, Lockstep, UnderTest};
use crate::places::Places;
use crate::rtl::Rtl;
use crate::stimulus::{AnyInputs, Rng, Stimulus};
use crate::toggles::Toggles;
use crate::trace::{Subject, Trace};
use crate::waivers;
use crate::watch::Watch;
use hdl::catalog::Instance;
use sim::unit::{words, Interface, Pins, Unit};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Cycles of a segment; banks with many entries get longer ones, so that they fill up.
const SEGMENT: u64 = 1 << 16;
/// Units that get longer ones too, so that they come to the end of the longest job.
const LONG: [(&str, u64); 1] = [("prefetcher", 1 << 20)];
const CYCLES_PER_ENTRY: u64 = 32;
/// Cycles between two reports of progress.
const CHUNK: u64 = 1 << 14;

/// Cycles between two pairs of fresh bodies, if nobody wants more.
pub(crate) fn segment(instance: &Instance) -> u64 {
    let long = LONG.iter().find(|(unit, _)| *unit == instance.unit).map_or(SEGMENT, |(_, cycles)| *cycles);
    long.max(CYCLES_PER_ENTRY * instance.parameter("entries").unwrap_or(0))
}

type BodiesOf<U> = Lockstep<U, Follower<Rtl<<U as Unit>::In, <U as Unit>::Out>>>;

impl<U: Unit, T: Stimulus<In = U::In, Out = U::Out>> Fixture<U, T> {
    /// Registers that are not reset take inputs beside it: a unit that has some gets low ones.
    fn beside_reset(&self, interface: &Interface, seed: u64) -> AnyInputs {
        let inputs = AnyInputs::new(&interface.inputs, seed);
        if self.settling > 0 {
            inputs.low()
        } else {
            inputs
        }
    }

    /// Model and RTL, after reset.
    fn bodies(&self, cosim: &Cosim, seed: u64, directory: &Path) -> Result<BodiesOf<U>> {
        let (model, rtl) = ((self.model)(&cosim.instance)?, Rtl::new(&cosim.model, seed));
        let mut lockstep = Lockstep::settling(model, rtl, Subject::of(&cosim.instance, seed), directory, self.settling);
        lockstep.follower.record_toggles();
        Ok(lockstep)
    }
}

impl<U: Unit, T: Stimulus<In = U::In, Out = U::Out>> AnyFixture for Fixture<U, T> {
    fn unit(&self) -> &'static str {
        self.unit
    }

    fn is_of(&self, instance: &Instance) -> bool {
        instance.unit == self.unit && (self.only)(instance)
    }

    fn settling(&self) -> u64 {
        self.settling
    }

    fn interface(&self, instance: &Instance) -> Result<Interface> {
        Ok((self.model)(instance)?.interface())
    }

    fn run(
        &self,
        cosim: &Cosim,
        most: u64,
        first_seed: u64,
        directory: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<CosimReport> {
        let instance = &cosim.instance;
        let started = Instant::now();
        let mut seeds = Rng::new(first_seed);
        let mut coverage = BTreeMap::new();
        let interface = self.interface(instance)?;
        let mut toggles = [&interface.inputs, &interface.outputs].map(|pins| Toggles::new(pins));
        let (mut cycles, mut comparisons, mut difference, mut violation) = (0, 0, None, None);
        let mut places: Option<Places> = None;
        let watch = Watch::of_this_process();
        let recording = cosim.recording.as_ref();
        let mut planned = recording.map(|wanted| wanted.plan(most, cosim.segment)).transpose()?;
        let mut waveform = None;
        while cycles < most && difference.is_none() && violation.is_none() {
            let seed = seeds.draw();
            let mut lockstep = self.bodies(cosim, seed, directory)?;
            let mut stimulus = (self.stimulus)(instance, seed);
            let length = cosim.segment.min(most - cycles);
            let go_on = |done| {
                progress(cycles + done);
                !watch.is_interrupted()
            };
            let mut beside_reset = self.beside_reset(&interface, seed);
            run_segment(&mut lockstep, &mut stimulus, &mut beside_reset, length, self.settling, go_on);
            if watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
            let bodies = Bodies { start: cycles, clocked: lockstep.follower.cycle(), settling: self.settling };
            if let Some(planned) = planned.take_if(|planned| planned.is_of(&bodies)) {
                let mut write = |range, first, file: &Path| lockstep.follower.waveform(range, first, file);
                waveform = Some(planned.write(&bodies, &mut write)?);
            }
            let tally = lockstep.follower.tally();
            cycles += tally.cycles();
            comparisons += tally.comparisons();
            difference = tally.difference().cloned();
            let of_stimulus = |text| {
                format!(
                    "{}, cycle {}: {text}; {}",
                    instance.unit,
                    lockstep.follower.cycle(),
                    lockstep.follower.evidence()
                )
            };
            violation = tally.violation().map(str::to_owned).or_else(|| stimulus.violation().map(of_stimulus));
            if let Some(new) = lockstep.follower.rtl().places() {
                places.get_or_insert_with(|| new.clone()).join(&new);
            }
            toggles
                .iter_mut()
                .zip(lockstep.follower.toggles().into_iter().flatten())
                .for_each(|(all, new)| all.join(new));
            for (event, count) in stimulus.coverage() {
                *coverage.entry(event.to_string()).or_insert(0) += count;
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        let still = still_of(&toggles);
        let mut pins = interface.inputs.iter().chain(&interface.outputs).map(|pin| (&pin.name[..], pin.width));
        let verdict = waivers::judge(instance, &mut pins, &still);
        let reached = cosim.model.counts_places().then(|| waivers::judge_places(instance, places.as_ref()));
        // The user's own RTL may reach what ours cannot.
        let wrong = reached.as_ref().filter(|_| cosim.rtl_files.is_empty()).and_then(|reached| reached.wrong.clone());
        Ok(CosimReport {
            unit: instance.unit.into(),
            module: instance.module.clone(),
            parameters: instance.parameters_by_name(),
            seed: first_seed,
            digests: Digests { rtl: cosim.digest.clone(), stimulus: self.digest(instance, first_seed)? },
            rtl_files: cosim.rtl_files.clone(),
            cycles,
            comparisons,
            mismatches: u64::from(difference.is_some()),
            difference,
            minimal: None,
            violation: violation.or(verdict.wrong).or(wrong),
            coverage,
            still: verdict.still,
            waived: verdict.waived,
            places: reached,
            waveform,
            seconds,
            cycles_per_second: cycles as f64 / seconds,
        })
    }

    fn replay(&self, cosim: &Cosim, mut trace: Trace, directory: &Path) -> Result<Option<Difference>> {
        let mut lockstep = self.bodies(cosim, trace.subject.seed, directory)?;
        let mut pins = U::In::for_pins(&lockstep.interface().inputs);
        let watch = Watch::of_this_process();
        // The last cycle has outputs and no inputs.
        let cycles = trace.log.cycles() + 1;
        let recording = cosim.recording.as_ref();
        let planned = recording.map(|wanted| wanted.plan(cycles, cycles)).transpose()?;
        trace.log.replay(|reset, inputs, length| {
            if !reset {
                pins.load(inputs);
            }
            for _ in 0..length {
                if lockstep.follower.cycle() % CHUNK == 0 && watch.is_interrupted() {
                    return Err(Error::Interrupted);
                }
                if reset {
                    lockstep.reset_beside(inputs);
                } else if lockstep.clock(&pins).is_err() {
                    // The tally says it.
                    return Ok(());
                }
            }
            Ok(())
        })?;
        let bodies = Bodies { start: 0, clocked: lockstep.follower.cycle(), settling: 0 };
        if let Some(planned) = planned.filter(|planned| planned.is_of(&bodies)) {
            planned.write(&bodies, &mut |range, first, file| lockstep.follower.waveform(range, first, file))?;
        }
        let tally = lockstep.follower.tally();
        if let Some(violation) = tally.violation() {
            return Err(Error::Violation(violation.into()));
        }
        if tally.comparisons() == 0 {
            return Err(Error::NothingCompared(nothing_compared(&cosim.instance.module, lockstep.follower.cycle())));
        }
        Ok(tally.difference().cloned())
    }

    fn player(&self, instance: &Instance, seed: u64) -> Result<Box<dyn Player + '_>> {
        let model = (self.model)(instance)?;
        let beside_reset = self.beside_reset(&model.interface(), seed);
        Ok(Box::new(tape::ModelAlone::new(model, (self.stimulus)(instance, seed), beside_reset, self.settling)))
    }

    fn broken_rule(&self, instance: &Instance, inputs: &[Cycle]) -> Result<Option<String>> {
        let mut model = (self.model)(instance)?;
        let mut pins = U::In::for_pins(&model.interface().inputs);
        let rule = |(reset, words): &Cycle| {
            if *reset {
                model.reset();
                return None;
            }
            pins.load(words);
            model.clock(&pins).err().map(|rule| rule.to_string())
        };
        Ok(inputs.iter().find_map(rule))
    }

    fn fails_after(&self, cosim: &Cosim, seed: u64, cycles: &[Cycle]) -> Result<Option<(usize, Failure)>> {
        let mut model = (self.model)(&cosim.instance)?;
        let interface = model.interface();
        let mut pins = U::In::for_pins(&interface.inputs);
        let mut rtl = Rtl::<U::In, U::Out>::new(&cosim.model, seed);
        let comparison = Comparison::new(&interface.outputs);
        let (mut sampled, mut expected) = (model.outputs(), vec![0; words(&interface.outputs)]);
        for done in 0..=cycles.len() {
            model.sample(&mut sampled);
            sampled.store(&mut expected);
            let differs = comparison.first_difference(&expected, rtl.output_words()).is_some();
            if done as u64 >= self.settling && differs {
                return Ok(Some((done, Failure::Difference)));
            }
            if rtl.broken_rule().is_some() {
                return Ok(Some((done, Failure::BrokenRule)));
            }
            let Some((reset, inputs)) = cycles.get(done) else { break };
            pins.load(inputs);
            if *reset {
                model.reset();
            } else if model.clock(&pins).is_err() {
                break;
            }
            rtl.step(*reset, inputs);
        }
        Ok(None)
    }

    fn digest(&self, instance: &Instance, seed: u64) -> Result<String> {
        let stimulus = (self.stimulus)(instance, Rng::new(seed).draw());
        Ok(digests::of_first_cycles((self.model)(instance)?, stimulus))
    }
}

/// Bits of all pins that stood still. What calls this function is compiled once for each unit, and the function itself once.
fn still_of(toggles: &[Toggles]) -> BTreeMap<String, Vec<u32>> {
    toggles.iter().flat_map(Toggles::still).collect()
}

/// Compares `length` cycles, the first of which is that straight after reset or, if the unit has to settle, after that. Resets that
/// the stimulus asks for stand beside any inputs. Stops when `go_on`, which gets the cycles so far, is false.
fn run_segment<U: Unit, T: Stimulus<In = U::In, Out = U::Out>>(
    lockstep: &mut BodiesOf<U>,
    stimulus: &mut T,
    beside_reset: &mut AnyInputs,
    length: u64,
    settling: u64,
    mut go_on: impl FnMut(u64) -> bool,
) {
    let mut pins = U::In::for_pins(&lockstep.interface().inputs);
    let is_healthy =
        |lockstep: &BodiesOf<U>, stimulus: &T| lockstep.follower.is_healthy() && stimulus.violation().is_none();
    let mut done = 1;
    let length = length + settling;
    while done < length && is_healthy(lockstep, stimulus) {
        let end = length.min(done + CHUNK);
        while done < end && is_healthy(lockstep, stimulus) {
            if stimulus.next(lockstep.pins(), &mut pins) {
                lockstep.reset_beside(beside_reset.draw());
            } else if lockstep.clock(&pins).is_err() {
                break;
            }
            done += 1;
        }
        if !go_on(done - settling.min(done)) {
            return;
        }
    }
}
