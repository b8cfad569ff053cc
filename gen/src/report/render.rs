//! The table for people (text, Markdown) and for programs (JSON).

use super::{Method, Row, Speed};
use crate::elaborate::parameter_list;
use crate::memory_area::{self, Range};
use crate::order::ORDERS;
use crate::table::{self, numbers, words, Column};
use crate::target;
use hdl::catalog::Instance;

const COLUMNS: usize = 14;

const HEAD: [Column; COLUMNS] = [
    words("unit"),
    words("parameters"),
    numbers("GE in all"),
    numbers("logic GE"),
    numbers("memory GE"),
    numbers("memory bits"),
    numbers("critical path ns"),
    numbers("Fmax MHz"),
    numbers("FO4"),
    numbers("FO4 over the orders"),
    numbers("target FO4"),
    numbers("old target FO4"),
    words("mapped for"),
    words("from - to"),
];

pub fn cells(method: &Method, row: &Row) -> [String; COLUMNS] {
    let dash = || "-".to_string();
    let speed = Speed::of(row, method);
    let path = speed.critical_path.as_ref();
    [
        row.unit.clone(),
        parameter_list(&row.parameters),
        range(row.sum()),
        number(row.gate_equivalents),
        match row.sram.bits {
            0 => dash(),
            _ => range(row.memory_area()),
        },
        number(row.sram.bits as f64),
        path.map_or_else(dash, |p| format!("{:.2}", p.ns)),
        speed.fmax_mhz.map_or_else(dash, |f| format!("{f:.0}")),
        speed.path_fo4.map_or_else(dash, |fo4| format!("{fo4:.0}")),
        match (speed.shortest_fo4, speed.longest_fo4, row.paths.len()) {
            (.., 0) => dash(),
            (Some(shortest), Some(longest), ORDERS) => format!("{shortest:.0} to {longest:.0}"),
            (.., measured) => format!("{measured} of {ORDERS} measured"),
        },
        speed.target_fo4.map_or_else(dash, |target| verdict(target, speed.longest_fo4, speed.meets_target)),
        speed.old_target_fo4.map_or_else(dash, |old| verdict(old, speed.longest_fo4, speed.meets_old_target)),
        path.map_or_else(dash, |_| row.mapped_for.name().into()),
        path.map_or_else(dash, |p| format!("{} -> {}", p.from, p.to)),
    ]
}

/// A limit, and how the longest path compares with it.
fn verdict(limit: f64, longest: Option<f64>, is_met: Option<bool>) -> String {
    match (longest, is_met) {
        (Some(_), Some(true)) => format!("{limit:.0} met"),
        (Some(longest), Some(false)) => format!("{limit:.0} missed by {:.1}", longest - limit),
        _ => format!("{limit:.0}"),
    }
}

/// A unit whose cost is not known.
pub fn missing(instance: &Instance) -> [String; COLUMNS] {
    let mut cells = [""; COLUMNS].map(String::from);
    cells[0] = instance.unit.into();
    cells[1] = parameter_list(&instance.parameters_by_name());
    cells[2] = "not computed yet".into();
    cells
}

/// Whole: `14,870`.
fn number(value: f64) -> String {
    table::with_commas(value.round_ties_even() as u64)
}

/// `75,000 to 90,000`, or one number.
pub(super) fn range(range: Range) -> String {
    let [low, high] = [range.low, range.high].map(number);
    if low == high {
        low
    } else {
        format!("{low} to {high}")
    }
}

/// The origin of the numbers, a line each.
fn notes(method: &Method) -> [String; 17] {
    let [rule, sources] = memory_area::rule();
    [
        format!(
            "Logic GE: without memories, {}, Liberty library {} (1 GE = NAND2 = {} um2).",
            method.yosys, method.library, method.nand2_area
        ),
        "Mapped flat; a unit of several equal children is the sum of its children and its own logic. Mapped for area, by the \
         abc script"
            .into(),
        format!("    {}", method.abc_script),
        "and, where the unit then misses its target, for delay, if that is faster, by".into(),
        format!("    {}", method.abc_script_for_delay),
        "and, where it still misses it, for speed, if that is faster, by".into(),
        format!("    {}", method.abc_script_for_speed),
        method.resets.clone(),
        method.buffers.clone(),
        format!(
            "Critical path: {}, each pin from or to a flip-flop of a neighbour, no wires, ideal clock: a lower bound.",
            method.sta
        ),
        method.orders.clone(),
        format!("{}.", method.sram_access),
        format!("FO4: {} ns, the library's smallest inverter that drives four equal ones, in a chain.", method.fo4_ns),
        target::assumptions(),
        rule,
        sources,
        format!("SRAM um2 of JSON: {}.", method.sram_source),
    ]
}

/// Aligned columns, then the method.
pub fn text(method: &Method, rows: &[Row]) -> String {
    table::text(&HEAD, rows.iter().map(|row| cells(method, row))) + "\n" + &notes(method).join("\n") + "\n"
}

/// The table as Markdown.
pub fn markdown(method: &Method, rows: &[Row]) -> String {
    table(rows.iter().map(|row| cells(method, row))) + "\n" + &notes_markdown(method)
}

/// The table alone.
pub fn table(rows: impl Iterator<Item = [String; COLUMNS]>) -> String {
    table::markdown(&HEAD, rows)
}

/// The origin of the numbers, a paragraph of lines.
pub fn notes_markdown(method: &Method) -> String {
    let notes = notes(method).map(|n| match n.trim_start() {
        script if script.starts_with('&') => format!("`{script}`"),
        note => note.to_string(),
    });
    notes.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sram::Sram;
    use crate::storage::Memories;
    use crate::timing::CriticalPath;

    fn method() -> Method {
        Method {
            library: "tiny".into(),
            nand2_area: 2.0,
            fo4_ns: 0.1,
            yosys: "Yosys 0".into(),
            sta: "OpenSTA 0".into(),
            abc_script: "&get -n; &put".into(),
            abc_script_for_delay: "&get -n; &nf; &put".into(),
            abc_script_for_speed: "&get -n; &syn4; &nf; &put".into(),
            orders: "five orders".into(),
            resets: "gates of resets".into(),
            buffers: "trees of buffers".into(),
            sram_source: "somewhere".into(),
            sram_access: "soon".into(),
        }
    }

    fn path(ns: f64) -> CriticalPath {
        CriticalPath { ns, from: "head_q[0]".into(), to: format!("sram/addr[{}]", (10.0 * ns) as u32) }
    }

    fn row() -> Row {
        Row {
            unit: "bank".into(),
            module: "bank_32".into(),
            digest: "0".into(),
            parameters: [("entries".to_string(), 32)].into(),
            gate_equivalents: 1234.4,
            logic_area: 2468.8,
            cells: 400,
            flip_flops: 30,
            sram: Sram { macros: 1, bits: 768, low: 371.0, high: 4405.0 },
            memories: vec![Memories { place: "sram".into(), instances: 1, words: 32, width: 24, ports: 1 }],
            mapped_for: crate::synth::Effort::Area,
            paths: [2.4, 4.7, 2.5, 2.3, 4.6].map(path).into(),
        }
    }

    #[test]
    fn text_has_every_column_and_the_method() {
        let text = text(&method(), &[row()]);
        for part in [
            "entries = 32",
            "4,869 to 6,862",
            "1,234",
            "3,635 to 5,628",
            "768",
            "2.50",
            "400",
            "25             23 to 47  46 missed by 1.0  45 missed by 2.0",
            "head_q[0] -> sram/addr[25]",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert!(
            text.contains("&get -n; &put")
                && text.contains("somewhere")
                && text.contains("trees of buffers")
                && text.contains("gates of resets")
                && text.contains("Yosys 0")
        );
    }

    #[test]
    fn a_memory_has_no_path() {
        let memory = Row { paths: vec![], ..row() };
        assert!(markdown(&method(), &[memory]).contains("| - | - | - | - | 46 | 45 | - | - |"));
    }

    #[test]
    fn a_target_is_met_only_in_all_orders() {
        let target = |delays: &[f64]| {
            let row = Row { paths: delays.iter().copied().map(path).collect(), ..row() };
            cells(&method(), &row)[9..11].to_vec()
        };
        assert_eq!(target(&[2.5, 4.0, 4.5, 4.6, 3.0]), ["25 to 46", "46 met"]);
        assert_eq!(target(&[2.5, 4.0, 4.5, 4.7, 3.0]), ["25 to 47", "46 missed by 1.0"]);
        assert_eq!(target(&[2.5]), ["1 of 5 measured", "46"]);
        assert_eq!(target(&[5.0]), ["1 of 5 measured", "46 missed by 4.0"]);
    }
}
