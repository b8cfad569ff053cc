//! Tags and states of the storage's entries, and the search in them (section 6.2, Fig 7b).

use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::number;
use crate::gw::LINE_BITS;

/// Of all entries. Entry number way x sets + set has the line of this set in this way.
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
    /// Of each entry.
    pub tag: Vec<Net<'a>>,
    /// Of each set: its ways' tags.
    tags: Vec<Net<'a>>,
    /// Of each set: a bit for each way that has a line.
    used: Vec<Net<'a>>,
}

impl<'a> Tags<'a> {
    pub fn new(b: &'a Builder, entries: usize, sets: usize, entry_bits: usize) -> Self {
        let set_bits = sets.ilog2() as usize;
        let (way_bits, ways) = (entry_bits - set_bits, entries / sets);
        let (valid, pending) = (b.register("valid", entries), b.register("pending", entries));
        let tag: Vec<_> = (0..entries).map(|e| b.storage(format!("tag_{e}"), LINE_BITS - set_bits)).collect();
        b.comment("The ways of each set.");
        let tags = (0..sets).map(|s| b.bits(&of_set(ways, sets, s, |e| tag[e])).name(format!("tags_{s}"))).collect();
        let used = (valid | pending).name("used");
        let used =
            (0..sets).map(|s| b.bits(&of_set(ways, sets, s, |e| used.bit(e))).name(format!("used_{s}"))).collect();
        Self { builder: b, set_bits, way_bits, ways, sets, valid, pending, tag, tags, used }
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

    /// The ways' bits of `entries` (with a name) in `set`, named `<name>`.
    pub fn states(&self, name: &str, entries: Net<'a>, set: Net<'a>) -> Net<'a> {
        let sets = (0..self.sets).map(|s| self.builder.bits(&of_set(self.ways, self.sets, s, |e| entries.bit(e))));
        self.builder.select(name, set, &sets.collect::<Vec<_>>())
    }

    /// The tags of the ways of `set`.
    pub fn ways_of(&self, name: &str, set: Net<'a>) -> Vec<Net<'a>> {
        let tags = self.builder.select(format!("{name}_tags"), set, &self.tags);
        let bits = LINE_BITS - self.set_bits;
        (0..self.ways).map(|way| tags.slice(way * bits, bits)).collect()
    }

    /// A bit for each way of the set of `line` that has this line, named `<name>_same`.
    pub fn search(&self, name: &str, line: Net<'a>) -> Net<'a> {
        let set = self.set(line);
        let tags = self.ways_of(name, set);
        let used = self.builder.select(format!("{name}_used"), set, &self.used);
        let same: Vec<_> = tags.iter().map(|tag| tag.equals(self.tag_of(line))).collect();
        (self.builder.bits(&same) & used).name(format!("{name}_same"))
    }
}

/// What `of_entry` says of the ways of a set.
fn of_set<T>(ways: usize, sets: usize, set: usize, of_entry: impl Fn(usize) -> T) -> Vec<T> {
    (0..ways).map(|way| of_entry(way * sets + set)).collect()
}
