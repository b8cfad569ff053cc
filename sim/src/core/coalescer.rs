//! Coalescing: the lanes of a warp's access become requests for 128-byte segments, or for 32-byte sectors (atomics).

use crate::exec::{Access, AccessKind};
use crate::mem::request::{Kind, Request, LINE_BYTES, SECTOR_BYTES};
use crate::ptx::address_map;
use crate::ptx::program::{Space, WARP_SIZE};

/// Where a warp's local memory lies: words of neighbouring threads are neighbours.
#[derive(Clone, Copy, Debug)]
pub struct LocalMap {
    /// Threads that the GPU holds, and the number of lane 0 among them.
    pub threads: u64,
    pub first: u64,
}

impl LocalMap {
    fn address(&self, lane: usize, offset: u64) -> u64 {
        let word = (offset / 4 * self.threads + self.first + lane as u64) * 4;
        address_map::window(Space::Local) + word + offset % 4
    }
}

fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..WARP_SIZE).filter(move |lane| mask >> lane & 1 == 1)
}

/// Fills `out` with the requests of an access to global or local memory, in order of address.
pub fn coalesce(access: &Access, core: usize, warp: usize, local: LocalMap, out: &mut Vec<Request>) {
    out.clear();
    let kind = match access.kind {
        AccessKind::Read => Kind::Read,
        AccessKind::Write => Kind::Write,
        AccessKind::Atomic(_) => Kind::Atomic,
    };
    let empty = Request { warp: warp as u16, ..Request::read(kind, core, 0, LINE_BYTES) };
    for lane in lanes(access.lanes) {
        let address = access.address[lane];
        match (access.space, kind) {
            (Space::Global, Kind::Atomic) => add_atomic(out, empty, lane, address),
            (Space::Global, _) => add(out, empty, address, access.bytes),
            // Words of a thread lie apart.
            _ => (address & !3..address + access.bytes as u64)
                .step_by(4)
                .for_each(|word| add(out, empty, local.address(lane, word), 4.min(access.bytes))),
        }
    }
    out.sort_by_key(|r| r.address);
    if kind == Kind::Write {
        out.iter_mut().for_each(shrink);
    }
}

fn add(out: &mut Vec<Request>, empty: Request, address: u64, bytes: u32) {
    let segment = address & !(LINE_BYTES - 1);
    let written = ((1u128 << bytes) - 1) << (address - segment);
    match out.iter_mut().rev().find(|r| r.address == segment) {
        Some(request) => request.written |= written,
        None => out.push(Request { address: segment, written, ..empty }),
    }
}

/// A lane that hits a word of a request already there needs another request: one operation a word and request.
fn add_atomic(out: &mut Vec<Request>, empty: Request, lane: usize, address: u64) {
    let sector = address & !(SECTOR_BYTES - 1);
    let word = 1u128 << (address - sector);
    match out.iter_mut().find(|r| r.address == sector && r.written & word == 0) {
        Some(request) => {
            request.written |= word;
            request.lanes |= 1 << lane;
        }
        None => {
            let bytes = SECTOR_BYTES as u32;
            out.push(Request { address: sector, bytes, written: word, lanes: 1 << lane, ..empty })
        }
    }
}

/// A store sends only the half or quarter of the segment that it touches.
fn shrink(request: &mut Request) {
    while request.bytes as u64 > SECTOR_BYTES {
        let half = request.bytes / 2;
        let low = request.written & ((1u128 << half) - 1);
        match (low != 0, request.written != low) {
            (true, true) => return,
            (true, false) => request.bytes = half,
            (false, _) => {
                request.bytes = half;
                request.address += half as u64;
                request.written >>= half;
            }
        }
    }
}

/// Cycles that an access to shared memory takes: the most different words that one bank is asked for. A bank gives one
/// word a cycle; wider accesses go in turns of one word a lane.
pub fn shared_cycles(access: &Access, banks: u32) -> u64 {
    (0..access.bytes.div_ceil(4) as u64).map(|turn| turn_cycles(access, banks, turn)).sum::<u64>().max(1)
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

/// Lines of the constant cache that an access touches, from `window` on.
pub fn constant_lines(access: &Access, line_bytes: u64, core: usize, warp: usize, out: &mut Vec<Request>) {
    out.clear();
    let window = address_map::window(access.space);
    for lane in lanes(access.lanes) {
        let address = (window + access.address[lane]) & !(line_bytes - 1);
        if !out.iter().any(|r| r.address == address) {
            out.push(Request { warp: warp as u16, ..Request::read(Kind::Constant, core, address, line_bytes) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::{AtomicOp, Scratch};

    const LOCAL: LocalMap = LocalMap { threads: 1024, first: 32 };

    fn access(kind: AccessKind, space: Space, bytes: u32, address: impl Fn(u64) -> u64) -> Access {
        let mut access = Scratch::default().access;
        (access.kind, access.space, access.bytes, access.lanes) = (kind, space, bytes, u32::MAX);
        (0..WARP_SIZE).for_each(|lane| access.address[lane] = address(lane as u64));
        access
    }

    fn requests(access: &Access) -> Vec<(u64, u32)> {
        let mut out = Vec::new();
        coalesce(access, 0, 0, LOCAL, &mut out);
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
    fn atomics_take_one_request_a_sector_and_one_more_for_each_lane_on_the_same_word() {
        let atomic = |stride| access(AccessKind::Atomic(AtomicOp::Add), Space::Global, 4, move |l| 0x1000 + stride * l);
        assert_eq!(requests(&atomic(0)).len(), 32);
        assert_eq!(requests(&atomic(4)).len(), 4);
        assert_eq!(requests(&atomic(128)).len(), 32);
        let mut out = Vec::new();
        coalesce(&atomic(4), 0, 0, LOCAL, &mut out);
        assert_eq!(out.iter().map(|r| r.lanes).collect::<Vec<_>>(), [0xff, 0xff00, 0xff_0000, 0xff00_0000]);
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
