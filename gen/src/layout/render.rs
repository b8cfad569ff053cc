//! The table of layouts for people, as text and as Markdown.

use super::qflow::DENSITY;
use super::{picture, Row};
use crate::elaborate::parameter_list;
use crate::table::{self, numbers, words, Column};
use hdl::catalog::Instance;

const COLUMNS: usize = 14;

const HEAD: [Column; COLUMNS] = [
    words("unit"),
    words("parameters"),
    numbers("cells"),
    numbers("kGE"),
    numbers("die um2"),
    numbers("wire mm"),
    numbers("lumped nets"),
    numbers("ns without wires"),
    numbers("ns with wires"),
    numbers("ns, twice their C"),
    numbers("% added"),
    words("LVS"),
    words("DRC"),
    numbers("s"),
];

pub fn cells(row: &Row) -> [String; COLUMNS] {
    let errors = |errors: Option<u64>| match errors {
        Some(0) => "clean".to_string(),
        Some(1) => "1 error".into(),
        Some(errors) => format!("{errors} errors"),
        None => "not checked".into(),
    };
    let sram = match row.sram_macros {
        0 => String::new(),
        _ => " (SRAM outside)".into(),
    };
    [
        row.unit.clone(),
        parameter_list(&row.parameters) + &sram,
        row.cells.to_string(),
        format!("{:.1}", row.gate_equivalents / 1e3),
        format!("{:.0}", row.die_um2),
        format!("{:.1}", row.wire_mm),
        row.lumped_nets.to_string(),
        format!("{:.2}", row.ns_without_wires),
        format!("{:.2}", row.ns_with_wires),
        format!("{:.2}", row.ns_with_twice_the_capacitance),
        format!(
            "{:.1} to {:.1}",
            row.added_percent(row.ns_with_wires),
            row.added_percent(row.ns_with_twice_the_capacitance)
        ),
        errors(row.lvs_errors),
        errors(row.drc_errors),
        format!("{:.0}", row.seconds),
    ]
}

/// A unit whose layout is not known.
pub fn missing(instance: &Instance) -> [String; COLUMNS] {
    let mut cells = [""; COLUMNS].map(String::from);
    cells[0] = instance.unit.into();
    cells[1] = parameter_list(&instance.parameters_by_name());
    cells[2] = "not routed yet".into();
    cells
}

/// The origin of the numbers, a sentence or two in each line.
pub fn notes() -> [String; 8] {
    [
        format!(
            "Placed and routed by Debian's qflow (graywolf, qrouter, magic, netgen; cells osu018, 180 nm, six metals) from the netlist \
             of `unruly area`, its trees of buffers included. Cells fill {:.0} % of the rows.",
            100.0 * DENSITY
        ),
        "Clock: OpenSTA over the cells of the layout, each pin from or to a flip-flop of a neighbour, SRAM with its access time and \
         outside the layout. The wires are those that qrouter extracts. Their capacitance by the LEF's own formula is \
         nearer to twice as much, so both stand here."
            .into(),
        "Lumped nets: qrouter's tree of such a net lacks pins, though its wire reaches them. It is timed as all its resistance, then all \
         its capacitance, of its length and the average of the other nets."
            .into(),
        "% added: what the wires add to the clock, with their capacitance once and twice.".into(),
        "LVS: the layout's netlist, extracted from its shapes, against the netlist that went in. DRC: magic's rules.".into(),
        "No clock tree: qflow has no step that makes one, so qrouter wires all flip-flops to one pin, and the clock is timed as ideal. \
         Its skew comes on top."
            .into(),
        "Larger units: only the share that wires add is known, not a layout; long wires between blocks, SRAM macros and pads are \
         not in it."
            .into(),
        format!("Pictures: {}.", picture::LEGEND),
    ]
}

/// Aligned columns, then the notes.
pub fn text(rows: &[Row]) -> String {
    table::text(&HEAD, rows.iter().map(cells)) + "\n" + &notes().join("\n") + "\n"
}

/// The table as Markdown.
pub fn markdown(rows: &[Row]) -> String {
    table(rows.iter().map(cells)) + "\n" + &notes_markdown()
}

/// The table alone.
pub fn table(rows: impl Iterator<Item = [String; COLUMNS]>) -> String {
    table::markdown(&HEAD, rows)
}

pub fn notes_markdown() -> String {
    notes().iter().map(|note| format!("* {note}\n")).collect()
}
