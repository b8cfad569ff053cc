//! The edge expanders of all cores inside the GPU: their pins, the worklist's banks that they pull from, and the rows that they read.

use crate::exec::{AddressError, Memory};
use crate::mem::request::{Kind, Request, Tag, LINE_BYTES, SECTOR_BYTES};
use crate::mem::system::MemorySystem;
use crate::unit::{Fault, Unit};
use crate::units::hwwl::pins::{status, ExpanderIn, ExpanderOut, HwwlCoreIn, HwwlCoreOut, RowOut};
use std::collections::VecDeque;

/// An implementation of `edge_expander`.
pub type ExpanderUnit = Box<dyn Unit<In = ExpanderIn, Out = ExpanderOut>>;

/// Tags of the port of a core from here on are those of the expander.
pub const FIRST_TAG: u32 = 4;
/// Tags of an expander.
const TAGS: usize = 256;

/// Words that were asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    address: u64,
    words: usize,
    sectors: usize,
}

/// The expander of one core, and what it has asked for.
pub struct Expander {
    unit: ExpanderUnit,
    pub inputs: ExpanderIn,
    pub outputs: ExpanderOut,
    asked: Vec<Option<Asked>>,
    /// Requests that wait for their replies.
    on_their_way: usize,
    /// Tags whose words have come.
    come: VecDeque<u8>,
    /// Bank that was asked in the previous cycle.
    pulled: u32,
}

impl Expander {
    pub fn new(unit: ExpanderUnit) -> Self {
        let outputs = unit.outputs();
        let (asked, come) = (vec![None; TAGS], VecDeque::with_capacity(TAGS));
        Expander { unit, inputs: ExpanderIn::default(), outputs, asked, on_their_way: 0, come, pulled: 0 }
    }

    /// It waits for memory, or memory for it.
    pub fn has_traffic(&self) -> bool {
        self.outputs.row.read_valid || !self.come.is_empty()
    }

    /// Nothing is on its way to it.
    pub fn is_idle(&self) -> bool {
        !self.has_traffic() && self.on_their_way == 0
    }

    /// Why the unit can no longer be trusted.
    pub fn fault(&self) -> Option<String> {
        self.unit.fault()
    }

    /// A sector has come.
    pub fn receive(&mut self, tag: u32) {
        let tag = (tag - FIRST_TAG) as usize;
        let Some(asked) = &mut self.asked[tag] else { return };
        asked.sectors -= 1;
        if asked.sectors == 0 {
            self.on_their_way -= 1;
            self.come.push_back(tag as u8);
        }
    }

    /// The words of one request come.
    pub fn reply(&mut self, memory: &Memory) -> Result<(), AddressError> {
        let Some(tag) = self.come.pop_front() else { return Ok(()) };
        let Some(Asked { address, words, .. }) = self.asked[tag as usize].take() else { return Ok(()) };
        let row = &mut self.inputs.row;
        (row.row_valid, row.row_tag) = (true, tag);
        let words = memory.read_u32s(address, words)?;
        (row.row_first, row.row_second) = (words[0], words.get(1).copied().unwrap_or_default());
        Ok(())
    }

    /// Sends the request on its pins; the core's way to memory is free. True if the memory took it.
    pub fn send(&mut self, core: usize, port: u8, mem: &mut MemorySystem) -> bool {
        let RowOut { read_valid, read_line, read_word, read_both, read_tag } = self.outputs.row;
        if !read_valid {
            return false;
        }
        let word = read_word as u64;
        let line = read_line as u64 * LINE_BYTES;
        let words = if read_both { 2 } else { 1 };
        let mut request = sectors(line, word, words);
        request.core = core as u16;
        request.tag = Tag::Port { port, tag: FIRST_TAG + read_tag as u32 };
        if !mem.has_room(&request) {
            return false;
        }
        self.inputs.row.row_ready = true;
        let asked = Asked { address: line + 4 * word, words: words as usize, sectors: request.sectors() };
        self.asked[read_tag as usize] = Some(asked);
        self.on_their_way += 1;
        mem.send(request);
        true
    }

    /// The rising edge. It pulls from the worklist's banks in cycles in which no lane does.
    ///
    /// Gives whether it got an ID.
    pub fn clock(&mut self, worklist: &mut HwwlCoreIn, answers: &HwwlCoreOut, is_free: bool) -> Result<bool, Fault> {
        let asked = std::mem::take(&mut self.pulled);
        if is_free && worklist.pull | worklist.push | worklist.leave == 0 {
            worklist.pull = self.outputs.bank_pull;
            worklist.leave = self.outputs.bank_leave as u32;
            self.inputs.bank_ready = true;
            self.pulled = worklist.pull;
        }
        let has_id = asked != 0 && answers.status(asked.trailing_zeros() as usize) == status::ID;
        self.inputs.status = answers.status;
        if answers.status != 0 {
            self.inputs.id = answers.id;
        }
        self.unit.clock(&self.inputs)?;
        self.unit.sample(&mut self.outputs);
        let ExpanderIn { set_rows, edge_pull, edge_leave, bank_ready, .. } = &mut self.inputs;
        (*set_rows, *edge_pull, *edge_leave, *bank_ready) = (false, 0, 0, false);
        (self.inputs.row.row_ready, self.inputs.row.row_valid) = (false, false);
        Ok(has_id)
    }
}

/// The sectors of a line in which so many words lie from this one on: one, a half of the line, or all of it.
fn sectors(line: u64, word: u64, words: u64) -> Request {
    let bytes = [SECTOR_BYTES, 2 * SECTOR_BYTES].into_iter();
    let lies_in = |bytes: &u64| 4 * word / bytes == (4 * (word + words) - 1) / bytes;
    let bytes = bytes.filter(lies_in).next().unwrap_or(LINE_BYTES);
    Request::read(Kind::PortRead, 0, line + 4 * word / bytes * bytes, bytes)
}
