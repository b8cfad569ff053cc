//! Tags of a set-associative cache with sectored lines and LRU replacement. No data: values live in `exec`'s memory.

use super::request::{SECTORS, SECTOR_BYTES};

/// Sectors of a line, one bit each.
pub type Sectors = u8;
pub const ALL: Sectors = (1 << SECTORS) - 1;

/// Marks a place without a line.
const FREE: u64 = u64::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Sectors present, waiting for a fill, and changed.
    valid: Sectors,
    waiting: Sectors,
    dirty: Sectors,
    /// 0 for a free place.
    last_use: u64,
}

/// Bytes written in each sector that was never filled.
type Written = [u32; SECTORS];

/// Place of a line in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    Hit(Place),
    /// All that is missing is on its way.
    Waiting(Place),
    /// The line is there, a sector is not.
    SectorMiss(Place),
    /// The place to use for the line.
    Miss(Place),
    /// Every way of the set waits for a fill.
    Full,
}

/// A changed line that had to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evicted {
    pub line: u64,
    pub dirty: Sectors,
    /// Bytes to write back, bit 0 for the first of the line.
    pub written: u128,
}

#[derive(Clone, Debug)]
pub struct Tags {
    /// Line numbers, or [`FREE`]; apart from the rest, as they are all that most look-ups need.
    lines: Vec<u64>,
    states: Vec<State>,
    written: Vec<Written>,
    ways: usize,
    uses: u64,
}

impl Tags {
    pub fn new(sets: usize, ways: usize) -> Self {
        let places = sets * ways;
        Tags {
            lines: vec![FREE; places],
            states: vec![State::default(); places],
            written: vec![Written::default(); places],
            ways,
            uses: 0,
        }
    }

    fn state(&mut self, place: Place) -> &mut State {
        &mut self.states[place.0 as usize]
    }

    fn find(&self, set: usize, line: u64) -> Option<usize> {
        let start = set * self.ways;
        self.lines[start..start + self.ways].iter().position(|tag| *tag == line).map(|way| start + way)
    }

    /// Looks for `sectors` of line number `line`.
    pub fn probe(&self, set: usize, line: u64, sectors: Sectors) -> Probe {
        match self.find(set, line) {
            Some(i) => {
                let (place, state) = (Place(i as u32), &self.states[i]);
                let missing = sectors & !state.valid;
                match missing {
                    0 => Probe::Hit(place),
                    _ if missing & !state.waiting == 0 => Probe::Waiting(place),
                    _ => Probe::SectorMiss(place),
                }
            }
            None => self.victim(set).map_or(Probe::Full, |i| Probe::Miss(Place(i as u32))),
        }
    }

    fn victim(&self, set: usize) -> Option<usize> {
        let start = set * self.ways;
        (start..start + self.ways).filter(|i| self.states[*i].waiting == 0).min_by_key(|i| self.states[*i].last_use)
    }

    /// Makes the line the most recently used one.
    pub fn touch(&mut self, place: Place) {
        self.uses += 1;
        self.state(place).last_use = self.uses;
    }

    /// Takes a place for a line, all of its sectors absent.
    pub fn allocate(&mut self, place: Place, line: u64) -> Option<Evicted> {
        let i = place.0 as usize;
        let evicted = self.changed(i);
        self.lines[i] = line;
        self.forget_state(i);
        self.touch(place);
        evicted
    }

    fn changed(&self, i: usize) -> Option<Evicted> {
        let State { valid, dirty, .. } = self.states[i];
        if dirty == 0 {
            return None;
        }
        let bytes = |sector: usize| if valid >> sector & 1 == 1 { u32::MAX } else { self.written[i][sector] };
        let sectors = (0..SECTORS).filter(|sector| dirty >> sector & 1 == 1);
        let written = sectors.map(|sector| (bytes(sector) as u128) << (sector as u64 * SECTOR_BYTES)).sum();
        Some(Evicted { line: self.lines[i], dirty, written })
    }

    fn forget_state(&mut self, i: usize) {
        if self.states[i].dirty != 0 {
            self.written[i] = Written::default();
        }
        self.states[i] = State::default();
    }

    /// Sectors that a request for them is on its way.
    pub fn wait(&mut self, place: Place, sectors: Sectors) {
        self.state(place).waiting |= sectors;
    }

    /// Data of waiting sectors has come.
    pub fn fill(&mut self, set: usize, line: u64, sectors: Sectors) {
        if let Some(i) = self.find(set, line) {
            self.states[i].waiting &= !sectors;
            self.states[i].valid |= sectors;
        }
    }

    /// Marks sectors present as changed.
    pub fn dirty(&mut self, place: Place, sectors: Sectors) {
        self.state(place).dirty |= sectors;
    }

    /// Writes bytes of a sector that is not present: it becomes present once all of it has been written.
    pub fn write_bytes(&mut self, place: Place, sector: usize, bytes: u32) {
        let written = &mut self.written[place.0 as usize][sector];
        *written |= bytes;
        let whole = *written == u32::MAX;
        let state = self.state(place);
        state.dirty |= 1 << sector;
        state.valid |= (whole as Sectors) << sector;
    }

    /// Forgets the line without writing it back.
    pub fn evict(&mut self, place: Place) {
        let i = place.0 as usize;
        self.lines[i] = FREE;
        self.forget_state(i);
    }

    /// Forgets everything that is not waiting for a fill.
    pub fn clear(&mut self) {
        for i in 0..self.lines.len() {
            if self.lines[i] != FREE && self.states[i].waiting == 0 {
                self.evict(Place(i as u32));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(probe: Probe) -> Place {
        match probe {
            Probe::Hit(p) | Probe::Waiting(p) | Probe::SectorMiss(p) | Probe::Miss(p) => p,
            Probe::Full => panic!("full"),
        }
    }

    #[test]
    fn the_least_recently_used_line_leaves() {
        let mut tags = Tags::new(1, 2);
        for line in [1, 2] {
            let p = place(tags.probe(0, line, ALL));
            assert_eq!(tags.allocate(p, line), None);
            tags.wait(p, ALL);
            tags.fill(0, line, ALL);
        }
        tags.touch(place(tags.probe(0, 1, ALL)));
        tags.dirty(place(tags.probe(0, 2, ALL)), 0b0101);
        let p = place(tags.probe(0, 3, ALL));
        let written = 0xffff_ffff_0000_0000_ffff_ffff;
        assert_eq!(tags.allocate(p, 3), Some(Evicted { line: 2, dirty: 0b0101, written }));
        assert!(matches!(tags.probe(0, 1, ALL), Probe::Hit(_)));
    }

    #[test]
    fn a_set_whose_ways_all_wait_is_full() {
        let mut tags = Tags::new(1, 2);
        for line in [1, 2] {
            let p = place(tags.probe(0, line, 1));
            tags.allocate(p, line);
            tags.wait(p, 1);
        }
        assert_eq!(tags.probe(0, 3, 1), Probe::Full);
        assert!(matches!(tags.probe(0, 1, 1), Probe::Waiting(_)));
        assert!(matches!(tags.probe(0, 1, 2), Probe::SectorMiss(_)));
        tags.fill(0, 1, 1);
        assert!(matches!(tags.probe(0, 3, 1), Probe::Miss(_)));
    }

    #[test]
    fn a_sector_written_in_parts_can_be_read_when_it_is_whole() {
        let mut tags = Tags::new(1, 1);
        let p = place(tags.probe(0, 7, 1));
        tags.allocate(p, 7);
        tags.write_bytes(p, 0, 0xffff);
        assert!(matches!(tags.probe(0, 7, 1), Probe::SectorMiss(_)));
        tags.write_bytes(p, 0, 0xffff_0000);
        tags.write_bytes(p, 1, 0xf0);
        assert!(matches!(tags.probe(0, 7, 1), Probe::Hit(_)));
        // Only the bytes written of the other sector go back.
        assert_eq!(tags.allocate(p, 8), Some(Evicted { line: 7, dirty: 0b11, written: 0xf0_ffff_ffff }));
        tags.write_bytes(p, 1, 1);
        assert_eq!(tags.allocate(p, 9), Some(Evicted { line: 8, dirty: 0b10, written: 1 << 32 }));
    }
}
