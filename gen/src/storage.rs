//! Where the bits of a unit's SRAM are: its memories by their place in the hierarchy.

use crate::elaborate::{Design, Verilog};
use serde::Serialize;
use std::collections::BTreeMap;

/// Memories of one size at places that differ in their numbers alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Memories {
    /// Instances from the top down, numbers as `*`: `bank_*.slot_*`.
    pub place: String,
    pub instances: usize,
    pub words: usize,
    /// Bits of a word.
    pub width: usize,
}

impl Memories {
    pub fn bits(&self) -> usize {
        self.instances * self.words * self.width
    }
}

/// All memories of a design, by place.
pub fn memories(design: &Design) -> Vec<Memories> {
    let modules: BTreeMap<&str, &Verilog> = design.modules.iter().map(|m| (m.module.as_str(), m)).collect();
    let mut counts = BTreeMap::new();
    count(design.top(), "", &modules, &mut counts);
    let memories = |((place, words, width), instances)| Memories { place, instances, words, width };
    counts.into_iter().map(memories).collect()
}

type Counts = BTreeMap<(String, usize, usize), usize>;

fn count(module: &Verilog, place: &str, modules: &BTreeMap<&str, &Verilog>, counts: &mut Counts) {
    for memory in &module.memories {
        *counts.entry((place.to_owned(), memory.depth, memory.width)).or_default() += 1;
    }
    for child in &module.children {
        let name = without_number(&child.instance);
        let place = if place.is_empty() { name } else { format!("{place}.{name}") };
        count(modules[child.module.as_str()], &place, modules, counts);
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

    #[test]
    fn memories_of_one_size_are_counted_together() {
        let memories = memories(&elaborate(&catalog::find("hwwl_core", &[]).unwrap()).unwrap());
        assert_eq!(memories.iter().map(Memories::bits).sum::<usize>(), 16 * 32 * 24, "16 banks of 32 IDs");
        assert_eq!((memories.len(), memories[0].instances), (1, 16), "{memories:?}");
    }
}
