//! Tags of a set-associative cache with sectored lines and LRU replacement. No data: values live in `exec`'s memory.

use super::request::SECTORS;

/// Sectors of a line, one bit each.
pub type Sectors = u8;
pub const ALL: Sectors = (1 << SECTORS) - 1;

#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Line number; means something if the line is allocated.
    tag: u64,
    allocated: bool,
    /// Sectors present, waiting for a fill, and changed.
    valid: Sectors,
    waiting: Sectors,
    dirty: Sectors,
    last_use: u64,
    /// Bytes written in each sector that was never filled.
    written: [u32; SECTORS],
}

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
}

#[derive(Clone, Debug)]
pub struct Tags {
    lines: Vec<Line>,
    ways: usize,
    uses: u64,
}

impl Tags {
    pub fn new(sets: usize, ways: usize) -> Self {
        Tags { lines: vec![Line::default(); sets * ways], ways, uses: 0 }
    }

    fn line(&mut self, place: Place) -> &mut Line {
        &mut self.lines[place.0 as usize]
    }

    fn find(&self, set: usize, line: u64) -> Option<usize> {
        let start = set * self.ways;
        (start..start + self.ways).find(|i| self.lines[*i].allocated && self.lines[*i].tag == line)
    }

    /// Looks for `sectors` of line number `line`.
    pub fn probe(&self, set: usize, line: u64, sectors: Sectors) -> Probe {
        match self.find(set, line) {
            Some(i) => {
                let place = Place(i as u32);
                let missing = sectors & !self.lines[i].valid;
                match missing {
                    0 => Probe::Hit(place),
                    _ if missing & !self.lines[i].waiting == 0 => Probe::Waiting(place),
                    _ => Probe::SectorMiss(place),
                }
            }
            None => self.victim(set).map_or(Probe::Full, |i| Probe::Miss(Place(i as u32))),
        }
    }

    fn victim(&self, set: usize) -> Option<usize> {
        let start = set * self.ways;
        let age = |i: &usize| (self.lines[*i].allocated, self.lines[*i].last_use);
        (start..start + self.ways).filter(|i| self.lines[*i].waiting == 0).min_by_key(age)
    }

    /// Makes the line the most recently used one.
    pub fn touch(&mut self, place: Place) {
        self.uses += 1;
        self.line(place).last_use = self.uses;
    }

    /// Takes a place for a line, all of its sectors absent.
    pub fn allocate(&mut self, place: Place, line: u64) -> Option<Evicted> {
        let old = *self.line(place);
        *self.line(place) = Line { tag: line, allocated: true, ..Line::default() };
        self.touch(place);
        (old.allocated && old.dirty != 0).then_some(Evicted { line: old.tag, dirty: old.dirty })
    }

    /// Sectors that a request for them is on its way.
    pub fn wait(&mut self, place: Place, sectors: Sectors) {
        self.line(place).waiting |= sectors;
    }

    /// Data of waiting sectors has come.
    pub fn fill(&mut self, set: usize, line: u64, sectors: Sectors) {
        if let Some(i) = self.find(set, line) {
            self.lines[i].waiting &= !sectors;
            self.lines[i].valid |= sectors;
        }
    }

    /// Marks sectors present as changed.
    pub fn dirty(&mut self, place: Place, sectors: Sectors) {
        self.line(place).dirty |= sectors;
    }

    /// Writes bytes of a sector that is not present: it becomes present once all of it has been written.
    pub fn write_bytes(&mut self, place: Place, sector: usize, bytes: u32) {
        let line = self.line(place);
        line.dirty |= 1 << sector;
        line.written[sector] |= bytes;
        if line.written[sector] == u32::MAX {
            line.valid |= 1 << sector;
        }
    }

    /// Forgets the line without writing it back.
    pub fn evict(&mut self, place: Place) {
        *self.line(place) = Line::default();
    }

    /// Forgets everything that is not waiting for a fill.
    pub fn clear(&mut self) {
        self.lines.iter_mut().filter(|l| l.waiting == 0).for_each(|l| *l = Line::default());
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
        assert_eq!(tags.allocate(p, 3), Some(Evicted { line: 2, dirty: 0b0101 }));
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
        assert!(matches!(tags.probe(0, 7, 1), Probe::Hit(_)));
    }
}
