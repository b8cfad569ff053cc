//! Tables of pins and parameters for the unit pages.

use crate::number::Number;
use crate::parameter::{Parameter, Values};
use crate::pin::Pin;
use crate::port::{ports, Port};
use crate::system::SYSTEMS;
use crate::unit::Unit;
use crate::{gw, hwwl, iru};

/// A unit page's name of a width or a number. `None`: the unit does not have it.
type Symbol = (&'static str, fn(&Values) -> Option<u64>);

/// By the folder of the pages.
const SYMBOLS: [(&str, &[Symbol]); 4] = [
    ("prim", &[("W", |v| v.find("width"))]),
    (
        "hwwl",
        &[
            ("L", |v| v.find("lanes")),
            ("2L", |v| Some(2 * v.find("lanes")?)),
            ("N", |v| v.find("cores")),
            ("C", |v| Some(hwwl::pins::count_bits(v.find("entries")? as usize).into())),
        ],
    ),
    (
        "iru",
        &[
            ("P", |v| v.find("partitions")),
            ("log2 P", |v| Some(v.find("partitions")?.ilog2().into())),
            ("H", |v| Some(iru::Parameters::of(&v.0).hash_bits().into())),
            ("log2(S/2)", |v| Some(iru::Parameters::of(&v.0).set_bits().into())),
            ("log2(S/2) + 2", |v| Some(iru::Parameters::of(&v.0).ring_place_bits().into())),
            ("log2(S) + 5", |v| Some((v.find("sets")?.ilog2() + 5).into())),
            ("log2 D + 1", |v| Some(iru::Parameters::of(&v.0).tag_bits().into())),
        ],
    ),
    (
        "gw",
        &[
            ("S", |v| v.find("schedulers")),
            ("log2 S up", |v| Some(bits(v.find("schedulers")?))),
            ("N", places),
            ("log2 N up", |v| places(v).map(bits)),
            // One scheduler alone: N is `warps`.
            ("log2 N up", |v| v.find("warps").map(bits)),
            ("log2 N/2 up", |v| Some(bits(places(v)? / 2))),
            ("V", |v| v.find("wave")),
            ("log2 N/V up", |v| Some(bits(places(v)? / v.find("wave")?))),
            ("log2 T up", |v| Some(bits(v.find("swst")?))),
            ("E", |v| v.find("ways").map(|_| gw::Parameters::of(&v.0).entry_bits().into())),
        ],
    ),
];

fn bits(count: u64) -> u64 {
    gw::parameters::bits(Number::of(count)).into()
}

fn places(v: &Values) -> Option<u64> {
    Some(v.find("warps")? / v.find("schedulers").unwrap_or(1))
}

const END: &str = "<!-- end -->";

/// A page in which each table between `<!-- pins of UNIT -->` or `<!-- parameters of UNIT -->` and `<!-- end -->` is what the
/// specification says.
///
/// # Errors
/// The line of a table that does not end, of a unit that there is not, or of an end without a beginning.
pub fn filled(page: &str) -> Result<String, String> {
    let mut lines = page.lines().enumerate();
    let mut text = String::new();
    while let Some((place, line)) = lines.next() {
        let problem = |problem: &str| format!("line {}: `{line}`: {problem}", place + 1);
        if line == END {
            return Err(problem("no `<!-- pins of UNIT -->` and no `<!-- parameters of UNIT -->` is before it"));
        }
        text += &format!("{line}\n");
        let unit = |what: &str| line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.strip_prefix(what);
        let table = match (unit("pins of "), unit("parameters of ")) {
            (Some(unit), _) => pins_of(unit),
            (_, Some(unit)) => parameters_of(unit),
            _ => continue,
        };
        text += &table.ok_or_else(|| problem("there is no such unit"))?;
        lines.find(|(_, line)| *line == END).ok_or_else(|| problem("no `<!-- end -->` is after it"))?;
        text += &format!("{END}\n");
    }
    Ok(text)
}

fn find(name: &str) -> Option<(&'static str, &'static Unit)> {
    let all = SYSTEMS.iter().flat_map(|system| system.units.iter().map(|unit| (system.name, *unit)));
    all.into_iter().find(|(_, unit)| unit.name == name)
}

fn parameters_of(unit: &str) -> Option<String> {
    let row = |p: &Parameter| format!("| `{}` | {} | {} | {} |\n", p.name, p.description, p.default, p.rule);
    let rows: String = find(unit)?.1.parameters.iter().map(row).collect();
    Some(format!("| | | default | must be |\n|---|---|--:|---|\n{rows}"))
}

/// Values of a parameter that are tried.
const VALUES: [u64; 9] = [2, 3, 4, 8, 16, 32, 64, 128, 256];

/// A unit at many sizes: what is equal at all of them is a number, all else has a symbol.
struct Sizes {
    values: Vec<Values>,
    symbols: &'static [Symbol],
}

impl Sizes {
    /// The default size, and those that differ from it in one parameter and have ports of the same names.
    fn of(system: &str, unit: &Unit) -> Self {
        let names = |values: &Values| {
            let interface = (unit.pins)(values);
            [interface.inputs, interface.outputs]
                .map(|pins| ports(&pins).into_iter().map(|p| p.name).collect::<Vec<_>>())
        };
        let usual = unit.values(&[]).ok();
        let one = |p: &'static Parameter| VALUES.iter().filter_map(move |value| unit.values(&[(p.name, *value)]).ok());
        let others = unit.parameters.iter().flat_map(one);
        let has_names = |values: &Values| usual.as_ref().is_some_and(|usual| names(usual) == names(values));
        let values = usual.iter().cloned().chain(others.filter(has_names)).collect();
        let symbols = SYMBOLS.iter().find(|(name, _)| *name == system).map_or(&[][..], |(_, symbols)| symbols);
        Sizes { values, symbols }
    }

    /// A number that is `values` at these sizes.
    fn text(&self, values: &[u64]) -> String {
        if values.iter().all(|value| *value == values[0]) {
            return values[0].to_string();
        }
        let is = |symbol: &&Symbol| self.values.iter().map(symbol.1).eq(values.iter().map(|value| Some(*value)));
        self.symbols.iter().find(is).map_or("?", |(text, _)| text).into()
    }

    /// `8 x P x 32`, of a port at each size.
    fn width(&self, port: &[&Port]) -> String {
        let of = |number: &dyn Fn(&Port) -> u64| self.text(&port.iter().map(|port| number(port)).collect::<Vec<_>>());
        let counts = (0..port[0].counts.len()).map(|i| of(&|port| port.counts[i] as u64));
        let element = Some(of(&|port| port.element.into())).filter(|bits| bits != "1" || port[0].counts.is_empty());
        counts.chain(element).collect::<Vec<_>>().join(" x ")
    }

    /// A row for each port with a sentence, with the ports without one that come after it.
    fn table(&self, direction: &str, pins: &[Vec<Pin>]) -> String {
        let all: Vec<Vec<Port>> = pins.iter().map(|pins| ports(pins)).collect();
        let mut rows: Vec<(Vec<String>, Vec<String>, &str)> = vec![];
        for (i, port) in all[0].iter().enumerate() {
            if rows.is_empty() || !port.about.is_empty() {
                rows.push((vec![], vec![], &port.about));
            }
            let row = rows.last_mut().expect("there is one now");
            row.0.push(format!("`{}`", port.name));
            row.1.push(self.width(&all.iter().map(|ports| &ports[i]).collect::<Vec<_>>()));
        }
        let row = |(names, widths, about): &(Vec<String>, Vec<String>, &str)| {
            format!("| {} | {} | {about} |\n", names.join(", "), widths.join(", "))
        };
        format!("| {direction} | bits | |\n|---|---|---|\n{}", rows.iter().map(row).collect::<String>())
    }
}

fn pins_of(unit: &str) -> Option<String> {
    let (system, unit) = find(unit)?;
    let sizes = Sizes::of(system, unit);
    let interfaces = sizes.values.iter().map(unit.pins);
    let (inputs, outputs): (Vec<_>, Vec<_>) = interfaces.map(|pins| (pins.inputs, pins.outputs)).unzip();
    Some(format!("{}\n{}", sizes.table("in", &inputs), sizes.table("out", &outputs)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_has_a_symbol() {
        for unit in
            ["wru_sorting", "hwwl_core", "icrn", "iru_partition", "gw_front_end", "b32_front_end", "fetch_arbiter"]
        {
            let text = pins_of(unit).unwrap();
            assert!(!text.contains('?'), "{unit}:\n{text}");
        }
    }

    #[test]
    fn a_page_has_the_tables_that_it_asks_for() {
        let page = "before\n<!-- pins of queue -->\nstale\n<!-- end -->\nafter\n";
        let text = filled(page).unwrap();
        assert!(text.starts_with("before\n<!-- pins of queue -->\n| in | bits | |\n"), "{text}");
        assert!(text.contains("| `push`, `push_data` | 1, W | never while `full` |\n"), "{text}");
        assert!(text.ends_with("<!-- end -->\nafter\n") && !text.contains("stale"), "{text}");
        assert_eq!(filled(&text), Ok(text.clone()));
    }

    #[test]
    fn a_mark_without_another_or_of_no_unit_is_named() {
        let problem = |page: &str| filled(page).unwrap_err();
        assert_eq!(
            problem("\n<!-- pins of queue -->\n"),
            "line 2: `<!-- pins of queue -->`: no `<!-- end -->` is after it"
        );
        let nothing = "<!-- pins of nothing -->\n<!-- end -->\n";
        assert_eq!(problem(nothing), "line 1: `<!-- pins of nothing -->`: there is no such unit");
        for mark in ["pin of queue", "Pins of queue", "parameter of queue", "pinsof queue"] {
            let text = problem(&format!("<!-- {mark} -->\n| a |\n<!-- end -->\n"));
            assert!(text.starts_with("line 3: `<!-- end -->`: no `<!-- pins of UNIT -->`"), "{mark}: {text}");
        }
    }
}
