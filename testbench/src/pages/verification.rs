//! The page `verification.md`: what was checked of every unit and instance, and what was not.

use super::cosim::{runs, Row as CosimRow, Run};
use super::coverage::{count, Row as CoverageRow};
use super::{code, Data};
use crate::mutants::MutationReport;
use crate::prove::Outcome;
use gen::table::{markdown, numbers, with_commas, words, Column};
use hdl::catalog::catalog;
use std::collections::BTreeSet;
use std::fmt::Write;

const UNITS: [Column; 12] = [
    words("unit"),
    numbers("instances in the campaign"),
    numbers("cycles"),
    numbers("pins compared"),
    numbers("mismatches"),
    numbers("untoggled bits"),
    numbers("places never reached"),
    numbers("mutants"),
    numbers("found"),
    numbers("properties and invariants proven"),
    numbers("bounded"),
    words("netlist equals RTL"),
];

const INSTANCES: [Column; 9] = [
    words("instance"),
    numbers("cycles in lock-step"),
    numbers("pins compared"),
    numbers("untoggled bits"),
    numbers("waived bits"),
    numbers("places of the Verilog"),
    numbers("never reached"),
    numbers("waived places"),
    numbers("coverage points reached"),
];

pub(super) fn page(data: &Data) -> String {
    let units = units(data);
    let instances = runs(&data.cosim).map(|(row, run)| instance(row, run, data.coverage_of(row)));
    let long = || data.coverage.iter().filter_map(|row| row.long);
    let cycles = data.coverage.iter().map(|row| row.cycles).max().unwrap_or(0);
    let head = format!(
        include_str!("verification.md"),
        cycles = with_commas(cycles),
        least = with_commas(long().min().unwrap_or(0)),
        most = with_commas(long().max().unwrap_or(0))
    );
    let units_table = markdown(&UNITS, units.iter().map(|unit| data.unit(unit)));
    let instances = markdown(&INSTANCES, instances);
    format!(
        "{head}{units_table}\n## Instances\n\n{instances}{}{}{}",
        not_covered(data, &units),
        still(data),
        never(data)
    )
}

/// Units of the campaign, in its order.
fn units(data: &Data) -> Vec<&str> {
    let mut units: Vec<&str> = vec![];
    for (row, _) in runs(&data.cosim) {
        if !units.contains(&row.unit.as_str()) {
            units.push(&row.unit);
        }
    }
    units
}

impl Data {
    fn coverage_of(&self, row: &CosimRow) -> Option<&CoverageRow> {
        self.coverage.iter().find(|coverage| coverage.module == row.module)
    }

    /// Coverage of the campaign's instances.
    fn covered(&self) -> impl Iterator<Item = &CoverageRow> {
        self.coverage.iter().filter(|row| runs(&self.cosim).any(|(other, _)| other.module == row.module))
    }

    fn mutants_of(&self, unit: &str) -> Option<&MutationReport> {
        self.mutants.iter().map(|row| &row.report).find(|report| report.unit == unit)
    }

    fn has_proofs(&self, unit: &str) -> bool {
        self.proofs.iter().any(|row| row.unit == unit)
    }

    fn unit(&self, unit: &str) -> [String; 12] {
        let instances = || runs(&self.cosim).filter(|(row, _)| row.unit == unit);
        let sum = |of: fn(&Run) -> u64| with_commas(instances().map(|(_, run)| of(run)).sum());
        let coverage = || instances().filter_map(|(row, _)| self.coverage_of(row));
        let faults =
            |of: fn(&MutationReport) -> u64| self.mutants_of(unit).map_or("none".into(), |r| of(r).to_string());
        let proofs = |outcome| match self.has_proofs(unit) {
            true => self.proofs.iter().filter(|row| row.unit == unit && row.outcome == outcome).count().to_string(),
            false => "none".into(),
        };
        [
            code(unit),
            instances().count().to_string(),
            sum(|run| run.cycles),
            sum(|run| run.comparisons),
            sum(|run| run.mismatches),
            coverage().map(|row| count(&row.still)).sum::<usize>().to_string(),
            coverage().map(|row| row.never.len()).sum::<usize>().to_string(),
            faults(|report| report.mutants),
            faults(|report| report.killed + report.equivalent),
            proofs(Outcome::Proven),
            proofs(Outcome::Bounded),
            self.netlist(unit),
        ]
    }

    /// The outcome for each part of a unit's netlist.
    fn netlist(&self, unit: &str) -> String {
        let parts: Vec<_> = self.gates.iter().filter(|row| row.unit == unit).collect();
        match (parts.iter().filter(|row| row.outcome == Outcome::Proven).count(), parts.len()) {
            (_, 0) => "none".into(),
            (proven, parts) if proven == parts => "proven".into(),
            (proven, parts) => format!("{proven} of {parts} parts proven"),
        }
    }
}

fn instance(row: &CosimRow, run: &Run, coverage: Option<&CoverageRow>) -> [String; 9] {
    let of = |of: fn(&CoverageRow) -> u64| coverage.map_or("not run".into(), |row| of(row).to_string());
    [
        code(&row.module),
        with_commas(run.cycles),
        with_commas(run.comparisons),
        of(|row| count(&row.still) as u64),
        of(|row| count(&row.waived) as u64),
        of(|row| row.places),
        of(|row| row.never.len() as u64),
        of(|row| row.waived_places),
        format!("{} of {}", run.reached, run.events),
    ]
}

fn not_covered(data: &Data, units: &[&str]) -> String {
    let unsettled: usize = data.mutants.iter().map(|row| row.report.survivors.len()).sum();
    let shipped: BTreeSet<_> = catalog().into_iter().map(|instance| (instance.module, instance.unit)).collect();
    let is_absent = |module: &str| !runs(&data.cosim).any(|(row, _)| row.module == module);
    let absent = shipped.iter().filter(|(module, unit)| units.contains(unit) && is_absent(module));
    format!(
        "\n## Not covered\n\n\
         * Units without mutants: {}.\n\
         * Units without proofs: {}.\n\
         * Mutants that neither stimulus nor a proof settles: {unsettled}; [mutants.md](mutants.md) has each with its line.\n\
         * Instances of `verilog-out` that are in no row of the campaign; other sizes of their units are: {}.\n\
         * Timing within a cycle, several clocks, metastability, power: the lock-step compares cycles, and each unit has one clock.\n",
        list(units.iter().filter(|unit| data.mutants_of(unit).is_none())),
        list(units.iter().filter(|unit| !data.has_proofs(unit))),
        list(absent.map(|(module, _)| module))
    )
}

fn list(names: impl Iterator<Item = impl std::fmt::Display>) -> String {
    let names: Vec<_> = names.map(code).collect();
    if names.is_empty() {
        "none".into()
    } else {
        names.join(", ")
    }
}

fn still(data: &Data) -> String {
    let mut text = "\n### Untoggled bits\n\n".to_string();
    let mut groups: Vec<((&str, &str, &str), Vec<&str>)> = vec![];
    for row in data.covered() {
        for (pin, bits) in &row.still {
            let key = (row.module.as_str(), stem(pin), bits.as_str());
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, pins)) => pins.push(pin),
                None => groups.push((key, vec![pin])),
            }
        }
    }
    for ((module, stem, bits), pins) in &groups {
        let _ = match pins[..] {
            [pin] => writeln!(text, "* `{module}`: `{pin}[{bits}]`"),
            _ => writeln!(text, "* `{module}`: `{stem}_*[{bits}]` ({} pins)", pins.len()),
        };
    }
    if groups.is_empty() {
        text + "None.\n"
    } else {
        text
    }
}

/// The name of a pin without its number.
fn stem(pin: &str) -> &str {
    match pin.contains('_') {
        true => pin.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_'),
        false => pin,
    }
}

fn never(data: &Data) -> String {
    let mut text = "\n### Places never reached\n\n".to_string();
    for row in data.covered() {
        for place in &row.never {
            let _ = writeln!(
                text,
                "* `{}`: {}, line {}, `{}`, {}",
                row.module, place.file, place.line, place.text, place.way
            );
        }
    }
    if data.covered().all(|row| row.never.is_empty()) {
        text + "None.\n"
    } else {
        text
    }
}
