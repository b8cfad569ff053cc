//! Tags and states of the storage's entries, and the search in them (section 6.2, Fig 7b).

use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::number;
use crate::gw::LINE_BITS;

/// The tags of all entries. Entry number way x sets + set has the line of this set in this way.
pub struct Tags<'a> {
    builder: &'a Builder,
    /// Bits of the number of a set.
    pub set_bits: usize,
    /// Bits of the number of a way.
    way_bits: usize,
    pub ways: usize,
    pub sets: usize,
    pub valid: Net<'a>,
    pub pending: Net<'a>,
    /// One tag per entry.
    pub tag: Vec<Net<'a>>,
}

impl<'a> Tags<'a> {
    pub fn new(b: &'a Builder, entries: usize, sets: usize, entry_bits: usize) -> Self {
        let set_bits = sets.ilog2() as usize;
        let (way_bits, ways) = (entry_bits - set_bits, entries / sets);
        let (valid, pending) = (b.register("valid", entries), b.register("pending", entries));
        let tag: Vec<_> = (0..entries).map(|e| b.storage(format!("tag_{e}"), LINE_BITS - set_bits)).collect();
        Self { builder: b, set_bits, way_bits, ways, sets, valid, pending, tag }
    }

    /// The number of a line's set.
    pub fn set(&self, line: Net<'a>) -> Net<'a> {
        line.slice(0, self.set_bits)
    }

    /// The tag of a line.
    pub fn tag_of(&self, line: Net<'a>) -> Net<'a> {
        line.slice(self.set_bits, LINE_BITS - self.set_bits)
    }

    /// The entry that way number i with `chosen[i]` is, of the set of `line`.
    pub fn entry(&self, chosen: Net<'a>, line: Net<'a>) -> Net<'a> {
        self.builder.bits(&[self.set(line), number(self.builder, chosen, self.way_bits)])
    }

    /// A bit for each way: that of `entry` (with a name), if it is in `set`.
    pub fn way_in_set(&self, name: &str, entry: Net<'a>, set: Net<'a>) -> Net<'a> {
        let in_set = entry.slice(0, self.set_bits).equals(set).name(format!("{name}_in_set"));
        let way = entry.slice(self.set_bits, self.way_bits).decode().name(format!("{name}_way"));
        let ways = match way.width() == self.ways {
            true => way,
            false => {
                let _ = way.slice(self.ways, way.width() - self.ways).name(format!("unused_{name}_way"));
                way.slice(0, self.ways)
            }
        };
        in_set.repeat(self.ways) & ways
    }

    /// A bit for each entry: it is in `set`. Named `<name>_in_set`.
    pub fn in_set(&self, name: &str, set: Net<'a>) -> Net<'a> {
        set.decode().name(format!("{name}_set")).repeat(self.ways).name(format!("{name}_in_set"))
    }

    /// A bit for each way, of `entries` (with a name) of one set.
    pub fn ways_of(&self, entries: Net<'a>) -> Net<'a> {
        let way = |way: usize| entries.slice(way * self.sets, self.sets).any();
        self.builder.bits(&(0..self.ways).map(way).collect::<Vec<_>>())
    }

    /// The entry with `line` alone, of the entries `among`; named `<name>_found`. All tags are compared while the set is decoded.
    pub fn search(&self, name: &str, line: Net<'a>, among: Net<'a>) -> Net<'a> {
        let tag = self.tag_of(line);
        let same: Vec<_> = self.tag.iter().map(|each| each.equals(tag)).collect();
        let same = self.builder.bits(&same).name(format!("{name}_same"));
        (same & self.in_set(name, self.set(line)) & among).name(format!("{name}_found"))
    }
}
