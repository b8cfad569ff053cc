//! Logic and memories of the papers' systems: of a core or partition, of a chip, and as a share of a published die.

use super::render::range;
use super::Whole;
use crate::memory_area::{nand2_um2, Range};
use crate::storage::Memories;
use crate::table::{self, numbers, words, Column};
use std::collections::BTreeMap;

struct Die {
    name: &'static str,
    mm2: f64,
    node_nm: f64,
}

const GF100: Die = Die { name: "GF100", mm2: 529.0, node_nm: 40.0 };
const GM204: Die = Die { name: "GM204", mm2: 398.0, node_nm: 28.0 };

struct System {
    name: &'static str,
    /// The module of a core or partition.
    module: &'static str,
    pieces: u64,
    /// A module that a chip has once.
    once: Option<&'static str>,
    die: Die,
}

const HWWL: System =
    System { name: "HWWL", module: "hwwl_core_l16_e32_lsorting", pieces: 15, once: Some("icrn_c16"), die: GF100 };
const IRU: System = System { name: "IRU", module: "iru_partition_p4_s256", pieces: 4, once: None, die: GM204 };
const GW: System =
    System { name: "GW", module: "gw_front_end_s4_w192_v16_t8_16x3", pieces: 14, once: None, die: GF100 };
const B32: System = System { name: "B32", module: "gw_b32_front_end_s2_w48", pieces: 14, once: None, die: GF100 };

/// Gate equivalents.
#[derive(Clone, Copy)]
struct Cost {
    logic: f64,
    memories: Range,
    chip: Range,
}

impl Cost {
    fn of(system: &System, whole: impl Fn(&str) -> Option<Whole>) -> Option<Cost> {
        let piece = whole(system.module)?;
        let once = match system.once {
            Some(module) => whole(module)?.sum(),
            None => Range::default(),
        };
        let chip = piece.sum().times(system.pieces as f64) + once;
        Some(Cost { logic: piece.row.gate_equivalents, memories: piece.memories, chip })
    }

    fn less(self, other: Cost) -> Cost {
        let memories = self.memories + other.memories.times(-1.0);
        Cost { logic: self.logic - other.logic, memories, chip: self.chip + other.chip.times(-1.0) }
    }

    fn cells(self, name: &str, of: &System) -> [String; 9] {
        let nand2 = nand2_um2(of.die.node_nm);
        let mm2 = Range { low: self.chip.low * nand2.low, high: self.chip.high * nand2.high }.times(1e-6);
        let share = mm2.times(100.0 / of.die.mm2);
        let digits = |range: Range| format!("{:.2} to {:.2}", range.low, range.high);
        [
            name.into(),
            range(Range::exactly(self.logic)),
            range(self.memories),
            range(Range::exactly(self.logic) + self.memories),
            of.pieces.to_string(),
            range(self.chip),
            digits(mm2),
            format!("{} {:.0} mm2, {:.0} nm", of.die.name, of.die.mm2, of.die.node_nm),
            digits(share),
        ]
    }
}

/// A line for each system whose rows are there; `whole` is a module's cost.
pub fn table(whole: impl Fn(&str) -> Option<Whole>) -> String {
    const HEAD: [Column; 9] = [
        words("system"),
        numbers("logic GE"),
        numbers("memory GE"),
        numbers("sum GE"),
        numbers("pieces of a chip"),
        numbers("chip GE"),
        numbers("chip mm2"),
        words("die"),
        numbers("% of the die"),
    ];
    let costs = [HWWL, IRU, GW, B32].map(|system| (Cost::of(&system, &whole), system));
    let difference = costs[2].0.zip(costs[3].0).map(|(gw, b32)| gw.less(b32).cells("GW less B32", &GW));
    let rows = costs.iter().filter_map(|(cost, system)| Some((*cost)?.cells(system.name, system))).chain(difference);
    table::markdown(&HEAD, rows)
}

/// The table of how the memories of each system are built.
pub fn memories(of: &BTreeMap<String, Vec<Memories>>) -> String {
    const HEAD: [Column; 6] =
        [words("system"), words("memory"), numbers("words x bits"), numbers("ports"), words("built as"), numbers("GE")];
    let row = |system: &System, m: &Memories| {
        let (count, shape) = m.to_build();
        [
            system.name.into(),
            format!("`{}`", m.place),
            format!("{} of {} x {}", m.instances, m.words, m.width),
            m.ports.to_string(),
            format!("{count} of {} x {}: {}", shape.depth, shape.width, shape.built()),
            range(m.area()),
        ]
    };
    let systems = [HWWL, IRU, GW, B32];
    let rows = systems.iter().flat_map(|s| of.get(s.module).into_iter().flatten().map(move |m| row(s, m)));
    table::markdown(&HEAD, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Row;
    use crate::sram::Sram;
    use crate::synth::Effort;

    /// 1,000 GE of logic and 2,000 to 3,000 of memories; of B32 a tenth.
    fn whole(module: &str) -> Option<Whole> {
        let part = if module == B32.module { 0.1 } else { 1.0 };
        let row = Row {
            unit: String::new(),
            module: module.into(),
            digest: String::new(),
            parameters: BTreeMap::new(),
            gate_equivalents: 1_000.0 * part,
            logic_area: 0.0,
            cells: 0,
            flip_flops: 0,
            sram: Sram::default(),
            mapped_for: Effort::Area,
            critical_path: None,
            fmax_mhz: None,
        };
        Some(Whole { row, memories: Range::of(2_000.0, 3_000.0).times(part) })
    }

    /// HWWL: 15 cores and the network, 16 x 3,000 to 4,000 GE; at 40 nm 0.6305 and 0.6871 um2 each.
    #[test]
    fn a_chip_is_its_pieces_and_a_share_of_its_die() {
        let table = table(whole);
        assert!(table.contains(
            "| HWWL | 1,000 | 2,000 to 3,000 | 3,000 to 4,000 | 15 | 48,000 to 64,000 | 0.03 to 0.04 | GF100 529 mm2, 40 nm | \
             0.01 to 0.01 |"
        ), "{table}");
        assert!(
            table.contains("| GW less B32 | 900 | 1,800 to 2,700 | 2,700 to 3,600 | 14 | 37,800 to 50,400 |"),
            "{table}"
        );
    }

    #[test]
    fn a_system_without_its_row_is_left_out() {
        let table = table(|module| whole(module).filter(|_| module != IRU.module));
        assert!(table.contains("| HWWL |") && !table.contains("| IRU |"), "{table}");
    }
}
