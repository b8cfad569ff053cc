//! The memory port of a core's unit. Writes are done when they leave the core, reads when their data comes back, as with the worklist.

use super::pins::{CoreIn, CoreOut, DATA_BYTES, READ_TAG_BITS};
use crate::core::Core;
use crate::exec::Memory;
use crate::mem::request::{Kind, Request, Tag, SECTOR_BYTES};
use crate::mem::system::MemorySystem;
use std::collections::VecDeque;

const TAGS: usize = 1 << READ_TAG_BITS;

#[derive(Clone, Copy)]
struct Read {
    address: u64,
    bytes: usize,
}

#[derive(Default)]
pub struct MemoryPort {
    /// By tag: on their way.
    reads: [Option<Read>; TAGS],
    /// Tags whose data has come.
    arrived: VecDeque<u8>,
    /// On the pins.
    reply: Option<(u8, [u64; DATA_BYTES / 8])>,
}

impl MemoryPort {
    /// Data has come.
    pub fn arrive(&mut self, tag: u8) {
        self.arrived.push_back(tag);
    }

    pub fn is_empty(&self) -> bool {
        !self.is_reading() && self.reply.is_none()
    }

    /// Data is on its way.
    pub fn is_reading(&self) -> bool {
        self.reads.iter().any(Option::is_some)
    }

    pub fn has_reply(&self) -> bool {
        self.reply.is_some()
    }

    /// Puts the first data on the pins.
    ///
    /// # Errors
    /// Memory that is no longer there.
    pub fn drive(&mut self, pins: &mut CoreIn, memory: &Memory) -> Result<(), String> {
        if self.reply.is_none() {
            if let Some(tag) = self.arrived.pop_front() {
                if let Some(Read { address, bytes }) = self.reads[usize::from(tag)].take() {
                    self.reply = Some((tag, read(memory, address, bytes)?));
                }
            }
        }
        pins.reply_valid = self.reply.is_some();
        if let Some((tag, data)) = self.reply {
            (pins.reply_tag, pins.reply_data) = (tag, data);
        }
        Ok(())
    }

    /// The unit has taken the data.
    pub fn replied(&mut self) {
        self.reply = None;
    }

    /// The request on the pins, if the network takes it.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn send(
        &mut self,
        pins: &CoreOut,
        core: &Core,
        port: u8,
        mem: &mut MemorySystem,
        memory: &mut Memory,
    ) -> Result<bool, String> {
        let (address, bytes) = (pins.memory_address, self.check(pins, memory)?);
        let kind = if pins.memory_write { Kind::PortWrite } else { Kind::PortRead };
        let sector = address / SECTOR_BYTES * SECTOR_BYTES;
        let mut request = Request::read(kind, core.index, sector, SECTOR_BYTES);
        request.tag = Tag::Port { port, tag: pins.memory_tag.into() };
        if pins.memory_write {
            request.written = (u128::MAX >> (128 - bytes)) << (address - sector);
        }
        if core.is_sending() || !mem.has_room(&request) {
            return Ok(false);
        }
        if pins.memory_write {
            write(memory, address, bytes, pins)?;
        } else {
            self.reads[usize::from(pins.memory_tag)] = Some(Read { address, bytes });
        }
        mem.send(request);
        Ok(true)
    }

    /// Bytes of the request on the pins.
    fn check(&self, pins: &CoreOut, memory: &Memory) -> Result<usize, String> {
        let (size, address, tag) = (pins.memory_size, pins.memory_address, pins.memory_tag);
        if !(2..=5).contains(&size) {
            return Err(format!("pin memory_size: {size}, but it must be 2 to 5, for 4 to {DATA_BYTES} bytes"));
        }
        let is_used = self.reads[usize::from(tag)].is_some() || self.reply.is_some_and(|(used, _)| used == tag);
        if !pins.memory_write && is_used {
            return Err(format!("pin memory_tag: a read with tag {tag}, which another read still has"));
        }
        memory.access(address, 1 << size).map_err(|error| format!("pin memory_address: {error}"))?;
        Ok(1 << size)
    }
}

/// So many bytes from an address on, from bit 0 on, lowest byte first.
///
/// # Errors
/// Memory that is not there.
pub fn read(memory: &Memory, address: u64, bytes: usize) -> Result<[u64; DATA_BYTES / 8], String> {
    let mut data = [0; DATA_BYTES];
    memory.read(address, &mut data[..bytes]).map_err(|error| format!("pin memory_address: {error}"))?;
    let mut words = [0; DATA_BYTES / 8];
    for (word, part) in words.iter_mut().zip(data.chunks_exact(8)) {
        *word = part.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    }
    Ok(words)
}

fn write(memory: &mut Memory, address: u64, bytes: usize, pins: &CoreOut) -> Result<(), String> {
    let mut data = [0; DATA_BYTES];
    for (part, word) in data.chunks_exact_mut(8).zip(pins.memory_data) {
        part.copy_from_slice(&word.to_le_bytes());
    }
    memory.write(address, &data[..bytes]).map_err(|error| format!("pin memory_address: {error}"))
}
