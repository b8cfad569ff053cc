//! `docs/silicon.md`: our numbers beside silicon's and the reference simulator's. Three files have one name: what
//! others measured (TOML), what we measured (JSON, in the folder data), and the page of both.

use super::facts::{Facts, Preset, Row};
use crate::exit::CheckFailed;
use crate::rows;
use anyhow::{bail, ensure, Context, Result};
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

/// Where the three files lie.
pub struct Files {
    pub facts: PathBuf,
    pub numbers: PathBuf,
    pub page: PathBuf,
}

impl Files {
    pub fn beside(page: &Path) -> Files {
        Files { facts: page.with_extension("toml"), numbers: rows::of_page(page), page: page.into() }
    }
}

/// The page, with what others measured.
pub struct Page {
    files: Files,
    facts: Facts,
}

impl Page {
    /// Fails at once if a file is missing, or if one cannot be written.
    pub fn open(path: &Path, only_check: bool) -> Result<Page> {
        ensure!(
            path.extension().is_some_and(|e| e == "md"),
            "--page {}: give it a name that ends with .md",
            path.display()
        );
        let files = Files::beside(path);
        let facts = Facts::read(&files.facts)?;
        if !only_check {
            rows::writable(path, "--page")?;
        }
        Ok(Page { files, facts })
    }

    /// Writes page and numbers. A number that is off needs a reason first.
    pub fn write(&self, measured: &[Measured]) -> Result<()> {
        let mut numbers = Numbers::new();
        for m in measured {
            numbers.entry(m.config.clone()).or_default().insert(m.measure.name().into(), m.value);
        }
        let text = self.text(&numbers)?;
        let json = serde_json::to_string_pretty(&numbers)? + "\n";
        for (file, text) in [(&self.files.numbers, json), (&self.files.page, text)] {
            output::replace(file, text.as_bytes()).with_context(|| format!("{}: cannot write", file.display()))?;
        }
        Ok(())
    }

    /// The page is what the two other files say, and what was measured now is what stands there.
    pub fn check(&self, measured: &[Measured]) -> Result<()> {
        let read =
            |path: &Path| std::fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()));
        let json = &self.files.numbers;
        let numbers: Numbers = serde_json::from_str(&read(json)?).with_context(|| json.display().to_string())?;
        let page = self.files.page.display();
        let stale = |what: String| CheckFailed(format!("{what}: stale: unruly microbench --page {page}"));
        if self.text(&numbers)? != read(&self.files.page)? {
            return Err(stale(format!(
                "{page}: is not what {} and {} say",
                self.files.facts.display(),
                json.display()
            ))
            .into());
        }
        for m in measured {
            let there = numbers.get(&m.config).and_then(|of| of.get(m.measure.name()));
            if there != Some(&m.value) {
                let there = there.map_or("nothing".into(), f64::to_string);
                let text =
                    format!("{}: {} of {} is {}, the file has {there}", json.display(), m.measure, m.config, m.value);
                return Err(stale(text).into());
            }
        }
        println!("{page}: is what its files say, and so are {} of its numbers, measured again", measured.len());
        Ok(())
    }

    fn text(&self, numbers: &Numbers) -> Result<String> {
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

const HEAD: &str = "# The presets beside silicon

`unruly microbench --page docs/silicon.md` writes this page. Our numbers are those of microbenchmarks that run on the model ([microbench.cu](../sim/src/kernels/microbench.cu));
they are also in [silicon.json](data/silicon.json). What others measured is in [silicon.toml](silicon.toml). A number of silicon stands here only with a source that was found; `-` means that none was.

*Off* is how far our number lies outside of silicon's, as a part of it; 0 % is within. A row that is off by more than a quarter says why the preset has not moved. *Reference* is GPGPU-Sim 4.2, where the calibration set ran it ([fidelity.md](fidelity.md)).
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
