//! Functions that the system gives to every kernel: `printf`, `assert`, `malloc`, `free`.
//!
//! In time each is a store of 16 bytes a lane to global memory: of `printf` to the buffer of what is printed, of `malloc` and `free`
//! to the block.

use super::effect::{AccessKind, Demand};
use super::fault::{Cause, Fault};
use super::lanes::each;
use super::print::{print, Arguments};
use super::state_space::{little_endian, MemoryInstruction};
use crate::ptx::address_map::{resolve, OUTPUT_BASE};
use crate::ptx::isa::Space;
use crate::ptx::op::{Builtin, BuiltinCall};

/// Bytes that a call stores for each lane, as the timing model sees it.
const STORED: u32 = 16;
/// Longest string of an assertion that is read.
const LONGEST: usize = 4096;
/// Results of `printf` for no format, and for a text that is longer than the whole buffer.
const NO_FORMAT: i32 = -1;
const TOO_LONG: i32 = -2;

impl<'d> MemoryInstruction<'_, '_, '_, 'd> {
    pub fn builtin(mut self, call: &BuiltinCall) -> Result<Demand<'d>, Fault> {
        let access = &mut self.scratch.access;
        (access.kind, access.space, access.lanes, access.bytes) =
            (AccessKind::Write, Space::Global, self.lanes.mask, STORED);
        for lane in each(self.lanes.mask) {
            let frame = call.base.map_or(0, |base| self.lanes.row(base)[lane]);
            let thread = Thread { lane, frame, call };
            let touched = match call.function {
                Builtin::Print => self.print(thread)?,
                Builtin::AssertFail => return Err(self.failed_assertion(thread)?),
                Builtin::Malloc => self.malloc(thread)?,
                Builtin::Free => self.free(thread)?,
            };
            self.scratch.access.address[lane] = touched & !u64::from(STORED - 1);
        }
        self.scratch.changed = true;
        Ok(self.scratch.demand())
    }

    /// Formats and prints; gives the address of the text.
    fn print(&mut self, thread: Thread) -> Result<u64, Fault> {
        let [format, buffer] = [self.param(thread, 0)?, self.param(thread, 1)?];
        let limit = self.spaces.global.output.limit();
        let mut text = Vec::new();
        let result = match format {
            0 => NO_FORMAT,
            address => {
                let format = self.string(thread.lane, address, limit)?;
                let mut arguments = Packed { instruction: self, lane: thread.lane, address: buffer };
                let count = print(&format, &mut arguments, limit, &mut text)?;
                if text.len() <= limit {
                    count as i32
                } else {
                    TOO_LONG
                }
            }
        };
        let output = &mut self.spaces.global.output;
        let address = OUTPUT_BASE + output.position();
        if result >= 0 {
            output.push(&text);
        }
        self.give(thread, u64::from(result as u32))?;
        Ok(address)
    }

    fn failed_assertion(&mut self, thread: Thread) -> Result<Fault, Fault> {
        let text = |index| {
            let address = self.param(thread, index)?;
            let bytes = self.string(thread.lane, address, LONGEST)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let (message, file, function) = (text(0)?, text(1)?, text(3)?);
        let at = self.param(thread, 2)? as u32;
        Ok(self.thread_fault(thread.lane, Cause::Assert { message, file, at, function }))
    }

    fn malloc(&mut self, thread: Thread) -> Result<u64, Fault> {
        let bytes = self.param(thread, 0)?;
        let address = self.spaces.global.device_heap.alloc(bytes);
        self.give(thread, address)?;
        Ok(address)
    }

    fn free(&mut self, thread: Thread) -> Result<u64, Fault> {
        let address = self.param(thread, 0)?;
        if address != 0 && !self.spaces.global.device_heap.free(address) {
            return Err(self.thread_fault(thread.lane, Cause::Free { address }));
        }
        Ok(address)
    }

    /// A parameter of the call, of 4 or 8 bytes.
    fn param(&self, thread: Thread, index: usize) -> Result<u64, Fault> {
        let bytes = thread.call.function.params()[index] as usize;
        let address = thread.frame.wrapping_add(thread.call.params[index]);
        let view = self.view(Space::Local, thread.lane, address, bytes);
        match view.map_err(|error| self.fault(thread.lane, Space::Local, error))? {
            word if bytes == 4 => Ok(little_endian::<4>(word)),
            word => Ok(little_endian::<8>(word)),
        }
    }

    /// Writes the result of the call, if the caller wants it.
    fn give(&mut self, thread: Thread, value: u64) -> Result<(), Fault> {
        let (Some(result), Some(bytes)) = (thread.call.result, thread.call.function.result()) else { return Ok(()) };
        let (bytes, address) = (bytes as usize, thread.frame.wrapping_add(result));
        match self.view_mut(Space::Local, thread.lane, address, bytes) {
            Ok(to) => to.copy_from_slice(&value.to_le_bytes()[..bytes]),
            Err(error) => return Err(self.fault(thread.lane, Space::Local, error)),
        }
        if self.spaces.global.checker.is_some() {
            self.note_result(thread.lane, address, bytes);
        }
        Ok(())
    }

    /// Bytes at a generic address, of which a thread reads `SIZE`.
    fn generic<const SIZE: usize>(&self, lane: usize, address: u64) -> Result<u64, Fault> {
        let (space, address) = resolve(address);
        match self.view(space, lane, address, SIZE) {
            Ok(bytes) => Ok(little_endian::<SIZE>(bytes)),
            Err(error) => Err(self.read_fault(lane, space, error)),
        }
    }

    /// A string up to its zero byte, at most `most` bytes of it.
    fn string(&self, lane: usize, address: u64, most: usize) -> Result<Vec<u8>, Fault> {
        let mut text = Vec::new();
        while text.len() < most {
            match self.generic::<1>(lane, address.wrapping_add(text.len() as u64))? {
                0 => break,
                byte => text.push(byte as u8),
            }
        }
        Ok(text)
    }
}

/// A thread that calls.
#[derive(Clone, Copy)]
struct Thread<'a> {
    lane: usize,
    /// Offset that is added to the addresses of the call.
    frame: u64,
    call: &'a BuiltinCall,
}

/// The arguments of `printf`: one behind the other in memory, each at a multiple of its size.
struct Packed<'a, 'b, 'r, 's, 'd> {
    instruction: &'a MemoryInstruction<'b, 'r, 's, 'd>,
    lane: usize,
    address: u64,
}

impl Arguments for Packed<'_, '_, '_, '_, '_> {
    type Error = Fault;

    fn next(&mut self, bytes: u64) -> Result<u64, Fault> {
        let address = self.address.next_multiple_of(bytes);
        self.address = address.wrapping_add(bytes);
        match bytes {
            4 => self.instruction.generic::<4>(self.lane, address),
            _ => self.instruction.generic::<8>(self.lane, address),
        }
    }

    fn string(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Fault> {
        self.instruction.string(self.lane, address, most)
    }
}
