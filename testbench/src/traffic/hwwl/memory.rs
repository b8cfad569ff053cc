//! Plays the load-store unit and memory to the virtualization unit: takes requests when it likes, answers loads late and in
//! any order, and checks that no line is lost, read twice or written over.

use crate::traffic::{phases, Rng};
use sim::units::hwwl::pins::{MemoryIn, MemoryOut, LINE_IDS};
use sim::units::hwwl::Parameters;

/// Lines are told apart by so many of the lower bits of their numbers: more than an overflow buffer has here.
const LINES: usize = 1 << 10;
/// Most lines that a test may give to a core.
pub const MOST_LINES: u16 = 300;
const TAGS: usize = 4;

phases! {
    /// How it behaves for a while. `accept`: a request is taken in a cycle. `reply`: a load is answered in a cycle.
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

#[derive(Clone, Debug)]
struct Load {
    ids: [u32; LINE_IDS],
    /// Its place in the order of all loads.
    order: u32,
}

/// What happened in a cycle.
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
    pub out_of_order: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Memory {
    lines: Vec<[u32; LINE_IDS]>,
    /// IDs of each line that have not been loaded.
    lengths: Vec<u8>,
    loads: [Option<Load>; TAGS],
    waiting: u8,
    order: u32,
    last_store: u32,
    pub manner: Manner,
}

impl Memory {
    pub fn new() -> Self {
        Memory {
            lines: vec![[0; LINE_IDS]; LINES],
            lengths: vec![0; LINES],
            loads: [const { None }; TAGS],
            manner: MANNERS[0],
            ..Default::default()
        }
    }

    /// Nothing is wanted from memory any more.
    pub fn clear(&mut self) {
        self.lengths.fill(0);
        self.loads = [const { None }; TAGS];
        self.waiting = 0;
    }

    pub fn choose_manner(&mut self, rng: &mut Rng) {
        self.manner = rng.any_of(MANNERS);
    }

    /// A part of memory for a core: first line, number of lines; small ones that overflow are as frequent as large ones.
    pub fn choose_buffer(rng: &mut Rng) -> (u32, u16) {
        let lines = rng.any_of(&[0, 1, 2, 3, 4, 5, 8, 16, 33, 100, MOST_LINES]);
        (rng.draw() as u32 & 0x7fff_ffff, lines)
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
            served.out_of_order = self.reply(rng, pins);
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

    /// Any of the loads that are waiting; true if an older one waits on.
    fn reply(&mut self, rng: &mut Rng, pins: &mut MemoryIn) -> bool {
        let mut chosen = rng.below(u32::from(self.waiting));
        let waiting = |load: &Option<Load>| load.is_some();
        let tag = self.loads.iter().position(|load| {
            let hit = waiting(load) && chosen == 0;
            chosen = chosen.wrapping_sub(u32::from(waiting(load)));
            hit
        });
        let Some((tag, load)) = tag.and_then(|tag| Some((tag, self.loads[tag].take()?))) else { return false };
        self.waiting -= 1;
        (pins.line_valid, pins.line_tag, pins.line_id) = (true, tag as u8, load.ids);
        self.loads.iter().flatten().any(|other| other.order < load.order)
    }

    fn store(&mut self, out: &MemoryOut, served: &mut Served) -> Result<(), String> {
        let (line, length) = (out.mem_line as usize % LINES, out.mem_count as usize);
        if !(1..=LINE_IDS).contains(&length) {
            return Err(format!("a store of {length} IDs"));
        }
        if self.lengths[line] != 0 {
            return Err(format!("a store to line {:#x}, whose IDs nobody has read", out.mem_line));
        }
        // What is beyond the IDs keeps what it had.
        self.lines[line][..length].copy_from_slice(&out.mem_id[..length]);
        self.lengths[line] = length as u8;
        served.store = length == LINE_IDS;
        served.partial_store = length < LINE_IDS;
        served.lower_line = out.mem_line <= self.last_store;
        self.last_store = out.mem_line;
        Ok(())
    }

    fn load(&mut self, out: &MemoryOut, served: &mut Served) -> Result<(), String> {
        let (line, tag) = (out.mem_line as usize % LINES, out.mem_tag as usize);
        if self.lengths[line] == 0 {
            return Err(format!("a load of line {:#x}, which holds nothing", out.mem_line));
        }
        if self.loads[tag].is_some() {
            return Err(format!("a load with tag {tag}, which is on its way"));
        }
        served.load = true;
        served.partial_load = usize::from(self.lengths[line]) < LINE_IDS;
        self.lengths[line] = 0;
        self.loads[tag] = Some(Load { ids: self.lines[line], order: self.order });
        self.order += 1;
        self.waiting += 1;
        served.four_loads = usize::from(self.waiting) == TAGS;
        Ok(())
    }
}
