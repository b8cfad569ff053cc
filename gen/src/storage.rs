//! Where the bits of a unit's SRAM are: its memories by their place in the hierarchy.

use crate::elaborate::{Design, Verilog};
use crate::memory_area::{Range, Shape};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use verilog::tree::{Access, Item, Memory};

/// Memories that are read together at one address, and of which one is written: so many are built as one, written under a
/// mask. They are the slots of a group and the positions of a group in a reorder bank.
const TOGETHER: [(&str, usize); 2] = [("slot_*", 4), ("position_*", 4)];

/// Memories of one size at places that differ in their numbers alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memories {
    /// Instances from the top down, numbers as `*`: `bank_*.slot_*`.
    pub place: String,
    pub instances: usize,
    pub words: usize,
    /// Bits of a word.
    pub width: usize,
    /// 1, or 2: one to read and one to write.
    pub ports: usize,
}

impl Memories {
    pub fn bits(&self) -> usize {
        self.instances * self.words * self.width
    }

    /// The number of memories that are built, and their shape.
    pub fn to_build(&self) -> (usize, Shape) {
        let name = self.place.rsplit('.').next().unwrap_or_default();
        let wanted = TOGETHER.iter().find(|(of, _)| *of == name).map_or(1, |(_, count)| *count);
        let together = if self.instances.is_multiple_of(wanted) { wanted } else { 1 };
        let shape = Shape { depth: self.words, width: self.width * together, ports: self.ports };
        (self.instances / together, shape)
    }

    /// Gate equivalents.
    pub fn area(&self) -> Range {
        let (count, shape) = self.to_build();
        shape.area().times(count as f64)
    }
}

/// All memories of a design, by place.
pub fn memories(design: &Design) -> Vec<Memories> {
    let modules: BTreeMap<&str, &Verilog> = design.modules.iter().map(|m| (m.module.as_str(), m)).collect();
    let mut counts = BTreeMap::new();
    count(design.top(), "", &modules, &mut counts);
    let memories = |((place, words, width, ports), instances)| Memories { place, instances, words, width, ports };
    counts.into_iter().map(memories).collect()
}

type Counts = BTreeMap<(String, usize, usize, usize), usize>;

fn count(module: &Verilog, place: &str, modules: &BTreeMap<&str, &Verilog>, counts: &mut Counts) {
    for memory in &module.memories {
        let key = (place.to_owned(), memory.depth, memory.width, ports(module, memory));
        *counts.entry(key).or_default() += 1;
    }
    for child in &module.children {
        let name = without_number(&child.instance);
        let place = if place.is_empty() { name } else { format!("{place}.{name}") };
        count(modules[child.module.as_str()], &place, modules, counts);
    }
}

/// Two, unless the module is a tree that says one.
fn ports(module: &Verilog, memory: &Memory) -> usize {
    let single = |item: &Item| matches!(item, Item::Memory(found, Access::SinglePort) if found == memory);
    let is_single = module.tree.iter().flat_map(|tree| &tree.items).any(single);
    if is_single {
        1
    } else {
        2
    }
}

/// `slot_31` becomes `slot_*`.
fn without_number(instance: &str) -> String {
    match instance.rsplit_once('_') {
        Some((name, number)) if number.bytes().all(|b| b.is_ascii_digit()) => format!("{name}_*"),
        _ => instance.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elaborate::elaborate;
    use hdl::catalog;

    /// Bits of the places that a filter picks.
    fn bits(memories: &[Memories], picks: impl Fn(&str) -> bool) -> usize {
        memories.iter().filter(|m| picks(&m.place)).map(Memories::bits).sum()
    }

    /// IRU, Table 1: 2 KB, 1.7 KB, 1.2 KB, 2.8 KB and 80 KB for a partition.
    #[test]
    fn storage_of_a_reorder_partition_is_that_of_the_paper_and_the_places() {
        let memories = memories(&elaborate(&catalog::find("iru_partition", &[]).unwrap()).unwrap());
        let parts = [
            ("requests buffer", bits(&memories, |place| place.contains("requests")), 1024 * 16, (0, 0)),
            ("prefetcher buffer", bits(&memories, |place| place.starts_with("prefetch")), 8 * 32 * 56, (0, 0)),
            ("classifier buffer", bits(&memories, |place| place.contains("local_queue")), 128 * 80, (64, 64)),
            (
                "ring buffer",
                bits(&memories, |place| place.contains("arrival_queue") || place.contains("ring_queue")),
                288 * 80,
                (32, 256),
            ),
            (
                "hash data",
                bits(&memories, |place| place.contains("slot") || place.contains("position")),
                256 * 32 * 80,
                (0, 0),
            ),
        ];
        // The replies on their way to the cores, four beats, are not in the paper's table.
        let replies = bits(&memories, |place| place.contains("fifo"));
        assert_eq!(replies, 4 * (16 + 4 + 2 + 4 * 80));
        // An element has its place with it: 9 bits in the queues of the ring stop, 7 in those of the banks.
        for (part, found, paper, (of_stop, of_banks)) in parts {
            assert_eq!(found, paper + 9 * of_stop + 7 * of_banks, "{part}");
        }
        assert_eq!(bits(&memories, |_| true) - replies, parts.iter().map(|part| part.1).sum::<usize>(), "nothing else");
        // The paper leaves out all but one digit behind the point.
        let tenths = parts.map(|(_, _, paper, _)| paper * 10 / 8192);
        assert_eq!(tenths, [20, 17, 12, 28, 800], "tenths of a KB");
    }

    /// In a bank of 256 sets: 32 slots of 128 x 56 in groups of four, and four positions of 1,024 x 24 in one group.
    #[test]
    fn memories_with_one_address_are_built_together() {
        let memories = memories(&elaborate(&catalog::find("reorder_bank", &[("sets", 256)]).unwrap()).unwrap());
        let built = |place: &str| memories.iter().find(|m| m.place == place).unwrap().to_build();
        assert_eq!(built("slot_*"), (8, Shape { depth: 128, width: 224, ports: 2 }));
        assert_eq!(built("position_*"), (1, Shape { depth: 1024, width: 96, ports: 2 }));
        assert_eq!(built("local_queue.queue.sram").0, 1);
    }

    #[test]
    fn the_ports_are_those_of_the_rtl() {
        let of = |unit: &str| memories(&elaborate(&catalog::find(unit, &[]).unwrap()).unwrap());
        assert_eq!(of("sram_1rw")[0].ports, 1);
        assert_eq!(of("sram_1r1w")[0].ports, 2);
    }

    #[test]
    fn memories_of_one_size_are_counted_together() {
        let memories = memories(&elaborate(&catalog::find("hwwl_core", &[]).unwrap()).unwrap());
        assert_eq!(memories.iter().map(Memories::bits).sum::<usize>(), 16 * 32 * 24, "16 banks of 32 IDs");
        assert_eq!((memories.len(), memories[0].instances), (1, 16), "{memories:?}");
    }
}
