//! The way in which each graph of a plan is read from its file: as `unruly run` reads it with its options.

use anyhow::{Context, Result};
use serde::Deserialize;
use sim::graph::{Format, Lengths, ReadOptions};
use std::collections::BTreeMap;
use std::str::FromStr;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadingEntry {
    format: Option<String>,
    lengths: Option<String>,
    #[serde(default)]
    directed: bool,
}

pub type Readings = BTreeMap<String, ReadOptions>;

pub fn readings(entries: BTreeMap<String, ReadingEntry>) -> Result<Readings> {
    entries
        .into_iter()
        .map(|(graph, entry)| Ok((graph.clone(), reading(&entry).with_context(|| format!("reading.{graph}"))?)))
        .collect()
}

fn reading(entry: &ReadingEntry) -> Result<ReadOptions> {
    let format = parsed::<Format>("format", entry.format.as_deref())?;
    let lengths = parsed::<Lengths>("lengths", entry.lengths.as_deref())?.unwrap_or_default();
    Ok(ReadOptions { format, lengths, directed: entry.directed })
}

fn parsed<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    field: &'static str,
    text: Option<&str>,
) -> Result<Option<T>> {
    Ok(text.map(str::parse).transpose().context(field)?)
}
