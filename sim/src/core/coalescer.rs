//! Coalescing: the lanes of a warp's access become requests for segments: lines of 128 bytes, or the 32-byte sectors of a sectored
//! L1 and of accesses that go past it. Atomics are coalesced a line, lanes on the same word included, or not at all.

use crate::config::{Config, GlobalAccesses};
use crate::exec::{Access, AccessKind};
use crate::mem::request::{Kind, Lanes, Request, Tag, LINE_BYTES, SECTOR_BYTES};
use crate::ptx::address_map;
use crate::ptx::isa::AtomicOp;
use crate::ptx::isa::{Space, WARP_SIZE};

/// The reach of a request: bytes, and of atomics one lane or a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segments {
    pub global: u64,
    pub local: u64,
    pub atomics_by_lane: bool,
}

impl Segments {
    pub fn new(config: &Config) -> Segments {
        let l1d = &config.l1d;
        let global = match l1d.global_accesses {
            GlobalAccesses::Cached => l1d.sector_bytes,
            GlobalAccesses::Bypass => SECTOR_BYTES,
        };
        Segments { global, local: l1d.sector_bytes, atomics_by_lane: config.core.atomics_by_lane }
    }
}

/// Where a warp's local memory lies: words of neighbouring threads are neighbours.
#[derive(Clone, Copy, Debug)]
pub struct LocalMap {
    /// Threads that the GPU holds at a time, and the number of lane 0 among them.
    pub threads: u64,
    pub first: u64,
}

impl LocalMap {
    fn address(&self, lane: usize, offset: u64) -> u64 {
        let word = (offset / 4 * self.threads + self.first + lane as u64) * 4;
        address_map::window(Space::Local) + word + offset % 4
    }
}

/// The lanes of a mask, lowest first.
pub fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(lane)
    })
}

/// The parts of an instruction that accesses memory: one for each warp of two neighbours, else a single one.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The tag of stores and atomics.
    pub sender: Tag,
    /// Lanes of the first part.
    pub lanes: usize,
    /// Where the local memory of each lies.
    pub local: [LocalMap; 2],
}

impl Parts {
    /// The tag of a request for one lane; the load has no number yet.
    fn load(&self, lane: usize) -> Tag {
        Tag::Load { load: 0, parts: 1 << (lane / self.lanes) }
    }

    fn local(&self, lane: usize, offset: u64) -> u64 {
        self.local[lane / self.lanes].address(lane % self.lanes, offset)
    }
}

/// Fills `out` with the requests of an access to global or local memory, in order of address.
pub fn coalesce(access: &Access, core: usize, parts: &Parts, segments: Segments, out: &mut Vec<Request>) {
    out.clear();
    let kind = match access.kind {
        AccessKind::Read => Kind::Read,
        AccessKind::Write => Kind::Write,
        AccessKind::Atomic(op) => {
            let empty = empty_atomic(access, op, core, parts.sender);
            return match segments.atomics_by_lane {
                true => split_atomic(access, empty, out),
                false => coalesce_atomic(access, empty, out),
            };
        }
    };
    let segment = if access.space == Space::Global { segments.global } else { segments.local };
    let empty = Request::read(kind, core, 0, segment);
    for lane in lanes(access.lanes) {
        let address = access.address[lane];
        let tag = if kind == Kind::Write { parts.sender } else { parts.load(lane) };
        let empty = Request { tag, ..empty };
        match access.space {
            Space::Global => add(out, empty, address, access.bytes),
            // Words of a thread lie apart.
            _ => (address & !3..address + access.bytes as u64)
                .step_by(4)
                .for_each(|word| add(out, empty, parts.local(lane, word), 4.min(access.bytes))),
        }
    }
    out.sort_unstable_by_key(|r| r.address);
    if kind == Kind::Write {
        out.iter_mut().for_each(Request::shrink);
    }
}

fn add(out: &mut Vec<Request>, empty: Request, address: u64, bytes: u32) {
    let segment = address & !(empty.bytes as u64 - 1);
    let written = ((1u128 << bytes) - 1) << (address - segment);
    match out.iter_mut().rev().find(|r| r.address == segment) {
        Some(request) => {
            request.written |= written;
            join(&mut request.tag, empty.tag);
        }
        None => out.push(Request { address: segment, written, ..empty }),
    }
}

/// Adds the parts of another request.
fn join(tag: &mut Tag, other: Tag) {
    if let (Tag::Load { parts, .. }, Tag::Load { parts: others, .. }) = (tag, other) {
        *parts |= others;
    }
}

fn empty_atomic(access: &Access, op: AtomicOp, core: usize, tag: Tag) -> Request {
    let operands = if op == AtomicOp::Cas { 2 } else { 1 };
    let result_bytes = access.bytes as u8;
    let atomic = Lanes { operand_bytes: operands * result_bytes, result_bytes, ..Lanes::default() };
    Request { tag, atomic, ..Request::read(Kind::Atomic, core, 0, LINE_BYTES) }
}

/// A line of memory, and the place of a sector in it.
fn line_and_sector(address: u64) -> (u64, usize) {
    let line = address & !(LINE_BYTES - 1);
    (line, ((address - line) / SECTOR_BYTES) as usize)
}

/// A request a lane, in the order of the lanes.
fn split_atomic(access: &Access, empty: Request, out: &mut Vec<Request>) {
    out.extend(lanes(access.lanes).map(|lane| {
        let (address, sector) = line_and_sector(access.address[lane]);
        let mut request = Request { address, ..empty };
        (request.atomic.lanes[sector], request.atomic.same_word[sector]) = (1 << lane, 1);
        request
    }));
}

fn coalesce_atomic(access: &Access, empty: Request, out: &mut Vec<Request>) {
    let mut turn = [0u8; WARP_SIZE];
    for lane in lanes(access.lanes) {
        let address = access.address[lane];
        // One turn after the last lane before that is on the same word.
        let before = lanes(access.lanes & ((1 << lane) - 1)).filter(|other| access.address[*other] == address).last();
        turn[lane] = before.map_or(0, |other| turn[other]) + 1;
        let (line, sector) = line_and_sector(address);
        let at = out.iter().position(|r| r.address == line).unwrap_or_else(|| {
            out.push(Request { address: line, ..empty });
            out.len() - 1
        });
        let atomic = &mut out[at].atomic;
        atomic.lanes[sector] |= 1 << lane;
        atomic.same_word[sector] = atomic.same_word[sector].max(turn[lane]);
    }
    out.sort_unstable_by_key(|r| r.address);
}

/// Cycles that an access to shared memory takes: the most different words that one bank is asked for. A bank gives one
/// word a cycle; of an access wider than a word, each lane asks for one word after the other.
pub fn shared_cycles(access: &Access, banks: u32) -> u64 {
    (0..access.bytes.div_ceil(4) as u64).map(|turn| turn_cycles(access, banks, turn)).sum::<u64>().max(1)
}

/// The word that each bank of shared memory is asked for, of an access that takes one cycle.
#[derive(Clone, Copy, Debug)]
pub struct BankWords {
    banks: u32,
    words: [u32; WARP_SIZE],
}

impl Default for BankWords {
    fn default() -> Self {
        BankWords { banks: 0, words: [0; WARP_SIZE] }
    }
}

impl BankWords {
    pub fn of(access: &Access, banks: u32) -> Self {
        let mut all = BankWords::default();
        for lane in lanes(access.lanes) {
            let word = (access.address[lane] / 4) as u32;
            all.banks |= 1 << (word % banks);
            all.words[(word % banks) as usize] = word;
        }
        all
    }

    /// No bank is asked for two words.
    pub fn agrees(&self, other: &BankWords) -> bool {
        lanes(self.banks & other.banks).all(|bank| self.words[bank] == other.words[bank])
    }
}

fn turn_cycles(access: &Access, banks: u32, turn: u64) -> u64 {
    let atomic = matches!(access.kind, AccessKind::Atomic(_));
    let mut words = [0u64; WARP_SIZE];
    let mut different = 0;
    let mut load = [0u8; WARP_SIZE];
    for lane in lanes(access.lanes) {
        let word = access.address[lane] / 4 + turn;
        if atomic || !words[..different].contains(&word) {
            words[different] = word;
            different += 1;
            load[(word % banks as u64) as usize] += 1;
        }
    }
    load.iter().copied().max().unwrap_or(0) as u64
}

/// Lines of a read-only cache that an access touches; `kind` is that of its misses.
pub fn read_only_lines(
    access: &Access,
    kind: Kind,
    line_bytes: u64,
    core: usize,
    parts: &Parts,
    out: &mut Vec<Request>,
) {
    out.clear();
    let window = address_map::window(access.space);
    for lane in lanes(access.lanes) {
        let address = (window + access.address[lane]) & !(line_bytes - 1);
        match out.iter_mut().find(|r| r.address == address) {
            Some(request) => join(&mut request.tag, parts.load(lane)),
            None => out.push(Request { tag: parts.load(lane), ..Request::read(kind, core, address, line_bytes) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCAL: LocalMap = LocalMap { threads: 1024, first: 32 };
    const ALONE: Parts = Parts { sender: Tag::Line, lanes: WARP_SIZE, local: [LOCAL; 2] };

    fn access(kind: AccessKind, space: Space, bytes: u32, address: impl Fn(u64) -> u64) -> Access {
        let mut access = Access::default();
        (access.kind, access.space, access.bytes, access.lanes) = (kind, space, bytes, u32::MAX);
        (0..WARP_SIZE).for_each(|lane| access.address[lane] = address(lane as u64));
        access
    }

    const LINES: Segments = Segments { global: 128, local: 128, atomics_by_lane: false };
    const SECTORS: Segments = Segments { global: 32, local: 32, atomics_by_lane: false };

    fn requests(access: &Access) -> Vec<(u64, u32)> {
        requests_of(access, LINES)
    }

    fn requests_of(access: &Access, segments: Segments) -> Vec<(u64, u32)> {
        let mut out = Vec::new();
        coalesce(access, 0, &ALONE, segments, &mut out);
        out.iter().map(|r| (r.address, r.bytes)).collect()
    }

    #[test]
    fn unit_stride_is_one_request_and_a_stride_of_a_line_is_32() {
        let read = |stride| access(AccessKind::Read, Space::Global, 4, move |lane| 0x1000 + stride * lane);
        assert_eq!(requests(&read(4)), [(0x1000, 128)]);
        assert_eq!(requests(&read(0)), [(0x1000, 128)]);
        assert_eq!(requests(&read(8)), [(0x1000, 128), (0x1080, 128)]);
        assert_eq!(requests(&read(128)).len(), 32);
    }

    #[test]
    fn a_store_shrinks_to_what_it_touches() {
        let mut store = access(AccessKind::Write, Space::Global, 4, |lane| 0x1000 + 4 * lane);
        assert_eq!(requests(&store), [(0x1000, 128)]);
        store.lanes = 0xff << 8;
        assert_eq!(requests(&store), [(0x1020, 32)]);
        store.lanes = 0xffff << 16;
        assert_eq!(requests(&store), [(0x1040, 64)]);
        store.lanes = 1 | 1 << 31;
        assert_eq!(requests(&store), [(0x1000, 128)]);
    }

    #[test]
    fn a_sectored_l1_is_asked_for_sectors() {
        let of =
            |kind, stride| requests_of(&access(kind, Space::Global, 4, move |lane| 0x1000 + stride * lane), SECTORS);
        let sectors = [(0x1000, 32), (0x1020, 32), (0x1040, 32), (0x1060, 32)];
        assert_eq!(of(AccessKind::Read, 4), sectors);
        assert_eq!(of(AccessKind::Write, 4), sectors);
        assert_eq!([0, 8, 32, 128].map(|stride| of(AccessKind::Read, stride).len()), [1, 8, 32, 32]);
    }

    #[test]
    fn atomics_take_one_request_a_line_and_a_turn_for_each_lane_on_the_same_word() {
        let atomic = |bytes, address: fn(u64) -> u64| {
            let mut out = Vec::new();
            let access = access(AccessKind::Atomic(AtomicOp::Add), Space::Global, bytes, address);
            coalesce(&access, 0, &ALONE, LINES, &mut out);
            out
        };
        let one_word = atomic(4, |_| 0x1044);
        assert_eq!(one_word.len(), 1);
        assert_eq!((one_word[0].atomic.lanes, one_word[0].atomic.same_word), ([0, 0, u32::MAX, 0], [0, 0, 32, 0]));
        assert_eq!((one_word[0].replies(), one_word[0].sent_bytes(), one_word[0].returned_bytes()), (1, 128, 128));
        let words = atomic(4, |lane| 0x1000 + 4 * lane);
        assert_eq!(words.len(), 1);
        assert_eq!(words[0].atomic.lanes, [0xff, 0xff00, 0xff_0000, 0xff00_0000]);
        assert_eq!((words[0].atomic.same_word, words[0].replies()), ([1; 4], 4));
        assert_eq!(atomic(4, |lane| 0x1000 + 128 * lane).len(), 32);
        // Doubles, two lanes on each.
        let pairs = atomic(8, |lane| 0x1000 + lane / 2 * 8);
        assert_eq!((pairs.len(), pairs[0].atomic.same_word, pairs[0].sent_bytes()), (1, [2; 4], 256));
    }

    #[test]
    fn atomics_by_lane_take_one_request_each() {
        let mut out = Vec::new();
        let mut access = access(AccessKind::Atomic(AtomicOp::Add), Space::Global, 4, |lane| 0x1000 + lane / 4 * 4);
        access.lanes = 0xff;
        coalesce(&access, 0, &ALONE, Segments { atomics_by_lane: true, ..LINES }, &mut out);
        assert!(out.iter().map(|r| r.atomic.lanes[0]).eq((0..8).map(|lane| 1 << lane)));
        assert!(out.iter().all(|r| (r.replies(), r.sent_bytes(), r.atomic.same_word[0]) == (1, 4, 1)));
    }

    #[test]
    fn local_words_of_neighbours_lie_side_by_side() {
        assert_eq!(requests(&access(AccessKind::Read, Space::Local, 4, |_| 8)).len(), 1);
        assert_eq!(requests(&access(AccessKind::Read, Space::Local, 8, |_| 8)).len(), 2);
        assert_eq!(requests(&access(AccessKind::Read, Space::Local, 1, |_| 9)).len(), 1);
    }

    #[test]
    fn lanes_on_one_bank_but_other_words_take_turns() {
        let read = |stride| access(AccessKind::Read, Space::Shared, 4, move |lane| stride * lane);
        assert_eq!([4, 8, 128, 0].map(|s| shared_cycles(&read(s), 32)), [1, 2, 32, 1]);
    }
}
