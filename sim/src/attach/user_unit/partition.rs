//! A user unit at a memory partition: it sees what the slices do, and prefetches into them. The slices serve its requests.

use super::core::memory;
use super::core::pins::{DATA_BYTES, DATA_WORDS, READ_TAG_BITS};
use super::wired::{check_stability, first_that_holds, Wired, PATIENCE};
use super::{Findings, PlacedUnit};
use crate::attach::system::Cycle;
use crate::core::Core;
use crate::exec::Memory;
use crate::mem::request::{Kind, Request, Tag, SECTOR_BYTES};
use crate::mem::system::MemorySystem;
use crate::stats::counters;
use crate::unit::Unit;
use pins::{PartitionIn, PartitionOut};

pub mod pins;

counters! {
    /// Counts at the pins.
    PartitionCounts {
        /// Cycles of its clock.
        cycles: u64,
        /// Accesses of the slices that the unit has taken, and those that came while 16 were waiting.
        watched: u64,
        watches_lost: u64,
        /// Cycles in which an access waited for `watch_ready`.
        watch_wait_cycles: u64,
        /// Sectors that the slices were asked for, and those that are in no allocation or in another partition.
        prefetches: u64,
        prefetches_dropped: u64,
        reads: u64,
        /// Cycles in which a request waited for `memory_ready`.
        memory_wait_cycles: u64,
        /// Cycles in which data waited for `reply_ready`.
        reply_wait_cycles: u64,
    }
}

/// In [`Request::load`], behind the tag: nobody waits for the sector.
const PREFETCH: u32 = 1 << READ_TAG_BITS;

pub struct PartitionUnit {
    channel: usize,
    wired: Wired<PartitionIn, PartitionOut>,
    /// By tag: reads on their way.
    reading: [bool; 1 << READ_TAG_BITS],
    /// The sector on the pins.
    reply: Option<Request>,
    counts: PartitionCounts,
}

impl PartitionUnit {
    /// The unit of a partition, after reset.
    pub fn new(unit: Box<dyn Unit<In = PartitionIn, Out = PartitionOut>>, channel: usize) -> Self {
        PartitionUnit {
            channel,
            wired: Wired::new(unit, PartitionIn::default(), PartitionOut::default()),
            reading: [false; 1 << READ_TAG_BITS],
            reply: None,
            counts: PartitionCounts::default(),
        }
    }

    fn is_reading(&self) -> bool {
        self.reading.contains(&true)
    }

    /// The first access that waits.
    fn watch(&mut self, mem: &mut MemorySystem) -> bool {
        let accesses = &mut mem.beside(self.channel).accesses;
        self.wired.inputs.watch(accesses.front());
        let taken = self.wired.inputs.watch_valid && self.wired.outputs.watch_ready;
        self.counts.watch_wait_cycles += u64::from(self.wired.inputs.watch_valid && !taken);
        if taken {
            accesses.pop_front();
            self.counts.watched += 1;
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
                self.wired.inputs.reply_data = read_sector(memory, sector.address);
                self.wired.inputs.reply_tag = tag as u8;
                self.reply = Some(sector);
            }
        }
        self.wired.inputs.reply_valid = self.reply.is_some();
        let taken = self.wired.inputs.reply_valid && self.wired.outputs.reply_ready;
        self.counts.reply_wait_cycles += u64::from(self.wired.inputs.reply_valid && !taken);
        if taken {
            self.reply = None;
            self.reading[usize::from(self.wired.inputs.reply_tag)] = false;
        }
        taken
    }

    /// The request on the pins.
    fn ask(&mut self, mem: &mut MemorySystem, memory: &Memory) -> Result<bool, String> {
        self.wired.inputs.memory_ready = false;
        if !self.wired.outputs.memory_valid {
            return Ok(false);
        }
        self.wired.inputs.memory_ready = match self.wired.outputs.memory_prefetch {
            true => self.prefetch(mem, memory)?,
            false => self.read(mem, memory)?,
        };
        self.counts.memory_wait_cycles += u64::from(!self.wired.inputs.memory_ready);
        Ok(self.wired.inputs.memory_ready)
    }

    /// A prefetch that leads nowhere is dropped, as a unit cannot know where arrays end.
    fn prefetch(&mut self, mem: &mut MemorySystem, memory: &Memory) -> Result<bool, String> {
        let address = self.aligned()?;
        if memory.bytes(address, 1).is_err() || mem.channel(address) != self.channel {
            self.counts.prefetches_dropped += 1;
            return Ok(true);
        }
        let taken = self.send(PREFETCH, mem);
        self.counts.prefetches += u64::from(taken);
        Ok(taken)
    }

    fn read(&mut self, mem: &mut MemorySystem, memory: &Memory) -> Result<bool, String> {
        let (address, tag) = (self.aligned()?, self.wired.outputs.memory_tag);
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
        self.counts.reads += u64::from(taken);
        Ok(taken)
    }

    fn aligned(&self) -> Result<u64, String> {
        let address = self.wired.outputs.memory_address;
        match address.is_multiple_of(SECTOR_BYTES) {
            true => Ok(address),
            false => Err(format!("pin memory_address: {address:#x} is no multiple of {SECTOR_BYTES}")),
        }
    }

    fn send(&self, tag: u32, mem: &mut MemorySystem) -> bool {
        let request = Request::read(Kind::Beside, 0, self.wired.outputs.memory_address, SECTOR_BYTES);
        mem.read_beside(Request { tag: Tag::Beside(tag), ..request })
    }

    /// A request to memory stays as it is until it has been taken.
    fn check_stability(&self) -> Result<(), String> {
        let Wired { before, outputs: after, .. } = &self.wired;
        if !before.memory_valid || self.wired.inputs.memory_ready {
            return Ok(());
        }
        check_stability(&[
            ("memory_valid", !after.memory_valid),
            ("memory_prefetch", after.memory_prefetch != before.memory_prefetch),
            ("memory_tag", !after.memory_prefetch && after.memory_tag != before.memory_tag),
            ("memory_address", after.memory_address != before.memory_address),
        ])
    }

    /// Whoever has something to do is busy.
    fn check_busy(&self) -> Result<(), String> {
        if self.wired.outputs.busy {
            return Ok(());
        }
        let why =
            [("a read is under way", self.is_reading()), ("memory_valid is high", self.wired.outputs.memory_valid)];
        first_that_holds(&why, |why| format!("pin busy: low, although {why}"))
    }

    fn check_patience(&self, has_warps: bool) -> Result<(), String> {
        if self.wired.still < PATIENCE {
            return Ok(());
        }
        let why = [
            ("reply_ready: low for {} cycles, with data on the pins", self.reply.is_some()),
            ("watch_ready: low for {} cycles, with an access on the pins", self.wired.inputs.watch_valid),
            ("busy: high for {} cycles with nothing on the pins, and no warp is left", !has_warps),
        ];
        first_that_holds(&why, |why| format!("pin {}", why.replace("{}", &PATIENCE.to_string())))
    }
}

impl PlacedUnit for PartitionUnit {
    type Counts = PartitionCounts;
    const PLACE: &'static str = "partition";
    const IS_CALLED: bool = false;
    const WATCHES: bool = true;

    fn findings(&self) -> Findings<'_, PartitionCounts> {
        Findings { counts: &self.counts, counters: &self.wired.outputs.counters, fault: self.wired.unit.fault() }
    }

    fn is_active(&self) -> bool {
        self.wired.outputs.busy || self.wired.outputs.memory_valid || self.is_reading()
    }

    /// No access waits for it either.
    fn is_at_rest(&self) -> bool {
        !self.is_active() && !(self.wired.inputs.watch_valid && self.wired.still > 0)
    }

    fn has_news(&mut self, mem: &mut MemorySystem) -> bool {
        let beside = mem.beside(self.channel);
        self.counts.watches_lost += std::mem::take(&mut beside.accesses_lost);
        !beside.accesses.is_empty() || !beside.sectors.is_empty()
    }

    fn step(&mut self, cycle: &mut Cycle, _port: u8) -> Result<(), String> {
        self.check_busy()?;
        let mut moved = self.watch(cycle.mem);
        moved |= self.reply(cycle.mem, cycle.memory);
        moved |= self.ask(cycle.mem, cycle.memory)?;
        self.wired.moved(moved);
        let has_warps = cycle.cores.iter().any(Core::has_warps);
        self.check_patience(has_warps)?;
        self.wired.inputs.now = cycle.now;
        self.counts.cycles += 1;
        self.wired.clock(has_warps)?;
        self.check_stability()
    }
}

/// A sector; what lies behind the end of an allocation is 0.
fn read_sector(memory: &Memory, address: u64) -> [u64; DATA_WORDS] {
    memory::read(memory, address, DATA_BYTES).unwrap_or_else(|_| {
        let byte = |n: usize| memory.bytes(address + n as u64, 1).map_or(0, |bytes| u64::from(bytes[0]));
        std::array::from_fn(|word| (0..8).rev().fold(0, |sum, n| sum << 8 | byte(8 * word + n)))
    })
}
