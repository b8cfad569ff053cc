//! Plays the load-store unit and memory to the virtualization unit: takes requests when it likes, answers loads late and in
//! any order, and checks that no line is lost, read twice or written over.

use crate::stimulus::{phases, Rng};
use sim::units::hwwl::pins::{MemoryIn, MemoryOut, LINE_IDS};
use sim::units::hwwl::Parameters;
use std::collections::HashMap;

/// Numbers of lines that are used up and come round soon: they are as frequent as all other numbers together.
const SMALL: [u16; 14] = [0, 1, 2, 3, 4, 5, 8, 13, 16, 33, 48, 70, 100, 300];
const TAGS: usize = 4;

phases! {
    /// Chances for a while. `accept`: a request is taken in a cycle. `reply`: a load is answered in a cycle.
    pub MANNERS: Manner (accept, reply)
    (256, 256)
    (128, 16)
    (200, 4)
    (8, 64)
    (250, 0)
}

/// A bank has room for the refills of four loads.
pub fn has_room_for_four_loads(parameters: &Parameters) -> bool {
    parameters.entries >= 4 * parameters.refill_words() + 2
}

/// IDs of a line.
#[derive(Clone, Debug)]
struct Line {
    ids: [u32; LINE_IDS],
    length: usize,
}

/// IDs of a line that nobody has stored: a function of the line's number and of the place.
fn unwritten(line: u32) -> [u32; LINE_IDS] {
    let mut rng = Rng::new(line.into());
    std::array::from_fn(|_| rng.draw() as u32 & 0xff_ffff)
}

#[derive(Clone, Debug)]
struct Load {
    ids: [u32; LINE_IDS],
    /// Its place in the order of all loads.
    order: u32,
    is_partial: bool,
}

/// Outcome of a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Served {
    pub waits: bool,
    pub store: bool,
    pub partial_store: bool,
    /// A store to a lower line than the one before: the ring came round (or the other partition's turn).
    pub lower_line: bool,
    pub load: bool,
    /// All tags are taken by loads that memory has.
    pub four_loads: bool,
    pub partial_load: bool,
    /// A partial line comes back.
    pub partial_reply: bool,
    pub out_of_order: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Lines that were stored and have not been loaded, by their numbers.
    lines: HashMap<u32, Line>,
    loads: [Option<Load>; TAGS],
    waiting: u8,
    order: u32,
    last_store: u32,
    pub manner: Manner,
}

impl Memory {
    pub fn new() -> Self {
        Memory { manner: MANNERS[0], ..Default::default() }
    }

    /// Nothing is wanted from memory any more.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.loads = [const { None }; TAGS];
        self.waiting = 0;
    }

    pub fn choose_manner(&mut self, rng: &mut Rng) {
        self.manner = rng.any_of(MANNERS);
    }

    /// A part of memory for a core: first line, number of lines.
    pub fn choose_buffer(rng: &mut Rng, base: Base) -> (u32, u16) {
        let lines = if rng.one_in(2) { rng.any_of(&SMALL) } else { any_lines(rng) };
        (base.choose(rng), lines)
    }

    /// The same, of so many lines that a ring is not full soon.
    pub fn choose_large_buffer(rng: &mut Rng, base: Base) -> (u32, u16) {
        let lines = any_lines(rng) | rng.any_of(&[1 << 9, 1 << 10, 1 << 15]);
        (base.choose(rng), lines)
    }

    /// A load has not been answered.
    pub fn is_waiting(&self) -> bool {
        self.waiting > 0
    }

    /// One cycle.
    #[inline]
    pub fn serve(&mut self, rng: &mut Rng, out: &MemoryOut, pins: &mut MemoryIn) -> Result<Served, String> {
        let mut served = Served::default();
        (pins.mem_ready, pins.line_valid) = (false, false);
        if self.waiting > 0 && out.line_ready && self.manner.reply.happens(rng) {
            self.reply(rng, pins, &mut served);
        }
        if out.mem_valid {
            pins.mem_ready = self.manner.accept.happens(rng);
            served.waits = !pins.mem_ready;
            if pins.mem_ready && out.mem_write {
                self.store(out, &mut served)?;
            } else if pins.mem_ready {
                self.load(out, &mut served)?;
            }
        }
        Ok(served)
    }

    /// Any of the loads that are waiting; out of order if an older one waits on.
    fn reply(&mut self, rng: &mut Rng, pins: &mut MemoryIn, served: &mut Served) {
        let mut chosen = rng.below(u32::from(self.waiting));
        let waiting = |load: &Option<Load>| load.is_some();
        let tag = self.loads.iter().position(|load| {
            let hit = waiting(load) && chosen == 0;
            chosen = chosen.wrapping_sub(u32::from(waiting(load)));
            hit
        });
        let Some((tag, load)) = tag.and_then(|tag| Some((tag, self.loads[tag].take()?))) else { return };
        self.waiting -= 1;
        (pins.line_valid, pins.line_tag, pins.line_id) = (true, tag as u8, load.ids);
        served.partial_reply = load.is_partial;
        served.out_of_order = self.loads.iter().flatten().any(|other| other.order < load.order);
    }

    fn store(&mut self, out: &MemoryOut, served: &mut Served) -> Result<(), String> {
        let length = out.mem_count as usize;
        if !(1..=LINE_IDS).contains(&length) {
            return Err(format!("a store of {length} IDs"));
        }
        let mut ids = unwritten(out.mem_line);
        ids[..length].copy_from_slice(&out.mem_id[..length]);
        if self.lines.insert(out.mem_line, Line { ids, length }).is_some() {
            return Err(format!("a store to line {:#x}, whose IDs nobody has read", out.mem_line));
        }
        served.store = length == LINE_IDS;
        served.partial_store = length < LINE_IDS;
        served.lower_line = out.mem_line <= self.last_store;
        self.last_store = out.mem_line;
        Ok(())
    }

    fn load(&mut self, out: &MemoryOut, served: &mut Served) -> Result<(), String> {
        let tag = out.mem_tag as usize;
        let Some(Line { ids, length }) = self.lines.remove(&out.mem_line) else {
            return Err(format!("a load of line {:#x}, which holds nothing", out.mem_line));
        };
        if self.loads[tag].is_some() {
            return Err(format!("a load with tag {tag}, which is on its way"));
        }
        served.load = true;
        served.partial_load = length < LINE_IDS;
        self.loads[tag] = Some(Load { ids, order: self.order, is_partial: length < LINE_IDS });
        self.order += 1;
        self.waiting += 1;
        served.four_loads = usize::from(self.waiting) == TAGS;
        Ok(())
    }
}

/// Any number of lines: random, or next to a power of two.
fn any_lines(rng: &mut Rng) -> u16 {
    let random = rng.draw();
    match random >> 62 {
        0 | 1 => random as u16,
        2 => 1 << (random & 15),
        _ => (1 << (random & 15)) - 1 | (random >> 16) as u16 & 0x8000,
    }
}

/// Where a buffer may begin: at any line, at one before which the lower half of the numbers ends, or at one before the last of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Half,
    /// Or at one before which the lowest byte ends.
    HalfOrByte,
}

impl Base {
    fn choose(self, rng: &mut Rng) -> u32 {
        let (random, back) = (rng.draw() as u32, rng.below(64));
        match rng.below(4) {
            0 => u32::MAX - back,
            1 => random | 0xffff - back,
            2 if self == Base::HalfOrByte => random | 0xff - back / 4,
            _ => random,
        }
    }
}
