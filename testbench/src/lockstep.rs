//! Two bodies of a unit as one: same inputs, every output pin compared in every cycle.
//!
//! `A` is the body whose outputs go on (the behavioural model), `B` the one under test (the RTL). At the first difference
//! the lock-step remembers cycle, pin and both values, leaves a waveform of `B` and an input trace, reports a
//! [`Unit::fault`], and goes on with `A` alone.
//!
//! `A` also knows the rules of its inputs, and panics at inputs that break one. The lock-step makes a fault of the panic: cycle
//! and rule, with the same files. The outputs then stay as they are.

use crate::comparison::Comparison;
use crate::error::{Error, Result};
use crate::input_log::InputLog;
use crate::toggles::Toggles;
use crate::trace::{self, Subject};
use serde::Serialize;
use sim::unit::{words, Interface, Pins, Unit};
use std::any::Any;
use std::fmt;
use std::fs;
use std::ops::Range;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Cycles of a waveform of which nobody says how long it is; those before a difference.
pub const WAVEFORM_CYCLES: u64 = 1000;

/// A body that is compared with another, and can show how it got where it is.
pub trait UnderTest {
    /// This cycle's outputs, as [`Pins::store`] would give them.
    fn output_words(&self) -> &[u64];

    /// A clock cycle with reset high beside these inputs, as [`Pins::store`] would give them. They must not matter.
    fn reset_beside(&mut self, inputs: &[u64]);

    /// The first rule of pins, in this body or inside of it, that was broken.
    fn broken_rule(&self) -> Option<&str> {
        None
    }

    /// An FST file of the cycles `range` of `log`, which holds all inputs since this body was made. In the file the first
    /// of them has the number `first`.
    ///
    /// # Errors
    /// A file that cannot be written or read.
    fn waveform(&self, log: &mut InputLog, range: Range<u64>, first: u64, file: &Path) -> Result<()>;
}

/// The first difference between two bodies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub unit: String,
    /// Clock cycles since the bodies were made (their first reset not counted).
    pub cycle: u64,
    pub pin: String,
    /// Values in hex.
    pub model: String,
    pub rtl: String,
    pub evidence: Evidence,
}

/// What a difference left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    Files {
        waveform: PathBuf,
        trace: PathBuf,
    },
    /// Why there are no files.
    Lost(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Difference { unit, cycle, pin, model, rtl, evidence } = self;
        write!(f, "{unit}, cycle {cycle}: pin {pin} is {model} in the model and {rtl} in the RTL; {evidence}")
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Evidence::Files { waveform, trace } => {
                write!(f, "waveform {}, input trace {}", waveform.display(), trace.display())
            }
            Evidence::Lost(reason) => write!(f, "no waveform or trace: {reason}"),
        }
    }
}

/// What a lock-step has compared so far; may be read from elsewhere while it runs.
#[derive(Debug, Default)]
pub struct Tally {
    cycles: AtomicU64,
    comparisons: AtomicU64,
    difference: OnceLock<Difference>,
    violation: OnceLock<String>,
}

impl Tally {
    /// Cycles in which outputs were compared.
    pub fn cycles(&self) -> u64 {
        self.cycles.load(Ordering::Relaxed)
    }

    /// Pins compared, over all cycles; a pin whose value means nothing in a cycle is not counted in it.
    pub fn comparisons(&self) -> u64 {
        self.comparisons.load(Ordering::Relaxed)
    }

    pub fn difference(&self) -> Option<&Difference> {
        self.difference.get()
    }

    /// Inputs that break a rule of the unit: cycle, rule and files in one line.
    pub fn violation(&self) -> Option<&str> {
        self.violation.get().map(String::as_str)
    }

    /// Why the comparison has ended, in one line: a difference or a violation.
    pub fn fault(&self) -> Option<String> {
        self.difference().map(Difference::to_string).or_else(|| self.violation().map(str::to_owned))
    }
}

/// `0x` and all digits of a value of several words.
pub(crate) fn hex(words: &[u64]) -> String {
    let significant = words.len() - words.iter().rev().take_while(|&&word| word == 0).count();
    let mut text = format!("{:#x}", words[significant.max(1) - 1]);
    for word in words[..significant.max(1) - 1].iter().rev() {
        text += &format!("{word:016x}");
    }
    text
}

pub struct Lockstep<A: Unit, B> {
    a: A,
    b: B,
    subject: Subject,
    directory: PathBuf,
    log: InputLog,
    pins_a: A::Out,
    inputs: Vec<u64>,
    words_a: Vec<u64>,
    comparison: Comparison,
    /// Cycles at the beginning that are not compared.
    settling: u64,
    comparisons: u64,
    /// Of inputs beside no reset, and of the outputs of `A` where they mean something.
    toggles: Option<[Toggles; 2]>,
    tally: Arc<Tally>,
}

impl<A, B> Lockstep<A, B>
where
    A: Unit,
    B: Unit<In = A::In, Out = A::Out> + UnderTest,
{
    /// Two bodies straight after reset. A difference leaves its files in `directory`, named after the subject's module and
    /// seed.
    pub fn new(a: A, b: B, subject: Subject, directory: &Path) -> Self {
        Self::settling(a, b, subject, directory, 0)
    }

    /// As [`Self::new`], but the first `settling` cycles are not compared: for units with registers that are not reset, whose
    /// outputs mean nothing until something has come through.
    pub fn settling(a: A, b: B, subject: Subject, directory: &Path, settling: u64) -> Self {
        let interface = a.interface();
        let output_words = words(&interface.outputs);
        let mut lockstep = Lockstep {
            pins_a: a.outputs(),
            log: InputLog::new(words(&interface.inputs)),
            inputs: vec![0; words(&interface.inputs)],
            words_a: vec![0; output_words],
            comparison: Comparison::new(&interface.outputs),
            comparisons: 0,
            toggles: None,
            settling,
            tally: Arc::default(),
            directory: directory.into(),
            subject,
            a,
            b,
        };
        lockstep.compare();
        lockstep
    }

    pub fn tally(&self) -> Arc<Tally> {
        self.tally.clone()
    }

    /// This cycle's output pins, without a copy.
    #[inline]
    pub fn pins(&self) -> &A::Out {
        &self.pins_a
    }

    /// Records which bits of the pins move from the next cycle on.
    pub fn recording_toggles(mut self) -> Self {
        let interface = self.a.interface();
        self.toggles = Some([&interface.inputs, &interface.outputs].map(|pins| Toggles::new(pins)));
        self
    }

    /// Which bits of the inputs and outputs have moved, if that is recorded.
    pub fn toggles(&self) -> Option<&[Toggles; 2]> {
        self.toggles.as_ref()
    }

    /// No difference and no violation so far.
    #[inline]
    pub fn is_healthy(&self) -> bool {
        self.tally.difference().is_none() && self.tally.violation().is_none()
    }

    /// A reset beside these inputs, as [`Pins::store`] would give them: reset wins over all of them.
    pub fn reset_beside(&mut self, inputs: &[u64]) {
        self.a.reset();
        if self.is_healthy() {
            self.inputs.copy_from_slice(inputs);
            self.log.append(true, &self.inputs);
            self.b.reset_beside(inputs);
            self.compare();
            self.check_rules();
        } else {
            self.a.sample(&mut self.pins_a);
        }
    }

    /// Cycles since the bodies were made: the number of the cycle at hand.
    pub fn cycle(&self) -> u64 {
        self.log.cycles()
    }

    /// Compares the outputs of the cycle at hand.
    #[inline]
    fn compare(&mut self) {
        self.a.sample(&mut self.pins_a);
        if self.log.cycles() < self.settling {
            return;
        }
        self.pins_a.store(&mut self.words_a);
        let (words, toggles) = (&self.words_a, &mut self.toggles);
        self.comparisons += self.comparison.meaningful(words, |range| {
            if let Some([_, outputs]) = toggles {
                outputs.see(range.start, &words[range]);
            }
        });
        self.tally.comparisons.store(self.comparisons, Ordering::Relaxed);
        self.tally.cycles.store(self.log.cycles() + 1 - self.settling, Ordering::Relaxed);
        if let Some(place) = self.comparison.first_difference(&self.words_a, self.b.output_words()) {
            self.report(place);
        }
    }

    #[cold]
    fn report(&mut self, place: usize) {
        let (pin, words) = self.comparison.pin(place);
        let (pin, model, rtl) =
            (pin.to_string(), hex(&self.words_a[words.clone()]), hex(&self.b.output_words()[words]));
        let cycle = self.log.cycles();
        let evidence = self.evidence();
        let difference = Difference { unit: self.subject.unit.clone(), cycle, pin, model, rtl, evidence };
        self.tally.difference.set(difference).expect("comparison ends with the first difference");
    }

    /// The rising edge of the model; false if its inputs break a rule.
    #[inline]
    fn clock_model(&mut self, pins: &A::In) -> bool {
        let clocked = clock(&mut self.a, pins);
        clocked.map_err(|rule| self.violate(&format!("inputs break a rule: {rule}"))).is_ok()
    }

    /// Assertions of the RTL. Where a pin differs as well, the difference says more.
    #[inline]
    fn check_rules(&mut self) {
        if self.b.broken_rule().is_some() && self.is_healthy() {
            let rule = self.b.broken_rule().unwrap_or_default().to_string();
            self.violate(&format!("pins of the RTL break a rule: {rule}"));
        }
    }

    #[cold]
    fn violate(&mut self, what: &str) {
        let (cycle, evidence) = (self.log.cycles() - 1, self.evidence());
        let line = format!("{}, cycle {cycle}: {what}; {evidence}", self.subject.unit);
        self.tally.violation.set(line).expect("comparison ends with the first violation");
    }

    /// Leaves waveform and input trace up to the cycle at hand.
    pub fn evidence(&mut self) -> Evidence {
        self.leave_evidence().unwrap_or_else(|error| Evidence::Lost(error.to_string()))
    }

    fn leave_evidence(&mut self) -> Result<Evidence> {
        fs::create_dir_all(&self.directory).map_err(Error::file(&self.directory))?;
        let file =
            |extension| self.directory.join(format!("{}-{}.{extension}", self.subject.module, self.subject.seed));
        let (waveform, trace) = (file("fst"), file("trace"));
        trace::write(&trace, &self.subject, &self.a.interface(), &mut self.log)?;
        let first = self.log.cycles().saturating_sub(WAVEFORM_CYCLES);
        self.waveform(first..self.log.cycles(), first, &waveform)?;
        Ok(Evidence::Files { waveform, trace })
    }

    /// An FST file of `B`; see [`UnderTest::waveform`].
    ///
    /// # Errors
    /// Those of [`UnderTest::waveform`].
    pub fn waveform(&mut self, range: Range<u64>, first: u64, file: &Path) -> Result<()> {
        self.b.waveform(&mut self.log, range, first, file)
    }
}

impl<A, B> Unit for Lockstep<A, B>
where
    A: Unit,
    B: Unit<In = A::In, Out = A::Out> + UnderTest,
{
    type In = A::In;
    type Out = A::Out;

    fn interface(&self) -> Interface {
        self.a.interface()
    }

    fn outputs(&self) -> A::Out {
        self.pins_a.clone()
    }

    #[inline]
    fn sample(&self, pins: &mut A::Out) {
        pins.clone_from(&self.pins_a);
    }

    #[inline]
    fn clock(&mut self, pins: &A::In) {
        if self.is_healthy() {
            pins.store(&mut self.inputs);
            self.log.append(false, &self.inputs);
            if let Some([inputs, _]) = &mut self.toggles {
                inputs.see(0, &self.inputs);
            }
            if self.clock_model(pins) {
                self.b.clock(pins);
                self.compare();
                self.check_rules();
            }
        } else if self.tally.violation().is_none() {
            self.a.clock(pins);
            self.a.sample(&mut self.pins_a);
        }
    }

    fn reset(&mut self) {
        self.reset_beside(&vec![0; self.inputs.len()]);
    }

    fn fault(&self) -> Option<String> {
        self.tally.fault()
    }
}

/// The rising edge of a model, or the rule that its inputs break.
#[inline]
pub(crate) fn clock<U: Unit>(model: &mut U, pins: &U::In) -> std::result::Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| model.clock(pins))).map_err(rule)
}

/// A panic without a text is none of the model's.
#[cold]
fn rule(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.map(str::to_owned).unwrap_or_else(|| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_several_words_are_one_number() {
        assert_eq!(hex(&[0]), "0x0");
        assert_eq!(hex(&[0, 0]), "0x0");
        assert_eq!(hex(&[0x1f, 0]), "0x1f");
        assert_eq!(hex(&[0xf, 0xabc]), "0xabc000000000000000f");
    }
}
