//! `instruction_buffer` of the baseline: two slots for each warp (section 2, Fig 7a).

use super::parameters::MOST_PLACES;
use super::pins::{InstructionBufferIn, InstructionBufferOut};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

/// The line that was written last for a warp.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    records: [u128; 2],
    /// Records that have not left: the last so many.
    left: usize,
}

impl Line {
    fn head(&self) -> Option<u128> {
        (self.left > 0).then(|| self.records[2 - self.left])
    }
}

#[derive(Clone, Debug)]
pub struct InstructionBuffer {
    warps: usize,
    lines: [Line; MOST_PLACES],
    record: Option<u128>,
}

impl InstructionBuffer {
    pub fn new(warps: usize) -> Result<Self, ParameterError> {
        spec::gw::INSTRUCTION_BUFFER.checked(&[("warps", warps as u64)])?;
        Ok(InstructionBuffer { warps, lines: [Line::default(); MOST_PLACES], record: None })
    }
}

impl Unit for InstructionBuffer {
    type In = InstructionBufferIn;
    type Out = InstructionBufferOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(self.warps)
    }

    fn outputs(&self) -> InstructionBufferOut {
        let with_head = (0..self.warps).filter(|warp| self.lines[*warp].left > 0);
        let head_valid = with_head.fold(0, |mask, warp| mask | 1 << warp);
        InstructionBufferOut { head_valid, record: self.record.into() }
    }

    fn clock(&mut self, pins: &InstructionBufferIn) -> Result<(), Fault> {
        self.record = pins.read.get().and_then(|warp| self.lines[warp as usize].head());
        if let Some(warp) = pins.take.get() {
            let left = &mut self.lines[warp as usize].left;
            *left = left.saturating_sub(1);
        }
        if let Some(warp) = pins.flush.get() {
            self.lines[warp as usize].left = 0;
        }
        if let Some(write) = pins.write.get() {
            let left = if write.both { 2 } else { 1 };
            self.lines[write.warp as usize] = Line { records: write.records, left };
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.lines.iter_mut().for_each(|line| line.left = 0);
        self.record = None;
    }
}

#[cfg(test)]
mod tests {
    use super::super::pins::{BufferWrite, Offer};
    use super::*;

    #[test]
    fn records_leave_in_their_order_until_a_flush() {
        let mut buffer = InstructionBuffer::new(24).unwrap();
        let write = |warp, both| Offer::some(BufferWrite { warp, both, records: [10, 11] });
        buffer.clock(&InstructionBufferIn { write: write(23, true), ..Default::default() }).unwrap();
        buffer.clock(&InstructionBufferIn { write: write(5, false), ..Default::default() }).unwrap();
        assert_eq!(buffer.outputs().head_valid, 1 << 23 | 1 << 5);
        let pins = |warp| Offer::some(warp);
        let mut read = |warp, take: bool| {
            let take = if take { pins(warp) } else { Offer::default() };
            buffer.clock(&InstructionBufferIn { read: pins(warp), take, ..Default::default() }).unwrap();
            (buffer.outputs().record.get(), buffer.outputs().head_valid)
        };
        assert_eq!(read(23, true), (Some(10), 1 << 23 | 1 << 5));
        assert_eq!(read(23, false), (Some(11), 1 << 23 | 1 << 5));
        assert_eq!(read(5, true), (Some(11), 1 << 23));
        buffer.clock(&InstructionBufferIn { flush: pins(23), ..Default::default() }).unwrap();
        assert_eq!(buffer.outputs(), InstructionBufferOut::default());
    }

    #[test]
    fn warps_out_of_range_are_refused() {
        let error = InstructionBuffer::new(26).unwrap_err();
        assert_eq!(error.to_string(), "instruction_buffer: warps = 26, but it must be a multiple of 4, at most 64");
        assert!(InstructionBuffer::new(0).is_err() && InstructionBuffer::new(68).is_err());
    }
}
