//! `--configure-iru`: what the host says of a kernel's `load_iru`.

use anyhow::{bail, ensure, Context, Result};
use sim::attach::iru::Reorder;
use sim::number::whole_u64;
use sim::ptx::program::Program;
use sim::units::iru::Filter;
use std::collections::BTreeMap;
use std::str::FromStr;

const FORM: &str = "write target=ARRAY,indices=ARRAY,count=ELEMENTS and, if wanted, secondary=ARRAY, bytes=SIZE (of an element of target; 4), filter=none|minimum|addition";
const KEYS: [&str; 6] = ["target", "indices", "count", "secondary", "bytes", "filter"];

/// Arrays as the user names them: by the number of their `--arg`, from 1, or by the name of their buffer.
pub struct Configuration {
    text: String,
    target: String,
    indices: String,
    secondary: Option<String>,
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
        ensure!(KEYS.contains(&key), "`{key}` is none of {}", spelling::listed(key, KEYS));
        ensure!(given.insert(key, value).is_none(), "`{key}` is there twice");
    }
    let number = |key: &str| -> Result<Option<u64>> {
        let parse =
            |value: &&str| whole_u64(value).ok().with_context(|| format!("{key} `{value}` is not a whole number"));
        given.get(key).map(parse).transpose()
    };
    let missing = |key: &str| format!("`{key}` is missing; {FORM}");
    let array = |key: &str| given.get(key).map(|name| name.to_string());
    let must = |key: &str| array(key).with_context(|| missing(key));
    Ok(Configuration {
        text: text.to_owned(),
        target: must("target")?,
        indices: must("indices")?,
        secondary: array("secondary"),
        count: number("count")?.with_context(|| missing("count"))?,
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
    let name = crate::plain_name::plain_name(&program.name);
    let uses_it = program.code.iter().any(|instr| sim::attach::iru::takes(instr));
    match configuration {
        None if uses_it => bail!("kernel `{name}` has a load_iru: say with --configure-iru what it takes; {FORM}"),
        Some(c) if !uses_it => bail!("--configure-iru {}: kernel `{name}` has no load_iru", c.text),
        _ => Ok(()),
    }
}

impl Configuration {
    /// With the device addresses of the arrays. `find` gives that of an array, by its name.
    pub fn resolve(&self, find: impl Fn(&str) -> Result<u64>) -> Result<Reorder> {
        let address =
            |key: &str, name: &str| find(name).with_context(|| format!("--configure-iru {}: {key}={name}", self.text));
        Ok(Reorder {
            target: address("target", &self.target)?,
            element_bytes: self.element_bytes,
            indices: address("indices", &self.indices)?,
            secondary: self.secondary.as_deref().map(|name| address("secondary", name)).transpose()?,
            count: self.count,
            filter: self.filter,
        })
    }
}
