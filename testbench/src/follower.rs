//! The side of a lock-step that is under test: the RTL, all its inputs so far, and what was compared.

use crate::comparison::Comparison;
use crate::error::{Error, Result};
use crate::input_log::InputLog;
use crate::tally::{hex, Difference, Evidence, Tally};
use crate::toggles::Toggles;
use crate::trace::{self, Subject};
use output::Output;
use sim::unit::{words, Fault, Interface};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Cycles of a waveform before a difference, and of one whose length is not given.
pub const WAVEFORM_CYCLES: u64 = 1000;

/// An implementation that is compared with the model, and can show its history as a waveform.
pub trait UnderTest {
    /// This cycle's outputs, as [`Pins::store`] would give them.
    fn output_words(&self) -> &[u64];

    /// A clock cycle with these inputs, as [`Pins::store`] would give them. Beside a reset they must not matter.
    fn step(&mut self, reset: bool, inputs: &[u64]);

    /// The first rule of pins, of this implementation or of a part of it, that was broken.
    fn broken_rule(&self) -> Option<&str> {
        None
    }

    /// The implementation cannot go on, which [`Self::broken_rule`] explains. Its outputs mean nothing any more.
    fn has_ended(&self) -> bool {
        false
    }

    /// An FST file of the cycles `range` of `log`, which holds all inputs since it was made. In the file the first
    /// of them has the number `first`.
    ///
    /// # Errors
    /// A file that cannot be written or read.
    fn waveform(&self, log: &mut InputLog, range: Range<u64>, first: u64, file: &Path) -> Result<()>;
}

/// The side of the RTL, which compares each cycle at once ([`Follower`]) or later, on a thread of its own.
pub trait Follow {
    /// A cycle with these inputs; `expected` are the outputs of the next one. False: there is a fault.
    fn step(&mut self, reset: bool, inputs: &[u64], expected: &[u64]) -> bool;

    /// The model does not take these inputs: they break a rule.
    fn refuse(&mut self, inputs: &[u64], rule: Fault);

    /// The fault that this unit has to report, when all cycles are compared.
    fn fault(&self) -> Option<String>;
}

pub struct Follower<B> {
    rtl: B,
    interface: Interface,
    subject: Subject,
    directory: PathBuf,
    log: InputLog,
    comparison: Comparison,
    /// Cycles at the beginning that are not compared.
    settling: u64,
    comparisons: u64,
    /// Toggles of inputs outside resets, and of the model's outputs where they mean something.
    toggles: Option<[Toggles; 2]>,
    tally: Arc<Tally>,
}

impl<B: UnderTest> Follower<B> {
    /// The RTL straight after reset, whose first cycle is not compared yet.
    pub fn new(rtl: B, interface: Interface, subject: Subject, directory: &Path, settling: u64) -> Self {
        Follower {
            log: InputLog::new(words(&interface.inputs)),
            comparison: Comparison::new(&interface.outputs),
            comparisons: 0,
            toggles: None,
            settling,
            tally: Arc::default(),
            directory: directory.into(),
            subject,
            interface,
            rtl,
        }
    }

    pub fn rtl(&self) -> &B {
        &self.rtl
    }

    pub fn tally(&self) -> Arc<Tally> {
        self.tally.clone()
    }

    pub fn record_toggles(&mut self) {
        self.toggles = Some([&self.interface.inputs, &self.interface.outputs].map(|pins| Toggles::new(pins)));
    }

    pub fn toggles(&self) -> Option<&[Toggles; 2]> {
        self.toggles.as_ref()
    }

    /// No difference and no violation so far.
    #[inline]
    pub fn is_healthy(&self) -> bool {
        self.tally.is_healthy()
    }

    /// Cycles since the RTL was made: the number of the cycle at hand.
    pub fn cycle(&self) -> u64 {
        self.log.cycles()
    }

    /// Compares the outputs of the cycle at hand.
    #[inline]
    pub fn compare(&mut self, expected: &[u64]) {
        if self.rtl.has_ended() {
            return self.check_rules();
        }
        if self.log.cycles() < self.settling {
            return;
        }
        let toggles = &mut self.toggles;
        self.comparisons += self.comparison.meaningful(expected, |range| {
            if let Some([_, outputs]) = toggles {
                outputs.see(range.start, &expected[range]);
            }
        });
        self.tally.count(self.log.cycles() + 1 - self.settling, self.comparisons);
        if let Some(place) = self.comparison.first_difference(expected, self.rtl.output_words()) {
            self.report(place, expected);
        }
    }

    #[cold]
    fn report(&mut self, place: usize, expected: &[u64]) {
        let (pin, words) = self.comparison.pin(place);
        let (pin, model, rtl) = (pin.to_string(), hex(&expected[words.clone()]), hex(&self.rtl.output_words()[words]));
        let cycle = self.log.cycles();
        let evidence = self.evidence();
        self.tally.differ(Difference { unit: self.subject.unit.clone(), cycle, pin, model, rtl, evidence });
    }

    /// Assertions of the RTL. Where a pin differs as well, the difference says more.
    #[inline]
    fn check_rules(&mut self) {
        if self.rtl.broken_rule().is_some() && self.is_healthy() {
            let rule = self.rtl.broken_rule().unwrap_or_default().to_string();
            self.violate(&format!("pins of the RTL break a rule: {rule}"));
        }
    }

    #[cold]
    fn violate(&mut self, what: &str) {
        let (cycle, evidence) = (self.log.cycles().saturating_sub(1), self.evidence());
        self.tally.violate(cycle, format!("{}, cycle {cycle}: {what}; {evidence}", self.subject.unit));
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
        trace::write(&trace, &self.subject, &self.interface, &mut self.log)?;
        let first = self.log.cycles().saturating_sub(WAVEFORM_CYCLES);
        let written = Output::begin(&waveform).map_err(Error::file(&waveform))?;
        self.waveform(first..self.log.cycles(), first, written.path())?;
        written.finish().map_err(Error::file(&waveform))?;
        Ok(Evidence::Files { waveform, trace })
    }

    /// See [`UnderTest::waveform`].
    ///
    /// # Errors
    /// Errors of [`UnderTest::waveform`].
    pub fn waveform(&mut self, range: Range<u64>, first: u64, file: &Path) -> Result<()> {
        self.rtl.waveform(&mut self.log, range, first, file)
    }
}

impl<B: UnderTest> Follow for Follower<B> {
    #[inline]
    fn step(&mut self, reset: bool, inputs: &[u64], expected: &[u64]) -> bool {
        if !self.is_healthy() {
            return false;
        }
        self.log.append(reset, inputs);
        if let Some([moved, _]) = self.toggles.as_mut().filter(|_| !reset) {
            moved.see(0, inputs);
        }
        self.rtl.step(reset, inputs);
        self.compare(expected);
        self.check_rules();
        self.is_healthy()
    }

    #[cold]
    fn refuse(&mut self, inputs: &[u64], rule: Fault) {
        if self.is_healthy() {
            self.log.append(false, inputs);
            self.violate(&format!("inputs break a rule: {rule}"));
        }
    }

    fn fault(&self) -> Option<String> {
        self.tally.fault()
    }
}
