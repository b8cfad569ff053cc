//! A waveform of some cycles of a run, whether the bodies differ or not.

use crate::error::{Error, Result};
use crate::lockstep::WAVEFORM_CYCLES;
use output::Output;
use serde::Serialize;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Waveform that the user asks for.
#[derive(Clone, Debug)]
pub struct Recording {
    /// FST.
    pub file: PathBuf,
    /// First cycle, counted from the beginning of the run [default: 1000 before the end].
    pub from: Option<u64>,
    /// The cycle after the last one [default: the end of the run].
    pub to: Option<u64>,
}

/// Waveform that was recorded: cycle c is at times 2c (inputs applied) and 2c + 1 (after the edge).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recorded {
    pub file: PathBuf,
    pub from: u64,
    pub to: u64,
}

/// A recording of a run whose length is known; the file is made and takes its name when the waveform is in it.
pub(super) struct Planned<'a> {
    range: Range<u64>,
    file: Output,
    path: &'a Path,
}

impl Recording {
    /// Fits the range to a run of `cycles` cycles, whose model and RTL restart every `segment` cycles.
    ///
    /// # Errors
    /// No such cycles, or a restart within them; a file that cannot be written.
    pub(super) fn plan(&self, cycles: u64, segment: u64) -> Result<Planned<'_>> {
        let range = self.range(cycles, segment)?;
        let file = Output::begin(&self.file).map_err(Error::file(&self.file))?;
        Ok(Planned { range, file, path: &self.file })
    }

    fn range(&self, cycles: u64, segment: u64) -> Result<Range<u64>> {
        let to = self.to.unwrap_or(cycles);
        let first_of_last = to.saturating_sub(1) / segment * segment;
        let from = self.from.unwrap_or_else(|| first_of_last.max(to.saturating_sub(WAVEFORM_CYCLES)));
        let refused = |problem| Err(Error::Range { from, to, problem });
        if to > cycles {
            return refused(format!("the run has {cycles} cycles"));
        }
        if from >= to {
            return refused("the first cycle must be before the last one".into());
        }
        if from < first_of_last {
            return refused(format!(
                "model and RTL restart before cycle {first_of_last}, and a waveform must not cross a restart; \
                 end at it or begin there"
            ));
        }
        // Outputs of the last cycle before an end are there after the edge before, but its inputs are not.
        let end = to.min((first_of_last + segment).min(cycles) - 1);
        if from >= end {
            return refused(format!("cycle {from} is the last of its segment: it has no inputs; begin earlier"));
        }
        Ok(from..end)
    }
}

/// A pair of bodies within a run.
pub(super) struct Bodies {
    /// Cycle of the run in which they were made.
    pub start: u64,
    /// Cycles that they have had.
    pub clocked: u64,
    /// Cycles that they have had before `start`, to settle.
    pub settling: u64,
}

impl Planned<'_> {
    /// The `bodies` have come to the range.
    pub fn is_of(&self, bodies: &Bodies) -> bool {
        (bodies.start..bodies.end()).contains(&self.range.start)
    }

    /// `waveform` writes the file of a range of the bodies' own cycles, the first of which has another number in it.
    pub fn write(
        self,
        bodies: &Bodies,
        waveform: &mut dyn FnMut(Range<u64>, u64, &Path) -> Result<()>,
    ) -> Result<Recorded> {
        let (from, to) = (self.range.start, self.range.end.min(bodies.end()));
        let of_bodies = |cycle| cycle - bodies.start + bodies.settling;
        waveform(of_bodies(from)..of_bodies(to), from, self.file.path())?;
        self.file.finish().map_err(Error::file(self.path))?;
        Ok(Recorded { file: self.path.into(), from, to })
    }
}

impl Bodies {
    /// The cycle of the run that they have come to.
    fn end(&self) -> u64 {
        self.start + self.clocked.saturating_sub(self.settling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: Option<u64>, to: Option<u64>) -> Result<Range<u64>> {
        Recording { file: "x.fst".into(), from, to }.range(250_000, 100_000)
    }

    #[test]
    fn a_range_is_of_one_pair_of_bodies() {
        assert_eq!(range(None, None).unwrap(), 249_000..249_999);
        assert_eq!(range(None, Some(200_100)).unwrap(), 200_000..200_100);
        assert_eq!(range(Some(10), Some(20)).unwrap(), 10..20);
        assert_eq!(range(Some(99_000), Some(100_000)).unwrap(), 99_000..99_999);
        assert_eq!(range(Some(100_000), Some(100_001)).unwrap(), 100_000..100_001);
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        let refused = |from, to| range(Some(from), Some(to)).unwrap_err().to_string();
        assert_eq!(refused(0, 250_001), "--from 0 --to 250001: the run has 250000 cycles");
        assert_eq!(refused(7, 7), "--from 7 --to 7: the first cycle must be before the last one");
        assert!(refused(99_000, 100_001).contains("restart before cycle 100000"));
        assert!(refused(249_999, 250_000).contains("has no inputs"));
    }
}
