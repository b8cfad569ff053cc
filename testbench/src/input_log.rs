//! All inputs of a unit since it was made, so that any cycle can be reached again.
//!
//! A run of equal cycles takes one record: reset, which words changed against the run before (a bit mask for every 32
//! words), their new values, and the length of the run. The first 64 MiB are kept in memory, more goes to a temporary file.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use tempfile::SpooledTempFile;

const IN_MEMORY: usize = 64 << 20;
const BUFFER: usize = 1 << 16;
/// Words that share a mask.
const GROUP: usize = 32;

pub struct InputLog {
    spool: SpooledTempFile,
    /// Records that are not in `spool` yet.
    buffer: Vec<u8>,
    /// The run at hand, whose length is not yet written.
    current: Vec<u64>,
    reset: bool,
    length: u64,
    cycles: u64,
    failure: Option<io::Error>,
}

#[inline]
fn put(buffer: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        buffer.push(value as u8 | 0x80);
        value >>= 7;
    }
    buffer.push(value as u8);
}

fn get(source: &mut impl Read) -> io::Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let mut byte = [0];
        source.read_exact(&mut byte)?;
        value |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            return Ok(value);
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

impl InputLog {
    /// For inputs of so many words (see [`sim::unit::words`]).
    pub fn new(words: usize) -> Self {
        InputLog {
            spool: SpooledTempFile::new(IN_MEMORY),
            buffer: Vec::with_capacity(2 * BUFFER),
            current: vec![0; words],
            reset: false,
            length: 0,
            cycles: 0,
            failure: None,
        }
    }

    /// Cycles so far.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// One more cycle.
    #[inline]
    pub fn append(&mut self, reset: bool, inputs: &[u64]) {
        self.append_run(reset, inputs, 1);
    }

    /// `length` more cycles that are all the same.
    pub fn append_run(&mut self, reset: bool, inputs: &[u64], length: u64) {
        self.cycles += length;
        let changes = inputs.iter().zip(&self.current).fold(0, |changes, (new, old)| changes | (new ^ old));
        if changes == 0 && reset == self.reset && self.length > 0 {
            self.length += length;
            return;
        }
        self.end_run();
        self.begin_run(reset, inputs);
        self.length = length;
    }

    fn begin_run(&mut self, reset: bool, inputs: &[u64]) {
        self.reset = reset;
        put(&mut self.buffer, reset as u64);
        for (new, old) in inputs.chunks(GROUP).zip(self.current.chunks_mut(GROUP)) {
            let changed = |(place, (new, old)): (usize, (&u64, &u64))| u64::from(new != old) << place;
            let mut mask = new.iter().zip(&*old).enumerate().map(changed).fold(0, |mask, bit| mask | bit);
            put(&mut self.buffer, mask);
            while mask != 0 {
                let place = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                old[place] = new[place];
                put(&mut self.buffer, new[place]);
            }
        }
    }

    fn end_run(&mut self) {
        if self.length > 0 {
            put(&mut self.buffer, self.length);
            self.length = 0;
        }
        if self.buffer.len() >= BUFFER {
            self.spill();
        }
    }

    fn spill(&mut self) {
        if let Err(error) = self.spool.write_all(&self.buffer) {
            self.failure.get_or_insert(error);
        }
        self.buffer.clear();
    }

    /// Calls `visit` with (reset, inputs, length) of every run, in order.
    ///
    /// # Errors
    /// A temporary file that could not be written or read; what `visit` returns.
    pub fn replay<E: From<io::Error>>(
        &mut self,
        mut visit: impl FnMut(bool, &[u64], u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut refused = Ok(());
        self.runs(&mut |reset, inputs, length| {
            refused = visit(reset, inputs, length);
            refused.is_ok()
        })?;
        refused
    }

    /// Runs in order as long as `visit` wants more.
    fn runs(&mut self, visit: &mut dyn FnMut(bool, &[u64], u64) -> bool) -> io::Result<()> {
        self.end_run();
        self.spill();
        if let Some(error) = &self.failure {
            return Err(io::Error::new(error.kind(), error.to_string()));
        }
        let end = self.spool.stream_position()?;
        self.spool.seek(SeekFrom::Start(0))?;
        let mut source = BufReader::new(&mut self.spool).take(end);
        let mut inputs = vec![0; self.current.len()];
        while source.limit() > 0 {
            let reset = get(&mut source)? == 1;
            for group in inputs.chunks_mut(GROUP) {
                let mask = get(&mut source)?;
                for (_, word) in group.iter_mut().enumerate().filter(|(place, _)| mask >> place & 1 == 1) {
                    *word = get(&mut source)?;
                }
            }
            let length = get(&mut source)?;
            if !visit(reset, &inputs, length) {
                break;
            }
        }
        drop(source);
        self.spool.seek(SeekFrom::Start(end))?;
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Reset, inputs and length of every run.
    pub(crate) fn runs(log: &mut InputLog) -> Vec<(bool, Vec<u64>, u64)> {
        let mut runs = Vec::new();
        log.replay(|reset, inputs, length| {
            runs.push((reset, inputs.to_vec(), length));
            io::Result::Ok(())
        })
        .unwrap();
        runs
    }

    #[test]
    fn what_went_in_comes_out_in_runs() {
        let mut log = InputLog::new(3);
        for _ in 0..5 {
            log.append(false, &[0, 0, 0]);
        }
        log.append(false, &[1, u64::MAX, 0]);
        log.append(true, &[1, u64::MAX, 0]);
        log.append_run(false, &[0, u64::MAX, 7], 1_000_000);
        assert_eq!(log.cycles(), 1_000_007);
        let mut expected = vec![
            (false, vec![0, 0, 0], 5),
            (false, vec![1, u64::MAX, 0], 1),
            (true, vec![1, u64::MAX, 0], 1),
            (false, vec![0, u64::MAX, 7], 1_000_000),
        ];
        assert_eq!(runs(&mut log), expected);
        log.append(false, &[0, 0, 0]);
        expected.push((false, vec![0, 0, 0], 1));
        assert_eq!(runs(&mut log), expected, "replay is not the end");
    }

    #[test]
    fn logs_beyond_the_memory_limit_are_whole() {
        let mut log = InputLog::new(2);
        let cycles = 5_000_000u64;
        for cycle in 0..cycles {
            log.append(false, &[cycle << 40, !cycle]);
        }
        let mut cycle = 0;
        log.replay(|_, inputs, length| {
            assert_eq!((inputs, length), (&[cycle << 40, !cycle][..], 1));
            cycle += 1;
            io::Result::Ok(())
        })
        .unwrap();
        assert_eq!(cycle, cycles);
        assert!(log.spool.is_rolled());
    }
}
