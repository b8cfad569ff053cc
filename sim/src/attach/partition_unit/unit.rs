//! The unit of one partition: a cycle of its pins, and the rules that the unit has to keep.

use super::pins::{PartitionIn, PartitionOut};
use super::{Body, PartitionTraffic};
use crate::attach::own_unit::memory;
use crate::attach::own_unit::pins::{DATA_BYTES, DATA_WORDS, READ_TAG_BITS};
use crate::attach::own_unit::rules::{first_that_holds, Lingering, PATIENCE};
use crate::attach::system::Cycle;
use crate::core::Core;
use crate::exec::Memory;
use crate::mem::request::{Kind, Request, Tag, SECTOR_BYTES};
use crate::mem::system::MemorySystem;

/// In [`Request::load`], behind the tag: nobody waits for the sector.
const PREFETCH: u32 = 1 << READ_TAG_BITS;

pub struct PartitionUnit {
    pub body: Body,
    channel: usize,
    inputs: PartitionIn,
    /// Of this cycle.
    pub outputs: PartitionOut,
    /// Of the cycle before.
    before: PartitionOut,
    /// By tag: reads on their way.
    reading: [bool; 1 << READ_TAG_BITS],
    /// The sector on the pins.
    reply: Option<Request>,
    pub traffic: PartitionTraffic,
    /// Cycles since something was handed over at the pins.
    still: u64,
    lingering: Lingering,
}

impl PartitionUnit {
    pub fn new(body: Body, channel: usize) -> Self {
        let mut outputs = PartitionOut::default();
        body.sample(&mut outputs);
        PartitionUnit {
            body,
            channel,
            inputs: PartitionIn::default(),
            before: outputs.clone(),
            outputs,
            reading: [false; 1 << READ_TAG_BITS],
            reply: None,
            traffic: PartitionTraffic::default(),
            still: 0,
            lingering: Lingering::default(),
        }
    }

    /// It has something to do or to say, whatever the slices do.
    pub fn is_active(&self) -> bool {
        self.outputs.busy || self.outputs.memory_valid || self.is_reading()
    }

    /// Nothing is on its way, and no access waits for it.
    pub fn is_at_rest(&self) -> bool {
        !self.is_active() && !(self.inputs.watch_valid && self.still > 0)
    }

    fn is_reading(&self) -> bool {
        self.reading.contains(&true)
    }

    /// A cycle, the slices' part of which has been.
    ///
    /// # Errors
    /// The rule that the unit breaks.
    pub fn step(&mut self, cycle: &mut Cycle) -> Result<(), String> {
        self.check_busy()?;
        let mut moved = self.watch(cycle.mem);
        moved |= self.reply(cycle.mem, cycle.memory);
        moved |= self.ask(cycle.mem, cycle.memory)?;
        self.still = if moved { 0 } else { self.still + 1 };
        let has_warps = cycle.cores.iter().any(Core::has_warps);
        self.check_patience(has_warps)?;
        self.lingering.check(has_warps)?;
        self.clock(cycle.now)
    }

    /// The first access that waits.
    fn watch(&mut self, mem: &mut MemorySystem) -> bool {
        let accesses = &mut mem.beside(self.channel).accesses;
        self.inputs.watch(accesses.front());
        let taken = self.inputs.watch_valid && self.outputs.watch_ready;
        self.traffic.watch_wait_cycles += u64::from(self.inputs.watch_valid && !taken);
        if taken {
            accesses.pop_front();
            self.traffic.watched += 1;
        }
        taken
    }

    /// Data of the first read that is back. What was only prefetched is in the slice, and nobody is told.
    fn reply(&mut self, mem: &mut MemorySystem, memory: &Memory) -> bool {
        let sectors = &mut mem.beside(self.channel).sectors;
        while self.reply.is_none() {
            let Some(sector) = sectors.pop_front() else { break };
            let Tag::Beside(tag) = sector.tag else { continue };
            if tag & PREFETCH == 0 {
                self.inputs.reply_data = read_sector(memory, sector.address);
                self.inputs.reply_tag = tag as u8;
                self.reply = Some(sector);
            }
        }
        self.inputs.reply_valid = self.reply.is_some();
        let taken = self.inputs.reply_valid && self.outputs.reply_ready;
        self.traffic.reply_wait_cycles += u64::from(self.inputs.reply_valid && !taken);
        if taken {
            self.reply = None;
            self.reading[usize::from(self.inputs.reply_tag)] = false;
        }
        taken
    }

    /// The request on the pins.
    fn ask(&mut self, mem: &mut MemorySystem, memory: &Memory) -> Result<bool, String> {
        self.inputs.memory_ready = false;
        if !self.outputs.memory_valid {
            return Ok(false);
        }
        self.inputs.memory_ready = match self.outputs.memory_prefetch {
            true => self.prefetch(mem, memory)?,
            false => self.read(mem, memory)?,
        };
        self.traffic.memory_wait_cycles += u64::from(!self.inputs.memory_ready);
        Ok(self.inputs.memory_ready)
    }

    /// A prefetch that leads nowhere is dropped, as a unit cannot know where arrays end.
    fn prefetch(&mut self, mem: &mut MemorySystem, memory: &Memory) -> Result<bool, String> {
        let address = self.aligned()?;
        if memory.bytes(address, 1).is_err() || mem.channel(address) != self.channel {
            self.traffic.prefetches_dropped += 1;
            return Ok(true);
        }
        let taken = self.send(PREFETCH, mem);
        self.traffic.prefetches += u64::from(taken);
        Ok(taken)
    }

    fn read(&mut self, mem: &mut MemorySystem, memory: &Memory) -> Result<bool, String> {
        let (address, tag) = (self.aligned()?, self.outputs.memory_tag);
        if self.reading[usize::from(tag)] {
            return Err(format!("pin memory_tag: a read with tag {tag}, which another read still has"));
        }
        memory.bytes(address, 1).map_err(|error| format!("pin memory_address: {error}"))?;
        if mem.channel(address) != self.channel {
            let other = mem.channel(address);
            return Err(format!(
                "pin memory_address: {address:#x} is of partition {other}; only prefetches may be elsewhere"
            ));
        }
        let taken = self.send(tag.into(), mem);
        self.reading[usize::from(tag)] = taken;
        self.traffic.reads += u64::from(taken);
        Ok(taken)
    }

    fn aligned(&self) -> Result<u64, String> {
        let address = self.outputs.memory_address;
        match address.is_multiple_of(SECTOR_BYTES) {
            true => Ok(address),
            false => Err(format!("pin memory_address: {address:#x} is no multiple of {SECTOR_BYTES}")),
        }
    }

    fn send(&self, tag: u32, mem: &mut MemorySystem) -> bool {
        let request = Request::read(Kind::Beside, 0, self.outputs.memory_address, SECTOR_BYTES);
        mem.read_beside(Request { tag: Tag::Beside(tag), ..request })
    }

    /// The rising edge.
    fn clock(&mut self, now: u64) -> Result<(), String> {
        self.inputs.now = now;
        self.traffic.cycles += 1;
        self.body.clock(&self.inputs).map_err(|fault| fault.to_string())?;
        std::mem::swap(&mut self.before, &mut self.outputs);
        self.body.sample(&mut self.outputs);
        self.check_stability()
    }

    /// A request to memory stays as it is until it has been taken.
    fn check_stability(&self) -> Result<(), String> {
        let (before, after) = (&self.before, &self.outputs);
        if !before.memory_valid || self.inputs.memory_ready {
            return Ok(());
        }
        let pins = [
            ("memory_valid", !after.memory_valid),
            ("memory_prefetch", after.memory_prefetch != before.memory_prefetch),
            ("memory_tag", !after.memory_prefetch && after.memory_tag != before.memory_tag),
            ("memory_address", after.memory_address != before.memory_address),
        ];
        first_that_holds(&pins, |pin| format!("pin {pin}: it changes before memory_ready has taken the request"))
    }

    /// Whoever has something to do is busy.
    fn check_busy(&self) -> Result<(), String> {
        if self.outputs.busy {
            return Ok(());
        }
        let why = [("a read is under way", self.is_reading()), ("memory_valid is high", self.outputs.memory_valid)];
        first_that_holds(&why, |why| format!("pin busy: low, although {why}"))
    }

    fn check_patience(&self, has_warps: bool) -> Result<(), String> {
        if self.still < PATIENCE {
            return Ok(());
        }
        let why = [
            ("reply_ready: low for {} cycles, with data on the pins", self.reply.is_some()),
            ("watch_ready: low for {} cycles, with an access on the pins", self.inputs.watch_valid),
            ("busy: high for {} cycles with nothing on the pins, and no warp is left", !has_warps),
        ];
        first_that_holds(&why, |why| format!("pin {}", why.replace("{}", &PATIENCE.to_string())))
    }
}

/// A sector; what lies behind the end of an allocation is 0.
fn read_sector(memory: &Memory, address: u64) -> [u64; DATA_WORDS] {
    memory::read(memory, address, DATA_BYTES).unwrap_or_else(|_| {
        let byte = |n: usize| memory.bytes(address + n as u64, 1).map_or(0, |bytes| u64::from(bytes[0]));
        std::array::from_fn(|word| (0..8).rev().fold(0, |sum, n| sum << 8 | byte(8 * word + n)))
    })
}
