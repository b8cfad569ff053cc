//! Logic and memories of the papers' systems: of a core or partition, of a chip, and as a share of a published die.

use super::render::range;
use super::Row;
use crate::memory_area::{nand2_um2, Range};
use crate::storage::Memories;
use crate::table::{self, numbers, words, Column};

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

/// The modules that a chip has of each system.
pub(super) fn tops() -> impl Iterator<Item = &'static str> {
    [HWWL, IRU, GW, B32].into_iter().flat_map(|system| [Some(system.module), system.once]).flatten()
}

/// Gate equivalents.
#[derive(Clone, Copy)]
struct Cost {
    logic: f64,
    memories: Range,
    chip: Range,
}

impl Cost {
    fn of<'a>(system: &System, row: impl Fn(&str) -> Option<&'a Row>) -> Option<Cost> {
        let piece = row(system.module)?;
        let once = match system.once {
            Some(module) => row(module)?.sum(),
            None => Range::default(),
        };
        let chip = piece.sum().times(system.pieces as f64) + once;
        Some(Cost { logic: piece.gate_equivalents, memories: piece.memory_area(), chip })
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

/// A line for each system whose rows are there; `row` is that of a module.
pub fn table<'a>(row: impl Fn(&str) -> Option<&'a Row>) -> String {
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
    let costs = [HWWL, IRU, GW, B32].map(|system| (Cost::of(&system, &row), system));
    let difference = costs[2].0.zip(costs[3].0).map(|(gw, b32)| gw.less(b32).cells("GW less B32", &GW));
    let rows = costs.iter().filter_map(|(cost, system)| Some((*cost)?.cells(system.name, system))).chain(difference);
    table::markdown(&HEAD, rows)
}

/// The table of how the memories of each system are built.
pub fn memories<'a>(row: impl Fn(&str) -> Option<&'a Row>) -> String {
    const HEAD: [Column; 6] =
        [words("system"), words("memory"), numbers("words x bits"), numbers("ports"), words("built as"), numbers("GE")];
    let cells = |system: &System, m: &Memories| {
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
    let rows =
        systems.iter().flat_map(|s| row(s.module).into_iter().flat_map(|row| &row.memories).map(|m| cells(s, m)));
    table::markdown(&HEAD, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sram::Sram;
    use crate::synth::Effort;

    /// 10,000 GE of logic and ten memories; of B32 1,000 and one.
    fn costs() -> Vec<Row> {
        let modules =
            [HWWL, IRU, GW, B32].into_iter().flat_map(|system| system.once.into_iter().chain([system.module]));
        modules.map(cost).collect()
    }

    fn cost(module: &str) -> Row {
        let part = if module == B32.module { 1 } else { 10 };
        let memory = Memories { place: "sram".into(), instances: part, words: 8, width: 64, ports: 1 };
        Row {
            unit: String::new(),
            module: module.into(),
            digest: String::new(),
            parameters: Default::default(),
            gate_equivalents: 1_000.0 * part as f64,
            logic_area: 0.0,
            cells: 0,
            flip_flops: 0,
            sram: Sram::default(),
            memories: vec![memory],
            mapped_for: Effort::Area,
            paths: vec![],
        }
    }

    fn table_of(rows: &[Row]) -> String {
        table(|module| rows.iter().find(|row| row.module == module))
    }

    /// HWWL: 15 cores and the network, 16 x 54,800 to 76,080 GE; at 40 nm 0.6305 and 0.6871 um2 each.
    #[test]
    fn a_chip_is_its_pieces_and_a_share_of_its_die() {
        let table = table_of(&costs());
        assert!(table.contains(
            "| HWWL | 10,000 | 44,800 to 66,080 | 54,800 to 76,080 | 15 | 876,800 to 1,217,280 | 0.55 to 0.84 | GF100 529 mm2, 40 nm | \
             0.10 to 0.16 |"
        ), "{table}");
        assert!(
            table.contains("| GW less B32 | 9,000 | 40,320 to 59,472 | 49,320 to 68,472 | 14 | 690,480 to 958,608 |"),
            "{table}"
        );
    }

    #[test]
    fn a_system_without_its_row_is_left_out() {
        let mut costs = costs();
        costs.retain(|row| row.module != IRU.module);
        let table = table_of(&costs);
        assert!(table.contains("| HWWL |") && !table.contains("| IRU |"), "{table}");
    }
}
