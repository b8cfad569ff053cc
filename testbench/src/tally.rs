//! Comparisons and findings of a lock-step.

use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;

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

/// Evidence of a difference.
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

/// Counts of a lock-step so far; may be read from elsewhere while it runs.
#[derive(Debug, Default)]
pub struct Tally {
    cycles: AtomicU64,
    comparisons: AtomicU64,
    difference: OnceLock<Difference>,
    /// Its cycle, and a line.
    violation: OnceLock<(u64, String)>,
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
        self.violation.get().map(|(_, line)| line.as_str())
    }

    /// No difference and no violation so far.
    #[inline]
    pub(crate) fn is_healthy(&self) -> bool {
        self.difference.get().is_none() && self.violation.get().is_none()
    }

    /// The cycle of the difference or the violation.
    pub(crate) fn faulty_cycle(&self) -> Option<u64> {
        let violation = || self.violation.get().map(|(cycle, _)| *cycle);
        self.difference().map(|difference| difference.cycle).or_else(violation)
    }

    #[inline]
    pub(crate) fn count(&self, cycles: u64, comparisons: u64) {
        self.cycles.store(cycles, Ordering::Relaxed);
        self.comparisons.store(comparisons, Ordering::Relaxed);
    }

    pub(crate) fn differ(&self, difference: Difference) {
        self.difference.set(difference).expect("comparison ends with the first difference");
    }

    pub(crate) fn violate(&self, cycle: u64, line: String) {
        self.violation.set((cycle, line)).expect("comparison ends with the first violation");
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
