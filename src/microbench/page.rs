//! The page `silicon.md`: our numbers beside silicon's and the reference simulator's. Two files have one name: what others measured
//! (TOML), and what we measured (JSON).

use super::facts::{Facts, Preset, Row};
use crate::exit::CheckFailed;
use crate::rows;
use anyhow::{bail, Result};
use gen::table::{markdown, numbers, words, Column};
use sim::microbench::Measure;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Part of silicon's number by which ours may be off without a reason.
const TOLERANCE: f64 = 0.25;

/// A number of ours, as it stands on the page.
pub struct Measured {
    pub config: String,
    pub measure: Measure,
    pub value: f64,
}

impl Measured {
    /// Hundredths are as fine as the page is.
    pub fn new(config: &str, measure: Measure, value: f64) -> Self {
        Measured { config: config.into(), measure, value: (100.0 * value).round() / 100.0 }
    }
}

/// By configuration and measure.
type Numbers = BTreeMap<String, BTreeMap<String, f64>>;

/// Our measurements next to those of others.
pub struct Page {
    numbers: PathBuf,
    facts: Facts,
}

impl Page {
    /// The page of a file of our numbers. Fails at once if what others measured is missing.
    pub fn open(numbers: &Path) -> Result<Page> {
        Ok(Page { numbers: numbers.into(), facts: Facts::read(&facts(numbers))? })
    }

    /// The text, from our numbers in the file.
    ///
    /// # Errors
    /// A number that was not measured, or that is off without a reason.
    pub fn text(&self) -> Result<String> {
        self.text_of(&rows::read_one(&self.numbers)?)
    }

    /// Writes our numbers. A number that is off needs a reason first.
    pub fn write(&self, measured: &[Measured]) -> Result<()> {
        let mut numbers = Numbers::new();
        for m in measured {
            numbers.entry(m.config.clone()).or_default().insert(m.measure.name().into(), m.value);
        }
        self.text_of(&numbers)?;
        rows::write_pretty(&self.numbers, &numbers)
    }

    /// Each number that was measured now is in the file.
    pub fn check(&self, measured: &[Measured]) -> Result<()> {
        let (numbers, path): (Numbers, _) = (rows::read_one(&self.numbers)?, self.numbers.display());
        self.text_of(&numbers)?;
        for m in measured {
            let there = numbers.get(&m.config).and_then(|of| of.get(m.measure.name()));
            if there != Some(&m.value) {
                let there = there.map_or("nothing".into(), f64::to_string);
                let text = format!("{} of {} is {}, the file has {there}", m.measure, m.config, m.value);
                return Err(CheckFailed(format!("{path}: {text}: stale: unruly microbench --rows {path}")).into());
            }
        }
        println!("{path}: {} of its numbers are as measured now", measured.len());
        Ok(())
    }

    fn text_of(&self, numbers: &Numbers) -> Result<String> {
        let mut text = HEAD.to_owned();
        for preset in &self.facts.presets {
            let Some(ours) = numbers.get(&preset.name) else { bail!("{}: was not measured", preset.name) };
            text += &section(preset, ours)?;
        }
        let measures = Measure::ALL
            .into_iter()
            .map(|measure| [measure.name(), measure.unit(), measure.description()].map(String::from));
        let sources = self.facts.sources.iter().map(|(name, source)| [name.clone(), source.clone()]);
        let measures = markdown(&[words("measure"), words("unit"), words("what it is")], measures);
        let sources = markdown(&[words("name"), words("source")], sources);
        Ok(format!("{text}\n## How it is measured\n\n{measures}\n## Sources\n\n{sources}"))
    }
}

/// The file of others' measurements, next to the file of our numbers.
pub fn facts(numbers: &Path) -> PathBuf {
    numbers.with_extension("toml")
}

const HEAD: &str = "# The presets beside silicon

Our numbers are those of microbenchmarks that run on the model ([microbench.cu](../../sim/src/kernels/microbench.cu)): `unruly microbench --rows docs/data/silicon.json` measures them.
What others measured is in [silicon.toml](../../docs/data/silicon.toml). A number of silicon stands here only with a source that was found; `-` means that none was.

*Off* is how far our number lies outside of silicon's, as a part of it; 0 % is within. A row that is off by more than a quarter says why the preset has not moved. *Reference* is GPGPU-Sim 4.2, where the calibration set ran it ([fidelity.md](../../docs/fidelity.md)).
";

const COLUMNS: [Column; 7] = [
    words("measure"),
    words("unit"),
    numbers("silicon"),
    numbers("reference"),
    numbers("ours"),
    numbers("off"),
    words("sources, and why"),
];

/// The table of a preset.
fn section(preset: &Preset, ours: &BTreeMap<String, f64>) -> Result<String> {
    let mut rows = vec![];
    for measure in Measure::ALL {
        let Some(&value) = ours.get(measure.name()) else { bail!("{measure} of {}: was not measured", preset.name) };
        let none = Row::default();
        let row = preset.rows.iter().find(|row| row.measure == measure.name()).unwrap_or(&none);
        let off = row.silicon.map(|silicon| off(value, silicon));
        if off.is_some_and(|off| off.abs() > TOLERANCE && row.why.is_empty()) {
            let text = format!("{measure} of {}: is off by more than a quarter, and no row says why", preset.name);
            return Err(CheckFailed(text).into());
        }
        rows.push([
            measure.name().to_string(),
            measure.unit().to_string(),
            row.silicon.map_or("-".into(), range),
            row.reference.map_or("-".into(), number),
            number(value),
            off.map_or("-".into(), percent),
            notes(row),
        ]);
    }
    Ok(format!("\n## {}\n\n{}\n\n{}", preset.name, preset.about, markdown(&COLUMNS, rows)))
}

/// Outside of the range, as a part of its nearer end.
fn off(value: f64, [least, most]: [f64; 2]) -> f64 {
    value / value.clamp(least, most) - 1.0
}

fn percent(part: f64) -> String {
    match (100.0 * part).round() as i64 {
        0 => "0 %".into(),
        percent => format!("{percent:+} %"),
    }
}

fn range([least, most]: [f64; 2]) -> String {
    match least == most {
        true => number(least),
        false => format!("{} to {}", number(least), number(most)),
    }
}

fn notes(row: &Row) -> String {
    let sources = [("", &row.sources), ("reference: ", &row.reference_sources)];
    let named = sources.into_iter().filter(|(_, names)| !names.is_empty());
    let named = named.map(|(who, names)| format!("{who}{}", names.join(", ")));
    named.chain([row.why.clone()]).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(". ")
}

/// As fine as it means something.
pub fn number(value: f64) -> String {
    match value < 10.0 {
        true => format!("{value:.2}"),
        false => format!("{value:.1}").trim_end_matches(".0").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn off_is_the_way_to_the_nearer_end() {
        assert_eq!(off(100.0, [80.0, 120.0]), 0.0);
        assert_eq!(off(150.0, [80.0, 120.0]), 0.25);
        assert_eq!(off(60.0, [80.0, 120.0]), -0.25);
        assert_eq!([range([82.0, 82.0]), range([0.11, 353.25])], ["82", "0.11 to 353.2"]);
    }
}
