//! Texts that kernels print: a buffer that the host empties after a launch.
//!
//! As CUDA documents it, the buffer is circular: text that finds no room overwrites the oldest. Whole calls are overwritten.

use std::collections::VecDeque;

/// Bytes of the buffer unless the host sets another limit: CUDA's `cudaLimitPrintfFifoSize`.
const OUTPUT_BYTES: usize = 1 << 20;

/// Text that the host takes out of the buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// In the order in which warps printed, the lanes of a warp in their order.
    pub text: Vec<u8>,
    /// Calls of `printf` whose text was overwritten.
    pub lost: u64,
}

/// The buffer.
#[derive(Clone, Debug)]
pub struct Output {
    limit: usize,
    text: VecDeque<u8>,
    /// Bytes of each call whose text is here, the oldest first.
    calls: VecDeque<usize>,
    lost: u64,
    /// Bytes that were ever printed.
    printed: u64,
}

impl Default for Output {
    fn default() -> Self {
        Output { limit: OUTPUT_BYTES, text: VecDeque::new(), calls: VecDeque::new(), lost: 0, printed: 0 }
    }
}

impl Output {
    /// Sets how many bytes the buffer holds from now on.
    pub fn set_limit(&mut self, bytes: usize) {
        self.limit = bytes;
        self.make_room(0);
    }

    /// Bytes that the buffer holds.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Appends the text of one call, which is not longer than the limit.
    pub fn push(&mut self, text: &[u8]) {
        self.make_room(text.len());
        self.text.extend(text);
        self.calls.push_back(text.len());
        self.printed += text.len() as u64;
    }

    /// Place in the buffer that the next text gets.
    pub fn position(&self) -> u64 {
        self.printed % self.limit.max(1) as u64
    }

    /// Empties the buffer.
    pub fn take(&mut self) -> Printed {
        self.calls.clear();
        Printed { text: std::mem::take(&mut self.text).into(), lost: std::mem::take(&mut self.lost) }
    }

    fn make_room(&mut self, bytes: usize) {
        while self.text.len() + bytes > self.limit {
            let Some(oldest) = self.calls.pop_front() else { return };
            self.text.drain(..oldest);
            self.lost += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_calls_are_overwritten() {
        let mut output = Output::default();
        output.set_limit(10);
        ["abcd", "efgh", "ij"].iter().for_each(|text| output.push(text.as_bytes()));
        output.push(b"klm");
        assert_eq!(output.take(), Printed { text: b"efghijklm".to_vec(), lost: 1 });
        assert_eq!(output.take(), Printed::default());
        output.push(b"0123456789");
        output.set_limit(4);
        assert_eq!(output.take(), Printed { text: vec![], lost: 1 });
    }
}
