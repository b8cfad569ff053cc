//! Measurements of others: silicon, and the reference simulator. Numbers with their sources, in a TOML file.

use crate::toml_error;
use anyhow::{ensure, Context, Result};
use serde::Deserialize;
use sim::microbench::Measure;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The source that each name stands for.
    pub sources: BTreeMap<String, String>,
    #[serde(rename = "preset")]
    pub presets: Vec<Preset>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    pub name: String,
    /// The silicon that it is compared with.
    pub about: String,
    #[serde(default, rename = "row")]
    pub rows: Vec<Row>,
}

/// Known numbers of a measure, in the measure's unit.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub measure: String,
    /// The least and the most that silicon showed.
    #[serde(default)]
    pub silicon: Option<[f64; 2]>,
    /// Names of sources of silicon's numbers.
    #[serde(default)]
    pub sources: Vec<String>,
    /// The reference simulator's number.
    #[serde(default)]
    pub reference: Option<f64>,
    #[serde(default)]
    pub reference_sources: Vec<String>,
    /// The way from the sources to the numbers, and why ours is another.
    #[serde(default)]
    pub why: String,
}

impl Facts {
    pub fn read(path: &Path) -> Result<Facts> {
        let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))?;
        let facts: Facts = toml::from_str(&text).map_err(|e| toml_error::in_file(path.display(), &text, &e))?;
        facts.check().with_context(|| path.display().to_string())?;
        Ok(facts)
    }

    /// Every number has a source, and every name stands for something.
    fn check(&self) -> Result<()> {
        for (preset, row) in self.presets.iter().flat_map(|preset| preset.rows.iter().map(move |row| (preset, row))) {
            let place = format!("{} of {}", row.measure, preset.name);
            row.measure.parse::<Measure>()?;
            ensure!(row.silicon.is_none() || !row.sources.is_empty(), "{place}: silicon's number has no source");
            ensure!(
                row.reference.is_none() || !row.reference_sources.is_empty(),
                "{place}: the reference's number has no source"
            );
            ensure!(
                row.silicon.is_none_or(|[least, most]| 0.0 < least && least <= most),
                "{place}: silicon = [least, most]"
            );
            let unknown =
                row.sources.iter().chain(&row.reference_sources).find(|name| !self.sources.contains_key(*name));
            ensure!(unknown.is_none(), "{place}: no source `{}`", unknown.map_or("", String::as_str));
        }
        Ok(())
    }
}
