//! `--configure-iru`: what the host says of a kernel's `load_iru`.

use super::argument::Argument;
use anyhow::{bail, ensure, Context, Result};
use sim::number::whole_u64;
use sim::ptx::program::{Class, Program};
use sim::reorder::Reorder;
use sim::units::iru::Filter;
use std::collections::BTreeMap;
use std::str::FromStr;

const FORM: &str = "write target=ARG,indices=ARG,count=ELEMENTS and, if wanted, secondary=ARG, bytes=SIZE (of an element of target; 4), filter=none|minimum|addition";
const KEYS: [&str; 6] = ["target", "indices", "count", "secondary", "bytes", "filter"];

/// Arrays by the number of their `--arg`, from 1.
pub struct Configuration {
    text: String,
    target: usize,
    indices: usize,
    secondary: Option<usize>,
    count: u64,
    element_bytes: u64,
    filter: Filter,
}

impl FromStr for Configuration {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        parse(text).with_context(|| format!("--configure-iru {text}"))
    }
}

fn parse(text: &str) -> Result<Configuration> {
    let mut given = BTreeMap::new();
    for part in text.split(',') {
        let (key, value) = part.split_once('=').context(FORM)?;
        ensure!(KEYS.contains(&key), "`{key}` is none of {}", KEYS.join(", "));
        ensure!(given.insert(key, value).is_none(), "`{key}` is there twice");
    }
    let number = |key: &str| -> Result<Option<u64>> {
        let parse =
            |value: &&str| whole_u64(value).ok().with_context(|| format!("{key} `{value}` is not a whole number"));
        given.get(key).map(parse).transpose()
    };
    let must = |key: &str| number(key)?.with_context(|| format!("`{key}` is missing; {FORM}"));
    Ok(Configuration {
        text: text.to_owned(),
        target: must("target")? as usize,
        indices: must("indices")? as usize,
        secondary: number("secondary")?.map(|n| n as usize),
        count: must("count")?,
        element_bytes: number("bytes")?.unwrap_or(4),
        filter: match given.get("filter") {
            None | Some(&"none") => Filter::None,
            Some(&"minimum") => Filter::Minimum,
            Some(&"addition") => Filter::Addition,
            Some(other) => bail!("filter `{other}` is none of none, minimum, addition"),
        },
    })
}

/// There is a configuration if, and only if, the kernel uses one.
pub fn check(program: &Program, configuration: Option<&Configuration>) -> Result<()> {
    let name = super::plain_name(&program.name);
    let uses_it = program.code.iter().any(|instr| instr.class == Class::ReorderLoad);
    match configuration {
        None if uses_it => bail!("kernel `{name}` has a load_iru: say with --configure-iru what it takes; {FORM}"),
        Some(c) if !uses_it => bail!("--configure-iru {}: kernel `{name}` has no load_iru", c.text),
        _ => Ok(()),
    }
}

impl Configuration {
    /// With the addresses of the arguments' buffers.
    pub fn resolve(&self, arguments: &[Argument], addresses: &[u64]) -> Result<Reorder> {
        let address = |key: &str, place: usize| {
            let is_buffer = place.checked_sub(1).and_then(|i| arguments.get(i)).is_some_and(Argument::is_buffer);
            let wrong =
                || format!("--configure-iru {}: {key}={place}: there is no --arg {place} with a buffer", self.text);
            is_buffer.then(|| addresses[place - 1]).with_context(wrong)
        };
        Ok(Reorder {
            target: address("target", self.target)?,
            element_bytes: self.element_bytes,
            indices: address("indices", self.indices)?,
            secondary: self.secondary.map(|place| address("secondary", place)).transpose()?,
            count: self.count,
            filter: self.filter,
        })
    }
}
